"""Which tests passed, by the JSON of a test runner's reporter? mocha, mochawesome, jest, vitest, RSpec, pytest, Playwright.

The tests listed count, not the totals beside them: where the two disagree it is said. What a package runner prints
before or after the document is passed over.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from json import JSONDecoder
from typing import Any

from quality.observations import Batch, Reject
from quality.readers.base import Artifact, Target
from quality.readers.console.runner import said
from quality.readers.document import Document, holds, mapping, objects, partial, text, whole_text
from quality.readers.results import TestCounts, test_batch
from quality.readers.rows import SHOWN_VALUE
from quality.readers.text import head_text

PASSED, FAILED, ERROR, SKIPPED, OTHER = "passed", "failed", "errors", "skipped", "other"


@dataclass
class Listed:
    """What a document lists."""

    tests: list[tuple[str, str, bool]] = field(default_factory=list)
    """Key, result, and whether it passed only after a retry."""
    outside: list[str] = field(default_factory=list)
    """What failed outside of any test: a file that could not be run, a hook before everything."""
    declared: dict[str, Any] = field(default_factory=dict)
    """Result → the document's own total."""
    others: Counter[str] = field(default_factory=Counter)
    """To do, expected to fail: neither passed nor failed."""

    def add(self, key: tuple[object, ...], result: str, flaky: bool = False) -> None:
        self.tests.append(("\0".join(map(text, key)), result, flaky and result == PASSED))

    def counts(self) -> TestCounts | None:
        """Each test once: listed several times, of which one failed, it is one test and its last result counts."""
        runs: dict[str, list[tuple[str, bool]]] = {}
        for key, result, flaky in self.tests:
            runs.setdefault(key, []).append((result, flaky))
        total: Counter[str] = Counter()
        for ended in runs.values():
            results = [result for result, _ in ended]
            is_retry = len(results) > 1 and (FAILED in results or ERROR in results)
            total.update(results[-1:] if is_retry else results)
            total["flaky"] += results[-1] == PASSED if is_retry else sum(flaky for _, flaky in ended)
        return (
            TestCounts(**{name: total[name] for name in (PASSED, FAILED, ERROR, SKIPPED, "flaky")})
            if self.tests
            else None
        )


@dataclass(frozen=True)
class Shape:
    """One producer's JSON."""

    name: str
    keys: tuple[str, ...]
    """Of the beginning of its document."""
    listed: Callable[[dict[str, Any]], Listed]
    place: str
    """The key that the evidence is shown at."""


class TestJson:
    """A JSON document of test results."""

    __test__ = False
    format = "test results json"
    names_no_story = True

    def recognises(self, artifact: Artifact) -> bool:
        head = head_text(artifact.head)
        return head is not None and _shape(partial(head[_start(head) :])) is not None

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        whole = whole_text(artifact)
        if whole is None:
            yield Batch.of(Reject(reason="the document is too long: split it", value=None))
            return
        start = _start(whole)
        try:
            value, end = JSONDecoder(strict=False).raw_decode(whole, start)
        except (ValueError, RecursionError) as error:
            line = whole.count("\n", 0, getattr(error, "pos", 0)) + 1
            reason = f"no JSON from line {line} on: is the file complete?"
            yield Batch.of(Reject(line=line, reason=reason, value=whole[:SHOWN_VALUE]))
            return
        shape = _shape(value)
        if shape is None:
            yield Batch.of(
                Reject(line=1, reason="the document lists no tests in a known form", value=whole[:SHOWN_VALUE])
            )
            return
        found = Document(whole[start:end], value, whole.count("\n", 0, start) + 1)
        yield _batch(shape, shape.listed(value), found, target)


def _start(whole: str) -> int:
    """Where the document begins: at the first line that opens an object."""
    stripped = len(whole) - len(whole.lstrip())
    if whole.startswith("{", stripped):
        return stripped
    place = whole.find("\n{")
    return place + 1 if place >= 0 else len(whole)


def _shape(value: Any) -> Shape | None:
    return next((shape for shape in SHAPES if holds(value, shape.keys)), None)


def _batch(shape: Shape, listed: Listed, found: Document, target: Target) -> Batch:
    counts = listed.counts()
    warnings = [f"{shape.name}: {what}" for what in listed.outside]
    if listed.others:
        told = ", ".join(f"{number:,} {word}" for word, number in listed.others.items())
        warnings.append(f"{shape.name} also lists {told}: neither passed nor failed")
    raw = Counter(result for _, result, _ in listed.tests)
    for result, declared in listed.declared.items():
        if isinstance(declared, int) and declared != raw[result]:
            warnings.append(f"{shape.name} says {declared:,} {result}, its tests are {raw[result]:,}: the tests count")
    if counts is None:
        warnings.append(f"{shape.name} ran no tests")
    evidence = [found.evidence("test_pass_rate", shape.place)] if counts else []
    if listed.outside:
        evidence.append(found.evidence("build_success", shape.place))
    return test_batch(target, counts, evidence, warnings, [], build_success=False if listed.outside else None)


