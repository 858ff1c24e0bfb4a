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
from quality.readers.instants import Clock
from quality.readers.results import TestCounts, test_batch
from quality.readers.rows import SHOWN_VALUE
from quality.readers.test_names import MOST_NAMED, TOO_MANY, full_name, named, node_name
from quality.readers.text import head_text

PASSED, FAILED, ERROR, SKIPPED, FLAKY = "passed", "failed", "errors", "skipped", "flaky"


@dataclass
class Listed:
    """What a document lists."""

    tests: list[tuple[str, str, bool, str]] = field(default_factory=list)
    """Key, result, whether it passed only after a retry, and what the test is called in any report."""
    outside: list[str] = field(default_factory=list)
    """What failed outside of any test: a file that could not be run, a hook before everything."""
    declared: dict[str, Any] = field(default_factory=dict)
    """Result → the document's own total."""
    clock: Clock = field(default_factory=Clock)
    others: Counter[str] = field(default_factory=Counter)
    """To do, expected to fail: neither passed nor failed."""

    def add(self, key: tuple[object, ...], result: str, flaky: bool = False, *, name: str = "") -> None:
        self.tests.append(("\0".join(map(text, key)), result, flaky and result == PASSED, name))

    def ended(self) -> Iterator[tuple[str, str]]:
        """Name and result (a key of `LETTERS`) of each test once: listed several times, of which one failed, it is one
        test and its last result counts.
        """
        runs: dict[str, list[tuple[str, bool, str]]] = {}
        for key, result, flaky, name in self.tests:
            runs.setdefault(key, []).append((result, flaky, name))
        for told in runs.values():
            results = {result for result, *_ in told}
            is_retry = len(told) > 1 and (FAILED in results or ERROR in results)
            for result, flaky, name in told[-1:] if is_retry else told:
                yield name, FLAKY if result == PASSED and (is_retry or flaky) else result

    def counts(self) -> TestCounts | None:
        """How they ended, `None` where none is listed."""
        total = Counter(result for _, result in self.ended())
        passed = total[PASSED] + total[FLAKY]
        return TestCounts(passed, total[FAILED], total[ERROR], total[SKIPPED], total[FLAKY]) if self.tests else None


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
    """Whose JSON it is. Mocha's is known by its first test too: its totals may stand far below, as in sorted keys."""
    found = next((shape for shape in SHAPES if holds(value, shape.keys)), None)
    is_mocha = any(holds(test, MOCHA_TEST) for key in MOCHA_KEYS for test in objects(mapping(value).get(key))[:1])
    return found or (MOCHA if is_mocha else None)


def _batch(shape: Shape, listed: Listed, found: Document, target: Target) -> Batch:
    counts = listed.counts()
    warnings = [f"{shape.name}: {what}" for what in listed.outside]
    if listed.others:
        told = ", ".join(f"{number:,} {word}" for word, number in listed.others.items())
        warnings.append(f"{shape.name} also lists {told}: neither passed nor failed")
    raw = Counter(result for _, result, *_ in listed.tests)
    for result, declared in listed.declared.items():
        if isinstance(declared, int) and declared != raw[result]:
            warnings.append(f"{shape.name} says {declared:,} {result}, its tests are {raw[result]:,}: the tests count")
    if counts is None:
        warnings.append(f"{shape.name} ran no tests")
    evidence = [found.evidence("test_pass_rate", shape.place)] if counts else []
    if listed.outside:
        evidence.append(found.evidence("build_success", shape.place))
    if len(listed.tests) > MOST_NAMED:
        warnings.append(TOO_MANY)
    warnings += listed.clock.warnings
    return test_batch(
        target, counts, evidence, warnings, [], named=named(listed.ended()), occurred_at=listed.clock.latest,
        build_success=False if listed.outside else None,
    )  # fmt: skip


MOCHA_LISTS = {"passes": PASSED, "pending": SKIPPED, "failures": FAILED}
MOCHA_KEYS = ("tests", *MOCHA_LISTS)
MOCHA_TEST = ("fullTitle", "currentRetry", "err")


def _mocha(value: dict[str, Any]) -> Listed:
    stats = mapping(value.get("stats"))
    declared = {PASSED: stats.get("passes"), FAILED: stats.get("failures"), SKIPPED: stats.get("pending")}
    listed = Listed(declared=declared)
    listed.clock.note(text(stats.get("end") or stats.get("start")))
    for key, result in MOCHA_LISTS.items():
        for test in objects(value.get(key)):
            retries = test.get("currentRetry")
            retried = isinstance(retries, int) and retries > 0
            listed.add((test.get("file"), test.get("fullTitle")), result, retried, name=text(test.get("fullTitle")))
    return listed


def _mochawesome(value: dict[str, Any]) -> Listed:
    stats = mapping(value.get("stats"))
    listed = Listed(declared={PASSED: stats.get("passes"), FAILED: stats.get("failures")})
    listed.clock.note(text(stats.get("end") or stats.get("start")))
    for suite in _walk(objects(value.get("results"))):
        for test in objects(suite.get("tests")):
            key = (suite.get("file"), test.get("fullTitle"), test.get("uuid"))
            result = PASSED if test.get("pass") is True else FAILED if test.get("fail") is True else SKIPPED
            listed.add(key, result, name=text(test.get("fullTitle")))
        for hook in (*objects(suite.get("beforeHooks")), *objects(suite.get("afterHooks"))):
            if hook.get("fail") is True:
                key = (suite.get("file"), hook.get("fullTitle"), hook.get("uuid"))
                listed.add(key, FAILED, name=text(hook.get("fullTitle")))
    return listed


