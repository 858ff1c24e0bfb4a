"""How does a ledger leave as a file? As a stream of bytes, the same for a file, for HTTP and for a download.

CSV, JSONL and Parquet hold a row a run (MODEL.md, CSV for Tokq subscribers), or with `profiles` a row a coordinate ×
model; JSONL with `full` holds every observation. The rows are read in windows of one snapshot, so that memory stays flat
(design/004).
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from quality import export_forms
from quality.commands import ExportRows
from quality.errors import QualityError
from quality.export_columns import columns_of
from quality.ledger.as_of import snapshot_as_of
from quality.ledger.exporting import Relation, make_macros, profiles_of, rows_of, state_of
from quality.ledger.migrations import SCHEMA_VERSION
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.readers.full_jsonl import FORMAT as FULL_FORMAT
from quality.settings import ScoringSettings

MEDIA_TYPES = {name: media_type for name, (_, media_type) in export_forms.FORMATS.items()}


@dataclass
class Export:
    """An export under way: how many rows it will have, and its bytes."""

    rows: int
    chunks: Iterator[bytes]
    etag: str | None = None
    """The same for the same bytes; `None` where they change with the time of the day."""


@contextmanager
def open_export(store: Store, question: ExportRows, scoring: ScoringSettings | None = None) -> Iterator[Export]:
    """Begin an export; every byte is of the ledger as it is now, whatever is written meanwhile.

    Args:
        scoring: the settings in force; those that profiles are made with, unless `as_of` names an earlier time.

    Raises:
        QualityError: what `refuse_contradictions` refuses.
    """
    refuse_contradictions(question)
    with snapshot_as_of(store, question.as_of, scoring or ScoringSettings()) as (snapshot, settings):
        make_macros(snapshot)
        if question.full:
            yield _every_observation(snapshot, question)
        else:
            yield _every_row(snapshot, question, _relation(snapshot, question, settings))


@dataclass(frozen=True)
class Preview:
    """The beginning of an export."""

    rows: int
    """Of the whole export."""
    table: pa.Table
    """The first rows with the chosen columns, typed."""
    text: str
    """How the file begins; "" for Parquet, which is no text."""


PREVIEW_LINES = 3
"""Rows of a text format that a preview quotes."""


def preview(store: Store, question: ExportRows, limit: int, scoring: ScoringSettings | None = None) -> Preview:
    """The first rows of an export, and the first lines of its file.

    Raises:
        QualityError: what `refuse_contradictions` refuses.
    """
    refuse_contradictions(question)
    with snapshot_as_of(store, question.as_of, scoring or ScoringSettings()) as (snapshot, settings):
        make_macros(snapshot)
        if question.full:
            export = _every_observation(snapshot, question)
            counts = json.loads(head := next(export.chunks))["rows"]
            table = pa.table({"table": list(counts), "records": list(counts.values())})
            return Preview(export.rows, table, head.decode())
        relation, columns = _relation(snapshot, question, settings, whole=False), _columns(question)
        table = relation.first(snapshot, limit, "typed", columns)
        if question.format == "parquet":
            return Preview(relation.rows, table, "")
        lines = relation.first(snapshot, PREVIEW_LINES, question.format, columns)
        written = export_forms.lines(iter(lines.to_batches()))
        header = export_forms.csv(columns, iter(()), False) if question.format in ("csv", "excel") else iter(())
        return Preview(relation.rows, table, b"".join([*header, *written]).decode())


def export_rows(store: Store, question: ExportRows, path: Path, scoring: ScoringSettings | None = None) -> int:
    """Write the export to a file, which appears whole or not at all; returns its rows.

    Raises:
        QualityError: what `open_export` refuses; the folder is not writable, the disk full.
    """
    with open_export(store, question, scoring) as export:
        write_whole(path, export.chunks)
        return export.rows


def refuse_contradictions(question: ExportRows) -> None:
    """Raises QualityError for options that do not go together, and for columns that there are not."""
    if question.full and question.format != "jsonl":
        raise QualityError(f"--full is written as jsonl, not {question.format}: add --format jsonl")
    if question.full and question.filters.model_dump(exclude_none=True):
        raise QualityError("--full writes the whole ledger: leave the filters out, or leave --full out")
    if question.full and (question.columns is not None or question.profiles or question.as_of):
        other = "--profiles" if question.profiles else "--as-of" if question.as_of else "--columns"
        raise QualityError(f"--full writes every observation as it stands: leave {other} out, or leave --full out")
    if question.bom and question.format != "csv":
        raise QualityError(f"--bom is for csv, not {question.format}: leave it out")
    if question.as_of and question.as_of > datetime.now(UTC):
        raise QualityError(f"--as-of {question.as_of.isoformat()}: is yet to come: name a time that has passed")
    _columns(question)


def _columns(question: ExportRows) -> tuple[str, ...]:
    return columns_of(question.columns, question.profiles)


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


def _relation(
    snapshot: Transaction, question: ExportRows, settings: ScoringSettings, *, whole: bool = True
) -> Relation:
    if question.profiles:
        return profiles_of(snapshot, question.filters, settings, question.as_of or snapshot.now)
    return rows_of(snapshot, question.filters, whole=whole)


def _every_row(snapshot: Transaction, question: ExportRows, relation: Relation) -> Export:
    columns = _columns(question)
    write: dict[str, Callable[[], Iterator[bytes]]] = {
        "csv": lambda: export_forms.csv(columns, relation.batches(snapshot, "csv", columns), question.bom),
        "excel": lambda: export_forms.csv(columns, relation.batches(snapshot, "excel", columns), True),
        "jsonl": lambda: export_forms.lines(relation.batches(snapshot, "jsonl", columns)),
        "parquet": lambda: export_forms.parquet(
            relation.schema(snapshot, columns), relation.batches(snapshot, "typed", columns)
        ),
    }
    return Export(relation.rows, write[question.format](), _etag(snapshot, question))


def etag_of(store: Store, question: ExportRows) -> str | None:
    """The ETag that `open_export` would give, without the work of it.

    Raises:
        QualityError: what `refuse_contradictions` refuses.
    """
    refuse_contradictions(question)
    with store.snapshot() as snapshot:
        return _etag(snapshot, question)


def _etag(snapshot: Transaction, question: ExportRows) -> str | None:
    """Of the ledger's state and what was asked, so that nothing has to be written to know it."""
    if question.profiles and not question.as_of:
        return None  # ages grow
    asked = question.model_dump_json(exclude={"actor"})
    return hashlib.sha256(f"{SCHEMA_VERSION} {state_of(snapshot)} {asked}".encode()).hexdigest()[:32]


def _every_observation(snapshot: Transaction, question: ExportRows) -> Export:
    tables = load_sql("queries/full")
    counts = snapshot.rows(load_sql("meta")["counts_of_tables"])[0]
    header = {"format": FULL_FORMAT, "schema": SCHEMA_VERSION, "rows": {name: counts[name] for name in tables}}

    def chunks() -> Iterator[bytes]:
        yield json.dumps(header).encode() + b"\n"
        for statement in tables.values():
            yield from export_forms.lines(snapshot.batches(statement))

    return Export(sum(header["rows"].values()), chunks(), _etag(snapshot, question))
