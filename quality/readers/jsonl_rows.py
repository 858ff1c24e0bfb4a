"""Which rows does a JSONL file hold? An object a line; a file that is one JSON array of objects is read as well.

Scalars become text and are read as the cells of a CSV are, so a rule holds for both: a note that is a number
or a boolean is kept as its text, one that is a list or an object as its JSON. `NaN` without quotes, which is
no JSON but is written by many tools, is read as that word and then judged as a rating or count is.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa

from quality.readers.attributes import JsonMembers
from quality.readers.columns import Layout, layout_of
from quality.readers.rows import BLOCK_ROWS, Rejects, Rows
from quality.readers.text import is_marked, physical_lines, utf8_blocks

MAX_ARRAY = 256 * 1024 * 1024
"""Bytes of a JSON array, which is read as a whole; JSONL has no such limit."""

HEAD_LINES = 1_000

Record = dict[str, Any]


def _constant(name: str) -> str:
    return name


DECODER = json.JSONDecoder(parse_constant=_constant)


def first_records(text: str) -> Iterator[Record]:
    """The objects among the first lines, or the first of the array, in the first text of a file.

    >>> list(first_records('\\n{"story_id": "S-1"}\\n[1]\\n'))
    [{'story_id': 'S-1'}]
    """
    start = text.lstrip()
    if start.startswith("["):
        found = _value(start[1:].lstrip(), 0)
        if found and isinstance(found[0], dict):
            yield found[0]
    elif "{" in text:
        for line in islice(text.replace("\r", "\n").split("\n"), HEAD_LINES):
            if line.lstrip().startswith("{") and isinstance(record := _parsed(line), dict):
                yield record
        if start.startswith("{") and "\n" not in start:
            yield dict.fromkeys(re.findall(r'"(\w+)"\s*:', start))  # a first line longer than what is looked at


def jsonl_rows(path: Path, is_array: bool) -> Iterator[tuple[Rows, Layout]]:
    """Blocks of rows that have the same keys' meaning, each with its layout."""
    rejects = Rejects()
    records: list[tuple[int, Record]] = []
    for line, record, text in _array(path) if is_array else _lines(path):
        if isinstance(record, str):
            rejects.add(line, record, text)
        else:
            records.append((line, record))
        if len(records) == BLOCK_ROWS:
            yield from _blocks(records, rejects)
            records, rejects = [], Rejects()
    yield from _blocks(records, rejects)


def _lines(path: Path) -> Iterator[tuple[int, Record | str, str]]:
    for number, line in enumerate(physical_lines(path), start=1):
        if line is None:
            yield number, "the line is too long to be read: split the record", ""
        elif not (stripped := line.strip()):
            continue
        elif is_marked(stripped):
            yield number, "the record is not valid UTF-8: save the file as UTF-8", stripped
        else:
            yield number, _judged(_parsed(stripped), stripped), stripped


def _array(path: Path) -> Iterator[tuple[int, Record | str, str]]:
    """The objects of one JSON array; the first fault ends it, for what follows cannot be told apart."""
    raw = bytearray()
    for block in utf8_blocks(path, 1 << 20):
        raw += block
        if len(raw) > MAX_ARRAY:
            yield 1, f"a JSON array of more than {MAX_ARRAY:,} bytes is not read: write an object a line (JSONL)", ""
            return
    text = raw.decode("utf-8", "surrogateescape")
    place, line, counted = text.index("[") + 1, 1, 0
    while True:
        place = _after_blank(text, place)
        line, counted = line + _newlines(text, counted, place), place
        if text[place : place + 1] == "]":
            if rest := text[place + 1 :].strip():
                yield line, "text after the end of the array: write an object a line (JSONL)", rest
            return
        found = _value(text, place)
        if found is None:
            yield line, "not JSON from here on: correct the array, or write an object a line (JSONL)", text[place:]
            return
        record, end = found
        source = text[place:end]
        yield (
            line,
            "the record is not valid UTF-8: save the file as UTF-8" if is_marked(source) else _judged(record, source),
            source,
        )
        place = _after_blank(text, end)
        if text[place : place + 1] == ",":
            place += 1
        elif text[place : place + 1] != "]":
            line += _newlines(text, counted, place)
            yield line, "the array is not closed here: correct it, or write an object a line (JSONL)", text[place:]
            return


