"""What do large logs and reports of each format look like? Made up from a seed, for timing only; nothing is stored.

`make(path, kind, size)` writes at least `size` bytes of one of `KINDS`: a beginning, numbered pieces, and an end that
fits them. The names are those of the runners and tools whose shape the bytes have.
"""

import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SEED = 4
TIME = "2026-08-20T10:00:00.0000000Z"
FAILS = 20
"""One test in so many fails, where any do."""
NOISE = (
    "connecting to db-{} took {} ms",
    "GET /api/items/{} 200 in {} ms",
    "  at handler_{} (line {})",
    "cache {} hit {}",
)


@dataclass(frozen=True)
class Kind:
    """How a format is written."""

    piece: Callable[[int, random.Random], str]
    """The n-th test, finding or result."""
    before: str = ""
    after: Callable[[int], str] = lambda pieces: ""
    between: str = ""
    most: int | None = None
    """Megabytes; a larger one is refused by design."""


def make(path: Path, name: str, size: int) -> None:
    """Write the format `name`."""
    if name == "inspect archive":
        return _archive(path, size)
    kind, written, pieces = KINDS[name], 0, 0
    chance = random.Random(SEED)
    with path.open("w", encoding="utf-8", newline="") as file:
        written += file.write(kind.before)
        while written < size:
            part = (kind.between if pieces else "") + kind.piece(pieces, chance)
            written += file.write(part)
            pieces += 1
        file.write(kind.after(pieces))
    return None


def sizes(name: str, wanted: list[int]) -> list[int]:
    """Which of the sizes in megabytes the format is made at: the largest that is read stands for those that are not.

    >>> sizes("review text", [1, 10, 100]), sizes("tap", [1, 10])
    ([1, 4], [1, 10])
    """
    most = KINDS[name].most if name in KINDS else None
    return sorted({min(size, most or size) for size in wanted})


def _noise(n: int, chance: random.Random) -> str:
    return chance.choice(NOISE).format(n, chance.randrange(900))


def _failing(n: int) -> bool:
    return n % FAILS == FAILS - 1


def _ends(pieces: int) -> tuple[int, int]:
    """Passed and failed of so many pieces."""
    return pieces - pieces // FAILS, pieces // FAILS


def _junit(fails: bool) -> Callable[[int, random.Random], str]:
    def piece(n: int, chance: random.Random) -> str:
        case = f'<testcase classname="app.module_{n % 400}.Test" name="test_{n}" time="0.{chance.randrange(1000):03}"'
        if not (fails and _failing(n)):
            return case + "/>\n"
        stack = "\n".join(f"  File app/f{k}.py, line {n}, in call &lt;{k}&gt;" for k in range(12))
        return f'{case}><failure message="assert {n} == {n + 1}">{stack}</failure></testcase>\n'

    return piece


def _pytest_line(n: int, chance: random.Random) -> str:
    return f"tests/test_{n // 50}.py::test_case[{n}] {'FAILED' if _failing(n) else 'PASSED'} {'[ 50%]':>24}\n"


def _pytest_dots(n: int, chance: random.Random) -> str:
    return "." * (FAILS - 1) + "F" + "." * 40 + f"{'[ 50%]':>10}\n"


def _jest(n: int, chance: random.Random) -> str:
    lines = "".join(f"    \x1b[32m✓\x1b[39m \x1b[2mworks {n}-{k} ({k} ms)\x1b[22m\n" for k in range(10))
    return f"\x1b[7m\x1b[1m\x1b[32m PASS \x1b[39m\x1b[22m\x1b[27m src/f{n}.test.ts\n  suite {n}\n{lines}\n"


def _go_event(n: int, chance: random.Random) -> str:
    base = f'"Time":"2026-01-01T00:00:00.{n % 1000:03}Z","Package":"acme/pkg{n // 500}","Test":"Test{n}"'
    said = "".join(f'{{"Action":"output",{base},"Output":"{_noise(n, chance)}\\n"}}\n' for _ in range(2))
    return (
        f'{{"Action":"run",{base}}}\n{said}{{"Action":"{"fail" if _failing(n) else "pass"}",{base},"Elapsed":0.01}}\n'
    )


def _go_text(n: int, chance: random.Random) -> str:
    end = f"FAIL\nFAIL\tacme/pkg{n}\t0.1s\n" if n % 200 == 199 else ""
    how = "FAIL" if _failing(n) else "PASS"
    return f"=== RUN   Test{n}\n    x_test.go:{n % 99}: {_noise(n, chance)}\n--- {how}: Test{n} (0.01s)\n{end}"


