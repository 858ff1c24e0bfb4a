"""How did maven end? The total of each module (surefire, failsafe) and the outcome of the build.

A total is the `Tests run:` line without a time; the lines with one are its classes, and are added up only where the
log is cut before a total.
"""

import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_TESTS = re.compile(
    r"(?P<level>\[(?:INFO|WARNING|ERROR|WARN)\] +)?Tests run: +(?P<run>\d{1,8}), Failures: +(?P<failed>\d{1,8})"
    r", Errors: +(?P<errors>\d{1,8})"
    r"(?:, Skipped: +(?P<skipped>\d{1,8}))?(?:, Flakes: +(?P<flaky>\d{1,8}))?(?P<time>, Time elapsed: .{1,300})?$"
)
_RESULTS = re.compile(r"(?:\[\w+\] +)?Results ?:$")
_BUILD = re.compile(r"(?:\[(?:INFO|ERROR)\] +)?BUILD (?P<outcome>SUCCESS|FAILURE)$")
_MODULE = re.compile(r"\[INFO\] -*< (?P<module>[\w.:-]{1,200}) >-*$")
_CLASS = re.compile(r"(?:\[\w+\] +)?Running (?P<name>[\w.$]{1,300})$")


class Maven(Runner):
    """maven with surefire or failsafe; ant's JUnit text has no total and is not read."""

    name = "maven"
    marks = re.compile(
        r"\[[A-Z]+\] +(?:Tests run: |Results ?:|BUILD |Running |-*< )|Tests run: |Results ?:|BUILD |Running "
    )

    def __init__(self) -> None:
        self._found = Findings()
        self._classes: list[TestCounts] = []
        self._class_line = 0
        self._headings = 0
        """`Results:` whose total is still to come: several where modules are built side by side (-T)."""
        self._suites: set[str] = set()
        self._module = ""
        self._supported = False

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _TESTS.match(text):
            counts = _counts(found)
            if found["time"]:
                self._classes.append(counts)
                self._class_line = line.number
            elif found["level"] or self._headings:
                self._add(line, counts)
        elif _RESULTS.match(text):
            self._headings += 1
        elif found := _BUILD.match(text):
            success = found["outcome"] == "SUCCESS"
            self._found.outcomes.append(Outcome(success, line.number, f"maven: BUILD {found['outcome']}"))
        elif found := _MODULE.match(text):
            self._module = found["module"]
        elif found := _CLASS.match(text):
            self._suites.add(f"{self._module} {found['name']}")
            self._supported = True

    def findings(self) -> Findings:
        if self._classes:
            total = TestCounts(**{
                name: sum(getattr(counts, name) for counts in self._classes)
                for name in ("passed", "failed", "errors", "skipped", "flaky")
            })  # fmt: skip
            note = "maven's total is missing: the lines of its classes are added up"
            self._found.summaries.append(Summary.of("maven", total, self._class_line, True, self._suites, [note]))
        return self._found

    def _add(self, line: LogLine, counts: TestCounts) -> None:
        supported = self._supported or bool(self._headings or self._classes)
        self._found.summaries.append(Summary.of("maven", counts, line.number, supported, self._suites))
        self._headings = max(0, self._headings - 1)
        self._classes, self._suites, self._supported = [], set(), False


def _counts(found: re.Match[str]) -> TestCounts:
    run, failed, errors, skipped, flaky = (
        int(found[name] or 0) for name in ("run", "failed", "errors", "skipped", "flaky")
    )
    passed = max(0, run - failed - errors - skipped)
    return TestCounts(passed=passed, failed=failed, errors=errors, skipped=skipped, flaky=min(flaky, passed))
