"""How did a Catch2 or doctest program end? Test cases, not assertions.

Catch2's summary stands below a line of `=`, doctest's has its name before it. A case that failed as expected neither
passed nor failed; those that doctest skipped by a filter are outside its total.
"""

import re

from quality.readers.console.runner import Findings, Runner, Summary, parts
from quality.readers.console.under_ctest import MARKS, UnderCtest
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_RULE = re.compile(r"={79}$")
_ALL = re.compile(r"All tests passed \((?:\d{1,9} assertions? in )?(?P<n>\d{1,8}) test cases?\)$")
_CASES = re.compile(
    r"(?P<doctest>\[doctest\] )?test cases: +(?P<n>\d{1,8})(?P<parts>(?: +\| +\d{1,8} [a-z ]{1,30}?)+) *\|?$"
)
_NONE = re.compile(r"No tests ran$|No test cases matched ")


class Catch2(Runner):
    """Catch2 2 and 3, doctest 2."""

    name = "Catch2"
    marks = re.compile(rf"=====|All tests passed \(|test cases: |\[doctest\] test cases: |No test|{MARKS}")

    def __init__(self) -> None:
        self._kept = UnderCtest()
        self._rule = -9

    def see(self, line: LogLine) -> None:
        text, is_below = line.text, line.number - self._rule == 1
        if self._kept.is_ctest(text):
            return
        if _RULE.match(text):
            self._rule = line.number
        elif is_below and (found := _ALL.match(text)):
            self._kept.keep(Summary.of(self.name, TestCounts(passed=int(found["n"])), line.number, True))
        elif (found := _CASES.match(text)) and (found["doctest"] or is_below):
            name = "doctest" if found["doctest"] else self.name
            self._cases(line, name, int(found["n"]), parts(found["parts"]))
        elif is_below and _NONE.match(text):
            self._kept.keep(Summary.of(self.name, None, line.number, True))

    def findings(self) -> Findings:
        return self._kept.told()

    def _cases(self, line: LogLine, name: str, total: int, told: dict[str, int]) -> None:
        counts: TestCounts | None = TestCounts(
            passed=told.get("passed", 0), failed=told.get("failed", 0), skipped=told.get("skipped", 0)
        )
        expected = told.get("failed as expected", 0)
        notes = [f"{name} also counts {expected:,} failed as expected: neither passed nor failed"] if expected else []
        outside = told.get("skipped", 0) if name == "doctest" else 0
        if sum(told.values()) - outside != total:
            counts, notes = None, [f"the numbers of {name} do not add up to {total:,}: unknown"]
        self._kept.keep(Summary.of(name, counts, line.number, True, notes=notes))
