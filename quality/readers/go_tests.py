"""Which Go tests passed? Leaf tests of each package, whether they were told as text or as JSON.

A test that has subtests is not counted beside them, unless it failed though none of them did. The same test run again
after a failure is one test, decided by its last run; run again without a failure (-count) each run counts.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from quality.readers.results import TestCounts
from quality.readers.test_names import full_name

PASS, FAIL, SKIP, FLAKY = "pass", "fail", "skip", "flaky"
RESULTS = {PASS: "passed", FAIL: "failed", SKIP: "skipped", FLAKY: FLAKY}
"""Word of go's → key of `LETTERS`."""


@dataclass
class _Package:
    runs: dict[str, list[str | None]] = field(default_factory=dict)
    """Test → the result of each of its runs, `None` while it runs."""
    begun: set[str] = field(default_factory=set)
    """Tests that run now."""
    has_failed: bool = False
    """Whether any of its tests ever failed."""


@dataclass
class GoTests:
    """Events of one invocation of `go test` over any number of packages."""

    packages: dict[str, _Package] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    """Package → its last result."""
    built: bool = True

    def run(self, package: str, test: str) -> None:
        """A test begins."""
        told = self._package(package)
        told.runs.setdefault(test, []).append(None)
        told.begun.add(test)

    def result(self, package: str, test: str, result: str) -> None:
        """A test ends; a second end without a new beginning replaces the first."""
        told = self._package(package)
        runs = told.runs.setdefault(test, [])
        runs[-1:] = [result]
        told.begun.discard(test)
        told.has_failed |= result == FAIL

    def end(self, package: str, result: str) -> None:
        """A package ends; in one that failed, tests that never ended have failed."""
        self.ended[package] = result
        told = self._package(package)
        if result == FAIL:
            for test in tuple(told.begun):
                self.result(package, test, FAIL)
        told.begun.clear()

    def failed_alone(self, package: str) -> bool:
        """Whether the package failed although none of its tests did."""
        return self.ended.get(package) == FAIL and not self._package(package).has_failed

    def counts(self) -> TestCounts | None:
        """Over all packages; `None` where no test ended."""
        total = Counter(result for _, result in self.tests())
        if not total:
            return None
        passed = total["passed"] + total["flaky"]
        return TestCounts(passed, failed=total["failed"], skipped=total["skipped"], flaky=total["flaky"])

    def tests(self) -> Iterator[tuple[str, str]]:
        """Name and result (a key of `LETTERS`) of each test that ended."""
        for package, told in self.packages.items():
            for test, runs in _leaves(told.runs):
                ended = [result for result in runs if result]
                if FAIL in ended:
                    ended = [FLAKY if ended[-1] == PASS else ended[-1]]
                name = full_name(package, test)
                yield from ((name, RESULTS[result]) for result in ended)

    def _package(self, package: str) -> _Package:
        return self.packages.setdefault(package, _Package())


def _leaves(tests: dict[str, list[str | None]]) -> list[tuple[str, list[str | None]]]:
    children: dict[str, list[str]] = {}
    for test in tests:
        parent = test
        while (cut := parent.rfind("/")) > 0:
            parent = parent[:cut]
            if parent in tests:
                children.setdefault(parent, []).append(test)
                break
    return [
        (test, runs) for test, runs in tests.items()
        if test not in children or _failed_itself(runs, [tests[child] for child in children[test]])
    ]  # fmt: skip


def _failed_itself(runs: list[str | None], subtests: list[list[str | None]]) -> bool:
    return bool(runs) and runs[-1] == FAIL and not any(FAIL in told for told in subtests)
