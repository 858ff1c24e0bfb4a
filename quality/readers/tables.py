"""How is a table recognised and read? CSV, JSONL and Parquet differ in their rows only; `tabular.py` reads them all."""

from collections.abc import Iterator

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.block import Tally
from quality.readers.columns import Layout, layout_of
from quality.readers.csv_rows import csv_rows, read_header
from quality.readers.jsonl_rows import first_records, jsonl_rows
from quality.readers.parquet_rows import MAGIC, parquet_header, parquet_rows
from quality.readers.rows import Rejects, Rows
from quality.readers.tabular import observe
from quality.readers.text import head_text, shown

NO_ROWS = "there are column names and no rows: nothing was read"


class ParquetReader:
    """Rows by type; lines are the numbers of the rows, from 1."""

    format = "parquet"

    def recognises(self, artifact: Artifact) -> bool:
        return artifact.head.startswith(MAGIC)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        header = parquet_header(artifact.path)
        layout = header if isinstance(header, str) else layout_of(header)
        if isinstance(layout, str):
            yield _refused(layout)
            return
        yield from _observed(((rows, layout) for rows in parquet_rows(artifact.path)), target)


class JsonlReader:
    """An object a line, or one array of objects."""

    format = "jsonl"

    def recognises(self, artifact: Artifact) -> bool:
        return any(isinstance(layout_of(tuple(record)), Layout) for record in _first_records(artifact))

    def why_not(self, artifact: Artifact, target: Target) -> str | None:
        record = next(_first_records(artifact), None)
        return None if record is None else shown(f"read as JSON, its first object: {layout_of(tuple(record))}")

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        is_array = (head_text(artifact.head) or "").lstrip().startswith("[")
        yield from _observed(jsonl_rows(artifact.path, is_array), target)


class CsvReader:
    """A header and rows; comma, semicolon or tab."""

    format = "csv"

    def recognises(self, artifact: Artifact) -> bool:
        header = read_header(_table_text(artifact))
        return header is not None and isinstance(layout_of(header.names), Layout)

    def why_not(self, artifact: Artifact, target: Target) -> str | None:
        header = read_header(_table_text(artifact))
        if header is None or len(header.names) < 2:
            return None
        layout = layout_of(header.names)
        return f"read as CSV, its first line: {layout}" if isinstance(layout, str) else None

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        header = read_header(_table_text(artifact))
        layout = layout_of(header.names) if header else "the file is empty"
        if header is None or isinstance(layout, str):
            yield _refused(str(layout))
            return
        yield from _observed(((rows, layout) for rows in csv_rows(artifact.path, header)), target)


def _observed(blocks: Iterator[tuple[Rows, Layout]], target: Target) -> Iterator[Batch]:
    tally, rejected = Tally(), False
    for rows, layout in blocks:
        batch = observe(rows, layout, target, tally) if rows.header else _only_rejects(rows)
        rejected = rejected or batch.count("rejects") > 0
        yield batch
    warnings = tally.warnings()
    if not tally.rows and not rejected:
        warnings.append(NO_ROWS)
    if warnings:
        yield Batch(warnings=warnings)


def _only_rejects(rows: Rows) -> Batch:
    table = rows.rejects.table()
    return Batch({} if table is None else {"rejects": table}, rows.warnings)


def _refused(reason: str) -> Batch:
    rejects = Rejects()
    rejects.add(1, reason)
    return _only_rejects(Rows([], [], None, rejects))  # type: ignore[arg-type]


def _table_text(artifact: Artifact) -> str:
    """The beginning, unless it is no text or a marked-up page."""
    text = head_text(artifact.head) or ""
    return "" if text.lstrip()[:1] in ("<", "{", "[") else text


def _first_records(artifact: Artifact) -> Iterator[dict]:
    return first_records(head_text(artifact.head) or "")
