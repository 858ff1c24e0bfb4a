"""What does a test runner's console output amount to? The shape that every runner's file fills.

A runner is fed the lines of one step that are in its form, in order, and says which of them are its summaries.
Only a line in the runner's own form, at the place where the runner prints it, is one.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, NamedTuple

from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts


@dataclass
class Summary:
    """What one invocation of a runner says it counted."""

    runner: str
    counts: TestCounts | None
    """`None`: it ran and counted nothing, or does not say how many passed."""
    line: int
    supported: bool = False
    """Besides the summary there is output of the same invocation: a header, progress, results."""
    suites: frozenset[str] = frozenset()
    """Files, packages or binaries that were run, to know a re-run by."""
    tests: tuple[tuple[str, str], ...] | None = None
    """Name and result (a key of `LETTERS`) of each counted test, where the runner tells all of them by name."""
    at: datetime | None = None
    """When it ended, where it says so."""
    job: str = ""
    """Filled in by the scan, which knows whose step it is."""
    notes: tuple[str, ...] = ()
    is_part: bool = False
    """The run broke off: the tests that it did not come to are in no count."""

    @classmethod
    def of(
        cls, runner: str, counts: TestCounts | None, line: int, supported: bool,
        suites: Iterable[str] = (), notes: Iterable[str] = (), tests: Iterable[tuple[str, str]] | None = None,
        is_part: bool = False,
    ) -> "Summary":  # fmt: skip
        """What a summary line says. Nothing counted is unknown, and said so."""
        notes = tuple(notes)
        if counts is None or not counts.total + counts.skipped:
            counts, notes = None, notes or (f"{runner} ran no tests",)
        told = None if tests is None or counts is None else tuple(tests)
        return cls(runner, counts, line, supported, frozenset(suites), told, notes=notes, is_part=is_part)


class Outcome(NamedTuple):
    """That something was built or was not, and the line that says so."""

    success: bool
    line: int
    reason: str


@dataclass
class Findings:
    """What one runner says in one step."""

    summaries: list[Summary] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Runner(ABC):
    """One file in this folder per runner; adding a runner is adding a file and its line in `registry.py`."""

    name: ClassVar[str]
    marks: ClassVar[re.Pattern[str]]
    """Beginnings of the lines that it wants to see. Each starts with what is fixed: most lines must fail at once."""
    ends: ClassVar[tuple[str, ...]] = ()
    """Ends of further lines that it wants to see."""
    inside: ClassVar[tuple[str, ...]] = ()
    """What further lines that it wants to see hold."""

    @abstractmethod
    def see(self, line: LogLine) -> None:
        """The next line that it wants."""

    @abstractmethod
    def findings(self) -> Findings:
        """After the last line of the step."""


@dataclass
class Pile:
    """Summaries of a step of which some may be printed by the tests themselves.

    One whose counts disagree with the results listed since the last is doubtful, and is dropped when the next
    agrees with all of them: then the tests printed it.
    """

    kept: list[Summary] = field(default_factory=list)
    doubtful: list[Summary] = field(default_factory=list)
    dropped: list[Summary] = field(default_factory=list)

    def add(self, summary: Summary, agrees: bool | None) -> bool:
        """Whether the results listed so far are accounted for. `None` = no results are listed."""
        if agrees is False:
            self.doubtful.append(summary)
            return False
        if agrees:
            self.dropped += self.doubtful
        else:
            self.kept += self.doubtful
        self.doubtful = []
        self.kept.append(summary)
        return True

    def findings(self) -> Findings:
        notes = [f"line {s.line}: printed by the tests of {s.runner}, not its summary" for s in self.dropped]
        return Findings([*self.kept, *self.doubtful], notes=notes)


PART = re.compile(r"(?<![\w.,+-])(\d+) ([A-Za-z][A-Za-z ]*)", re.ASCII)
"""A whole number and its word: the end of another (1,234 or -5) is none."""
MOST_DIGITS = 20
"""Of a number; what is longer is too much to be counted anyway, and must not be left out of the sum."""


def parts(text: str) -> dict[str, int]:
    """`2 failed, 1 passed` → numbers by word.

    >>> parts("2 failed, 3 subtests passed")
    {'failed': 2, 'subtests passed': 3}
    """
    found: dict[str, int] = {}
    for number, word in PART.findall(text):
        found[word.strip()] = found.get(word.strip(), 0) + int(number[:MOST_DIGITS])
    return found


def said(number: int, singular: str, plural: str = "") -> str:
    """`1 test`, `2 tests`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
