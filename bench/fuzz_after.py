"""What do the inputs that a fuzzing run kept say about code, ledger and time?"""

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from bench.fuzz_checks import faults_of
from quality.commands import ImportArtifact
from quality.errors import QualityError
from quality.ledger.ledger import Ledger

READERS = Path(__file__).parents[1] / "quality" / "readers"
MEGABYTE = 1 << 20
MOST_SECONDS = 5.0
MOST_IMPORTS = 300
"""Inputs that go through the ledger, the last found first."""


def lines_reached(inputs: list[Path]) -> str:
    """How many lines of the readers' functions the inputs run through."""
    every = {path: _lines(compile(path.read_text(), str(path), "exec")) for path in sorted(READERS.rglob("*.py"))}
    wanted = {str(path) for path in every}
    hit: dict[str, set[int]] = {name: set() for name in wanted}

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        if name not in wanted:
            return None
        if event == "line":
            hit[name].add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    try:
        for path in inputs:
            faults_of(path)
    finally:
        sys.settrace(None)
    total = sum(len(lines) for lines in every.values())
    reached = sum(len(hit[str(path)] & lines) for path, lines in every.items())
    share = {path: len(hit[str(path)] & lines) / len(lines) for path, lines in every.items() if lines}
    least = ", ".join(f"{path.stem} {share[path]:.0%}" for path in sorted(share, key=share.get)[:8])
    return f"{reached:,} of {total:,} lines in the readers' functions reached ({reached / total:.0%}); least: {least}"


def _lines(code: CodeType, inside: bool = False) -> set[int]:
    """Of the bodies of functions: the rest runs at the import."""
    lines = {n for _, _, n in code.co_lines() if n and n > code.co_firstlineno} if inside else set()
    for part in code.co_consts:
        if isinstance(part, CodeType):
            lines |= _lines(part, inside or bool(part.co_flags & 0x2))
    return lines


def through_ledger(inputs: list[Path], faults: Path) -> None:
    """Import the newest into one ledger; what is no error for the user is a fault."""
    inputs = sorted(inputs, key=lambda path: path.stat().st_mtime)[-MOST_IMPORTS:]
    start, stored = time.perf_counter(), 0
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "l.duckdb", purpose="fuzz") as ledger:
        for path in inputs:
            try:
                ledger.execute(
                    ImportArtifact(actor="fuzz", path=str(path), story_id="S-1", agent="a", model_version="m")
                )
                stored += 1
            except QualityError:
                continue
            except Exception as error:
                told = {"fault": f"{type(error).__name__} in the import", "what": str(error)[:300]}
                _keep(faults, path, "ledger-" + path.name[:12], told)
    print(f"{stored:,} of {len(inputs):,} inputs imported into a ledger in {time.perf_counter() - start:.0f} s")


def timed_again(faults: Path) -> None:
    """Inputs that seemed slow, repeated up to 1 MB and timed in this process; a slow one stays a fault."""
    for told in faults.glob("*.json"):
        said = json.loads(told.read_text())
        if not said["fault"].startswith("perhaps slow"):
            continue
        source = told.with_suffix("")
        data = source.read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            large = Path(folder) / "large"
            large.write_bytes((data * (MEGABYTE // max(1, len(data)) + 1))[:MEGABYTE])
            start = time.perf_counter()
            faults_of(large)
            seconds = time.perf_counter() - start
        if seconds > MOST_SECONDS:
            said = {"fault": "slow", "what": f"{seconds:.1f} s for 1 MB, {said['what']} for {len(data):,} bytes"}
            told.write_text(json.dumps(said))
        else:
            told.unlink()
            source.unlink()


def _keep(faults: Path, path: Path, name: str, told: dict[str, str]) -> None:
    shutil.copy(path, faults / name)
    (faults / name).with_suffix(".json").write_text(json.dumps(told))
