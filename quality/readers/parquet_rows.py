"""Which rows does a Parquet file hold? Streamed, with the types that the file declares."""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from quality.readers.rows import BLOCK_ROWS, Rejects, Rows

MAGIC = b"PAR1"
DAMAGED = "cannot be read as Parquet ({}): write the file anew"


def parquet_header(path: Path) -> list[str] | str:
    """Its column names, or why it cannot be read."""
    try:
        with pq.ParquetFile(path) as file:
            return list(file.schema_arrow.names)
    except (pa.ArrowException, OSError, ValueError) as error:
        return DAMAGED.format(_first_line(error))


def parquet_rows(path: Path) -> Iterator[Rows]:
    """The rows in blocks, numbered from 1 in the place of lines. Damage ends the reading with a reject."""
    row = 1
    try:
        with pq.ParquetFile(path) as file:
            header = list(file.schema_arrow.names)
            for batch in file.iter_batches(BLOCK_ROWS):
                lines = pa.array(range(row, row + batch.num_rows), pa.int64())
                columns, rejects, usable = _checked(batch, row)
                row += batch.num_rows
                if usable is not None:
                    columns, lines = [column.filter(usable) for column in columns], lines.filter(usable)
                yield Rows(header, columns, lines, rejects)
    except (pa.ArrowException, OSError, ValueError) as error:
        rejects = Rejects()
        rejects.add(row, DAMAGED.format(_first_line(error)))
        yield Rows([], [], pa.array([], pa.int64()), rejects)


def _checked(batch: pa.RecordBatch, row: int) -> tuple[list[pa.Array], Rejects, pa.Array | None]:
    """Columns of types that the parsers know, and which rows hold no text where they should."""
    rejects = Rejects()
    bad: set[int] = set()
    columns = []
    for column in batch.columns:
        plain, broken = _plain(column)
        columns.append(plain)
        bad.update(broken)
    for place in sorted(bad):
        rejects.add(row + place, "the row holds text that is not valid UTF-8: write it as UTF-8")
    usable = pa.array([place not in bad for place in range(batch.num_rows)]) if bad else None
    return columns, rejects, usable


def _plain(column: pa.Array) -> tuple[pa.Array, list[int]]:
    """Text, numbers, booleans and times as they are; anything else as text. With the rows that are not UTF-8."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        try:
            text = column.cast(pa.string())
            text.validate(full=True)
            return text, []
        except (pa.ArrowInvalid, UnicodeDecodeError):
            return _decoded(column.cast(pa.large_binary()))
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind):
        return _decoded(column.cast(pa.large_binary()))
    if pa.types.is_floating(kind):
        return column.cast(pa.float64()), []
    if any(
        is_kind(kind) for is_kind in (pa.types.is_integer, pa.types.is_boolean, pa.types.is_timestamp, pa.types.is_date)
    ):
        return column, []
    if pa.types.is_null(kind):
        return pa.nulls(len(column), pa.string()), []
    if pa.types.is_decimal(kind):
        return column.cast(pa.string()), []
    return _written(column), []


def _decoded(column: pa.Array) -> tuple[pa.Array, list[int]]:
    texts: list[str | None] = []
    broken = []
    for place, value in enumerate(column.to_pylist()):
        try:
            texts.append(value if value is None else value.decode())
        except UnicodeDecodeError:
            texts.append(None)
            broken.append(place)
    return pa.array(texts, pa.string()), broken


def _written(column: pa.Array) -> pa.Array:
    """Lists, structures and the like as JSON."""
    return pa.array(
        [None if value is None else json.dumps(value, ensure_ascii=False, default=str) for value in column.to_pylist()],
        pa.string(),
    )


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
