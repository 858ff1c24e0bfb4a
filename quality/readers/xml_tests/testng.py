"""Which tests passed, by TestNG's own report? `<test-method>`s that are no configuration; a retried try is no test.

TestNG writes each try before the last as skipped, with `retried="true"`; older versions write it as skipped only.
"""

import re
from collections import Counter

from quality.readers.test_names import full_name
from quality.readers.xml_tests.reader import Report, XmlReader, number
from quality.readers.xml_tests.stream import Place
from quality.readers.xml_tests.tally import FAILED, PASSED, SKIPPED

RESULTS = {"PASS": PASSED, "SUCCESS_PERCENTAGE_FAILURE": PASSED, "FAIL": FAILED, "SKIP": SKIPPED}
MOST_PARAMETERS = 2_000
"""Characters of a method's parameters that tell it from another."""
_ADDRESS = re.compile(r"@[0-9a-f]{1,16}\b")
"""Of an object in memory: another one in each try."""


class TestNgReport(Report):
    """Methods of classes of tests of suites."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self._around: dict[str, str] = {}
        """Names of the suite, test and class that are open."""
        self._method: tuple[dict[str, str], Place] | None = None
        self._parameters: list[str] = []
        self._length = 0
        self._is_value = False
        self._failed_at: Place | None = None
        self._tries: Counter[tuple] = Counter()
        """Test → earlier tries that its last one has not come after yet."""
        self._tried_at: dict[tuple, Place] = {}
        self._called: dict[tuple, str] = {}
        """Test → what it is called, while earlier tries wait for the last."""
        self._declared: dict[str, int | None] = {}
        self._listed: Counter[str] = Counter()
        self._retried = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "testng-results":
            self.root = self.place
            self._declared = {told: number(attributes.get(told)) for told in ("passed", "failed")}
        elif name in ("suite", "test", "class"):
            self._around[name] = attributes.get("name", "")
            if name == "suite":
                self.note_time(attributes.get("finished-at"))
        elif name == "test-method":
            self._method, self._parameters, self._length = (attributes, self.place), [], 0
            self._failed_at = None
        elif name == "exception" and self._method:
            self._failed_at = self._failed_at or self.place
        self._is_value = name == "value"

    def data(self, text: str) -> None:
        if self._is_value and self._length < MOST_PARAMETERS:
            self._parameters.append(text[:MOST_PARAMETERS])
            self._length += len(text)

    def end(self, name: str) -> None:
        if name == "value":
            self._is_value = False
            self._parameters.append("\0")
        elif name == "test-method" and self._method:
            self._end_method(*self._method)
            self._method = None
        elif name == "testng-results":
            self.is_whole = True

    def finish(self) -> None:
        for (key, shown), tries in self._tries.items():
            if tries:
                self.tally.add((key, "tried"), FAILED, self._called[key, shown], place=self._tried_at[key, shown])
                self.tally.warn(f"{shown[:200]} was tried again, but its last try is not in the report: failed")
        if self._retried:
            self.tally.warn(f"{self._retried:,} earlier tries of tests are in it: each test counts once")
        if self.root and self.is_whole:
            self.compare("the report", self._declared, self._listed, self.root)

    def _end_method(self, attributes: dict[str, str], place: Place) -> None:
        status = attributes.get("status", "").upper()
        if attributes.get("is-config", "").lower() == "true":
            if status == "FAIL":
                what = f"the configuration method {attributes.get('name', '')[:200]} failed"
                self.tally.fail_outside(what, self._failed_at or place)
            return
        result = RESULTS.get(status)
        if result is None:
            self.tally.warn(f"line {place.line}: status {status[:40] or '(none)'}: neither passed nor failed")
            return
        signature = attributes.get("signature") or attributes.get("name", "")
        of_method = (tuple(self._around.get(name) for name in ("suite", "test", "class")), signature)
        test = (of_method, attributes.get("name", "a test"))
        where, name = self._around.get("class", ""), attributes.get("name", "")
        if attributes.get("retried", "").lower() == "true":
            self._called[test] = full_name(where, name)
            self._retried += 1
            self._tries[test] += 1
            self._tried_at[test] = self._failed_at or place
            return
        was_tried = self._tries.pop(test, 0) > 0
        self._listed[result] += 1
        parameters = _ADDRESS.sub("", "".join(self._parameters)).strip()
        is_told_apart = "data-provider" not in attributes or not _ADDRESS.search("".join(self._parameters))
        key = (of_method, parameters, None if is_told_apart else place.offset)
        told = [parameters.replace("\0", " ")] if parameters.strip("\0 \n\t") else []
        called = full_name(where, name, *told)
        self.tally.add(key, result, called, flaky=was_tried, place=self._failed_at or place)


class TestNgReader(XmlReader):
    """`testng-results.xml`."""

    __test__ = False
    format = "TestNG XML"
    roots = frozenset({"testng-results"})
    report = TestNgReport
