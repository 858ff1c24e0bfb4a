"""How does a ledger leave as a file? As a stream of bytes, the same for a file, for HTTP and for a download.

CSV, JSONL and Parquet hold a row a run (MODEL.md, CSV for Tokq subscribers); JSONL with `full` holds every
observation. The rows are read in windows of one snapshot, so that memory stays flat (design/004).
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from quality.commands import ExportRows
from quality.errors import QualityError
from quality.ledger.filtering import fitting
from quality.ledger.migrations import SCHEMA_VERSION
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.readers.full_jsonl import FORMAT as FULL_FORMAT

BATCH_ROWS = 65_536
"""Rows a chunk of bytes is made of, at most."""
WINDOW_ROWS = 245_760
"""Rows sorted and written at a time: two row groups of the database, one a core of a small machine."""
BOM = b"\xef\xbb\xbf"
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
}


@dataclass
class Export:
    """An export under way: how many rows it will have, and its bytes."""

    rows: int
    chunks: Iterator[bytes]


@contextmanager
def open_export(store: Store, question: ExportRows) -> Iterator[Export]:
    """Begin an export; every byte is of the ledger as it is now, whatever is written meanwhile.

    Raises:
        QualityError: `full` with another format than jsonl, a BOM that is not for CSV, or filters with `full`.
    """
    refuse_contradictions(question)
    with store.snapshot() as snapshot:
        for macro in ("make_iso", "make_text_cell", "make_cell", "make_time_cell"):
            snapshot.execute(load_sql("queries/export")[macro])
        yield _every_observation(snapshot) if question.full else _every_row(snapshot, question)


def export_rows(store: Store, question: ExportRows, path: Path) -> int:
    """Write the export to a file, which appears whole or not at all; returns its rows.

    Raises:
        QualityError: what `open_export` refuses; the folder is not writable, the disk full.
    """
    with open_export(store, question) as export:
        write_whole(path, export.chunks)
        return export.rows


def refuse_contradictions(question: ExportRows) -> None:
    """Raises QualityError for options that do not go together."""
    if question.full and question.format != "jsonl":
        raise QualityError(f"--full is written as jsonl, not {question.format}: add --format jsonl")
    if question.full and question.filters.model_dump(exclude_none=True):
        raise QualityError("--full writes the whole ledger: leave the filters out, or leave --full out")
    if question.bom and question.format != "csv":
        raise QualityError(f"--bom is for csv, not {question.format}: leave it out")


def write_whole(path: Path, chunks: Iterator[bytes]) -> None:
    """Write beside the target and rename: nobody ever sees half a file. A link stays one, and its target is written.

    A device or a pipe, such as /dev/stdout, is written to as it is: a rename would put a file in its place.

    Raises:
        QualityError: the folder does not exist or is not writable, the target is a folder, the disk is full.
    """
    if path.is_dir():
        raise QualityError(f"{path}: is a folder: name a file in it")
    if path.exists() and not path.is_file():
        return _write_through(path, chunks)
    if path.is_symlink():
        path = path.resolve()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise QualityError(f"{path}: cannot be written ({error.strerror}): choose another folder") from error
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(0o666 & ~_umask())
        fresh.replace(path)
    except OSError as error:
        raise QualityError(f"{path}: not written ({error.strerror}): make room or choose another place") from error
    finally:
        fresh.unlink(missing_ok=True)


def _write_through(path: Path, chunks: Iterator[bytes]) -> None:
    try:
        with path.open("wb") as stream:
            for chunk in chunks:
                stream.write(chunk)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise QualityError(f"{path}: not written ({error.strerror}): choose another place") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _every_row(snapshot: Transaction, question: ExportRows) -> Export:
    sql = load_sql("queries/export")
    rows, params = fitting(sql["rows"], question.filters)
    marks = snapshot.rows(fitting(sql["marks"], question.filters)[0], {**params, "size": WINDOW_ROWS})
    windows = list(zip([{"ts": None, "run_id": None}, *marks[:-1]], marks))

    def read(statement: str) -> Iterator[pa.RecordBatch]:
        for after, upto in windows:
            yield from snapshot.batches(statement, {**params, **_bounds(after, upto)})

    schema = _schema(snapshot, rows, params)
    write: dict[str, Callable[[], Iterator[bytes]]] = {
        "csv": lambda: _csv(schema.names, read(sql["csv"].replace("/* rows */", rows)), question.bom),
        "jsonl": lambda: _lines(read(sql["jsonl"].replace("/* rows */", rows))),
        "parquet": lambda: _parquet(schema, read(rows)),
    }
    return Export(marks[-1]["place"] if marks else 0, write[question.format]())


_NOWHERE = {"ts": "0001-01-01T00:00:00Z", "run_id": "00000000-0000-0000-0000-000000000000"}
"""A window without rows: an empty export still has its columns."""


def _schema(snapshot: Transaction, rows: str, params: dict) -> pa.Schema:
    return snapshot.table(rows, {**params, **_bounds(_NOWHERE, _NOWHERE)}).schema


def _bounds(after: dict, upto: dict) -> dict:
    return {"after_ts": after["ts"], "after_id": after["run_id"], "upto_ts": upto["ts"], "upto_id": upto["run_id"]}


def _csv(header: list[str], batches: Iterator[pa.RecordBatch], bom: bool) -> Iterator[bytes]:
    yield (BOM if bom else b"") + ",".join(header).encode() + b"\r\n"
    yield from _lines(batches)


def _lines(batches: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    """The strings of an Arrow array are already one block of bytes: no row is touched in Python."""
    for batch in batches:
        lines = batch.column("line")
        _, offsets, content = lines.buffers()
        if content is not None:
            places = np.frombuffer(offsets, dtype=np.int32)
            yield memoryview(content)[places[lines.offset] : places[lines.offset + len(lines)]].tobytes()


class _Sink:
    """A file to pyarrow, whose bytes are taken out as they come."""

    closed = False

    def __init__(self) -> None:
        self._held: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._held.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        self.closed = True

    def take(self) -> bytes:
        taken, self._held = b"".join(self._held), []
        return taken


def _parquet(schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> Iterator[bytes]:
    sink = _Sink()
    writer = pq.ParquetWriter(sink, schema, compression="zstd")
    for batch in batches:
        writer.write_batch(batch, row_group_size=BATCH_ROWS)
        yield sink.take()
    writer.close()
    yield sink.take()


def _every_observation(snapshot: Transaction) -> Export:
    tables = load_sql("queries/full")
    counts = snapshot.rows(load_sql("meta")["counts_of_tables"])[0]
    header = {"format": FULL_FORMAT, "schema": SCHEMA_VERSION, "rows": {name: counts[name] for name in tables}}

    def chunks() -> Iterator[bytes]:
        yield json.dumps(header).encode() + b"\n"
        for statement in tables.values():
            yield from _lines(snapshot.batches(statement))

    return Export(sum(header["rows"].values()), chunks())
