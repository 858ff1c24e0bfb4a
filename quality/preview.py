"""What does one artifact say, before anything is stored? The answer of `inspect`, and what the Ingest page shows."""

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from quality.errors import QualityError
from quality.observations import RECORDS, RUN_KEY, Batch
from quality.readers.base import STAND_IN, Artifact, Target
from quality.readers.formats import read_artifact, reader_of
from quality.readers.full_jsonl import FORMAT, PREFIX
from quality.settings import Settings
from quality.signals import SIGNALS

LISTED = ("signals", "verdicts", "overrides", "evidence")
"""Observations that are listed with the run they are about."""
TESTS = ("passed", "failed", "errors", "skipped", "flaky")
MEASURED = (*SIGNALS, "micro_rework")
"""What is shown as a signal, scored or not."""
STORED = {
    PREFIX + "story_facts": "stories",
    PREFIX + "signal_readings": "signals",
    PREFIX + "response_feedback": "feedback",
    **{PREFIX + name: name for name in ("runs", "verdicts", "overrides", "evidence", "evaluations", "responses")},
}
"""Tables of a full export, which are counted but not listed."""
MOST = 1_000
"""Records of a kind that are listed; all are counted."""
NAMES_NO_STORY = "it does not say which story it is about: ingest it with --story"
"""The warning of an artifact that can be read, but not stored before somebody names a story."""


def examine(path: Path, target: Target, settings: Settings, *, label: str = "", most: int = MOST) -> dict[str, Any]:
    """Format, counts, what the artifact says of its one run, and the first `most` records of each kind.

    `tests` and `signals` are of the one run; where there are several, or none, they are null and empty, and
    `readings` lists each run's. `label` is the name to show, by default the path.

    Raises:
        QualityError: the file is larger than `limits.artifact_bytes`.
        OSError: it cannot be read.
    """
    artifact = Artifact(path, label, settings.readers.evaluations)
    limit = settings.limits.artifact_bytes
    path.open("rb").close()
    if artifact.size > limit:
        raise QualityError(
            f"{artifact.label}: {artifact.size:,} bytes, but limits.artifact_bytes is {limit:,}: split it or raise the limit"
        )
    unnamed = target.story_id is None and getattr(reader_of(artifact), "names_no_story", False)
    reading = read_artifact(artifact, replace(target, story_id=STAND_IN) if unnamed else target)
    counts = dict.fromkeys(RECORDS, 0)
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in (*LISTED, "rejects")}
    warnings: list[str] = []
    diagnostics: Counter[str] | None = None
    said = _Said()
    for batch in reading.batches:
        if batch.diagnostics is not None:
            diagnostics = Counter() if diagnostics is None else diagnostics
            diagnostics.update(batch.diagnostics)
        warnings += [text for text in batch.warnings if text not in warnings]
        for name in batch.tables:
            counted = STORED.get(name, name)
            if counted in counts or name in STORED:
                counts[counted] = counts.get(counted, 0) + batch.count(name)
        said.add(batch)
        for name in LISTED:
            found[name] += _with_run(batch, name, most - len(found[name]))
        if "rejects" in batch.tables:
            found["rejects"] += batch.tables["rejects"].slice(0, most - len(found["rejects"])).to_pylist()
    if unnamed and any(row.get("story_id") == STAND_IN for name in found for row in found[name]):
        warnings.append(NAMES_NO_STORY)
        found = {name: [_unnamed(row) for row in rows] for name, rows in found.items()}
    listed = found if reading.format != FORMAT else ()
    warnings += [
        f"{counts[name]:,} {name}, the first {most:,} are listed" for name in listed if counts[name] > len(found[name])
    ]
    readings = found.pop("signals")
    return {
        "path": artifact.label, "format": reading.format, "sha256": artifact.sha256, "counts": counts,
        "tests": said.tests, "signals": said.signals,
        "diagnostics": None if diagnostics is None else dict(diagnostics), "readings": readings, **found,
        "warnings": warnings,
    }  # fmt: skip


@dataclass
class _Said:
    """What the readings say together as long as they are of one run; a later one replaces what it states again."""

    known: dict[str, Any] = field(default_factory=dict)
    run: tuple[Any, ...] | None = None
    several: bool = False

    def add(self, batch: Batch) -> None:
        """The readings of one batch."""
        if self.several or "signals" not in batch.tables:
            return
        rows = batch.tables["signals"].slice(0, MOST + 1)
        places = set(rows["run"].to_pylist())
        keys = {tuple(batch.tables["runs"].slice(place, 1).select(RUN_KEY).to_pylist()[0].values()) for place in places}
        self.several = len(keys | ({self.run} if self.run else set())) > 1
        if keys and not self.several:
            (self.run,) = keys
            for row in rows.to_pylist():
                self.known |= {name: value for name, value in row.items() if value is not None}

    @property
    def tests(self) -> dict[str, int] | None:
        """How the tests ended; `None` where none was counted."""
        if self.several or "tests_passed" not in self.known:
            return None
        return {name: self.known.get(f"tests_{name}", 0) for name in TESTS}

    @property
    def signals(self) -> dict[str, Any]:
        """Those that are known."""
        return {} if self.several else {name: self.known[name] for name in MEASURED if name in self.known}


def _unnamed(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"story_id": None} if row.get("story_id") == STAND_IN else row


def _with_run(batch: Batch, name: str, room: int) -> list[dict[str, Any]]:
    if name not in batch.tables or room <= 0:
        return []
    rows = batch.tables[name].slice(0, room).to_pylist()
    runs = batch.tables["runs"]
    named = {place: runs.slice(place, 1).select(list(RUN_KEY)).to_pylist()[0] for place in {row["run"] for row in rows}}
    return [named[row["run"]] | {field: value for field, value in row.items() if field != "run"} for row in rows]
