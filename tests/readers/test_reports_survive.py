"""Reports survive anything: bytes, texts that break off, and JSON with any value in any place."""

import copy
import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.observations import SCHEMAS
from quality.readers.base import Artifact, Target
from quality.readers.ci.github import GithubReader
from quality.readers.document import partial
from quality.readers.evals.inspect_log import InspectReader
from quality.readers.evals.otel import OtelReader
from quality.readers.evals.promptfoo import PromptfooReader
from quality.readers.evals.swebench import SweBenchReader
from quality.readers.evals.terminal_bench import TerminalBenchReader
from quality.readers.lint.build_text import BuildTextReader
from quality.readers.lint.json_tools import CargoReader, EslintReader, GccReader, MypyReader, PyrightReader, RuffReader
from quality.readers.lint.lsp import LspReader
from quality.readers.lint.sarif import SarifReader

READERS = (
    SarifReader(), PyrightReader(), EslintReader(), RuffReader(), MypyReader(), GccReader(), CargoReader(), LspReader(),
    GithubReader(), InspectReader(), PromptfooReader(), SweBenchReader(), TerminalBenchReader(), OtelReader(), BuildTextReader(),
)  # fmt: skip
ASSETS = Path(__file__).parents[1] / "assets" / "evidence"
FOLDERS = ("findings", "reviews_ci", "evals")
FILES = [path for name in FOLDERS for path in sorted((ASSETS / name).iterdir()) if path.suffix != ".md"]
TRIAL = {"trial_name": "a.1-of-2.r", "task_id": "a", "is_resolved": True, "parser_results": {"t": "passed"}}
HARBOR = {"task_name": "a", "trial_name": "b", "agent_info": {"name": "g"}, "verifier_result": {"rewards": {"r": 1}}}
GRADED = {
    "score": 1,
    "reason": "r",
    "componentResults": [{"assertion": {"type": "llm-rubric", "provider": {"id": "j"}}}],
}
RESULT = {"id": "r", "provider": {"id": "m"}, "success": True, "score": 1, "testCase": {}, "gradingResult": GRADED}
SAMPLE = {"id": "s", "epoch": 1, "scores": {"model_graded_qa": {"value": "C", "metadata": {"grading": []}}}}
NAMES = ("gen_ai.evaluation.name", "gen_ai.evaluation.score.value", "story_id")
ATTRIBUTES = [{"key": key, "value": {"stringValue": "7"}} for key in NAMES]
RECORD = {
    "eventName": "gen_ai.evaluation.result",
    "timeUnixNano": "1785571200000000000",
    "attributes": ATTRIBUTES,
    "spanId": "a",
}
ASKED = {"author": {"login": "dana"}, "state": "CHANGES_REQUESTED", "commit": {"oid": "a"}}
PULL = {
    "number": 1, "author": {"login": "eli"}, "state": "OPEN", "statusCheckRollup": [{"name": "b", "conclusion": "SUCCESS"}],
    "reviews": {"totalCount": 1, "nodes": [ASKED]},
}  # fmt: skip
MADE = [
    {"results": [TRIAL], "n_resolved": 1}, HARBOR, {"evalId": "e", "results": {"results": [RESULT]}},
    {"eval": {"task": "t", "model": "m", "model_roles": {"grader": {"model": "g"}}}, "samples": [SAMPLE]},
    {"resourceLogs": [{"resource": {"attributes": ATTRIBUTES}, "scopeLogs": [{"logRecords": [RECORD]}]}]},
    {"data": {"repository": {"pullRequest": PULL}}}, {"total_count": 1, "check_runs": [{"name": "b", "conclusion": "success"}]},
    [{"filePath": "a", "messages": [{"severity": 2, "fix": {}}], "suppressedMessages": [{}]}],
    {"a": {"patch_exists": True, "resolved": True, "tests_status": {"FAIL_TO_PASS": {"success": ["t"]}}}},
]  # fmt: skip
JSONS = MADE + [
    json.loads(path.read_text()) for path in FILES if path.suffix in (".sarif", ".json") and path.stem != "cargo_bad"
]
ODD = st.sampled_from([
    None, [], {}, "", "x", "\ud800", -1, 0, 1e308, float("nan"), float("inf"), 10**30, True, [[]], [None, 1, "a", {}],
    {"": None}, {"nodes": None, "edges": [{"node": []}]}, "2026-13-45T99:99", "9999-12-31T23:59:59Z", "=1+1", "a" * 5_000,
    {"value": {"value": {}}},
])  # fmt: skip
QUIET = settings(max_examples=150)