def _trx(n: int, chance: random.Random) -> str:
    how = "Failed" if _failing(n) else "Passed"
    return f'<UnitTestResult executionId="e{n}" testId="t{n}" testName="Acme.T{n}" outcome="{how}" duration="00:00:00.01"/>\n'


def _actions(n: int, chance: random.Random) -> str:
    time = f"2026-08-20T10:{n // 60 % 60:02}:{n % 60:02}.{n % 10_000_000:07}Z "
    return time + _pytest_line(n, chance) + time + _noise(n, chance) + "\n"


def _gcc(n: int, chance: random.Random) -> str:
    lines = "".join(f"[{n}/99] Building CXX object src/f{n}_{k}.cc.o\n" for k in range(8))
    return lines + f"src/f{n}.cc:{n % 900 + 1}:12: warning: unused variable 'x{n}' [-Wunused-variable]\n"


def _json(make_one: Callable[[int, random.Random], object]) -> Callable[[int, random.Random], str]:
    return lambda n, chance: json.dumps(make_one(n, chance), indent=1)


def _ruff(n: int, chance: random.Random) -> dict:
    place = {"row": n % 900 + 1, "column": 8}
    return {"code": "F401", "message": f"`m{n}` imported but unused", "location": place, "end_location": place,
            "filename": f"app/f{n // 9}.py", "fix": None, "noqa_row": 1, "url": "https://docs.example/F401"}  # fmt: skip


def _pyright(n: int, chance: random.Random) -> dict:
    place = {"start": {"line": n % 900, "character": 4}, "end": {"line": n % 900, "character": 9}}
    return {"file": f"src/f{n}.py", "severity": chance.choice(("error", "warning", "information")),
            "message": f"\"x{n}\" is not defined", "rule": "reportUndefinedVariable", "range": place}  # fmt: skip


def _sarif(n: int, chance: random.Random) -> dict:
    where = {"artifactLocation": {"uri": f"src/f{n}.c"}, "region": {"startLine": n % 900 + 1}}
    return {"ruleId": f"R{n % 40}", "level": chance.choice(("error", "warning", "note")), "message": {"text": f"finding {n}"},
            "locations": [{"physicalLocation": where}]}  # fmt: skip


def _mocha(n: int, chance: random.Random) -> dict:
    return {"title": f"works {n}", "fullTitle": f"suite works {n}", "file": f"/t/f{n // 30}.js", "duration": n % 90,
            "currentRetry": 0, "speed": "fast", "err": {}}  # fmt: skip


def _promptfoo(n: int, chance: random.Random) -> dict:
    return {"success": not _failing(n), "score": 0 if _failing(n) else 1, "provider": {"id": "openai:m"}, "promptIdx": 0,
            "testIdx": n, "vars": {"q": f"question {n}"}, "response": {"output": _noise(n, chance) * 10},
            "testCase": {"description": f"case {n}"}, "failureReason": 1 if _failing(n) else 0}  # fmt: skip


def _otlp(n: int, chance: random.Random) -> str:
    told = {"name": "quality", "explanation": _noise(n, chance)}
    told = {f"gen_ai.evaluation.{key}": value for key, value in told.items()} | {"story_id": f"S-{n}"}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in told.items()]
    attributes.append({"key": "gen_ai.evaluation.score.value", "value": {"doubleValue": n % 101 / 10}})
    record = {
        "timeUnixNano": str(1_780_000_000_000_000_000 + n),
        "eventName": "gen_ai.evaluation.result",
        "attributes": attributes,
    }
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}) + "\n"


def _review(n: int, chance: random.Random) -> str:
    return f"Line {n}: {_noise(n, chance)}; the name `value_{n}` says little, and {{n}} is unused.\n"


def _archive(path: Path, size: int) -> None:
    """An Inspect log: a sample a member, packed; `size` is that of the file."""
    chance = random.Random(SEED)
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m/1", "run_id": "r"}}
    summaries, n = [], 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        while archive.fp.tell() < size:
            score = {"id": n, "epoch": 1, "scores": {"match": {"value": "CI"[_failing(n)]}}}
            summaries.append(score)
            transcript = "".join(_noise(n, chance) for _ in range(400))
            archive.writestr(f"samples/{n}_epoch_1.json", json.dumps(score | {"messages": [transcript]}))
            n += 1
        archive.writestr("summaries.json", json.dumps(summaries))
        archive.writestr("header.json", json.dumps(header))