def _jest(value: dict[str, Any]) -> Listed:
    declared = {PASSED: value.get("numPassedTests"), FAILED: value.get("numFailedTests")}
    listed = Listed(declared=declared)
    is_jest = "numRuntimeErrorTestSuites" in value
    for file in objects(value.get("testResults")):
        listed.clock.seconds(_thousandth(file.get("endTime")))
        where = "" if is_jest else text(file.get("name"))
        tests = objects(file.get("assertionResults"))
        for test in tests:
            status = test.get("status")
            key = (file.get("name"), test.get("fullName"), test.get("title"))
            name = full_name(where, text(test.get("fullName")) or text(test.get("title")))
            if status == "passed":
                retried = bool(test.get("retryReasons")) or (
                    isinstance(test.get("invocations"), int) and test["invocations"] > 1
                )
                listed.add(key, PASSED, retried, name=name)
            elif status == "failed":
                listed.add(key, FAILED, name=name)
            elif status == "todo":
                listed.others["todo"] += 1
            else:
                listed.add(key, SKIPPED, name=name)
        if file.get("status") == "failed" and not any(test.get("status") == "failed" for test in tests):
            listed.outside.append(f"{text(file.get('name')) or 'a file'} failed to run")
    return listed


def _rspec(value: dict[str, Any]) -> Listed:
    summary = mapping(value.get("summary"))
    listed = Listed(declared={FAILED: summary.get("failure_count"), SKIPPED: summary.get("pending_count")})
    results = {"passed": PASSED, "failed": FAILED, "pending": SKIPPED}
    for test in objects(value.get("examples")):
        key = (test.get("id"), test.get("file_path"), test.get("line_number"), test.get("full_description"))
        name = full_name(text(test.get("file_path")), text(test.get("full_description")))
        listed.add(key, results.get(str(test.get("status")), SKIPPED), name=name)
    outside = summary.get("errors_outside_of_examples_count")
    if isinstance(outside, int) and outside > 0:
        listed.outside.append(f"{said(outside, 'error')} outside of the examples")
        for number in range(min(outside, 1_000)):
            listed.add(("outside", number), ERROR, name="outside of the examples")
    return listed


def _pytest(value: dict[str, Any]) -> Listed:
    summary = mapping(value.get("summary"))
    listed = Listed(declared={PASSED: summary.get("passed"), FAILED: summary.get("failed")})
    listed.clock.seconds(value.get("created"))
    results = {"passed": PASSED, "failed": FAILED, "error": ERROR, "skipped": SKIPPED}
    for test in objects(value.get("tests")):
        outcome = str(test.get("outcome"))
        if outcome in results:
            listed.add((test.get("nodeid"),), results[outcome], name=node_name(text(test.get("nodeid"))))
        else:
            listed.others[outcome[:40]] += 1
    for collected in objects(value.get("collectors")):
        if collected.get("outcome") == "failed":
            listed.outside.append(f"could not collect {text(collected.get('nodeid'))}")
            called = full_name(text(collected.get("nodeid")), "collection")
            listed.add(("collect", collected.get("nodeid")), ERROR, name=called)
    return listed


def _playwright(value: dict[str, Any]) -> Listed:
    stats = mapping(value.get("stats"))
    listed = Listed(declared={FAILED: stats.get("unexpected"), SKIPPED: stats.get("skipped")})
    listed.clock.note(text(stats.get("startTime")))
    for suite, around in _titled(objects(value.get("suites"))):
        for spec in objects(suite.get("specs")):
            for test in objects(spec.get("tests")):
                status = test.get("status")
                key = (spec.get("id"), spec.get("file"), spec.get("line"), spec.get("title"), test.get("projectName"))
                result = {"expected": PASSED, "flaky": PASSED, "unexpected": FAILED}.get(str(status), SKIPPED)
                name = full_name(text(spec.get("file")), " ".join(filter(None, [*around, text(spec.get("title"))])))
                listed.add(key, result, status == "flaky", name=name)
    listed.outside += [
        text(error.get("message"))[:200] or "an error outside the tests" for error in objects(value.get("errors"))
    ]
    return listed


def _thousandth(number: object) -> float | None:
    return number / 1_000 if isinstance(number, int | float) and not isinstance(number, bool) else None


def _walk(suites: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    waiting = list(reversed(suites))
    while waiting:
        suite = waiting.pop()
        yield suite
        waiting += reversed(objects(suite.get("suites")))


def _titled(suites: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
    """Each suite with its title and those around it; the outermost is the file."""
    waiting: list[tuple[dict[str, Any], tuple[str, ...]]] = [(suite, ()) for suite in reversed(suites)]
    while waiting:
        suite, titles = waiting.pop()
        yield suite, titles
        inner = objects(suite.get("suites"))
        waiting += [(inside, (*titles, text(inside.get("title")))) for inside in reversed(inner)]


MOCHA = Shape("mocha", ("stats", "tests"), _mocha, "stats")
SHAPES = (
    Shape("jest", ("numTotalTests", "testResults"), _jest, "numTotalTests"),
    Shape("jest", ("numTotalTestSuites", "numPassedTests"), _jest, "numPassedTests"),
    Shape("mochawesome", ("stats", "results"), _mochawesome, "stats"),
    MOCHA,
    Shape("rspec", ("version", "examples"), _rspec, "summary_line"),
    Shape("pytest", ("exitcode", "summary"), _pytest, "summary"),
    Shape("playwright", ("config", "suites"), _playwright, "stats"),
)
"""The most particular first."""
