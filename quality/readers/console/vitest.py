"""How did vitest end? The indented `Tests` line right below `Test Files`.

A test that is expected to fail and does has passed, as in vitest's own JUnit report; each test that passed after a
retry is flaky.
"""

import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary, parts
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_FILES = re.compile(r" +Test Files  (?P<parts>.{1,200}?)(?: \(\d{1,8}\))?$")
_TESTS = re.compile(r" +Tests  (?:(?P<parts>.{1,200}) \((?P<total>\d{1,8})\)|no tests)$")
_ERRORS = re.compile(r" +Errors  (?P<errors>\d{1,8}) errors?$")
_RETRIED = re.compile(r" *[✓✔√] .*\(retry x\d+\)")
_FILE = re.compile(r" *[✓✔√❯×✗x↓-] +(?:\|[^|]{1,100}\| +|[\w-]{1,100} +)?(?P<file>\S+\.[cm]?[jt]sx?) \(\d+ tests?\b")
_NO_FILES = re.compile(r"No test files found, exiting with code \d$")
_NOT_RUN = re.compile(r" *FAIL  .*\.[cm]?[jt]sx? \[ .* \]$")


class Vitest(Runner):
    """vitest 0.3x … 4."""

    name = "vitest"
    marks = re.compile(r"  *(?:(?:Test Files|Tests|Errors)  |[✓✔√❯×✗x↓-] |FAIL  )|[✓✔√❯×✗] |FAIL  |No test files found")

    def __init__(self) -> None:
        self._found = Findings()
        self._files: set[str] = set()
        self._above, self._retried, self._not_run, self._failed_files = -1, 0, 0, 0

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _FILES.match(text):
            self._above = line.number
            self._failed_files = parts(found["parts"].replace(" |", ",")).get("failed", 0)
        elif _NO_FILES.match(text):
            self._found.summaries.append(Summary.of("vitest", None, line.number, True))
        elif found := _TESTS.match(text):
            if self._above == line.number - 1:
                self._end(line, parts((found["parts"] or "").replace(" |", ",")), int(found["total"] or 0))
        elif found := _ERRORS.match(text):
            if self._found.summaries and line.number - self._found.summaries[-1].line <= 2:
                reason = f"vitest: {found['errors']} errors outside the tests"
                self._found.outcomes.append(Outcome(False, line.number, reason))
        elif _NOT_RUN.match(text):
            self._not_run = self._not_run or line.number
        elif _RETRIED.match(text):
            self._retried += 1
        elif found := _FILE.match(text):
            self._files.add(found["file"])

    def findings(self) -> Findings:
        return self._found

    def _end(self, line: LogLine, words: dict[str, int], total: int) -> None:
        if sum(words.values()) != total:
            self._found.notes.append(
                f"line {line.number}: not a summary of vitest, its numbers do not add up to {total:,}"
            )
            return
        passed = words.get("passed", 0) + words.get("expected fail", 0)
        failed, skipped = words.get("failed", 0), words.get("skipped", 0)
        notes = [f"vitest also counts {words['todo']:,} todo: neither passed nor failed"] if words.get("todo") else []
        if words.get("expected fail"):
            notes.append(f"vitest: {words['expected fail']:,} failed as expected and count as passed")
        if self._not_run or (self._failed_files and not failed):
            notes.append("vitest: a test file failed to run")
            self._found.outcomes.append(Outcome(False, self._not_run or self._above, notes[-1]))
        counts = TestCounts(passed=passed, failed=failed, skipped=skipped, flaky=min(passed, self._retried))
        self._found.summaries.append(Summary.of("vitest", counts, line.number, True, self._files, notes))
        self._files, self._retried, self._not_run = set(), 0, 0
