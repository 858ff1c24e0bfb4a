"""How did `go test` end? The results of `-v`, package by package; without it only packages and failures are told.

Without -v the tests that passed are not told, so their number is unknown: packages are not tests. A result counts only
for a test that was seen to begin, where beginnings are told at all.
"""

import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary, parts, said
from quality.readers.go_tests import FAIL, PASS, GoTests
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_RUN = re.compile(r"=== RUN +(?P<test>\S+)$")
_RESULT = re.compile(r"(?P<before>.*?)--- (?P<result>PASS|FAIL|SKIP): (?P<test>\S+) \(\d[\d.]*s\)$")
_PACKAGE = re.compile(r"(?P<result>ok|FAIL)\s+(?P<package>[^\s\[]\S*)\s+(?P<rest>(?:\(cached\)|\d[\d.]*s\b|\[).*)$")
_GOTESTSUM = re.compile(r"DONE (?:\d+ runs, )?(?P<parts>\d{1,8} tests?\b.{0,100}?) in \d[\d.]*s$")
MOST_NAMED = 5
"""Failed tests that are named in a note."""


class GoText(Runner):
    """`go test`, with and without -v, over one or several packages; gotestsum's last line."""

    name = "go test"
    marks = re.compile(r"=== RUN |--- (?:PASS|FAIL|SKIP): |\s\s*--- (?:PASS|FAIL|SKIP): |ok\s+\S|FAIL\s+\S|DONE \d")
    ends = ("s)",)

    def __init__(self) -> None:
        self._chunk: list[tuple[str, str]] = []
        self._tests = GoTests()
        self._outcomes: list[Outcome] = []
        self._line = 0
        self._plain_ok, self._plain_failed = 0, 0
        self._failed_names: list[str] = []
        self._verbose = False
        self._gotestsum: list[Summary] = []

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _RUN.match(text):
            self._chunk.append(("run", found["test"]))
        elif found := _RESULT.match(text):
            self._chunk.append((found["result"].lower(), found["test"]))
        elif found := _PACKAGE.match(text):
            self._end(line, found["package"], PASS if found["result"] == "ok" else FAIL, found["rest"])
        elif found := _GOTESTSUM.match(text):
            self._gotestsum.append(_gotestsum(line, found["parts"]))

    def findings(self) -> Findings:
        if not self._tests.ended:
            told = [event for event in self._chunk if event[0] == "run"]
            note = ["go test shows no end of its package: it was stopped, or the log is cut"] if told else []
            return Findings(self._gotestsum[-1:], notes=note)
        found = Findings(outcomes=self._outcomes)
        counts = self._tests.counts()
        notes = []
        if self._plain_ok + self._plain_failed:
            notes.append(self._plain_note())
            if not self._verbose:
                counts = None
        summary = Summary.of("go test", counts, self._line, True, self._tests.ended, notes, self._tests.tests())
        found.summaries.append(summary)
        if all(result == PASS for result in self._tests.ended.values()) and not found.outcomes:
            found.outcomes.append(Outcome(True, self._line, "go test: every package is ok"))
        return found

    def _plain_note(self) -> str:
        named = ", ".join(self._failed_names[:MOST_NAMED])
        failed = f" (failed: {named})" if named else ""
        packages = said(self._plain_ok + self._plain_failed, "package")
        told = f"go test: {packages} without -v do not tell which tests passed, {self._plain_failed} failed{failed}"
        return f"{told}: run go test -v or -json"

    def _end(self, line: LogLine, package: str, result: str, rest: str) -> None:
        begun = {test for what, test in self._chunk if what == "run"}
        told = [(what, test) for what, test in self._chunk if not begun or test in begun]
        self._line = line.number
        for what, test in told:
            if what == "run":
                self._tests.run(package, test)
            else:
                self._tests.result(package, test, what)
        self._tests.end(package, result)
        self._verbose |= bool(begun)
        failed = [test for what, test in told if what == FAIL]
        if not begun and "no test" not in rest and (result == PASS or failed):
            self._plain_ok += result == PASS
            self._plain_failed += result == FAIL
            self._failed_names += failed
        if result == FAIL and ("build failed" in rest or "setup failed" in rest):
            self._outcomes.append(Outcome(False, line.number, f"go test: {package} was not built"))
        elif self._tests.failed_alone(package):
            self._outcomes.append(
                Outcome(False, line.number, f"go test: package {package} failed without a failed test")
            )
        elif result == FAIL and not begun:
            self._outcomes.append(Outcome(False, line.number, f"go test: package {package} failed"))
        self._chunk = []


def _gotestsum(line: LogLine, text: str) -> Summary:
    told = parts(text)
    total = told.get("tests", told.get("test", 0))
    failed = told.get("failures", told.get("failure", 0))
    errors, skipped = told.get("errors", told.get("error", 0)), told.get("skipped", 0)
    counts = TestCounts(passed=max(0, total - failed - skipped), failed=failed, skipped=skipped)
    notes = ["gotestsum counts tests and their subtests"] + [
        f"gotestsum: {said(errors, 'error')} outside the tests"
    ] * bool(errors)
    return Summary.of("go test", counts, line.number, False, notes=notes if total else ())
