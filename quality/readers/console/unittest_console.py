"""How did unittest end? `Ran N tests` under its dashes and the status below, each test counted once.

The failures that unittest prints are those of subtests too: two failing subtests of one test are one failed test. So
the tests behind the `FAIL:` and `ERROR:` headings are counted, and what is in neither passed. An error of a class or
module set-up is in no test, and is an error beside them.
"""

import re

from quality.readers.console.runner import Findings, Outcome, Pile, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_RAN = re.compile(r"Ran (?P<ran>\d{1,8}) tests? in [\d.]+s$")
_STATUS = re.compile(r"(?:OK|FAILED|NO TESTS RAN)(?: \((?P<parts>[a-z =,\d]{1,200})\))?$")
_RULE = re.compile(r"(?:-{70}|={70})$")
_HEADING = re.compile(r"(?P<kind>FAIL|ERROR|UNEXPECTED SUCCESS): (?P<test>\S.*)$")
_TEST = re.compile(r"\S+ \([^()]{1,400}\)")
_OUTSIDE = re.compile(r"(?:setUp|tearDown)(?:Class|Module) \(")
_NOT_LOADED = "unittest.loader._FailedTest"
_NEXT_TO = 3
"""Lines from `Ran` to the status, with the blank one between."""


class Unittest(Runner):
    """Python's unittest, Django's test command and what else prints through its text runner."""

    name = "unittest"
    marks = re.compile(
        r"Ran \d|OK$|OK \(|FAILED \(|NO TESTS RAN|--{69}$|=={69}$|FAIL: \S|ERROR: \S|UNEXPECTED SUCCESS: \S|[.FEsxu][.FEsxu]*$"
    )
    ends = (" ... ok", " ... FAIL", " ... ERROR", " ... expected failure", " ... unexpected success")

    def __init__(self) -> None:
        self._pile = Pile()
        self._rule = -1
        self._ran: tuple[LogLine, int, bool] | None = None
        self._tests: dict[str, list[str]] = {"FAIL": [], "ERROR": [], "UNEXPECTED SUCCESS": []}
        self._supported = False
        self._outcomes: list[Outcome] = []

    def see(self, line: LogLine) -> None:
        text = line.text
        if _RULE.match(text):
            self._rule = line.number
        elif found := _RAN.match(text):
            self._ran = (line, int(found["ran"]), self._rule == line.number - 1)
        elif found := _STATUS.match(text):
            if self._ran and line.number - self._ran[0].number <= _NEXT_TO:
                self._end(found["parts"] or "")
            self._ran = None
        elif found := _HEADING.match(text):
            if self._rule == line.number - 1:
                self._tests[found["kind"]].append(found["test"])
                if _NOT_LOADED in found["test"]:
                    self._outcomes.append(
                        Outcome(False, line.number, f"unittest could not load {found['test'].split()[0]}")
                    )
        else:
            self._supported = True

    def findings(self) -> Findings:
        found = self._pile.findings()
        found.outcomes += self._outcomes
        return found

    def _end(self, said: str) -> None:
        if self._ran is None:
            return
        line, ran, is_ruled = self._ran
        stated = {name: int(number) for name, number in re.findall(r"([a-z ]+)=(\d{1,8})", said)}
        stated = {name.strip(): number for name, number in stated.items()}
        failing, erring = self._tests["FAIL"], self._tests["ERROR"]
        agrees = len(failing) == stated.get("failures", 0) and len(erring) == stated.get("errors", 0)
        if not is_ruled:
            agrees = False
        listed = bool(failing or erring) or not stated.get("failures", 0) + stated.get("errors", 0)
        counts = _counted(ran, stated, failing, erring) if agrees else _stated(ran, stated)
        notes = (
            [] if listed or agrees else ["unittest: the failed tests are not listed, so subtests may count as tests"]
        )
        if stated.get("expected failures"):
            notes.append(
                f"unittest also counts {stated['expected failures']:,} expected failures: neither passed nor failed"
            )
        supported = is_ruled and (self._supported or agrees)
        summary = Summary.of("unittest", counts, line.number, supported, notes=notes)
        if self._pile.add(summary, agrees):
            self._tests = {kind: [] for kind in self._tests}
            self._supported = False


def _counted(ran: int, stated: dict[str, int], failing: list[str], erring: list[str]) -> TestCounts | None:
    outside = {test for test in erring if _OUTSIDE.match(test)}
    failed = {_test(test) for test in failing}
    errors = {_test(test) for test in erring if test not in outside} - failed
    return _counts(ran, stated, len(failed), len(errors), len(outside))


def _stated(ran: int, stated: dict[str, int]) -> TestCounts | None:
    return _counts(ran, stated, stated.get("failures", 0), stated.get("errors", 0), 0)


def _counts(ran: int, stated: dict[str, int], failed: int, errors: int, outside: int) -> TestCounts | None:
    skipped = stated.get("skipped", 0)
    failed += stated.get("unexpected successes", 0)
    passed = max(0, ran - failed - errors - skipped - stated.get("expected failures", 0))
    if not passed + failed + errors + outside + skipped:
        return None
    return TestCounts(passed=passed, failed=failed, errors=errors + outside, skipped=skipped)


def _test(heading: str) -> str:
    """The test of a heading, without the parameters of a subtest."""
    found = _TEST.match(heading)
    return found[0] if found else heading
