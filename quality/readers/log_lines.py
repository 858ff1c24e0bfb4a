"""Which lines did a program write to its console? Its own text, without what the terminal and the CI put around it.

Colours, cursor codes, byte order marks, UTF-16, CR LF, lines that were overwritten and the times and columns that
CI services put before each line are taken off once, here. Numbers are those of the artifact's physical lines.
"""

import codecs
import re
from collections import deque
from collections.abc import Collection, Iterator
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import BinaryIO, NamedTuple

from quality.readers.text import UTF8, encoding_of

BLOCK = 1 << 20
MOST_LINE = 1 << 20
"""Characters of one line that are looked at."""
SAMPLE, SHARE = 200, 0.6
"""A prefix is the log's own if this share of its first lines has it: a test that prints a time is no CI."""
ZEROS = 0.4
"""Share of zero bytes above which a text without a byte order mark is UTF-16."""
MOST_ECHO = 2_000
"""Lines of a group that may be the echo of a step's command."""

_COLOUR = r"\[(?:\d{1,3}(?:;\d{1,3}){0,4})?m"
ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b[\]_P^X][^\x07\x1b\r\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]"
    + "".join(rf"|{escape}{_COLOUR}" for escape in ("", r"\u241b", r"\^\[", r"\\x1b", r"\\033", r"\\u001b", r"\\e"))
)
"""Control sequences, and colours whose escape character was lost or written out on the way. Each form begins with a
character of its own: whole blocks are searched for them at once."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff]")
"""But for the ends of lines."""
_TIME = r"\ufeff?\[?(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)\]?"
PREFIXES = (
    re.compile(rf"(?P<job>[^\t]{{0,500}})\t(?P<step>[^\t]{{0,500}})\t{_TIME} ?"),  # gh run view --log
    re.compile(rf"{_TIME}(?: \d\d[OE]\+?(?: |$)| ?)"),  # GitHub, Azure, GitLab, docker logs --timestamps
    re.compile(r"\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]? {1,2}"),  # Jenkins
    re.compile(
        r"(?!(?:ok|FAILED) \|)(?:\[[^\]]{1,200}\]|[\w.-]{1,100}) {1,60}\| ?"
    ),  # docker compose, act; not deno's end
)
_STEP = re.compile(r"Post job cleanup\.|##\[section\]Starting: |section_start:\d+:|py\d+\w*: commands\[0\]> ")
_ECHO = re.compile(r"shell: |with:$|env:$")


class LogLine(NamedTuple):
    """A line as the program wrote it."""

    number: int
    text: str
    job: str = ""
    step: int = 0
    """Counts the steps of the log, so that one step's text is never another's summary."""
    time: str = ""
    """As the CI service wrote it before the line; only in the parts of a log that are read again."""


def clean(text: str) -> str:
    """One line without control codes, byte order marks and trailing blanks.

    >>> clean("\\x1b[31m1 failed\\x1b[0m, [32m12 passed[0m  \\r")
    '1 failed, 12 passed'
    """
    return _CONTROL.sub("", ANSI.sub("", text)).rstrip()


def log_lines(file: BinaryIO, near: Collection[int] | None = None, around: int = 0) -> Iterator[LogLine]:
    """The program's lines in order; the echo of a step's command is left out.

    With `near` only the parts of the file are read line by line that hold one of these numbers or its neighbours.
    """
    lines = _segments(file, near, around)
    sample = list(islice(lines, SAMPLE))
    prefix = _prefix_of([text for _, text in sample])
    return _stepped(_unwrapped(_chain(sample, lines), prefix, has_times=near is not None))


def _chain(sample: list[tuple[int, str]], lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    waiting = deque(sample)
    while waiting:
        yield waiting.popleft()
    yield from lines


def _segments(file: BinaryIO, near: Collection[int] | None, around: int) -> Iterator[tuple[int, str]]:
    """Numbered lines without control codes; what a bare CR overwrote is a line of its own with the same number.

    The first block is always among them: it tells what stands before each line.
    """
    number, rest = 0, ""
    for text in _decoded(file):
        whole, end, rest = (rest + text).rpartition("\n")
        if end:
            lines = whole.count("\n") + 1
            if number == 0 or near is None or any(number - around < n <= number + lines + around for n in near):
                yield from _numbered(number + 1, whole)
            number += lines
        rest = rest[:MOST_LINE]
    if rest:
        yield from _numbered(number + 1, rest)


def _numbered(first: int, text: str) -> Iterator[tuple[int, str]]:
    lines = _CONTROL.sub("", ANSI.sub("", text)).split("\n")
    if "\r" not in text:
        yield from enumerate((line[:MOST_LINE] for line in lines), first)
        return
    for number, line in enumerate(lines, first):
        line = line.rstrip("\r")
        for part in line[:MOST_LINE].split("\r"):
            yield number, part


def _decoded(file: BinaryIO) -> Iterator[str]:
    block = file.read(BLOCK)
    encoding = encoding_of_log(block)
    if encoding == UTF8:
        block = block.removeprefix(codecs.BOM_UTF8)
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    while block:
        yield decoder.decode(block)
        block = file.read(BLOCK)
    yield decoder.decode(b"", final=True)


def encoding_of_log(block: bytes) -> str:
    """By the byte order mark; UTF-16 without one is known by a zero beside nearly every letter."""
    even, odd = block[:4096:2].count(0), block[1:4096:2].count(0)
    if (
        block.startswith(codecs.BOM_UTF8)
        or max(even, odd) < len(block[:4096]) * ZEROS
        or min(even, odd) > len(block) // 16
    ):
        return encoding_of(block)
    return encoding_of(block) if encoding_of(block) != UTF8 else "utf-16-be" if even > odd else "utf-16-le"


def _prefix_of(texts: list[str]) -> re.Pattern[str] | None:
    said = [text for text in texts if text.strip()]
    for prefix in PREFIXES:
        if said and sum(1 for text in said if prefix.match(text)) >= SHARE * len(said):
            return prefix
    return None


def _unwrapped(
    lines: Iterator[tuple[int, str]], prefix: re.Pattern[str] | None, has_times: bool
) -> Iterator[tuple[int, str, str, str, str]]:
    has_times = has_times and prefix is not None and "time" in prefix.groupindex
    for number, text in lines:
        job = step = time = ""
        found = prefix.match(text) if prefix else None
        if found:
            if "job" in found.groupdict():
                job, step = found["job"], found["step"]
            if has_times:
                time = found["time"]
            text = text[found.end() :]
        yield number, text.rstrip(), job, step, time


def _stepped(lines: Iterator[tuple[int, str, str, str, str]]) -> Iterator[LogLine]:
    step, column = 0, ("", "")
    echo: list[LogLine] | None = None
    for number, text, job, name, time in lines:
        if (job, name) != column:
            column, step = (job, name), step + 1
        line = LogLine(number, text, job, step, time)
        if echo is not None:
            if not text.startswith("##[endgroup]") and len(echo) < MOST_ECHO:
                echo.append(line)
                continue
            is_closed = text.startswith("##[endgroup]")
            if is_closed and (not echo or any(_ECHO.match(held.text) for held in echo)):
                step += 1
            else:
                yield from echo
            echo = None
            if is_closed:
                continue
        if text.startswith("##[group]Run "):
            echo = []
            continue
        if _STEP.match(text):
            step += 1
            line = line._replace(step=step)
        yield line
    yield from echo or ()


@lru_cache(maxsize=2)  # several recognisers ask for the same
def head_lines(head: bytes) -> tuple[LogLine, ...]:
    """The lines among the first bytes of a file; the last may be cut."""
    return tuple(log_lines(BytesIO(head)))
