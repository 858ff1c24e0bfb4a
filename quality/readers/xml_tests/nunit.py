"""Which tests passed, by NUnit's own reports? NUnit 3 `<test-run>` and NUnit 2 `<test-results>`.

Inconclusive tests and tests that ended with a warning count as skipped, as NUnit's adapter for `dotnet test` has it.
"""

from collections import Counter
from dataclasses import dataclass

from quality.readers.test_names import full_name
from quality.readers.xml_tests.reader import Report, XmlReader, number
from quality.readers.xml_tests.stream import Place
from quality.readers.xml_tests.tally import ERROR, FAILED, PASSED, SKIPPED

RESULTS = {
    **dict.fromkeys(("passed", "success"), PASSED),
    **dict.fromkeys(("failed", "failure"), FAILED),
    **dict.fromkeys(("error", "invalid", "notrunnable", "cancelled"), ERROR),
    **dict.fromkeys(("skipped", "ignored", "explicit", "inconclusive", "warning"), SKIPPED),
}
"""`result`, or the `label` of a failed test, in lower case → how the test ended."""
OUTSIDE = ("setup", "teardown")
"""The `site` of a suite that failed by itself, not by its tests."""


@dataclass
class _Case:
    attributes: dict[str, str]
    place: Place
    failed_at: Place | None = None


class NUnitReport(Report):
    """Cases of nested suites."""

    def __init__(self) -> None:
        super().__init__()
        self._suites: list[str] = []
        self._case: _Case | None = None
        self._listed: Counter[str] = Counter()
        self._cases = 0
        self._declared: dict[str, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in ("test-run", "test-results"):
            self.root, self._declared = self.place, attributes
            self.note_time(attributes.get("end-time"))
        elif name == "test-suite":
            self._suites.append(f"{attributes.get('type')} {attributes.get('fullname') or attributes.get('name')}")
            is_failed = RESULTS.get(attributes.get("result", "").lower()) in (FAILED, ERROR)
            if is_failed and attributes.get("site", "").lower() in OUTSIDE:
                what = f"{attributes['site'][:40]} of {attributes.get('name', 'a suite')[:200]} failed"
                self.tally.fail_outside(what, self.place)
        elif name == "test-case":
            self._case = _Case(attributes, self.place)
        elif name == "property" and self._case is None:
            self.stated.add(attributes.get("name"), attributes.get("value"))
        elif name == "failure" and self._case:
            self._case.failed_at = self.place

    def end(self, name: str) -> None:
        if name == "test-suite":
            self._suites.pop()
        elif name == "test-case" and self._case:
            self._end_case(self._case)
            self._case = None
        elif name in ("test-run", "test-results"):
            self.is_whole = True

    def finish(self) -> None:
        if self.root is None or not self.is_whole:
            return
        told = {name: number(self._declared.get(name)) for name in ("passed", "failed")}
        if told["passed"] is None:  # NUnit 2 states neither
            failures, errors, invalid = (number(self._declared.get(name)) for name in ("failures", "errors", "invalid"))
            told = {"failed": None if failures is None else failures + (errors or 0) + (invalid or 0)}
        held = {PASSED: self._listed[PASSED], FAILED: self._listed[FAILED] + self._listed[ERROR]}
        if self._cases:
            self.compare("the report", told, held, self.root)

    def _end_case(self, case: _Case) -> None:
        self._cases += 1
        result = self._result(case)
        if result is None:
            word = (case.attributes.get("result") or "(none)")[:40]
            self.tally.warn(f"line {case.place.line}: result {word}: neither passed nor failed")
            return
        self._listed[result] += 1
        name = case.attributes.get("fullname") or case.attributes.get("name")
        key = (tuple(self._suites), case.attributes.get("classname"), name) if name else None
        called = full_name(case.attributes.get("classname", ""), name) if name else ""
        self.tally.add(key, result, called, place=case.failed_at or case.place)

    def _result(self, case: _Case) -> str | None:
        told, label = (case.attributes.get(name, "").lower() for name in ("result", "label"))
        if told:
            result = RESULTS.get(told)
            return RESULTS.get(label, FAILED) if result == FAILED and label else result
        if case.attributes.get("executed", "").lower() == "false":
            return SKIPPED
        return {"true": PASSED, "false": FAILED}.get(case.attributes.get("success", "").lower())


class NUnitReader(XmlReader):
    """NUnit 3 and NUnit 2."""

    format = "NUnit XML"
    roots = frozenset({"test-run", "test-results"})
    report = NUnitReport

    def is_mine(self, text: str) -> bool:
        return "<test-suite" in text or "testcasecount=" in text or "not-run=" in text
