"""How do answers about responses become CSV? RFC 4180, UTF-8; text that a spreadsheet would run is made inert."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

_RUNS = re.compile(r"'*[=+\-@\t\r]")
"""The same rule as `text_cell` of the export (MODEL.md, CSV for Tokq subscribers)."""


def inert(value: Any) -> str:
    """One cell: unknown is empty, text that begins like a formula gets a leading apostrophe.

    >>> inert("=1+1"), inert("'=1"), inert(-3.5), inert(None), inert(True)
    ("'=1+1", "''=1", '-3.5', '', 'true')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return "'" + text if isinstance(value, str) and _RUNS.match(text) else text


def csv_of(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> bytes:
    """Header and rows, each line ended by CR LF."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([inert(row[name]) for name in columns] for row in rows)
    return out.getvalue().encode()
