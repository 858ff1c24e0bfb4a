"""How did PHPUnit or Pest end? The numbers right below PHPUnit's verdict, or Pest's `Tests:` above its `Duration:`.

Incomplete tests did not pass. Risky tests ran and nothing in them failed: they count as passed, as PHPUnit has it
("OK, but …"), with a warning. A warning is how a test ended up to PHPUnit 9, in place of a pass, and counts as skipped;
since PHPUnit 10 it is something told beside the result, as deprecations and notices are.
"""

import re
from collections.abc import Sequence

from quality.readers.console.runner import Findings, Runner, Summary, parts, said
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_VERDICT = re.compile(r"(?:FAILURES|ERRORS|WARNINGS)!$|OK, but .{1,100}!$|Tests: \d")
_OK = re.compile(r"OK \((?P<all>\d{1,8}) tests?, \d{1,9} assertions?\)$")
_NUMBERS = re.compile(r"Tests: (?P<all>\d{1,8}), Assertions: \d{1,9}(?P<more>(?:, [A-Za-z ]{1,40}: \d{1,8})*)\.?$")
_FIELD = re.compile(r", ([A-Za-z ]{1,40}): (\d{1,8})")
_NONE = re.compile(r"No tests executed!$")
_HEADER = re.compile(r"PHPUnit (?P<major>\d{1,4})[\w.-]* by ")
WARNING_IS_A_RESULT = 9
"""Up to this version."""
BESIDE = {"Risky": "risky", "Warnings": "with warnings", "Deprecations": "deprecations", "Notices": "notices"}
"""What is told beside the results, and how it is said."""
PEST_SKIPPED = ("skipped", "todo", "todos", "incomplete", "pending")
PEST_PASSED = ("passed", "risky", "deprecated", "warning", "warnings", "notice", "notices")
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
        self._major: int | None = None

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _HEADER.match(text):
            self._header, self._major = True, int(found["major"])
        elif found := _OK.match(text):
            self._add(line, TestCounts(passed=int(found["all"]), failed=0, skipped=0))
        elif (found := _NUMBERS.match(text)) and self._verdict == line.number - 1:
            self._numbers(line, int(found["all"]), {word: int(n) for word, n in _FIELD.findall(found["more"])})
        elif found := _PEST.match(text):
            told = parts(found["parts"])
            skipped, passed = (sum(told.get(word, 0) for word in words) for words in (PEST_SKIPPED, PEST_PASSED))
            beside = [f"{told[word]:,} {word}" for word in PEST_PASSED[1:] if told.get(word)]
            self._add(line, TestCounts(passed=passed, failed=told.get("failed", 0), skipped=skipped), beside)
        elif _NONE.match(text) and self._header:
            self._add(line, None)
        if _VERDICT.match(text):
            self._verdict = line.number

    def findings(self) -> Findings:
        return self._found

    def _numbers(self, line: LogLine, total: int, told: dict[str, int]) -> None:
        failed, errors = told.get("Failures", 0), told.get("Errors", 0)
        skipped = told.get("Skipped", 0) + told.get("Incomplete", 0)
        notes, beside = [], dict(BESIDE)
        if told.get("Warnings") and self._major is not None and self._major <= WARNING_IS_A_RESULT:
            skipped += told["Warnings"]
            notes.append(f"phpunit: {said(told['Warnings'], 'test')} ended with a warning: neither passed nor failed")
            del beside["Warnings"]
        passed = max(0, total - failed - errors - skipped)
        counts = TestCounts(passed=passed, failed=failed, errors=errors, skipped=skipped)
        self._add(line, counts, [f"{told[word]:,} {how}" for word, how in beside.items() if told.get(word)], notes)

    def _add(
        self, line: LogLine, counts: TestCounts | None, beside: Sequence[str] = (), notes: Sequence[str] = ()
    ) -> None:
        if beside:
            notes = [*notes, f"phpunit also tells of {', '.join(beside)}: such a test counts by how it ended"]
        self._found.summaries.append(Summary.of("phpunit", counts, line.number, self._header, notes=notes))
        self._header = False
