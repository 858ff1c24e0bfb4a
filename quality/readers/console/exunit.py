"""How did ExUnit end? `N tests, M failures, …` below `Finished in`; doctests and properties are tests too."""

import re

from quality.readers.console.runner import Findings, Runner, Summary, parts
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_FINISHED = re.compile(r"Finished in \d[\d.]* seconds?\b")
_TOLD = re.compile(
    r"(?:\d{1,8} (?:doctests?|property|properties|tests?|features?), )+\d{1,8} failures?"
    r"(?:, \d{1,8} (?:excluded|invalid|skipped))*$"
)
TESTS = ("doctest", "doctests", "property", "properties", "test", "tests", "feature", "features")


class ExUnit(Runner):
    """`mix test`."""

    name = "ExUnit"
    marks = re.compile(r"Finished in \d|\d{1,8} (?:doctest|propert|test|feature)")

    def __init__(self) -> None:
        self._found = Findings()
        self._finished = -9

    def see(self, line: LogLine) -> None:
        if _FINISHED.match(line.text):
            self._finished = line.number
        elif _TOLD.match(line.text) and line.number - self._finished == 1:
            told = parts(line.text)
            failed = told.get("failure", 0) + told.get("failures", 0)
            outside = told.get("skipped", 0) + told.get("excluded", 0)
            errors = told.get("invalid", 0)
            passed = sum(told.get(word, 0) for word in TESTS) - failed - outside - errors
            counts = TestCounts(passed=passed, failed=failed, errors=errors, skipped=outside) if passed >= 0 else None
            notes = () if counts else ("the numbers of ExUnit do not add up: unknown",)
            self._found.summaries.append(Summary.of(self.name, counts, line.number, True, notes=notes))

    def findings(self) -> Findings:
        return self._found
