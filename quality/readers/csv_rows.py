"""Which rows does a CSV hold, and on which line does each start? Streamed, all cells as text.

The file is cut into blocks at ends of records. A block in which every quote stands where RFC 4180 has it and
every record has as many cells as the header is read by Arrow's parser; any other goes through the exact,
slower walk, which names the line of every record that cannot be used. Both give the same cells.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from quality.readers.csv_walk import MAX_RECORD, Header, allow_long_cells, walk
from quality.readers.rows import Rejects, Rows
from quality.readers.text import lines_of, shown, utf8_blocks
from quality.spreadsheet import MARKED

BLOCK_BYTES = 16 * 1024 * 1024
DELIMITERS = (",", ";", "\t")
_NEWLINE, _RETURN, _QUOTE = b"\n"[0], b"\r"[0], b'"'[0]


def read_header(text: str) -> Header | None:
    """The header in the first text of a file, `None` where there is none.

    >>> read_header("\\nid;story_id\\n1;S-1\\n")
    Header(names=['id', 'story_id'], delimiter=';', lines=2)
    """
    lines = re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$", text)
    before = next((n for n, line in enumerate(lines) if line.strip()), None)
    if before is None:
        return None
    delimiter = max(DELIMITERS, key=lambda sign: (lines[before].count(sign), -DELIMITERS.index(sign)))
    allow_long_cells()
    reader = csv.reader(lines[before:], delimiter=delimiter)
    names = [shown(name) for name in next(reader, [])]
    return Header(names, delimiter, before + reader.line_num)


def csv_rows(path: Path, header: Header) -> Iterator[Rows]:
    """The rows after the header, in blocks."""
    blocks = _Blocks(utf8_blocks(path, BLOCK_BYTES), header)
    for cut in blocks:
        yield _unescaped(_fast(cut, header) or _exact(lines_of(iter([cut.block])), cut.first_line, header))
    if blocks.rest is not None:
        for rows in walk(lines_of(blocks.rest), blocks.line, header):
            yield _unescaped(rows)


@dataclass(frozen=True)
class _Cut:
    """A block of whole records."""

    block: bytes
    first_line: int
    line_ends: np.ndarray
    """Where each physical line of the block ends; the last one, if it is not ended, at the last byte."""
    quotes: np.ndarray
    """Where the quotes of the block are."""


class _Blocks:
    """Blocks that end where a record ends, each with the line it starts on.

    They stop where quotes are not as RFC 4180 has them, for then ends of records cannot be told by counting
    quotes: `rest` has what follows.
    """

    def __init__(self, source: Iterator[bytes], header: Header) -> None:
        self._source = source
        self._skip = header.lines
        self._delimiter = header.delimiter.encode()[0]
        self.line = 1
        self.rest: Iterator[bytes] | None = None

    def __iter__(self) -> Iterator[_Cut]:
        held = b""
        while True:
            more = next(self._source, None)
            block = held + (more or b"")
            if not block:
                return
            data = np.frombuffer(block, np.uint8)
            quotes = np.flatnonzero(data == _QUOTE) if b'"' in block else np.zeros(0, np.int64)
            end = self._end_of_records(block, data, quotes, more is None)
            if end is None:
                self.rest = self._remaining(block)
                return
            if end:
                start = self._past_header(block) if self._skip else 0
                line_ends = _line_ends(data[start:end])
                first, self.line = self.line, self.line + len(line_ends)
                if end > start:
                    low, high = np.searchsorted(quotes, (start, end))
                    yield _Cut(block[start:end], first, line_ends, quotes[low:high] - start)
            held = block[end:]
            if more is None:
                return

    def _end_of_records(self, block: bytes, data: np.ndarray, quotes: np.ndarray, is_last: bool) -> int | None:
        """Where the last whole record ends, 0 where none does, `None` where it cannot be told."""
        if len(quotes) and not self._is_regular(data, quotes):
            return None
        if is_last:
            return None if len(quotes) % 2 else len(block)
        end = _last_end(block, quotes)
        return end if end or len(block) <= MAX_RECORD else None

    def _is_regular(self, data: np.ndarray, quotes: np.ndarray) -> bool:
        """Whether cells are quoted as a whole: an opening quote follows a delimiter, a closing one is before one."""
        around = np.zeros(256, bool)
        around[[self._delimiter, _NEWLINE, _RETURN, _QUOTE]] = True
        opening, closing = quotes[::2], quotes[1::2]
        before = around[data[np.maximum(opening - 1, 0)]] | (opening == 0)
        after = around[data[np.minimum(closing + 1, len(data) - 1)]] | (closing == len(data) - 1)
        return bool(before.all() and after.all())

    def _past_header(self, block: bytes) -> int:
        """The bytes of the header's lines, which were read before."""
        ends = _line_ends(np.frombuffer(block[:MAX_RECORD], np.uint8))[: self._skip]
        self.line, self._skip = self.line + len(ends), 0
        return int(ends[-1]) + 1 if len(ends) else len(block)

    def _remaining(self, block: bytes) -> Iterator[bytes]:
        start = self._past_header(block) if self._skip else 0
        return chain([block[start:]], self._source)


