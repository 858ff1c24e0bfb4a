"""Which lines stand around a line of a log, and when was it written? Read in one more pass: no log is kept in memory."""

from collections import deque
from collections.abc import Collection
from typing import BinaryIO

from quality.readers.evidence import AROUND, Excerpt, around
from quality.readers.log_lines import LogLine, log_lines

LONGEST = 4_000
"""Characters of a line that are kept."""


def excerpts(file: BinaryIO, wanted: Collection[int]) -> dict[int, Excerpt]:
    """Line → the lines around it, with the time that a CI service wrote before it."""
    found: dict[int, Excerpt] = {}
    if not wanted:
        return found
    window: deque[LogLine] = deque(maxlen=2 * AROUND + 1)
    todo = deque(sorted(set(wanted)))
    for line in log_lines(file, near=tuple(todo), around=AROUND):
        window.append(line)
        while todo and line.number >= todo[0] + AROUND:
            number = todo.popleft()
            found[number] = _excerpt(window, number)
        if not todo:
            break
    for number in todo:
        found[number] = _excerpt(window, number)
    return found


def _excerpt(window: deque[LogLine], number: int) -> Excerpt:
    texts = {
        line.number: line.text[:LONGEST]
        for line in window
        if abs(line.number - number) <= AROUND and (line.text or line.number != number)
    }
    kept = around(texts, number)
    return Excerpt(kept, kept.at, time=next((line.time for line in window if line.number == number), ""))
