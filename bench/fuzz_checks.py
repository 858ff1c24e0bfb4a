"""What must hold of whatever a reader makes of any bytes? `faults_of` says what does not.

The records must be ones the ledger can store, counts must add up, a number must come with the lines it was read
from, and the same bytes must say the same again.
"""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from quality.named_tests import LETTERS
from quality.observations import RECORDS, SCHEMAS, Batch
from quality.readers.base import Artifact, Target
from quality.readers.formats import READERS, read_artifact
from quality.signals import SIGNALS

TARGET = Target("S-1", "codex", "m1", 1)
OF_ROWS = ("csv", "jsonl", "parquet", "synlynk state.db", "full export", "synlynk jobs")
"""Formats in which a record is its own evidence: it carries the line it stands at."""
LOOKED_AT = 200
"""Records of a table that are checked one by one."""
INSIDE = "quality"
"""The package whose frame a fault is named after."""


@dataclass(frozen=True)
class Fault:
    """Something that must not be."""

    kind: str
    place: str
    """Where: enough to know the same fault again."""
    what: str

    @property
    def key(self) -> str:
        return f"{self.kind} {self.place}"


def faults_of(path: Path, again: bool = False) -> list[Fault]:
    """Read the file as any caller would. `again` reads it twice, compares, and asks every reader whether it is its own."""
    artifact = Artifact(path)
    try:
        for reader in READERS if again else ():
            reader.recognises(artifact)
        reading = read_artifact(artifact, TARGET)
        batches = list(reading.batches)
    except Exception as error:
        return [_escaped(error)]
    if not any(batch.tables or batch.warnings for batch in batches):
        return [Fault("says nothing", reading.format, "neither a record, a reject nor a warning")]
    lines = 1 + artifact.path.read_bytes().count(b"\n") + artifact.path.read_bytes().count(b"\r")
    found = [fault for batch in batches for fault in _of_batch(batch, reading.format, lines)]
    if again and _told(batches) != _told(list(read_artifact(Artifact(path), TARGET).batches)):
        found.append(Fault("differs when read again", reading.format, "the same bytes, another result"))
    return found


def _escaped(error: Exception) -> Fault:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if f"/{INSIDE}/" in frame.filename] or frames
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
    return Fault(f"{type(error).__name__} escapes", place, str(error)[:300])


def _told(batches: list[Batch]) -> list[Any]:
    return [({n: t.to_pylist() for n, t in b.tables.items()}.__repr__(), b.warnings, b.diagnostics) for b in batches]


def _of_batch(batch: Batch, form: str, lines: int) -> Iterator[Fault]:
    for name, table in batch.tables.items():
        if name not in SCHEMAS:
            continue
        if not table.schema.equals(SCHEMAS[name]):
            yield Fault("other columns", f"{form} {name}", str(table.schema))
            continue
        for record in table.slice(0, LOOKED_AT).to_pylist():
            yield from _of_record(record, name, form, lines, batch.count("runs"))
    if form not in OF_ROWS:
        yield from _without_evidence(batch, form)
    for text in batch.warnings:
        try:
            text.encode()
        except UnicodeEncodeError:
            yield Fault("a warning that cannot be shown", form, repr(text)[:200])
    if batch.diagnostics and any(number < 0 for number in batch.diagnostics.values()):
        yield Fault("fewer than no findings", form, str(batch.diagnostics))


def _of_record(record: dict, name: str, form: str, lines: int, runs: int) -> Iterator[Fault]:
    stated = {key: value for key, value in record.items() if value is not None}
    try:
        RECORDS[name].model_validate(stated)
    except ValidationError as error:
        first = error.errors()[0]
        yield Fault("not to be stored", f"{form} {name}.{first['loc']}", f"{first['msg']}: {first['input']!r}"[:300])
    if record.get("run", 0) and record["run"] >= runs:
        yield Fault("a record of no run", f"{form} {name}", f"run {record['run']} of {runs}")
    line = record.get("line")
    if line is not None and (line < 1 or (line > lines and form not in ("parquet", "synlynk state.db", "zip log"))):
        yield Fault("a line that is not there", f"{form} {name}", f"line {line} of {lines}")
    if name == "signals":
        yield from _of_counts(record, form)


def _of_counts(signal: dict, form: str) -> Iterator[Fault]:
    passed, total, rate = signal["tests_passed"], signal["tests_total"], signal["test_pass_rate"]
    failed, errors, flaky = signal["tests_failed"], signal["tests_errors"], signal["tests_flaky"]
    said = f"{passed} passed, {failed} failed, {errors} errors, {flaky} flaky of {total}, rate {rate}"
    if None not in (passed, failed, errors, total) and passed + failed + errors != total:
        yield Fault("counts do not add up", form, said)
    if flaky is not None and passed is not None and flaky > passed:
        yield Fault("more flaky than passed", form, said)
    if total == 0 and rate is not None:
        yield Fault("a rate of no tests", form, said)
    if form not in OF_ROWS and total and passed is not None and rate is not None and abs(rate - passed / total) > 1e-9:
        yield Fault("another rate than the counts", form, said)
    ids, ends = signal["test_ids"], signal["test_outcomes"]
    if (ids is None) != (ends is None) or (ids is not None and len(ids) != len(ends)):
        yield Fault("tests without outcomes", form, f"{ids} {ends}"[:300])
    elif ids is not None and (len(set(ids)) != len(ids) or set(ends) - set(LETTERS.values())):
        yield Fault("a test twice or an unknown outcome", form, f"{ids} {ends}"[:300])


def _without_evidence(batch: Batch, form: str) -> Iterator[Fault]:
    shown = {(e["run"], e["signal"]) for e in batch.records("evidence") if e["text"].strip()}
    for signal in batch.records("signals"):
        for name in SIGNALS:
            if signal.get(name) is not None and (signal["run"], name) not in shown:
                yield Fault("a signal without a line of evidence", f"{form} {name}", f"{name} = {signal[name]}")
