"""What does `go test -json` say? Its events, one JSON object a line, whatever is printed between them."""

import json
import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary
from quality.readers.go_tests import FAIL, PASS, SKIP, GoTests
from quality.readers.instants import Clock
from quality.readers.log_lines import LogLine

EVENT = re.compile(r'\{"(?:Time|Action|ImportPath|Package|Test)":')
ENDED = (PASS, FAIL, SKIP)


class GoJson(Runner):
    """test2json's events, of `go test -json` or `gotestsum --jsonfile`."""

    name = "go test -json"
    marks = EVENT

    def __init__(self) -> None:
        self._tests = GoTests()
        self._found = Findings()
        self._line = 0
        self._clock = Clock()
        self._broken = 0
        self._not_built: dict[str, int] = {}

    def see(self, line: LogLine) -> None:
        try:
            event = json.loads(line.text)
        except (ValueError, RecursionError):
            self._broken += 1
            return
        action, package, test = event.get("Action"), event.get("Package"), event.get("Test")
        if not isinstance(action, str):
            self._broken += 1
        elif action == "build-fail":
            self._not_built.setdefault(str(event.get("ImportPath", "")).split(" ")[0], line.number)
        elif not isinstance(package, str):
            return
        elif not isinstance(test, str):
            self._package(line, package, action, event.get("Time"), bool(event.get("FailedBuild")))
        elif action == "run":
            self._tests.run(package, test)
        elif action in ENDED:
            self._line = line.number
            self._tests.result(package, test, action)

    def findings(self) -> Findings:
        found = self._found
        if self._broken:
            found.notes.append(f"go test -json: {self._broken:,} lines are no events: skipped")
        if not self._line:
            return found
        for package, line in self._not_built.items():
            found.outcomes.append(Outcome(False, line, f"go test: {package} was not built"))
        for package in self._tests.ended:
            if self._tests.failed_alone(package) and package not in self._not_built:
                found.outcomes.append(
                    Outcome(False, self._line, f"go test: package {package} failed without a failed test")
                )
        counts = self._tests.counts()
        if (
            self._tests.ended
            and not found.outcomes
            and all(told != FAIL for told in self._tests.ended.values())
            and counts
        ):
            found.outcomes.append(Outcome(True, self._line, "go test: every package is ok"))
        found.notes += self._clock.warnings
        summary = Summary.of("go test", counts, self._line, True, self._tests.ended, tests=self._tests.tests())
        summary.at = self._clock.latest
        found.summaries.append(summary)
        return found

    def _package(self, line: LogLine, package: str, action: str, time: object, not_built: bool) -> None:
        if action not in ENDED:
            return
        self._line = line.number
        self._clock.note(time if isinstance(time, str) else None)
        self._tests.end(package, action)
        if not_built and action == FAIL:
            self._not_built.setdefault(package, line.number)