def _mocha(value: dict[str, Any]) -> Listed:
    stats = mapping(value.get("stats"))
    declared = {PASSED: stats.get("passes"), FAILED: stats.get("failures"), SKIPPED: stats.get("pending")}
    listed = Listed(declared=declared)
    for key, result in (("passes", PASSED), ("pending", SKIPPED), ("failures", FAILED)):
        for test in objects(value.get(key)):
            retries = test.get("currentRetry")
            listed.add((test.get("file"), test.get("fullTitle")), result, isinstance(retries, int) and retries > 0)
    return listed


def _mochawesome(value: dict[str, Any]) -> Listed:
    stats = mapping(value.get("stats"))
    listed = Listed(declared={PASSED: stats.get("passes"), FAILED: stats.get("failures")})
    for suite in _walk(objects(value.get("results"))):
        for test in objects(suite.get("tests")):
            key = (suite.get("file"), test.get("fullTitle"), test.get("uuid"))
            if test.get("pass") is True:
                listed.add(key, PASSED)
            elif test.get("fail") is True:
                listed.add(key, FAILED)
            else:
                listed.add(key, SKIPPED)
        for hook in (*objects(suite.get("beforeHooks")), *objects(suite.get("afterHooks"))):
            if hook.get("fail") is True:
                listed.add((suite.get("file"), hook.get("fullTitle"), hook.get("uuid")), FAILED)
    return listed


def _jest(value: dict[str, Any]) -> Listed:
    declared = {PASSED: value.get("numPassedTests"), FAILED: value.get("numFailedTests")}
    listed = Listed(declared=declared)
    for file in objects(value.get("testResults")):
        tests = objects(file.get("assertionResults"))
        for test in tests:
            status = test.get("status")
            key = (file.get("name"), test.get("fullName"), test.get("title"))
            if status == "passed":
                retried = bool(test.get("retryReasons")) or (
                    isinstance(test.get("invocations"), int) and test["invocations"] > 1
                )
                listed.add(key, PASSED, retried)
            elif status == "failed":
                listed.add(key, FAILED)
            elif status == "todo":
                listed.others["todo"] += 1
            else:
                listed.add(key, SKIPPED)
        if file.get("status") == "failed" and not any(test.get("status") == "failed" for test in tests):
            listed.outside.append(f"{text(file.get('name')) or 'a file'} failed to run")
    return listed


def _rspec(value: dict[str, Any]) -> Listed:
    summary = mapping(value.get("summary"))
    listed = Listed(declared={FAILED: summary.get("failure_count"), SKIPPED: summary.get("pending_count")})
    results = {"passed": PASSED, "failed": FAILED, "pending": SKIPPED}
    for test in objects(value.get("examples")):
        key = (test.get("id"), test.get("file_path"), test.get("line_number"), test.get("full_description"))
        listed.add(key, results.get(str(test.get("status")), SKIPPED))
    outside = summary.get("errors_outside_of_examples_count")
    if isinstance(outside, int) and outside > 0:
        listed.outside.append(f"{said(outside, 'error')} outside of the examples")
        for number in range(min(outside, 1_000)):
            listed.add(("outside", number), ERROR)
    return listed


def _pytest(value: dict[str, Any]) -> Listed:
    summary = mapping(value.get("summary"))
    listed = Listed(declared={PASSED: summary.get("passed"), FAILED: summary.get("failed")})
    results = {"passed": PASSED, "failed": FAILED, "error": ERROR, "skipped": SKIPPED}
    for test in objects(value.get("tests")):
        outcome = str(test.get("outcome"))
        if outcome in results:
            listed.add((test.get("nodeid"),), results[outcome])
        else:
            listed.others[outcome[:40]] += 1
    for collected in objects(value.get("collectors")):
        if collected.get("outcome") == "failed":
            listed.outside.append(f"could not collect {text(collected.get('nodeid'))}")
            listed.add(("collect", collected.get("nodeid")), ERROR)
    return listed


def _playwright(value: dict[str, Any]) -> Listed:
    stats = mapping(value.get("stats"))
    listed = Listed(declared={FAILED: stats.get("unexpected"), SKIPPED: stats.get("skipped")})
    for suite in _walk(objects(value.get("suites"))):
        for spec in objects(suite.get("specs")):
            for test in objects(spec.get("tests")):
                status = test.get("status")
                key = (spec.get("id"), spec.get("file"), spec.get("line"), spec.get("title"), test.get("projectName"))
                result = {"expected": PASSED, "flaky": PASSED, "unexpected": FAILED}.get(str(status), SKIPPED)
                listed.add(key, result, status == "flaky")
    listed.outside += [
        text(error.get("message"))[:200] or "an error outside the tests" for error in objects(value.get("errors"))
    ]
    return listed


def _walk(suites: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    waiting = list(reversed(suites))
    while waiting:
        suite = waiting.pop()
        yield suite
        waiting += reversed(objects(suite.get("suites")))


SHAPES = (
    Shape("jest", ("numTotalTests", "testResults"), _jest, "numTotalTests"),
    Shape("jest", ("numTotalTestSuites", "numPassedTests"), _jest, "numPassedTests"),
    Shape("mochawesome", ("stats", "results"), _mochawesome, "stats"),
    Shape("mocha", ("stats", "tests"), _mocha, "stats"),
    Shape("rspec", ("version", "examples"), _rspec, "summary_line"),
    Shape("pytest", ("exitcode", "summary"), _pytest, "summary"),
    Shape("playwright", ("config", "suites"), _playwright, "stats"),
)
"""The most particular first."""
