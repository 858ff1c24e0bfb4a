"""How did `deno test` end? `ok | 2 passed | 0 failed (3ms)`, borne out by the `running N tests from` above it."""

import re

from quality.readers.console.runner import Findings, Pile, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_RUNNING = re.compile(r"running (?P<n>\d{1,8}) tests? from (?P<file>\S{1,500})")
_STEPS = re.compile(r" \(\d{1,8} steps?\)")
_TOLD = re.compile(
    r"(?:ok|FAILED) \| (?P<passed>\d{1,8}) passed \| (?P<failed>\d{1,8}) failed(?: \| (?P<ignored>\d{1,8}) ignored)?"
    r"(?: \| \d{1,8} measured)?(?: \| \d{1,8} filtered out)? \(\d{1,8}[a-z]{1,2}[\dms ]{0,12}\)$"
)


class Deno(Runner):
    """Steps are parts of a test and not counted."""

    name = "deno test"
    marks = re.compile(r"running \d|ok \| |FAILED \| ")

    def __init__(self) -> None:
        self._pile = Pile()
        self._files: set[str] = set()
        self._began = 0

    def see(self, line: LogLine) -> None:
        if found := _RUNNING.match(line.text):
            self._files.add(found["file"])
            self._began += int(found["n"])
        elif found := _TOLD.match(_STEPS.sub("", line.text)):
            passed, failed, ignored = (int(found[word] or 0) for word in ("passed", "failed", "ignored"))
            counts = TestCounts(passed=passed, failed=failed, skipped=ignored)
            agrees = counts.total + ignored == self._began if self._files else None
            if self._pile.add(Summary.of(self.name, counts, line.number, bool(self._files), self._files), agrees):
                self._files, self._began = set(), 0

    def findings(self) -> Findings:
        return self._pile.findings()
