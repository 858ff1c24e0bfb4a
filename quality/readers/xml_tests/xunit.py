"""Which tests passed, by xUnit.net's own report? `<assemblies>`, `<assembly>`, `<collection>` (v1: `<class>`), `<test>`."""

from collections import Counter

from quality.readers.test_names import full_name
from quality.readers.xml_tests.reader import Report, XmlReader, number
from quality.readers.xml_tests.stream import Place
from quality.readers.xml_tests.tally import FAILED, MOST_FAILURES, PASSED, SKIPPED

RESULTS = {"pass": PASSED, "fail": FAILED, "skip": SKIPPED, "notrun": SKIPPED}


class XUnitReport(Report):
    """Tests of assemblies."""

    def __init__(self) -> None:
        super().__init__()
        self._assembly: dict[str, str] = {}
        self._assembly_at = self.place
        self._test: tuple[dict[str, str], Place] | None = None
        self._failed_at: Place | None = None
        self._listed: Counter[str] = Counter()
        self._open: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        around = self._open[-1] if self._open else ""
        self._open.append(name)
        self.root = self.root or self.place
        if name in ("assemblies", "assembly"):
            self.note_time(attributes.get("finish-rtf") or attributes.get("timestamp"))
        if name == "assembly":
            self._assembly, self._assembly_at, self._listed = attributes, self.place, Counter()
        elif name == "test" and "result" in attributes:
            self._test, self._failed_at = (attributes, self.place), None
        elif name == "failure" and self._test:
            self._failed_at = self._failed_at or self.place
        elif around == "errors" and name == "error":
            what = f"{(attributes.get('type') or 'an error')[:80]} outside of the tests"
            self.tally.fail_outside(what, self.place)
        elif name == "failure" and around == "class":  # v1: a class's fixture
            self.tally.fail_outside("a class failed outside of its tests", self.place)

    def end(self, name: str) -> None:
        self._open.pop()
        if name == "test" and self._test:
            self._end_test(*self._test)
            self._test = None
        elif name == "assembly":
            self._end_assembly()
        if not self._open:
            self.is_whole = True

    def _end_test(self, attributes: dict[str, str], place: Place) -> None:
        told = attributes["result"].strip().lower()
        result = RESULTS.get(told)
        if result is None:
            self.tally.warn(f"line {place.line}: result {told[:40]}: neither passed nor failed")
            return
        self._listed[result] += 1
        name = attributes.get("name")
        key = (self._assembly.get("name"), attributes.get("type"), attributes.get("method"), name) if name else None
        called = full_name(attributes.get("type", ""), name) if name else ""
        self.tally.add(key, result, called, place=self._failed_at or place)

    def _end_assembly(self) -> None:
        told = {name: number(self._assembly.get(name)) for name in ("passed", "failed", "skipped")}
        if self._listed:
            held = {name: self._listed[name] for name in told}
            self.compare("the assembly", {**told, "skipped": None}, held, self._assembly_at)
        elif (told["passed"] or 0) + (told["failed"] or 0):
            self.tally.add_totals(told["passed"] or 0, told["failed"] or 0, 0, told["skipped"] or 0)
            if told["failed"]:
                self.tally.failures = [*self.tally.failures, self._assembly_at][:MOST_FAILURES]
            self.tally.warn(f"line {self._assembly_at.line}: the assembly lists no tests: totals only")
        self._listed = Counter()


class XUnitReader(XmlReader):
    """xUnit.net v1, v2 and v3."""

    format = "xUnit.net XML"
    roots = frozenset({"assemblies", "assembly"})
    report = XUnitReport

    def is_mine(self, text: str) -> bool:
        return any(mark in text for mark in ("test-framework=", "run-date=", "<collection ", "start-rtf="))
