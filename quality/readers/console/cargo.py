"""How did `cargo test` and nextest end? The sum over the test binaries and the doc tests of one invocation.

A `test result:` line counts if its numbers add up to the tests that its block said it was running; a test's own print
of another does not.
"""

import re
from dataclasses import dataclass, field

from quality.readers.console.runner import Findings, Outcome, Runner, Summary, parts
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_RUNNING = re.compile(r"running (?P<n>\d{1,8}) tests?$")
_RESULT = re.compile(r"test result: (?:ok|FAILED)\. (?P<parts>\d[\w; ]{1,200}?)(?:; finished in .{1,20})?$")
_BINARY = re.compile(
    r" +(?:Running (?P<path>.{1,300}?)(?: \((?P<binary>\S{1,300}?)(?:-[0-9a-f]{16})?(?:\.exe)?\))?|Doc-tests (?P<doc>\S+))$"
)
_FINISHED = re.compile(r" +Finished .{0,20}\b(?:test|dev|release|bench)\b.{0,60} (?:target\(s\) )?in ")
_NOT_BUILT = re.compile(
    r"error: (?:could not compile|build failed|no matching package)|error(?:\[E\d{4}\])?: aborting due to"
)


@dataclass
class _Invocation:
    counts: list[TestCounts] = field(default_factory=list)
    line: int = 0
    suites: set[str] = field(default_factory=set)


class CargoTest(Runner):
    """`cargo test` with libtest; built by cargo, so what is compiled is told too."""

    name = "cargo test"
    marks = re.compile(r"running \d|test result: |  *(?:Running|Doc-tests|Finished) |error(?:\[E\d{4}\])?: ")

    def __init__(self) -> None:
        self._done: list[_Invocation] = []
        self._now = _Invocation()
        self._block: tuple[int, int] | None = None
        self._result: tuple[int, TestCounts] | None = None
        self._outcomes: list[Outcome] = []
        self._notes: list[str] = []

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _RESULT.match(text):
            self._told(line, parts(found["parts"].replace(";", ",")))
        elif found := _RUNNING.match(text):
            self._end_block()
            self._block = (line.number, int(found["n"]))
        elif found := _BINARY.match(text):
            self._end_block()
            self._now.suites.add("doc " + found["doc"] if found["doc"] else f"{found['binary']} {found['path']}")
        elif _FINISHED.match(text):
            self._end_block()
            self._next()
            self._outcomes.append(Outcome(True, line.number, "cargo finished the build"))
        elif _NOT_BUILT.match(text):
            self._outcomes.append(Outcome(False, line.number, "cargo could not build"))

    def findings(self) -> Findings:
        self._end_block()
        self._next()
        summaries = []
        for made in self._done:
            counts = TestCounts(
                passed=sum(c.passed for c in made.counts), failed=sum(c.failed for c in made.counts),
                skipped=sum(c.skipped for c in made.counts), flaky=0,
            )  # fmt: skip
            summaries.append(Summary.of("cargo test", counts, made.line, True, made.suites))
        return Findings(summaries, self._outcomes, self._notes)

    def _told(self, line: LogLine, words: dict[str, int]) -> None:
        counts = TestCounts(
            passed=words.get("passed", 0), failed=words.get("failed", 0), skipped=words.get("ignored", 0), 
        )  # fmt: skip
        total = counts.passed + counts.failed + counts.skipped + words.get("measured", 0)
        if self._block is not None and total != self._block[1]:
            self._notes.append(f"line {line.number}: printed by a test of cargo, not its summary")
            return
        self._result = (line.number, counts)
        if self._block is None:
            self._end_block()

    def _end_block(self) -> None:
        if self._result:
            self._now.line, counts = self._result
            self._now.counts.append(counts)
        elif self._block and self._block[1]:
            self._notes.append(
                f"line {self._block[0]}: {self._block[1]:,} tests of cargo began and show no result: the program stopped"
            )
            self._outcomes.append(Outcome(False, self._block[0], "a test program of cargo stopped without a result"))
        self._block = self._result = None

    def _next(self) -> None:
        if self._now.counts:
            self._done.append(self._now)
        self._now = _Invocation()