def survive(path, content):
    path.write_bytes(content)
    artifact = Artifact(path)
    lines = 1 + content.count(b"\n") + content.count(b"\r")
    for reader in READERS:
        reader.recognises(artifact)
        for target in (Target(), Target("S-1", "codex", "m1", 1)):
            for batch in reader.read(artifact, target):
                check(batch, lines)


def check(batch, lines):
    for name, table in batch.tables.items():
        assert table.schema.equals(SCHEMAS[name])
        table.validate(full=True)
        if "run" in table.column_names:
            assert all(0 <= run < batch.count("runs") for run in table["run"].to_pylist())
        assert all(1 <= line <= lines for line in table["line"].to_pylist() if line is not None)
    for name in ("verdicts", "overrides"):
        assert all(0 <= row["quality"] <= 10 for row in batch.records(name))
    for signal in batch.records("signals"):
        assert signal["test_pass_rate"] is None or 0 <= signal["test_pass_rate"] <= 1
    assert all(reject["reason"] for reject in batch.records("rejects"))
    assert all(len(row["text"].encode()) <= 4096 for row in batch.records("evidence"))
    assert all(isinstance(text, str) and text for text in batch.warnings)
    "\n".join(batch.warnings).encode()


def places(value, path=()):
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


@QUIET
@given(content=st.binary(max_size=300))
def test_arbitrary_bytes(tmp_path, content):
    survive(tmp_path / "file", content)


@QUIET
@given(data=st.data(), seed=st.sampled_from(range(len(JSONS))), utf16=st.booleans())
def test_any_value_in_any_place(tmp_path, data, seed, utf16):
    value = copy.deepcopy(JSONS[seed])
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from([path for path in places(value) if path][:3_000] or [()]))
        if not path:
            break
        holder = value
        for key in path[:-1]:
            holder = holder[key]
        if data.draw(st.booleans()):
            holder[path[-1]] = copy.deepcopy(data.draw(ODD))
        else:
            del holder[path[-1]]
    text = json.dumps(value, indent=data.draw(st.sampled_from([None, 1])))
    survive(tmp_path / "file", text.encode("utf-16" if utf16 else "utf-8"))


@settings(QUIET, max_examples=80)
@given(
    file=st.sampled_from(FILES), cut=st.integers(0, 40_000),
    edits=st.lists(st.tuples(st.integers(0, 40_000), st.binary(min_size=1, max_size=6)), max_size=4),
)  # fmt: skip
def test_real_files_with_damage(tmp_path, file, cut, edits):
    content = bytearray(file.read_bytes())
    for place, piece in edits:
        place %= len(content)
        content[place : place + len(piece)] = piece
    survive(tmp_path / "file", bytes(content[: len(content) - cut % len(content)]))


@given(text=st.text(alphabet='{}[]",:\\ 1a\n', max_size=60))
def test_a_beginning_is_a_value_or_nothing(text):
    partial(text)


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
)


@given(value=VALUES)
def test_a_whole_document_is_its_own_beginning(value):
    """Only a document in brackets has a beginning that can be told."""
    if isinstance(value, dict | list):
        assert partial(json.dumps(value)) == value


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 300_000,
        b'{"runs": ' + b"[{" * 50_000,
        b'{"runs": [{"results": [' + b'{"ruleId": "a/' + b"b/" * 30_000 + b'"}]}], "version": "2.1.0"}',
        b'{"version": "2.1.0", "runs": [{"results": [' + b",".join([b"{}"] * 100_000) + b"]}]}",
        b'{"total_instances": 1, "resolved_ids": [' + b",".join(b'"i-%d"' % n for n in range(6_000)) + b"]}",
        b'{"eval": {"task": "t", "model": "m"}, "samples": ['
        + b",".join(b'{"id": %d, "epoch": 1, "scores": {"s": {"value": 1}}}' % n for n in range(6_000)) + b"]}",
        b'{"generalDiagnostics": [' + b",".join([b'{"severity": "error", "message": "m"}'] * 50_000) + b"]}",
        b"a.c:1:1: error: no\n" * 50_000,
        b"warning: x\n" * 50_000,
    ],
    ids=["brackets", "nested", "long id", "results", "instances", "samples", "findings", "same line", "begun"],
)  # fmt: skip
def test_large_and_hostile_files_end_in_bounded_time(tmp_path, content):
    begun = time.perf_counter()
    (tmp_path / "file").write_bytes(content)
    artifact = Artifact(tmp_path / "file")
    for reader in READERS:
        if reader.recognises(artifact):
            for batch in reader.read(artifact, Target("S-1")):
                assert batch.tables
    assert time.perf_counter() - begun < 60
