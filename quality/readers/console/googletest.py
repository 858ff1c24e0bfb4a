"""How did a GoogleTest program end? What stands below `[==========] N tests from M test suites ran.`

The same above that line is a test's own print. Disabled tests are told, and are in no count.
"""

import re

from quality.readers.console.runner import Findings, Runner, Summary
from quality.readers.console.under_ctest import BEGINS, ENDS, MARKS, UnderCtest
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_RUNNING = re.compile(r"\[==========\] Running \d{1,8} tests? from ")
_RAN = re.compile(r"\[==========\] (?P<n>\d{1,8}) tests? from \d{1,8} test (?:suite|case)s? ran\.")
_PART = re.compile(r"\[  (?P<word>PASSED|SKIPPED|FAILED) +\] (?P<n>\d{1,8}) tests?(?:\.|, listed below:)$")
_SUITE = re.compile(r"\[----------\] \d{1,8} tests? from (?P<suite>\S{1,300})")
_DISABLED = re.compile(r" +YOU HAVE (?P<n>\d{1,8}) DISABLED TESTS?$")


class GoogleTest(Runner):
    """googletest 1.8 and later."""

    name = "googletest"
    marks = re.compile(rf"\[=====|\[-----|\[  (?:PASSED|SKIPPED|FAILED) |  *YOU HAVE |{MARKS}")

    def __init__(self) -> None:
        self._kept = UnderCtest()
        self._began: int | None = None
        self._ran: tuple[int, int] | None = None
        self._parts: dict[str, int] = {}
        self._suites: set[str] = set()
        self._notes: list[str] = []

    def see(self, line: LogLine) -> None:
        text = line.text
        if ENDS.match(text) or BEGINS.match(text):
            self._close()
            self._kept.is_ctest(text)
        elif _RUNNING.match(text):
            self._close()
            self._began = line.number
        elif found := _RAN.match(text):
            self._ran, self._parts = (line.number, int(found["n"])), {}
        elif found := _SUITE.match(text):
            self._suites.add(found["suite"])
        elif self._ran and (found := _PART.match(text)):
            self._parts.setdefault(found["word"], int(found["n"]))
        elif self._ran and (found := _DISABLED.match(text)):
            self._notes = [f"googletest also tells of {int(found['n']):,} disabled: neither passed nor failed"]

    def findings(self) -> Findings:
        self._close()
        return self._kept.told()

    def _close(self) -> None:
        if self._ran:
            line, total = self._ran
            passed, failed, skipped = (self._parts.get(word, 0) for word in ("PASSED", "FAILED", "SKIPPED"))
            counts: TestCounts | None = TestCounts(passed=passed, failed=failed, skipped=skipped)
            notes = self._notes
            if passed + failed + skipped != total:
                counts, notes = (
                    None,
                    [f"googletest ran {total:,} tests and accounts for {passed + failed + skipped:,}: unknown"],
                )
            self._kept.keep(Summary.of(self.name, counts, line, self._began is not None, self._suites, notes))
        elif self._began:
            self._kept.broke(self._began, "a googletest program began and shows no end: it crashed, or the log is cut")
        self._began, self._ran, self._parts, self._suites, self._notes = None, None, {}, set(), []
