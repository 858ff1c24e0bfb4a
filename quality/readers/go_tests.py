"""Which Go tests passed? Leaf tests of each package, whether they were told as text or as JSON.

A test that has subtests is not counted beside them, unless it failed though none of them did. The same test run again
after a failure is one test, decided by its last run; run again without a failure (-count) each run counts.
"""

from dataclasses import dataclass, field

from quality.readers.results import TestCounts

PASS, FAIL, SKIP = "pass", "fail", "skip"


@dataclass
class _Package:
    runs: dict[str, list[str | None]] = field(default_factory=dict)
    """Test → the result of each of its runs, `None` while it runs."""


@dataclass
class GoTests:
    """Events of one invocation of `go test` over any number of packages."""

    packages: dict[str, _Package] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    """Package → its last result."""
    built: bool = True

    def run(self, package: str, test: str) -> None:
        """A test begins."""
        self._runs(package, test).append(None)

    def result(self, package: str, test: str, result: str) -> None:
        """A test ends; a second end without a new beginning replaces the first."""
        runs = self._runs(package, test)
        if runs:
            runs[-1] = result
        else:
            runs.append(result)

    def end(self, package: str, result: str) -> None:
        """A package ends; in one that failed, tests that never ended have failed."""
        self.ended[package] = result
        for runs in self._tests(package).values():
            for place, told in enumerate(runs):
                if told is None and result == FAIL:
                    runs[place] = FAIL

    def has_run(self, package: str, test: str) -> bool:
        """Whether the test is known to have begun."""
        return test in self._tests(package)

    def failed_alone(self, package: str) -> bool:
        """Whether the package failed although none of its tests did."""
        return self.ended.get(package) == FAIL and not any(FAIL in runs for runs in self._tests(package).values())

    def counts(self) -> TestCounts | None:
        """Over all packages; `None` where no test ended."""
        total = {PASS: 0, FAIL: 0, SKIP: 0}
        flaky = 0
        for package in self.packages.values():
            for runs in _leaves(package.runs):
                ended = [told for told in runs if told]
                if FAIL in ended:
                    flaky += ended[-1] == PASS
                    ended = ended[-1:]
                for told in ended:
                    total[told] += 1
        if not sum(total.values()):
            return None
        return TestCounts(passed=total[PASS], failed=total[FAIL], errors=0, skipped=total[SKIP], flaky=flaky)

    def _tests(self, package: str) -> dict[str, list[str | None]]:
        return self.packages[package].runs if package in self.packages else {}

    def _runs(self, package: str, test: str) -> list[str | None]:
        return self.packages.setdefault(package, _Package()).runs.setdefault(test, [])


def _leaves(tests: dict[str, list[str | None]]) -> list[list[str | None]]:
    children: dict[str, list[str]] = {}
    for test in tests:
        parent = test
        while (cut := parent.rfind("/")) > 0:
            parent = parent[:cut]
            if parent in tests:
                children.setdefault(parent, []).append(test)
                break
    return [
        runs for test, runs in tests.items()
        if test not in children or _failed_itself(runs, [tests[child] for child in children[test]])
    ]  # fmt: skip


def _failed_itself(runs: list[str | None], subtests: list[list[str | None]]) -> bool:
    return bool(runs) and runs[-1] == FAIL and not any(FAIL in told for told in subtests)
