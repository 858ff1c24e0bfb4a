"""Which tests passed, by a JUnit report? `<testsuites>`, `<testsuite>`, `<testcase>` as every producer writes them.

There is no one schema. Read here: Ant, surefire with re-runs, Gradle, pytest, PHPUnit, nextest, GoogleTest, CTest,
jest-junit, vitest, mocha, node, xunit and dotnet loggers. Maintained parsers take the totals at their word, or count
nested suites and re-runs again; the corpus asks that only elements count, each test once.
"""

from dataclasses import dataclass, field

from quality.readers.test_names import full_name
from quality.readers.xml_tests.reader import Report, XmlReader, number
from quality.readers.xml_tests.stream import Place
from quality.readers.xml_tests.tally import ERROR, FAILED, MOST_FAILURES, PASSED, SKIPPED

SUITES = ("testsuites", "testsuite")
SKIPS = frozenset({"skipped", "skip", "ignored", "disabled", "pending", "notrun", "inconclusive", "todo"})
FLAKY = frozenset({"flakyfailure", "flakyerror"})
RERUN = frozenset({"rerunfailure", "rerunerror"})
STATES = {
    **dict.fromkeys(("fail", "failed", "failure", "broken", "timeout", "timedout", "timed out"), FAILED),
    **dict.fromkeys(("error", "errored", "crashed", "aborted"), ERROR),
    **dict.fromkeys(
        (*SKIPS, "not run", "not_run", "not-run", "notexecuted", "not executed", "suppressed", "ignore", "incomplete",
         "blocked", "canceled", "cancelled", "excluded", "inactive", "xfail", "xfailed", "deselected"),
        SKIPPED,
    ),
}  # fmt: skip
"""`status` or `result` of a test case, in lower case → how it ended. What is not listed says nothing."""
COULD_NOT_RUN = ("Unable to find", "Required Files Missing", "Failed to start", "Fixture dependency failed")
"""CTest writes these as skipped, and counts them as failed."""
PARAMETERS = ("argument", "param")
"""How the names of a case's properties begin that tell its parameters."""
TEARDOWN = "failed on teardown with"
"""How pytest's error begins that came after the test itself had ended: it counts beside the test, as on its console."""
NO_CLASS = "test"
"""What node writes in place of every test's class."""
NOTHING: frozenset[str | None] = frozenset()
TITLES_IN_CLASS = "Mocha Tests"
"""The suite in which a test's class is the titles around it."""
MOST_WAITING = 50_000
"""Cases of a suite that are held back to see whether the suite is a copy of another."""


@dataclass
class _Case:
    attributes: dict[str, str]
    place: Place
    failed: bool = False
    error: bool = False
    skipped: bool = False
    flaky: bool = False
    rerun: bool = False
    teardown: bool = False
    could_not_run: bool = False
    failed_at: Place | None = None
    parameters: tuple[str | None, ...] = ()


@dataclass
class _Suite:
    attributes: dict[str, str]
    place: Place
    path: int
    """Of the names of the suites around it and its own."""
    names: str
    """Of the `testsuite`s around it and its own."""
    waiting: list[tuple[int | None, str, str, bool, Place]] = field(default_factory=list)
    """Its own cases: test, result, name, flaky, place."""
    content: int = 0
    """Of everything said of its cases, to tell a copy."""
    may_be_copy: bool = True
    own: int = 0
    cases: int = 0
    failing: int = 0
    """Cases in it and in the suites within it."""
    totals: int = 0
    """Tests that suites without cases declare."""

    titles_in_class: bool = False

    def is_again(self, key: int | None) -> bool:
        """Whether the last case failed and this is its teardown, told in an element of its own."""
        before = next((told for told in reversed(self.waiting[-2:]) if told[0] == key), None)
        return key is not None and before is not None and before[1] == FAILED


