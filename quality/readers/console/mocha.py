"""How did mocha end? `N passing`, `N pending`, `N failing`, one below the other after its results.

A hook that fails is one failure, and the tests it stood before never ran: they are in no count. Numbers that the
results above do not bear out were printed by a test.
"""

import re

from quality.readers.console.runner import Findings, Pile, Runner, Summary, said
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_PASSING = re.compile(r"  (?P<n>\d{1,8}) passing \(\d[\d.]*(?:ms|s|m|h|d)\)$")
_MORE = re.compile(r"  (?P<n>\d{1,8}) (?P<word>pending|failing)$")
_PASSED = re.compile(r" {2,}[✓✔√] ")
_HOOK = re.compile(r" {2,}\d+\) \"(?:before|after) (?:all|each)\" hook")
_FAILED = re.compile(r" {2,}(?P<n>\d+)\) \S")


class Mocha(Runner):
    """mocha, and Cypress, which prints through it."""

    name = "mocha"
    marks = re.compile(r"  \d{1,8} (?:passing|pending|failing)|   *[✓✔√] |   *\d+\) ")

    def __init__(self) -> None:
        self._pile = Pile()
        self._passed, self._failures, self._hooks = 0, 0, 0
        self._passing: tuple[LogLine, int] | None = None
        self._more: dict[str, int] = {}
        self._last = -1

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _PASSING.match(text):
            self._close()
            self._passing, self._more, self._last = (line, int(found["n"])), {}, line.number
        elif found := _MORE.match(text):
            if self._passing and line.number == self._last + 1:
                self._more[found["word"]] = int(found["n"])
                self._last = line.number
        elif self._passing is None or not self._is_listing(text):
            self._close()
            self._passed += bool(_PASSED.match(text))
            self._failures += bool(_FAILED.match(text))
            self._hooks += bool(_HOOK.match(text))

    def findings(self) -> Findings:
        self._close()
        return self._pile.findings()

    def _is_listing(self, text: str) -> bool:
        """Whether it heads one of the failures that are listed below the summary."""
        found = _FAILED.match(text)
        return bool(
            found and text.startswith("  ") and text[2:3].isdigit() and int(found["n"]) <= self._more.get("failing", 0)
        )

    def _close(self) -> None:
        if self._passing is None:
            return
        line, passed = self._passing
        failed, skipped = self._more.get("failing", 0), self._more.get("pending", 0)
        listed = self._passed + self._failures
        agrees = None if not listed else (self._passed, self._failures) == (passed, failed)
        notes = (f"mocha: {said(self._hooks, 'hook')} failed, the tests behind it never ran",) if self._hooks else ()
        counts = TestCounts(passed=passed, failed=failed, skipped=skipped)
        summary = Summary.of("mocha", counts, line.number, bool(listed), notes=notes)
        if self._pile.add(summary, agrees):
            self._passed = self._failures = self._hooks = 0
        self._passing, self._more = None, {}
