"""How did the tests of a report end, each counted once? Retries, flaky passes, totals without tests, and what to warn of.

Elements of the same suite, class, name and parameters are tries of one test if at least one of them failed: the last
try decides. If all of them passed they are tests of their own.
"""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from quality.named_tests import LETTERS
from quality.readers.results import TestCounts
from quality.readers.test_names import MOST_NAMED, TOO_MANY, Named, numbers
from quality.readers.xml_tests.stream import Place

PASSED, FAILED, ERROR, SKIPPED = "passed", "failed", "errors", "skipped"
MOST_FAILURES = 5
"""Failures whose lines are kept."""
MOST_WARNINGS = 20


@dataclass
class _Tries:
    """A test that failed at least once."""

    has_failed: bool
    """Rather than only ended in errors."""
    passed_last: bool
    has_passed: bool


@dataclass
class Tally:
    """Counts as the elements come."""

    failures: list[Place] = field(default_factory=list)
    outside: list[tuple[str, Place]] = field(default_factory=list)
    """What failed outside of any test, the first of them, and where."""
    _outside: int = 0
    _plain: Counter[int] = field(default_factory=Counter)
    """Test → how often it passed, while it never failed."""
    _skipped: Counter[int] = field(default_factory=Counter)
    _tried: dict[int, _Tries] = field(default_factory=dict)
    _flaky: set[int] = field(default_factory=set)
    _names: dict[int, str] = field(default_factory=dict)
    """Test → what it is called, of as many as are kept by name."""
    _nameless: Counter[str] = field(default_factory=Counter)
    _totals: Counter[str] = field(default_factory=Counter)
    _retried: int = 0
    _warn_of_order: bool = False
    _warnings: dict[str, None] = field(default_factory=dict)
    _unsaid: int = 0

    def add(
        self, key: Hashable | None, result: str, name: str = "", *, flaky: bool = False, place: Place | None = None
    ) -> None:  # fmt: skip
        """One element.

        Args:
            key: suite, class, name, parameters; `None` for a test without a name.
            name: what the test is called in any report (`test_names.full_name`).
        """
        failed = result in (FAILED, ERROR)
        if key is None:
            self._nameless[result] += 1
            self._nameless["flaky"] += flaky and result == PASSED
            self._remember(place if failed else None)
            return
        test = hash(key)
        if len(self._names) <= MOST_NAMED:
            self._names[test] = name
        if flaky and result == PASSED:
            self._flaky.add(test)
        before = self._tried.get(test)
        if before is not None:
            self._retried += 1
            if result != SKIPPED:
                before.has_failed |= result == FAILED
                before.passed_last = result == PASSED
                self._warn_of_order |= failed and before.has_passed
                before.has_passed |= result == PASSED
        elif failed:
            passed = self._plain.pop(test, 0)
            self._retried += passed + self._skipped.pop(test, 0)
            self._tried[test] = _Tries(result == FAILED, passed_last=False, has_passed=passed > 0)
            self._warn_of_order |= passed > 0
            self._remember(place)
        else:
            (self._plain if result == PASSED else self._skipped)[test] += 1

    def add_totals(self, passed: int, failed: int, errors: int, skipped: int) -> None:
        """A suite that lists no tests but says how many there were."""
        self._totals.update({PASSED: passed, FAILED: failed, ERROR: errors, SKIPPED: skipped})

    def fail_outside(self, what: str, place: Place) -> None:
        """A suite, a fixture or the runner itself failed."""
        self._outside += 1
        if len(self.outside) < MOST_FAILURES:
            self.outside.append((what, place))

    def warn(self, text: str) -> None:
        """Say it once; the first of many."""
        if text in self._warnings:
            return
        if len(self._warnings) < MOST_WARNINGS:
            self._warnings[text] = None
        else:
            self._unsaid += 1

    @property
    def counts(self) -> TestCounts | None:
        """`None` where no test was listed."""
        passed_late = [test for test, tries in self._tried.items() if tries.passed_last]
        failed = Counter(
            FAILED if tries.has_failed else ERROR for tries in self._tried.values() if not tries.passed_last
        )
        total = self._nameless + self._totals + failed
        total[PASSED] += sum(self._plain.values()) + len(passed_late)
        total[SKIPPED] += sum(self._skipped.values())
        total["flaky"] += len(passed_late) + sum(self._plain[test] for test in self._flaky if test in self._plain)
        counts = TestCounts(*(total[name] for name in (PASSED, FAILED, ERROR, SKIPPED, "flaky")))
        return counts if counts.total or counts.skipped else None

    @property
    def named(self) -> Named | None:
        """What each test is known by; `None` where one has no name, or they are too many."""
        if self._nameless or +self._totals or len(self._names) > MOST_NAMED or not all(self._names.values()):
            return None
        told, letters = [], []
        once, more = LETTERS[PASSED], self._flaky or self._skipped.keys() & self._plain.keys()
        for test, name in self._names.items():
            ended = once if not more and self._plain.get(test) == 1 else self._letters(test)
            letters.append(ended)
            told += [name] * len(ended)
        return Named(numbers(told), "".join(letters)) if 0 < len(told) <= MOST_NAMED else None

    def _letters(self, test: int) -> str:
        """How the tests of one key ended."""
        if tries := self._tried.get(test):
            return LETTERS["flaky" if tries.passed_last else FAILED if tries.has_failed else ERROR]
        passed = LETTERS["flaky" if test in self._flaky else PASSED]
        return passed * self._plain[test] + LETTERS[SKIPPED] * self._skipped[test]

    @property
    def warnings(self) -> list[str]:
        """In the order they were found."""
        said = list(self._warnings)
        if len(self._names) > MOST_NAMED:
            said.append(TOO_MANY)
        said += [f"line {place.line}: {what}" for what, place in self.outside]
        if self._outside > len(self.outside):
            said.append(f"{self._outside:,} failures outside of the tests, the first {len(self.outside)} are told")
        if self._retried:
            told = "element tells" if self._retried == 1 else "elements tell"
            said.append(f"{self._retried:,} {told} again of tests that failed (retries): each test counts once")
        if self._warn_of_order:
            said.append("a test failed after it had passed: the last try in the report counts")
        if self._unsaid:
            said.append(f"{self._unsaid:,} more warnings")
        return said

    def _remember(self, place: Place | None) -> None:
        if place is not None and len(self.failures) < MOST_FAILURES:
            self.failures.append(place)