class JUnitReport(Report):
    """Cases of nested suites."""

    def __init__(self) -> None:
        super().__init__()
        self._suites: list[_Suite] = []
        self._case: _Case | None = None
        self._within = 0
        """Depth below the case or, outside of one, below the innermost suite."""
        self._seen: set[int] = set()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.lower()
        if name in SUITES:
            self._begin_suite(name, attributes)
        elif name == "testcase":
            self._end_case()
            self._case, self._within = _Case(attributes, self.place), 0
        else:
            if not self._within:
                self._begin_detail(name, attributes)
            elif name == "property" and self._case is None and self._suites:
                self.stated.add(attributes.get("name"), attributes.get("value"))
            elif self._case and name == "property" and attributes.get("name", "").lower().startswith(PARAMETERS):
                self._case.parameters += (attributes["name"], attributes.get("value"))
            self._within += 1

    def end(self, name: str) -> None:
        name = name.lower()
        if name in SUITES:
            self._end_case()
            self._within = 0
            self._end_suite(self._suites.pop(), is_closed=True)
        elif name == "testcase":
            self._end_case()
            self._within = 0
        else:
            self._within -= 1

    def finish(self) -> None:
        if self._case and not (self._case.failed or self._case.error):
            self._case = None  # it may yet have failed
        self._end_case()
        outermost = self._suites[0] if self._suites else None
        while self._suites:
            self._end_suite(self._suites.pop(), is_closed=False)
        if outermost is not None:
            declared = number(outermost.attributes.get("tests"))
            self.is_whole = declared is not None and declared <= outermost.cases

    def _begin_suite(self, kind: str, attributes: dict[str, str]) -> None:
        self._end_case()
        self._within = 0
        self.root = self.root or self.place
        self.is_whole = False
        self.note_time(attributes.get("timestamp"))
        around = self._suites[-1] if self._suites else None
        path = hash((around.path if around else 0, attributes.get("name")))
        told = [around.names if around else "", attributes.get("name", "") if kind == "testsuite" else ""]
        self._suites.append(_Suite(attributes, self.place, path, " ".join(filter(None, told))))
        self._suites[-1].titles_in_class = attributes.get("name") == TITLES_IN_CLASS

    def _begin_detail(self, name: str, attributes: dict[str, str]) -> None:
        case = self._case
        if case is None:
            if name in ("error", "failure") and self._suites:
                suite = (self._suites[-1].attributes.get("name") or "a suite")[:200]
                self.tally.fail_outside(f"{suite} failed outside of its tests", self.place)
            return
        could_not_run = name == "skipped" and attributes.get("message", "").startswith(COULD_NOT_RUN)
        if could_not_run and case.attributes.get("status") == "notrun":
            name = "error"
            case.could_not_run = True
        if name in ("failure", "error"):
            case.failed_at = case.failed_at or self.place
        if name == "error" and attributes.get("message", "").startswith(TEARDOWN):
            case.teardown = True
            return
        case.failed |= name == "failure"
        case.error |= name == "error"
        case.skipped |= name in SKIPS
        case.flaky |= name in FLAKY
        case.rerun |= name in RERUN

    def _end_case(self) -> None:
        case, self._case = self._case, None
        if case is None or not self._suites:
            return
        suite = self._suites[-1]
        result = self._result(case)
        name = _name(suite, case)
        key = _key(suite, case, name)
        suite.own += 1
        suite.cases += 1
        suite.content = hash((suite.content, key, result, case.teardown, case.attributes.get("time")))
        if case.teardown:
            suite.failing += 1
            suite.waiting.append((key and hash((key, TEARDOWN)), ERROR, name and f"{name} teardown", False, case.place))
        if not (case.teardown and suite.is_again(key)):
            suite.failing += result in (FAILED, ERROR)
            suite.waiting.append((key, result, name, case.flaky, case.failed_at or case.place))
        if len(suite.waiting) >= MOST_WAITING:
            suite.may_be_copy = False
            self._count(suite)

    def _result(self, case: _Case) -> str:
        told = case.attributes.get("status"), case.attributes.get("result")
        said = {STATES.get(word.strip().lower()) for word in told if word} if any(told) else NOTHING
        is_skipped = (case.skipped or SKIPPED in said) and not case.could_not_run
        if case.failed or case.error:
            if is_skipped:
                title = case.attributes.get("name", "a test")[:200]
                self.tally.warn(f"line {case.place.line}: {title} is marked as skipped or disabled but failed: failed")
            return FAILED if case.failed else ERROR
        if is_skipped:
            return SKIPPED
        if case.rerun or FAILED in said:
            return FAILED
        return ERROR if ERROR in said else PASSED

    def _end_suite(self, suite: _Suite, is_closed: bool) -> None:
        is_copy = is_closed and self._is_copy(suite)
        if is_copy:
            name = suite.attributes.get("name", "a suite")[:200]
            self.tally.warn(f"line {suite.place.line}: {name} is in the report twice, to the millisecond: counted once")
        elif is_closed and not suite.cases and not suite.totals:
            suite.totals = self._take_totals(suite)
        if not is_copy:
            self._count(suite)
        if suite.cases and is_closed:
            self._compare(suite)
        if self._suites and not is_copy:
            around = self._suites[-1]
            around.cases += suite.cases
            around.failing += suite.failing
            around.totals += suite.totals
            around.content = hash((around.content, suite.content, tuple(sorted(suite.attributes.items()))))
        elif self._suites:
            self._suites[-1].may_be_copy = False
        else:
            self.is_whole = is_closed

    def _is_copy(self, suite: _Suite) -> bool:
        """Whether the same run of the same suite stood before: name, time stamp, every case and duration."""
        if not (suite.own and suite.may_be_copy and suite.attributes.get("timestamp")):
            return False
        told = sorted((name, value) for name, value in suite.attributes.items() if name != "id")
        whole = hash((tuple(told), suite.content))
        is_copy = whole in self._seen
        self._seen.add(whole)
        return is_copy

    def _count(self, suite: _Suite) -> None:
        for key, result, name, flaky, place in suite.waiting:
            self.tally.add(key, result, name, flaky=flaky, place=place)
        suite.waiting = []

    def _take_totals(self, suite: _Suite) -> int:
        """The tests that a suite without cases declares: how many."""
        tests = number(suite.attributes.get("tests"))
        failed, errors = (number(suite.attributes.get(name)) or 0 for name in ("failures", "errors"))
        skipped = _skips(suite.attributes)
        name = f"line {suite.place.line}: {suite.attributes.get('name', 'a suite')[:200]}"
        if not tests:
            if failed + errors:
                self.tally.fail_outside("failures are declared without a test", suite.place)
            return 0
        passed = tests - failed - errors - skipped
        if passed < 0:
            self.tally.warn(f"{name} lists no tests, and its totals contradict each other: unknown")
            return 0
        self.tally.add_totals(passed, failed, errors, skipped)
        if failed + errors:
            self.tally.failures = [*self.tally.failures, suite.place][:MOST_FAILURES]
        self.tally.warn(f"{name} lists no tests: totals only")
        return tests

    def _compare(self, suite: _Suite) -> None:
        failures, errors = (number(suite.attributes.get(name)) for name in ("failures", "errors"))
        failing = None if failures is None and errors is None else (failures or 0) + (errors or 0)
        tests = number(suite.attributes.get("tests"))
        if tests == suite.own and failing in (None, suite.failing):
            return
        what = f"suite {suite.attributes['name'][:200]}" if suite.attributes.get("name") else "the report"
        held = {"tests": suite.cases + suite.totals, "failures": suite.failing}
        if suite.totals:
            failing = None
        self.compare(what, {"tests": tests, "failures": failing}, held, suite.place)


