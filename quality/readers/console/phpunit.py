"""How did PHPUnit or Pest end? The numbers right below PHPUnit's verdict, or Pest's `Tests:` above its `Duration:`.

Incomplete tests did not pass; risky ones and ones with warnings or deprecations ran and did.
"""

import re

from quality.readers.console.runner import Findings, Runner, Summary, parts
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_VERDICT = re.compile(r"(?:FAILURES|ERRORS|WARNINGS)!$|OK, but .{1,100}!$|Tests: \d")
_OK = re.compile(r"OK \((?P<all>\d{1,7}) tests?, \d{1,9} assertions?\)$")
_NUMBERS = re.compile(r"Tests: (?P<all>\d{1,7}), Assertions: \d{1,9}(?P<more>(?:, [A-Za-z ]{1,40}: \d{1,7})*)\.?$")
_FIELD = re.compile(r", ([A-Za-z ]{1,40}): (\d{1,7})")
_NONE = re.compile(r"No tests executed!$")
_HEADER = re.compile(r"PHPUnit \d[\w.-]* by ")
_PEST = re.compile(r"  Tests: +(?P<parts>\d.{1,200}) \(\d{1,9} assertions?\)$")


class Phpunit(Runner):
    """PHPUnit 8 … 12 and Pest."""

    name = "phpunit"
    marks = re.compile(
        r"FAILURES!|ERRORS!|WARNINGS!|OK, but |OK \(|Tests: \d|No tests executed!|PHPUnit \d|  Tests: +\d"
    )

    def __init__(self) -> None:
        self._found = Findings()
        self._verdict = -9
        self._header = False

    def see(self, line: LogLine) -> None:
        text = line.text
        if _HEADER.match(text):
            self._header = True
        elif found := _OK.match(text):
            self._add(line, TestCounts(passed=int(found["all"]), failed=0, skipped=0))
        elif (found := _NUMBERS.match(text)) and self._verdict == line.number - 1:
            told = {word: int(n) for word, n in _FIELD.findall(found["more"])}
            failed, errors = told.get("Failures", 0), told.get("Errors", 0)
            skipped = told.get("Skipped", 0) + told.get("Incomplete", 0)
            passed = max(0, int(found["all"]) - failed - errors - skipped)
            self._add(line, TestCounts(passed=passed, failed=failed, errors=errors, skipped=skipped))
        elif found := _PEST.match(text):
            told = parts(found["parts"])
            skipped = sum(told.get(word, 0) for word in ("skipped", "todo", "todos", "incomplete", "pending"))
            passed = told.get("passed", 0) + told.get("risky", 0) + told.get("deprecated", 0) + told.get("warnings", 0)
            self._add(line, TestCounts(passed=passed, failed=told.get("failed", 0), skipped=skipped))
        elif _NONE.match(text) and self._header:
            self._add(line, None)
        if _VERDICT.match(text):
            self._verdict = line.number

    def findings(self) -> Findings:
        return self._found

    def _add(self, line: LogLine, counts: TestCounts | None) -> None:
        self._found.summaries.append(Summary.of("phpunit", counts, line.number, self._header))
        self._header = False
