"""What do rows of columns become before they are observations? A block of them, with their lines.

The readers of CSV, JSONL and Parquet give blocks; `tabular.py` makes observations of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from quality.observations import SCHEMAS
from quality.readers.text import shown

BLOCK_ROWS = 65_536
"""Rows of a block, about."""
SHOWN_VALUE = 1_000
"""Characters of an offending value that are kept."""


@dataclass
class Rejects:
    """Rejects as they are found, single ones and many at a time."""

    tables: list[pa.Table] = field(default_factory=list)

    def add(self, line: int | None, reason: str, value: str | None = None, field: str | None = None) -> None:
        """One."""
        value = value and shown(value[:SHOWN_VALUE])
        row = {"line": [line], "field": [field], "reason": [shown(reason)], "value": [value]}
        self.tables.append(pa.table(row, schema=SCHEMAS["rejects"]))

    def add_many(self, lines: pa.Array, field: str, reason: str, values: pa.Array) -> None:
        """The same reason for many cells of a column."""
        n = len(lines)
        text = pc.utf8_slice_codeunits(values.cast(pa.string()), 0, SHOWN_VALUE)
        columns = [lines, pa.repeat(pa.scalar(field), n), pa.repeat(pa.scalar(reason), n), text]
        self.tables.append(pa.Table.from_arrays(columns, schema=SCHEMAS["rejects"]))

    def table(self) -> pa.Table | None:
        """All, in the order of their lines."""
        if not self.tables:
            return None
        joined = pa.concat_tables(self.tables)
        return joined.take(pc.sort_indices(joined["line"])) if joined.num_rows > 1 else joined


@dataclass
class Rows:
    """A block of rows. n rows, in the order of the file."""

    header: Sequence[str]
    columns: list[pa.Array]
    """One a name of the header, n each; text, or typed where the format has types. Null = not stated."""
    lines: pa.Array
    """n, int64: where each row starts."""
    rejects: Rejects = field(default_factory=Rejects)
    """What could not be made a row."""
    warnings: list[str] = field(default_factory=list)
