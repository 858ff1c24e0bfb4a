"""Which tests passed, by a Visual Studio report (TRX), as `dotnet test --logger trx` and vstest write it?

A test with inner results, one for each row of data, counts by its rows. The class of a test stands after all results.
"""

from collections import Counter
from dataclasses import dataclass, field

from quality.readers.test_names import full_name
from quality.readers.xml_tests.reader import Report, XmlReader, number
from quality.readers.xml_tests.stream import Place
from quality.readers.xml_tests.tally import ERROR, FAILED, MOST_FAILURES, PASSED, SKIPPED

RESULTS = {
    **dict.fromkeys(("passed", "passedbutrunaborted"), PASSED),
    **dict.fromkeys(("failed", "timeout"), FAILED),
    **dict.fromkeys(("error", "aborted", "notrunnable", "disconnected"), ERROR),
    **dict.fromkeys(("notexecuted", "inconclusive", "warning", "completed", "inprogress", "pending"), SKIPPED),
}
"""`outcome` in lower case → how the test ended. It is left out where it is `Error`, the schema's default."""
CONTAINERS = ("Results", "InnerResults")


@dataclass
class _Result:
    attributes: dict[str, str]
    place: Place
    inner: int = 0
    failed_at: Place | None = None
    names: tuple[str, ...] = field(default=())


class TrxReport(Report):
    """Results, and results within results."""

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []
        self._results: list[_Result] = []
        self._listed: Counter[str] = Counter()
        self._counters: dict[str, int | None] = {}
        self._counters_at = self.place
        self._classes: dict[str, str] = {}
        """Id of a test → its class."""
        self._definition = ""
        self._ended: list[tuple] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        around = self._names[-1] if self._names else ""
        self._names.append(name)
        if name == "TestRun":
            self.root = self.place
        elif name == "Times":
            self.note_time(attributes.get("finish"))
        elif around in CONTAINERS and name not in CONTAINERS:
            if self._results:
                self._results[-1].inner += 1
            self._results.append(_Result(attributes, self.place))
        elif name == "ErrorInfo" and self._results:
            self._results[-1].failed_at = self.place
        elif name == "UnitTest":
            self._definition = attributes.get("id", "")
        elif name == "TestMethod" and self._definition and attributes.get("className"):
            self._classes[self._definition] = attributes["className"].partition(",")[0]
        elif name == "Counters":
            self._counters_at = self.place
            self._counters = {key.lower(): number(value) for key, value in attributes.items()}
        elif name == "RunInfo" and attributes.get("outcome", "").lower() in ("error", "failed"):
            self.tally.fail_outside("the run itself failed", self.place)
            self.is_aborted = True

    def end(self, name: str) -> None:
        self._names.pop()
        around = self._names[-1] if self._names else ""
        if around in CONTAINERS and name not in CONTAINERS and self._results:
            self._end_result(self._results.pop())
        elif name == "TestRun":
            self.is_whole = True

    def finish(self) -> None:
        for key, ended, place, test, name in self._ended:
            called = full_name(self._classes.get(test or "", ""), name) if name else ""
            self.tally.add(key, ended, called, place=place)
        passed, failed, errors = (self._counters.get(name) for name in ("passed", "failed", "error"))
        if passed is None and failed is None:
            return
        if not self._listed:
            self._take_totals(passed or 0, failed or 0, errors or 0)
        elif self.is_whole:
            held = {"passed": self._listed[PASSED], "failed": self._listed[FAILED]}
            timeouts = self._counters.get("timeout") or 0
            told = {"passed": passed, "failed": None if failed is None else failed + timeouts}
            self.compare("the summary", told, held, self._counters_at)

    def _end_result(self, result: _Result) -> None:
        if result.inner:
            return
        outcome = result.attributes.get("outcome", "Error").strip().lower()
        ended = RESULTS.get(outcome)
        if ended is None:
            self.tally.warn(f"line {result.place.line}: outcome {outcome[:40]}: neither passed nor failed")
            return
        if outcome == "warning":
            self.tally.warn("tests that ended with a warning count as skipped")
        self._listed[ended] += 1
        name = result.attributes.get("testName")
        around = self._results[-1].attributes.get("testName") if self._results else None
        test = result.attributes.get("testId") or (
            self._results[-1].attributes.get("testId") if self._results else None
        )
        key = (around, result.attributes.get("testId"), name, result.attributes.get("dataRowInfo")) if name else None
        self._ended.append((key, ended, result.failed_at or result.place, test, name))

    def _take_totals(self, passed: int, failed: int, errors: int) -> None:
        if passed + failed + errors:
            self.tally.add_totals(passed, failed, errors, self._counters.get("notexecuted") or 0)
            if failed + errors:
                self.tally.failures = [*self.tally.failures, self._counters_at][:MOST_FAILURES]
            self.tally.warn(f"line {self._counters_at.line}: it lists no tests: totals only")


class TrxReader(XmlReader):
    """`<TestRun>` in Visual Studio's namespace."""

    format = "TRX"
    roots = frozenset({"TestRun"})
    report = TrxReport

    def is_mine(self, text: str) -> bool:
        return "TeamTest" in text[:2_000] or "<UnitTestResult" in text or "<ResultSummary" in text