def _line_ends(data: np.ndarray) -> np.ndarray:
    """Where each physical line ends: at LF, at a CR that no LF follows, or at the last byte."""
    ends = data == _NEWLINE
    ends[-1:] = True
    returns = np.flatnonzero(data == _RETURN)
    if len(returns):
        alone = returns[data[np.minimum(returns + 1, len(data) - 1)] != _NEWLINE]
        ends[alone] = True
    return np.flatnonzero(ends)


def _last_end(block: bytes, quotes: np.ndarray) -> int:
    """Behind the last line end outside quotes, 0 if there is none.

    A CR at the very end may be half of CR LF, so it is none.
    """
    outside = np.append(0, quotes[1::2] + 1)
    until = np.append(quotes[::2], len(block))
    for low, high in zip(outside[::-1], until[: len(outside)][::-1]):
        place = max(block.rfind(b"\n", low, high), block.rfind(b"\r", low, min(high, len(block) - 1)))
        if place >= 0:
            return place + 1
    return 0


def _fast(cut: _Cut, header: Header) -> Rows | None:
    """The rows by Arrow's parser; `None` if a record is not as the header says or the text is not UTF-8."""
    names = [str(place) for place in range(len(header.names))]
    starts = _starts(cut)
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(cut.block),
            arrow_csv.ReadOptions(column_names=names, block_size=len(cut.block) + 1),
            arrow_csv.ParseOptions(delimiter=header.delimiter, newlines_in_values=True),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )  # fmt: skip
    except (pa.ArrowInvalid, UnicodeDecodeError):
        return None
    if table.num_rows != len(starts):
        return None
    return Rows(header.names, [_one_chunk(column) for column in table.columns], pa.array(starts, pa.int64()))


def _starts(cut: _Cut) -> np.ndarray:
    """The line on which each record of a regular block starts; blank lines are no records."""
    data, ends = np.frombuffer(cut.block, np.uint8), cut.line_ends
    first = np.arange(len(ends))
    if len(cut.quotes):
        closes = np.flatnonzero(np.searchsorted(cut.quotes, ends, side="right") % 2 == 0)
        first = np.append(0, closes[:-1] + 1)
    begins = data[np.where(first > 0, ends[first - 1] + 1, 0)]
    return cut.first_line + first[(begins != _NEWLINE) & (begins != _RETURN)]


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def _exact(lines: Iterator[str | None], first_line: int, header: Header) -> Rows:
    """All rows of a block by the walk."""
    parts = list(walk(lines, first_line, header))
    if len(parts) == 1:
        return parts[0]
    columns = [pa.concat_arrays([part.columns[place] for part in parts]) for place in range(len(header.names))]
    tables = [table for part in parts for table in part.rejects.tables]
    return Rows(header.names, columns, pa.concat_arrays([part.lines for part in parts]), Rejects(tables))


def _unescaped(rows: Rows) -> Rows:
    """Take back the one apostrophe that keeps a cell as it is in a spreadsheet."""
    for place, column in enumerate(rows.columns):
        if pc.any(pc.starts_with(column, "'")).as_py():
            inert = pc.match_substring_regex(column, MARKED)
            rows.columns[place] = pc.if_else(inert, pc.utf8_slice_codeunits(column, 1), column)
    return rows