def _csv(n: int, chance: random.Random) -> str:
    return f"S-{n},builder,m{n % 9},1,0.{n % 100:02},{n % 11},note {n}\n"


KINDS: dict[str, Kind] = {
    "junit xml, all pass": Kind(_junit(False), "<testsuites><testsuite name='s'>\n", lambda n: "</testsuite></testsuites>"),
    "junit xml, failures": Kind(_junit(True), "<testsuites><testsuite name='s'>\n", lambda n: "</testsuite></testsuites>"),
    "trx": Kind(
        _trx, '<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>\n',
        lambda n: "</Results></TestRun>",
    ),
    "pytest log, -v": Kind(
        _pytest_line, f"{' test session starts ':=^80}\ncollected 9 items\n\n",
        lambda n: "{:=^80}\n".format(" {1} failed, {0} passed in 9.9s ".format(*_ends(n))),
    ),
    "pytest log, -q": Kind(
        _pytest_dots, "", lambda n: f"{'.' * 10}{'[100%]':>60}\n{n} failed, {n * 59 + 10} passed in 9.9s\n"
    ),
    "jest log": Kind(
        _jest, "", lambda n: f"Test Suites: {n} passed, {n} total\nTests:       {n * 10} passed, {n * 10} total\n"
        "Snapshots:   0 total\nTime:        9 s\n",
    ),
    "go test -json": Kind(_go_event),
    "go test -v": Kind(_go_text, "", lambda n: "FAIL\nFAIL\tacme/last\t0.1s\nFAIL\n"),
    "cargo test": Kind(
        lambda n, chance: f"test module_{n % 90}::case_{n} ... ok\n",
        "    Finished `test` profile [unoptimized] target(s) in 0.84s\n"
        "     Running src/lib.rs (target/debug/deps/a-b16911ff3d84a84e)\n\n",
        lambda n: f"\ntest result: ok. {n} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 9.00s\n",
    ),
    "actions log": Kind(
        _actions, f"{TIME} {' test session starts ':=^80}\n{TIME} collected 9 items\n",
        lambda n: TIME + " {:=^80}\n".format(" {1} failed, {0} passed in 9.9s ".format(*_ends(n)))
        + TIME + " ##[error]Process completed with exit code 1.\n",
    ),
    "tap": Kind(
        lambda n, chance: f"{'not ok' if _failing(n) else 'ok'} {n + 1} - case {n}\n# {_noise(n, chance)}\n",
        "TAP version 13\n",
        lambda n: f"1..{n}\n",
    ),
    "build log": Kind(_gcc),
    "sarif": Kind(
        _json(_sarif), '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": [', lambda n: "]}]}", ","
    ),
    "ruff json": Kind(_json(_ruff), "[", lambda n: "]", ","),
    "pyright json": Kind(
        _json(_pyright), '{"version": "1.1.394", "generalDiagnostics": [',
        lambda n: f'], "summary": {{"filesAnalyzed": {n}, "errorCount": 1, "warningCount": 1, "informationCount": 1}}}}', ",",
    ),
    "mocha json": Kind(
        _json(_mocha), '{"stats": {"suites": 9, "pending": 0}, "tests": [], "pending": [], "failures": [], "passes": [',
        lambda n: "]}", ",",
    ),
    "promptfoo json": Kind(_json(_promptfoo), '{"evalId": "e", "results": {"version": 3, "results": [', lambda n: "]}}", ","),
    "otlp json lines": Kind(_otlp),
    "review text": Kind(_review, "", lambda n: "\n```ini\n# synlynk-meta\nquality=7\ncorrect=true\n```\n", most=4),
    "csv rows": Kind(_csv, "story_id,agent,model_version,attempt,test_pass_rate,quality_human,note\n"),
}  # fmt: skip
NAMES = (*KINDS, "inspect archive")


def small(folder: Path, files: int) -> None:
    """So many small reports and logs of five kinds, a few KB each, and each other than the next."""
    kinds = ("junit xml, failures", "pytest log, -v", "go test -json", "ruff json", "jest log")
    for n in range(files):
        name = kinds[n % len(kinds)]
        path = folder / f"{n:04}.artifact"
        make(path, name, 2_000)
        text = path.read_text(encoding="utf-8")
        for name in ("test_0", "test_1", "Test1", "f0", "f1"):
            text = text.replace(name, f"{name}x{n}")
        path.write_text(text, encoding="utf-8")