def _after_blank(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def _newlines(text: str, low: int, high: int) -> int:
    return text.count("\n", low, high) + text.count("\r", low, high) - text.count("\r\n", low, high)


def _value(text: str, place: int) -> tuple[Any, int] | None:
    try:
        return DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return None


def _parsed(text: str) -> Any:
    try:
        return DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        return _Fault(str(error))


class _Fault(str):
    """Why a text is not JSON."""


def _judged(record: Any, text: str) -> Record | str:
    if isinstance(record, _Fault):
        return f"not JSON ({record}): write one object a line"
    if not isinstance(record, dict):
        return "not a JSON object: write one object a line"
    if "\\u" in text and is_marked(json.dumps(record, ensure_ascii=False)):
        return "the record holds half of a surrogate pair (\\ud800 … \\udfff), which is no text: write the character itself"
    return record


def _blocks(records: list[tuple[int, Record]], rejects: Rejects) -> Iterator[tuple[Rows, Layout]]:
    """Records whose keys mean the same go together; a record whose keys cannot be read is a reject."""
    layouts: dict[tuple[str, ...], Layout | str] = {}
    groups: dict[str, list[tuple[int, Record]]] = {}
    for line, record in records:
        keys = tuple(record)
        if keys not in layouts:
            layouts[keys] = layout_of(keys)
        layout = layouts[keys]
        if isinstance(layout, str):
            rejects.add(line, layout, json.dumps(record, ensure_ascii=False))
        else:
            groups.setdefault(layout.shape, []).append((line, record))
    for shape, group in groups.items():
        fitting = [
            (keys, layout) for keys, layout in layouts.items() if isinstance(layout, Layout) and layout.shape == shape
        ]
        yield _rows(group, dict(fitting), rejects)
        rejects = Rejects()
    if rejects.tables:
        yield Rows([], [], pa.array([], pa.int64()), rejects), Layout("export")


def _rows(
    group: list[tuple[int, Record]], layouts: dict[tuple[str, ...], Layout], rejects: Rejects
) -> tuple[Rows, Layout]:
    """One column a meaning, whichever of its names a record uses; the rest of each record as one JSON text."""
    names: dict[str, list[str]] = {}
    for keys, layout in layouts.items():
        for name, place in layout.columns.items():
            if keys[place] not in names.setdefault(name, []):
                names[name].append(keys[place])
    records = [record for _, record in group]
    columns: list[pa.Array | JsonMembers] = [_column(records, written) for written in names.values()]
    others = {keys: [keys[place] for place in layout.attributes.values()] for keys, layout in layouts.items()}
    attributes: dict[str, int] = {}
    if any(others.values()):
        attributes = {"": len(columns)}
        columns.append(
            JsonMembers(pa.array([_members(record, others[tuple(record)]) for record in records], pa.string()))
        )
    layout = Layout(next(iter(layouts.values())).shape, {name: place for place, name in enumerate(names)}, attributes)
    lines = pa.array([line for line, _ in group], pa.int64())
    header = [*(written[0] for written in names.values()), *attributes]
    return Rows(header, columns, lines, rejects), layout  # type: ignore[arg-type]


def _column(records: list[Record], written: list[str]) -> pa.Array:
    """The cells under any of these names."""
    cells = [record.get(written[0]) for record in records]
    for name in written[1:]:
        cells = [record.get(name) if cell is None else cell for cell, record in zip(cells, records)]
    try:
        return pa.array(cells, pa.string())
    except (pa.ArrowTypeError, pa.ArrowInvalid):
        return pa.array([_text(cell) for cell in cells], pa.string())


def _members(record: Record, keys: list[str]) -> str | None:
    rest = {key: record[key] for key in keys if record[key] is not None}
    return json.dumps(rest, ensure_ascii=False)[1:-1] if rest else None


def _text(value: Any) -> str | None:
    """A value as a cell of a CSV would write it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)
