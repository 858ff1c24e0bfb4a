"""How did Playwright end? Its indented list of numbers: failed, flaky, did not run, skipped, and passed with the time."""

import re

from quality.readers.console.runner import Findings, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_RUNNING = re.compile(r"Running \d{1,8} tests? using \d+ workers?$")
_FIELD = re.compile(r"  (?P<n>\d{1,8}) (?P<word>failed|flaky|interrupted|skipped|did not run)$")
_PASSED = re.compile(r"  (?P<n>\d{1,8}) passed \(\d[\d.]*(?:ms|s|m|h)\)$")


class Playwright(Runner):
    """@playwright/test with its list, line or dot reporter."""

    name = "playwright"
    marks = re.compile(
        r"Running \d{1,8} tests? using |  \d{1,8} (?:failed|flaky|interrupted|skipped|did not run|passed)\b"
    )

    def __init__(self) -> None:
        self._found = Findings()
        self._running = False
        self._told: dict[str, int] = {}
        self._line = 0

    def see(self, line: LogLine) -> None:
        if _RUNNING.match(line.text):
            self._close()
            self._running, self._told = True, {}
        elif self._running and (found := _FIELD.match(line.text)):
            self._told[found["word"]], self._line = int(found["n"]), line.number
        elif self._running and (found := _PASSED.match(line.text)):
            self._told["passed"], self._line = int(found["n"]), line.number
            self._close()

    def findings(self) -> Findings:
        self._close()
        return self._found

    def _close(self) -> None:
        told = self._told
        if not self._running or not told:
            return
        flaky = told.get("flaky", 0)
        counts = TestCounts(
            passed=told.get("passed", 0) + flaky, failed=told.get("failed", 0) + told.get("interrupted", 0),
            skipped=told.get("skipped", 0), flaky=flaky,
        )  # fmt: skip
        notes = (f"playwright: {told['did not run']:,} tests never ran",) if told.get("did not run") else ()
        self._found.summaries.append(Summary.of("playwright", counts, self._line, True, notes=notes))
        self._running, self._told = False, {}
