"""How did `swift test` or xcodebuild end? XCTest's `Executed N tests` of all suites, and Swift Testing's `Test run with`.

XCTest counts failed assertions, of which a test may have several, so the failed tests are those that it lists by
name. A test that was run again counts once: passed at last after a failure is flaky.
"""

import re

from quality.readers.console.runner import Findings, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_WHOLE = re.compile(r"Test Suite '(?:All|Selected) tests' (?:passed|failed) at ")
_CASE = re.compile(r"Test [Cc]ase '(?P<name>.{1,500}?)' (?P<how>passed|failed|skipped) \(\d")
_EXECUTED = re.compile(
    r"\s+Executed (?P<n>\d{1,8}) tests?, with (?:(?P<skipped>\d{1,8}) tests? skipped and )?(?P<failures>\d{1,8}) failures?"
    r" \(\d{1,8} unexpected\) in "
)
_RUN = re.compile(
    r"\S{1,2}  ?Test run with (?P<n>\d{1,8}) tests?(?: in \d{1,8} suites?)? (?P<how>passed|failed) after "
)
_TEST = re.compile(r"\S{1,2}  ?Test (?!run with |case )(?P<name>.{1,500}?) (?P<how>failed after|skipped)\b")


class Swift(Runner):
    """XCTest and Swift Testing."""

    name = "swift test"
    marks = re.compile(r"Test (?:Suite|[Cc]ase) '|\s\s*Executed \d|[✔✘➜◇↩\U00100000-\U0010ffff]  ?Test ")

    def __init__(self) -> None:
        self._found = Findings()
        self._cases: dict[str, list[str]] = {}
        self._whole = -9
        self._failed, self._skipped = 0, 0

    def see(self, line: LogLine) -> None:
        text = line.text
        if _WHOLE.match(text):
            self._whole = line.number
        elif found := _CASE.match(text):
            self._cases.setdefault(found["name"], []).append(found["how"])
        elif (found := _EXECUTED.match(text)) and line.number - self._whole == 1:
            self._executed(line, int(found["n"]), int(found["failures"]), int(found["skipped"] or 0))
            self._cases = {}
        elif found := _RUN.match(text):
            self._run(line, int(found["n"]), found["how"] == "failed")
        elif found := _TEST.match(text):
            self._failed += found["how"] == "failed after"
            self._skipped += found["how"] == "skipped"

    def findings(self) -> Findings:
        return self._found

    def _executed(self, line: LogLine, total: int, failures: int, skipped: int) -> None:
        tries = list(self._cases.values())
        if sum(map(len, tries)) == total:
            last = [how[-1] for how in tries]
            flaky = sum(how[-1] == "passed" and "failed" in how for how in tries)
            counts: TestCounts | None = TestCounts(
                passed=last.count("passed"), failed=last.count("failed"), skipped=last.count("skipped"), flaky=flaky
            )
        else:
            counts = TestCounts(passed=total - skipped, skipped=skipped) if not failures and skipped <= total else None
        told = f"XCTest tells of {failures:,} failures and not of which tests: unknown"
        notes = [told] if counts is None else []
        suites = [name.split(" ")[0] for name in self._cases]
        self._found.summaries.append(Summary.of("XCTest", counts, line.number, bool(tries), suites, notes))

    def _run(self, line: LogLine, total: int, is_failed: bool) -> None:
        counts: TestCounts | None = TestCounts(passed=total - self._failed, failed=self._failed, skipped=self._skipped)
        notes = []
        if self._failed > total or is_failed != bool(self._failed):
            counts, notes = None, ["Swift Testing does not list which tests failed: unknown"]
        self._found.summaries.append(Summary.of("Swift Testing", counts, line.number, True, notes=notes))
        self._failed = self._skipped = 0
