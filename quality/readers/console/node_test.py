"""How did Node's own test runner end? The eight lines of its spec reporter (`ℹ tests 5`) or of its TAP (`# tests 5`)."""

import re

from quality.readers.console.runner import Findings, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_FIELD = re.compile(r"ℹ (?P<word>tests|suites|pass|fail|cancelled|skipped|todo) (?P<n>\d{1,8})$")


class NodeTest(Runner):
    """`node --test` with the spec reporter; its TAP is read as TAP."""

    name = "node test"
    marks = re.compile(r"ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo) \d")

    def __init__(self) -> None:
        self._found = Findings()
        self._told: dict[str, int] = {}
        self._last = -1

    def see(self, line: LogLine) -> None:
        found = _FIELD.match(line.text)
        if found is None:
            return
        if found["word"] == "tests" or line.number != self._last + 1:
            self._told = {}
        self._last = line.number
        self._told[found["word"]] = int(found["n"])
        if found["word"] == "todo" and "tests" in self._told:
            self._end(line)

    def findings(self) -> Findings:
        return self._found

    def _end(self, line: LogLine) -> None:
        told = self._told
        passed, failed = told.get("pass", 0), told.get("fail", 0) + told.get("cancelled", 0)
        skipped = told.get("skipped", 0) + told.get("todo", 0)
        counts = TestCounts(passed=passed, failed=failed, skipped=skipped)
        self._found.summaries.append(Summary.of("node test", counts, line.number, True))