def _key(suite: _Suite, case: _Case, name: str) -> int | None:
    """Suite, class, name and parameters; `None` for a case without a name."""
    get = case.attributes.get
    return hash((suite.path, name, get("file"), get("line"))) if name else None


def _name(suite: _Suite, case: _Case) -> str:
    """What the test is called; the suites count only where it has no class."""
    attributes = case.attributes
    name, where = attributes.get("name", ""), attributes.get("classname") or attributes.get("class")
    if not where or where == NO_CLASS:
        where = suite.names or attributes.get("file", "")
    elif suite.titles_in_class:
        name, where = f"{where} {name}", ""
    if case.parameters or "value_param" in attributes or "type_param" in attributes:
        told = attributes.get("value_param"), attributes.get("type_param"), *case.parameters
        return full_name(where, name, *(word or "" for word in told))
    return full_name(where, name)


def _skips(attributes: dict[str, str]) -> int:
    skipped = next(
        (found for name in ("skipped", "skips", "skip", "ignored") if (found := number(attributes.get(name)))), 0
    )
    return skipped + (number(attributes.get("disabled")) or 0)


class JUnitReader(XmlReader):
    """`<testsuites>` or `<testsuite>`."""

    format = "JUnit XML"
    roots = frozenset(SUITES)
    report = JUnitReport
