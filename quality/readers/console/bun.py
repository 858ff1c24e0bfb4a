"""How did `bun test` end? ` N pass`, ` N fail` … one below the other, then `Ran N tests across M files.`"""

import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary, said
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_PART = re.compile(r" +(?P<n>\d{1,8}) (?P<word>pass|fail|skip|todo|errors?|snapshots|expect\(\) calls)(?!\w)")
_RAN = re.compile(r"Ran (?P<n>\d{1,8}) tests? across \d{1,8} files?\.")


class Bun(Runner):
    """bun 1."""

    name = "bun test"
    marks = re.compile(r"  *\d{1,8} (?:pass|fail|skip|todo|error|snapshots|expect\(\) calls)|Ran \d")

    def __init__(self) -> None:
        self._found = Findings()
        self._told: dict[str, int] = {}
        self._last = -9

    def see(self, line: LogLine) -> None:
        is_next = line.number - self._last == 1
        if found := _PART.match(line.text):
            self._told = self._told if is_next else {}
            self._told[found["word"].replace("errors", "error")] = int(found["n"])
            self._last = line.number
        elif is_next and "pass" in self._told and (found := _RAN.match(line.text)):
            told = self._told
            notes = []
            if told.get("error"):
                notes = [f"bun: {said(told['error'], 'error')} outside of the tests"]
                self._found.outcomes.append(Outcome(False, line.number, notes[0]))
            counts = TestCounts(
                passed=told["pass"], failed=told.get("fail", 0), skipped=told.get("skip", 0) + told.get("todo", 0)
            )
            self._found.summaries.append(Summary.of(self.name, counts, line.number, True, notes=notes))

    def findings(self) -> Findings:
        return self._found
