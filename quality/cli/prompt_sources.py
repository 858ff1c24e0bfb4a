"""Which prompts does a command line name? A file, standard input, a folder of files, or a JSONL with one a line."""

import codecs
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quality.errors import NotFound, QualityError
from quality.judge_json import clean
from quality.problems import one_line
from quality.prompts import check_prompt

STDIN = "-"
BATCH_SUFFIXES = (".jsonl", ".ndjson")
PROMPT_BYTES = 1024**2
"""A longer file is no prompt of at most 50,000 characters."""
REPLY_BYTES = 16 * 1024**2
LINE_BYTES = 16 * 1024**2
SHOWN = 200
"""Characters of a rejected line that are shown."""


@dataclass
class Source:
    """One prompt of a batch: its id, where it stands, and its text."""

    id: str
    text: str
    file: str
    line: int | None = None

    @property
    def name(self) -> str:
        """What it is stored under: the file's path, or in a JSONL the id."""
        return self.file if self.line is None else self.id


@dataclass
class Sources:
    """The prompts of a batch, and what could not be used."""

    prompts: list[Source] = field(default_factory=list)
    rejects: list[dict[str, Any]] = field(default_factory=list)

    def reject(self, file: Path, line: int | None, reason: str, value: str | None = None) -> None:
        shown = None if value is None else one_line(clean(value))[:SHOWN]
        self.rejects.append({"file": str(file), "line": line, "reason": reason, "value": shown})


def is_batch(source: str) -> bool:
    """Whether it names many prompts: a folder, or a file that ends in .jsonl or .ndjson."""
    return source != STDIN and (Path(source).is_dir() or source.lower().endswith(BATCH_SUFFIXES))


def prompt_text(source: str) -> str:
    """The prompt in a file or in standard input, with LF line ends and without the last one.

    Raises:
        NotFound, QualityError: it is not there, no text, blank, or longer than 50,000 characters.
    """
    return check_prompt(_as_prompt(source, _bytes(source, PROMPT_BYTES)))


def reply_text(source: str) -> str:
    """A judge's recorded reply; bytes that are no text are marked, for the parser to judge.

    Raises:
        NotFound, QualityError: it cannot be read or is larger than 16 MB.
    """
    raw = _bytes(source, REPLY_BYTES)
    return raw.decode(_encoding(raw), "replace")


def batch(source: str) -> Sources:
    """All prompts of a folder, in order, or of a JSONL; each is checked before any judge is asked.

    Raises:
        NotFound, QualityError: the file is not there, or the folder holds no file.
    """
    path, found = Path(source), Sources()
    if path.is_dir():
        files = list(_files(path))
        if not files:
            raise QualityError(f"{path}: no files in it: name a folder with prompts")
        for file in files:
            _read_file(file, path, found)
    else:
        _read_lines(path, found)
    return found


def _read_file(file: Path, folder: Path, found: Sources) -> None:
    try:
        if not file.is_file():
            raise QualityError("a pipe or device, no file")
        text = prompt_text(str(file))
        found.prompts.append(Source(clean(str(file.relative_to(folder))), text, clean(str(file))))
    except QualityError as error:
        found.reject(file, None, str(error).removeprefix(f"{file}: "))


def _read_lines(path: Path, found: Sources) -> None:
    seen: dict[str, int] = {}
    try:
        with path.open("rb") as file:
            number = 0
            while raw := file.readline(LINE_BYTES + 1):
                number += 1
                if len(raw) > LINE_BYTES:
                    while raw and not raw.endswith(b"\n"):
                        raw = file.readline(LINE_BYTES)
                    found.reject(path, number, f"the line is longer than {LINE_BYTES:,} bytes")
                    continue
                if number == 1:
                    raw = raw.removeprefix(codecs.BOM_UTF8)
                if raw.strip():
                    _read_line(path, number, raw, found, seen)
    except FileNotFoundError as error:
        raise NotFound(f"{path}: no such file: check the path") from error
    except OSError as error:
        raise QualityError(f"{path}: cannot be read ({error.strerror}): check the path and its permissions") from error


def _read_line(path: Path, number: int, raw: bytes, found: Sources, seen: dict[str, int]) -> None:
    shown = raw.decode("utf-8", "replace")
    try:
        given = json.loads(raw.decode("utf-8"))
        if not isinstance(given, dict):
            raise QualityError('no object: give {"id": …, "text": …}')
        text = given.get("text", given.get("prompt"))
        if not isinstance(text, str):
            raise QualityError("no text: give the prompt as text under `text` or `prompt`")
        own = _id_of(given, number)
        if own in seen:
            raise QualityError(f"id {own} stands in line {seen[own]} already: give each prompt an id of its own")
        source = Source(own, clean(check_prompt(text)), str(path), number)
    except QualityError as error:
        found.reject(path, number, str(error), shown)
    except (ValueError, RecursionError) as error:
        found.reject(path, number, f"not JSON: {error}", shown)
    else:
        seen[own] = number
        found.prompts.append(source)


def _id_of(given: dict[str, Any], number: int) -> str:
    own = given.get("id")
    if own is None:
        return f"line {number}"
    if isinstance(own, bool) or not isinstance(own, str | int) or not str(own).strip():
        raise QualityError("id: give a text or a whole number, or leave it out")
    return clean(str(own))


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))


def _bytes(source: str, limit: int) -> bytes:
    try:
        if source == STDIN:
            found = sys.stdin.buffer.read(limit + 1) if sys.stdin else b""
        else:
            with open(source, "rb") as file:
                found = file.read(limit + 1)
    except FileNotFoundError as error:
        raise NotFound(f"{source}: no such file: check the path") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise QualityError(f"{source}: cannot be read ({reason}): check the path and its permissions") from error
    if len(found) > limit:
        raise QualityError(f"{source}: larger than {limit:,} bytes: give its part that matters")
    return found


def _encoding(raw: bytes) -> str:
    return "utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"


def _as_prompt(source: str, raw: bytes) -> str:
    try:
        text = raw.decode(_encoding(raw))
    except UnicodeDecodeError as error:
        raise QualityError(f"{source}: no text in UTF-8 or UTF-16: save it as text first") from error
    return text.replace("\r\n", "\n").removesuffix("\n")
