"""Which records does a CSV hold when its quotes or rows are not as they should be? The exact, slower walk.

Record by record with Python's parser; every record that cannot be used is a reject with its line.
"""

import csv
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from quality.readers.rows import BLOCK_ROWS, Rejects, Rows
from quality.readers.text import is_marked

MAX_RECORD = 16 * 1024 * 1024
"""Bytes of one record; a quote that is open for longer is taken as never closed."""
MOST_REREAD = 64 * 1024 * 1024
"""Characters that are read again after unclosed quotes, in all; then the rest of the file is one reject."""
_SENTINEL = "\ufdd0end"
"""A last line that is its own record, unless a quote is open; no text holds this non-character."""
BAD_TEXT = "the record is not valid UTF-8: save the file as UTF-8"
UNCLOSED = 'a cell begins with a quote that is never closed: close it, or double a quote inside a cell ("")'


@dataclass(frozen=True)
class Header:
    """The first record that is not blank."""

    names: list[str]
    delimiter: str
    lines: int
    """Physical lines up to and with it."""


def walk(lines: Iterator[str | None], line: int, header: Header) -> Iterator[Rows]:
    """Record by record, `BLOCK_ROWS` at a time."""
    width = len(header.names)
    cells: list[list[str | None]] = []
    starts: list[int] = []
    rejects = Rejects()
    for start, record, text in _Records(lines, line, header.delimiter):
        if isinstance(record, str):
            rejects.add(start, record, text)
        elif not record or (len(record) == 1 < width and not (record[0] or "").strip()):
            continue
        elif is_marked(text):
            rejects.add(start, BAD_TEXT, text)
        elif len(record) != width:
            rejects.add(start, f"{len(record)} cells where the header has {width}: quote a cell that holds a "
                               "delimiter or a newline", text)  # fmt: skip
        else:
            cells.append(record)
            starts.append(start)
        if len(cells) == BLOCK_ROWS:
            yield _packed(cells, starts, rejects, header)
            cells, starts, rejects = [], [], Rejects()
    yield _packed(cells, starts, rejects, header)


def _packed(cells: list[list[str | None]], starts: list[int], rejects: Rejects, header: Header) -> Rows:
    columns = [pa.array(column, pa.string()) for column in zip(*cells)] or [
        pa.array([], pa.string()) for _ in header.names
    ]
    return Rows(header.names, columns, pa.array(starts, pa.int64()), rejects)


class _Records:
    """Records with the line each starts on: its cells, or the reason it is none; and its text.

    An unclosed quote costs the line it is on; reading goes on with the next.
    """

    def __init__(self, lines: Iterator[str | None], line: int, delimiter: str) -> None:
        self._lines = lines
        self._line = line
        self._delimiter = delimiter
        self._again: deque[str | None] = deque()
        self._taken: list[str] = []
        self._ended = False
        self._too_long = False
        cell = rf'(?:"(?:[^"]++|"")*+"|[^"{delimiter}\r\n][^{delimiter}\r\n]*+|)'
        self._whole = re.compile(rf"{cell}(?:{delimiter}{cell})*+(?:\r\n|\n|\r)?")

    def __iter__(self) -> Iterator[tuple[int, list[str | None] | str, str]]:
        allow_long_cells()
        reread = 0
        while not (self._ended and not self._again):
            self._ended = False
            reader = csv.reader(self._supply(), delimiter=self._delimiter)
            for record in reader:
                text, start = "".join(self._taken), self._line
                if self._taken[-1] is _SENTINEL and len(self._taken) == 1:
                    self._taken = []
                    break
                if self._taken[-1] is _SENTINEL or (len(self._taken) > 1 and not self._whole.fullmatch(text)):
                    reread += len(text)
                    if reread > MOST_REREAD:
                        yield start, f"{UNCLOSED}. Lines before have the same fault: the rest is not read", text
                        return
                    yield start, UNCLOSED, self._taken[0]
                    rest = self._taken[1:-1] if self._taken[-1] is _SENTINEL else self._taken[1:]
                    cut_short = [None] if self._too_long else []
                    self._again = deque([*rest, *cut_short, *self._again])
                    self._line, self._taken, self._too_long = self._line + 1, [], False
                    break
                self._line += len(self._taken)
                self._taken = []
                yield start, _with_nulls(record, text, self._delimiter), text
            if self._too_long:
                yield self._line, f"a line of more than {MAX_RECORD:,} characters is not read: split it", ""
                self._line += 1

    def _supply(self) -> Iterator[str]:
        """Lines for the parser, and a last one that shows whether a quote is open."""
        size, self._too_long = 0, False
        while True:
            line = self._again.popleft() if self._again else next(self._lines, "")
            if line is None:
                self._too_long = True
                break
            if line == "":
                self._ended = True
                break
            size = size + len(line) if self._taken else len(line)
            self._taken.append(line)
            yield line
            if size > MAX_RECORD and self._taken:
                break
        self._taken.append(_SENTINEL)
        yield _SENTINEL


def _with_nulls(record: list[str], text: str, delimiter: str) -> list[str | None]:
    """Empty cells state nothing, unless they are quoted: that is the empty text."""
    if "" not in record:
        return list(record)
    quoted = [False] * len(record)
    if '""' in text:
        cells = re.findall(rf'("(?:[^"]|"")*"[^{delimiter}\r\n]*|[^{delimiter}\r\n]*)(?:{delimiter}|\r?\n?$)', text)
        quoted = [cell == '""' for cell in cells[: len(record)]] if len(cells) >= len(record) else quoted
    return [cell if cell or is_quoted else None for cell, is_quoted in zip(record, quoted)]


def allow_long_cells() -> None:
    """A note may be of any length; the module's limit is for the whole process."""
    if csv.field_size_limit() < 4 * MAX_RECORD:
        csv.field_size_limit(4 * MAX_RECORD)
