"""How did gradle end? `N tests completed` of each test task, else the tests it logged, and the outcome of the build.

Gradle says how many tests there were only where one failed, and names them only where the build asks it to.
"""

import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_COMPLETED = re.compile(
    r"(?P<all>\d{1,8}) tests? completed(?:, (?P<failed>\d{1,8}) failed)?(?:, (?P<skipped>\d{1,8}) skipped)?$"
)
_TEST = re.compile(r"(?P<test>\S.{0,600}? > .{1,600}) (?P<result>PASSED|FAILED|SKIPPED)(?: \(.{1,20}\))?$")
_TASK = re.compile(r"> Task (?P<task>:\S+)(?: (?P<state>FAILED|UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED))?$")
_BUILD = re.compile(r"BUILD (?P<outcome>SUCCESSFUL|FAILED) in \d")
_NOT_DONE = ("UP-TO-DATE", "NO-SOURCE", "FROM-CACHE", "SKIPPED")


class Gradle(Runner):
    """Gradle's plain console."""

    name = "gradle"
    marks = re.compile(r"\d\d{0,6} tests? completed|> Task :|BUILD (?:SUCCESSFUL|FAILED) in ")
    ends = (" PASSED", " FAILED", " SKIPPED")

    def __init__(self) -> None:
        self._found = Findings()
        self._tests: dict[str, list[str]] = {}
        self._task, self._line = "", 0
        self._suites: set[str] = set()

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _TASK.match(text):
            if found["state"] != "FAILED" and found["task"] != self._task:
                self._close()
                self._task = found["task"]
            if found["state"] in _NOT_DONE and found["task"].lower().endswith("test"):
                self._found.notes.append(f"gradle: {found['task']} was not run ({found['state']})")
        elif found := _COMPLETED.match(text):
            total, failed, skipped = (int(found[name] or 0) for name in ("all", "failed", "skipped"))
            counts = TestCounts(
                passed=max(0, total - failed - skipped), failed=failed, skipped=skipped, flaky=self._flaky()
            )
            self._found.summaries.append(Summary.of("gradle", counts, line.number, bool(self._task), [self._task]))
            self._tests = {}
        elif found := _BUILD.match(text):
            self._close()
            success = found["outcome"] == "SUCCESSFUL"
            self._found.outcomes.append(Outcome(success, line.number, f"gradle: BUILD {found['outcome']}"))
        elif (found := _TEST.match(text)) and self._task:
            self._tests.setdefault(found["test"], []).append(found["result"])
            self._line = line.number

    def findings(self) -> Findings:
        self._close()
        return self._found

    def _flaky(self) -> int:
        return sum(1 for told in self._tests.values() if "FAILED" in told and told[-1] == "PASSED")

    def _close(self) -> None:
        """The tests that were logged since the last task, where gradle told no number."""
        ended = [told[-1] for told in self._tests.values()]
        if ended:
            counts = TestCounts(
                passed=ended.count("PASSED"), failed=ended.count("FAILED"), skipped=ended.count("SKIPPED"),
                flaky=self._flaky(),
            )  # fmt: skip
            self._found.summaries.append(Summary.of("gradle", counts, self._line, True, [self._task]))
        self._tests = {}
