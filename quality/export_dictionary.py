"""What does each column of an export mean, and how is it written in the chosen format? The data dictionary of one file."""

import csv
import io
from collections.abc import Sequence

from quality.definitions import define

_NUMBERS = ("score", "difference", "share", "weight", "ratio")
_WRITTEN: dict[str, dict[str, str]] = {
    "csv": {
        "number": "number, with a point", "count": "whole number", "flag": "true or false", "list": "names joined by ;",
        "time": "ISO 8601, UTC: 2026-03-01T09:30:00Z", "text": "text, a ' before what a spreadsheet would run",
    },
    "excel": {
        "number": "number, with a point", "count": "whole number", "flag": "true or false", "list": "names joined by ;",
        "time": "UTC, as Excel reads it: 2026-03-01 09:30:00", "text": "text, a ' before what Excel would run or change",
    },
    "jsonl": {
        "number": "number", "count": "whole number", "flag": "true or false", "list": "list of names",
        "time": "ISO 8601, UTC: 2026-03-01T09:30:00Z", "text": "text",
    },
    "parquet": {
        "number": "double", "count": "integer", "flag": "boolean", "list": "list of strings", "time": "timestamp, UTC",
        "text": "string",
    },
}  # fmt: skip
"""Format → kind of a column → how its values are written."""
HEADER = ("column", "label", "meaning", "written_as", "unit", "range", "source")


def dictionary(columns: Sequence[str], file_format: str) -> list[dict[str, str]]:
    """A row a column, in the given order, with the names of `HEADER`.

    >>> dictionary(["quality"], "csv")[0]["written_as"]
    'number, with a point'
    """
    rows = []
    for name in columns:
        known = define(name)
        kind = "number" if known.kind in _NUMBERS else known.kind
        written = _WRITTEN[file_format][kind]
        cells = (name, known.label, known.sentence, written, known.unit, known.range, known.source)
        rows.append(dict(zip(HEADER, cells)))
    return rows


def dictionary_csv(columns: Sequence[str], file_format: str) -> bytes:
    """The same as a CSV (RFC 4180, UTF-8 with a byte order mark, so that Excel reads it too)."""
    written = io.StringIO()
    writer = csv.DictWriter(written, HEADER, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(dictionary(columns, file_format))
    return written.getvalue().encode("utf-8-sig")
