"""What JSON does an artifact hold, and where in the file is a part of it?

Producers write JSON in UTF-8 or UTF-16, with or without a BOM, one document or one a line, and some write the
bare words NaN and Infinity. All of that is read; what is no JSON is said with its line. Memory is bounded.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from quality.readers.base import Artifact
from quality.readers.evidence import excerpt
from quality.readers.text import head_text, lines_of, shown, utf8_blocks

MOST_BYTES = 128 * 1024 * 1024
"""Of UTF-8; a larger document is refused, a file of lines is read one line at a time."""
MOST_DEPTH = 400
"""Levels of nesting that are looked at in the beginning of a document."""
LONG_LINE = 400
"""Characters; of a longer line the evidence keeps a piece."""
PIECE = 1_500
"""Characters kept before and after the place in a long line."""
MOST_PARTS = 1_000
_NOT_BLANK = re.compile(r"\s*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)
_PARTNER = {"{": "}", "[": "]"}


@dataclass
class Document:
    """One JSON value with its text."""

    text: str
    value: Any
    first_line: int = 1
    """Line of the file that the text starts at."""

    def offset(self, *needles: object) -> int:
        """Behind which the values stand as JSON, each looked for after the one before; the last one found counts."""
        place = 0
        for needle in needles:
            if isinstance(needle, str) and needle:
                found = _find(self.text, needle, place)
                place = found if found >= 0 else place
        return place

    def line(self, *needles: object) -> int:
        """The line of the file at which the last needle stands."""
        return self.first_line + self.text.count("\n", 0, self.offset(*needles))

    def evidence(self, signal: str, *needles: object) -> tuple[str, int, str]:
        """Signal, line and the text around it, secrets masked; of a file without line breaks a piece."""
        place = self.offset(*needles)
        before, after = self.text[max(0, place - 8 * PIECE) : place], self.text[place : place + 8 * PIECE]
        lines = (before + after).split("\n")
        at = before.count("\n")
        start = place - len(before.rsplit("\n", 1)[-1])
        lines[at] = _piece(lines[at], place - start)
        lines = [line if n == at else line[:LONG_LINE] for n, line in enumerate(lines)]
        return signal, self.first_line + self.text.count("\n", 0, place), excerpt(lines, at + 1, at + 1)


class Places:
    """Lines of texts that stand in a document one after the other, in one walk through it."""

    def __init__(self, source: Document, after: str = "") -> None:
        self._source = source
        self._place = source.offset(after) if after else 0
        self._line = source.first_line + source.text.count("\n", 0, self._place)

    def line(self, needle: str) -> int | None:
        """Of the next place where the text stands as JSON; `None` if there is none."""
        return self._at(_find(self._source.text, needle, self._place) if needle else -1)

    def _at(self, place: int) -> int | None:
        if place < 0:
            return None
        self._line += self._source.text.count("\n", self._place, place)
        self._place = place
        return self._line


def loads(text: str) -> Any:
    """The value of a JSON text, with bare NaN and Infinity as numbers.

    Raises:
        ValueError: it is no JSON, or is nested too deeply.

    >>> loads('{"a": NaN}')["a"] != loads('{"a": NaN}')["a"]
    True
    """
    try:
        return json.loads(text, strict=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def beginning(artifact: Artifact) -> Any:
    """The first 64 KB as a value: the whole document if it is short, else what of it has been closed so far.

    `None` where the artifact is no JSON.
    """
    return _beginning(artifact.head)


@lru_cache(maxsize=8)
def _beginning(head: bytes) -> Any:
    text = head_text(head)
    if text is None or text.lstrip()[:1] not in ("{", "["):
        return None
    return partial(text)


def partial(text: str) -> Any:
    """A JSON text that breaks off, or that others follow line by line, as far as its first value goes.

    >>> partial('{"a": 1, "b": [{"c": 2}, {"d": 3, "e'), partial('[1] [2]'), partial('{"a')
    ({'a': 1, 'b': [{'c': 2}, {'d': 3}]}, [1], {})
    """
    open_ones: list[str] = []
    cut, closing = 0, ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in "{[":
            open_ones.append(_PARTNER[sign])
            cut, closing = token.end(), "".join(reversed(open_ones))
        elif sign in "}]":
            if not open_ones or open_ones.pop() != sign:
                break
            cut, closing = token.end(), "".join(reversed(open_ones))
            if not open_ones:
                break
        elif sign == "," and open_ones:
            cut, closing = token.start(), "".join(reversed(open_ones))
        if len(open_ones) > MOST_DEPTH:
            break
    try:
        return loads(text[:cut] + closing)
    except ValueError:
        return None


def document(artifact: Artifact) -> Document | str:
    """The artifact as one value, or the reason why not."""
    text = whole_text(artifact)
    if text is None:
        return f"more than {MOST_BYTES:,} bytes: split the document"
    try:
        return Document(text, loads(text))
    except json.JSONDecodeError as error:
        return f"no JSON from line {error.lineno} on ({error.msg}): is the file complete?"
    except ValueError as error:
        return f"no JSON: {error}"


def documents(artifact: Artifact, problem: Callable[[int, str, str], None]) -> Iterator[Document]:
    """Each value of a file that holds one document or one a line. What is neither is told to `problem`: line, reason, text."""
    first = beginning(artifact)
    if not _is_lines(artifact, first):
        found = document(artifact)
        if isinstance(found, Document):
            yield found
        elif parts := _parts(artifact):
            yield from parts
        else:
            problem(1, found, shown((head_text(artifact.head) or "")[:LONG_LINE]))
        return
    for number, line in enumerate(lines_of(utf8_blocks(artifact.path, 1 << 20)), start=1):
        if line is None:
            problem(number, "a line too long to be read", "")
            continue
        if not line.strip():
            continue
        try:
            yield Document(shown(line), loads(line), number)
        except ValueError:
            problem(number, "the line is no JSON", shown(line[:LONG_LINE]))


def _is_lines(artifact: Artifact, first: Any) -> bool:
    """Whether the first line is a value of its own and something follows it."""
    line, _, rest = (head_text(artifact.head) or "").lstrip().partition("\n")
    if not rest.strip() or first is None:
        return False
    try:
        loads(line)
    except ValueError:
        return False
    return True


def _parts(artifact: Artifact) -> list[Document]:
    """Documents that follow one another without a separator, as paging tools print them; none if something else does."""
    whole = whole_text(artifact) or ""
    decoder, parts, place, line = json.JSONDecoder(strict=False), [], 0, 1
    try:
        while place < len(whole) and len(parts) < MOST_PARTS:
            start = _NOT_BLANK.match(whole, place).end()  # type: ignore[union-attr]
            if start == len(whole):
                break
            line += whole.count("\n", place, start)
            value, end = decoder.raw_decode(whole, start)
            parts.append(Document(whole[start:end], value, line))
            line += whole.count("\n", start, end)
            place = end
    except (ValueError, RecursionError):
        return []
    return parts


def whole_text(artifact: Artifact, most: int = MOST_BYTES) -> str | None:
    """The text, `None` if it is too long."""
    raw = bytearray()
    for block in utf8_blocks(artifact.path, 1 << 20):
        raw += block
        if len(raw) > most:
            return None
    return shown(raw.decode("utf-8", "surrogateescape"))


def text(value: Any) -> str:
    """A string as it is, a number as written; anything else, and what is blank, is not stated: ""."""
    if isinstance(value, str):
        return shown(value) if value.strip() else ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def mapping(value: Any) -> dict[str, Any]:
    """The object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none in place of anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def strings(value: Any) -> list[str]:
    """The strings of a list; none in place of anything else."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def holds(value: Any, keys: Sequence[str]) -> bool:
    """Whether the value is an object with all the keys."""
    return isinstance(value, dict) and all(key in value for key in keys)


def _find(whole: str, needle: str, place: int) -> int:
    for written in (json.dumps(needle, ensure_ascii=False), json.dumps(needle)):
        found = whole.find(written, place)
        if found >= 0:
            return found
    return -1


def _piece(line: str, column: int) -> str:
    if len(line) <= LONG_LINE:
        return line
    return line[max(0, column - PIECE // 3) : column + PIECE]
