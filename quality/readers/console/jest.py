"""How did jest end? `Tests:` between `Test Suites:` and what follows, at the line's start.

What tests print through jest's console is indented, so a summary at the line's start is jest's own.
"""

import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary, parts, said
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_SUITES = re.compile(r"Test Suites: +(?P<parts>.{1,200}), (?P<total>\d{1,8}) total$|Test Suites: +0 total$")
_TESTS = re.compile(r"Tests: +(?:(?P<parts>.{1,200}), )?(?P<total>\d{1,8}) total$")
_FILE = re.compile(r" ?(?:PASS|FAIL) +(?:\S+ )??(?P<file>\S+\.[cm]?[jt]sx?\b)")
_NONE = re.compile(r"No tests found(?:, exiting with code \d| related to files changed since .{1,100})$")
_NOT_RUN = re.compile(r" +● +Test suite failed to run$")


class Jest(Runner):
    """jest 20 … 30."""

    name = "jest"
    marks = re.compile(
        r"Test Suites: |Tests: |Snapshots: |Time: |No tests found|PASS |FAIL | (?:PASS|FAIL) |  *● +Test suite failed to run"
    )

    def __init__(self) -> None:
        self._found = Findings()
        self._files: set[str] = set()
        self._not_run: list[int] = []
        self._suites: tuple[int, dict[str, int]] | None = None

    def see(self, line: LogLine) -> None:
        if found := _SUITES.match(line.text):
            self._suites = (line.number, parts(found["parts"] or ""))
        elif _NONE.match(line.text):
            self._found.summaries.append(Summary.of("jest", None, line.number, True))
        elif _NOT_RUN.match(line.text):
            self._not_run.append(line.number)
        elif found := _FILE.match(line.text):
            self._files.add(found["file"])
        elif (found := _TESTS.match(line.text)) and self._suites and line.number - self._suites[0] <= 1:
            self._end(line, parts(found["parts"] or ""), int(found["total"]), self._suites[1])
            self._suites = None

    def findings(self) -> Findings:
        return self._found

    def _end(self, line: LogLine, words: dict[str, int], total: int, suites: dict[str, int]) -> None:
        if sum(words.values()) != total:
            self._found.notes.append(
                f"line {line.number}: not a summary of jest, its numbers do not add up to {total:,}"
            )
            return
        notes = [f"jest also counts {words['todo']:,} todo: neither passed nor failed"] if words.get("todo") else []
        if self._not_run:
            reason = f"jest: {said(len(set(self._not_run)), 'test suite')} failed to run"
            notes.append(reason)
            self._found.outcomes.append(Outcome(False, self._not_run[0], reason))
        counts = TestCounts(
            passed=words.get("passed", 0), failed=words.get("failed", 0), skipped=words.get("skipped", 0), 
        )  # fmt: skip
        supported = bool(self._files or suites)
        self._found.summaries.append(Summary.of("jest", counts, line.number, supported, self._files, notes))
        self._files, self._not_run = set(), []
