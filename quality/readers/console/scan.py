"""What do all runners say in a log? One pass over its lines, step by step."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

from quality.readers.console.decide import Decision, decide
from quality.readers.console.exit_codes import ExitCodes
from quality.readers.console.registry import ALL, ENDS, INSIDE, MARKS, WHOSE
from quality.readers.console.runner import Outcome, Runner, Summary, said
from quality.readers.instants import Clock
from quality.readers.log_lines import LogLine

MOST_LINES = 50
"""Summaries and outcomes whose lines are kept as evidence."""
MOST_NOTES = 50
_ELSEWHERE = tuple((place, kind.ends, kind.inside) for place, kind in enumerate(ALL) if kind.ends or kind.inside)
"""Runners that want lines for more than their beginning: their place in `ALL`, the ends, what stands inside."""


@dataclass
class Scan:
    """What a log says before anything is decided."""

    summaries: list[Summary] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    zero: list[int] = field(default_factory=list)
    untouched: int | None = None
    touched: int | None = None

    @property
    def tells_of_tests(self) -> bool:
        """Whether a test runner was at work."""
        return bool(self.summaries or self.notes)

    @property
    def says_anything(self) -> bool:
        return bool(self.summaries or self.outcomes or self.notes or self.zero or self.untouched or self.touched)


@dataclass
class Result:
    """What a log amounts to."""

    decision: Decision
    build_success: bool | None
    outcome: Outcome | None
    """What `build_success` rests on."""
    warnings: list[str]

    @property
    def evidence(self) -> list[tuple[str, int]]:
        """Signal and line."""
        lines = [("test_pass_rate", summary.line) for summary in self.decision.used if self.decision.counts]
        if self.outcome:
            lines.append(("build_success", self.outcome.line))
        return lines[:MOST_LINES]

    def reading(self, times: Iterable[str]) -> dict[str, Any]:
        """What `test_batch` takes besides counts, evidence and warnings, which is told of the times.

        Args:
            times: of the lines in `evidence`, as the CI service wrote them; empty where it wrote none.
        """
        clock = Clock(self.decision.at)
        for time in times:
            clock.note(time.replace(",", "."))
        self.warnings += clock.warnings
        unknown = {"test_pass_rate": None} if self.decision.is_part else {}
        told = {"named": self.decision.named, "runner": self.decision.runner, "build_success": self.build_success}
        return told | unknown | {"occurred_at": clock.latest}


class Scanner:
    """Every runner sees the lines of a step that are in its form; with the next step all begin anew."""

    def __init__(self) -> None:
        self._found = Scan()
        self._runners: list[Runner] = []
        self._step, self._job = -1, ""

    def see(self, line: LogLine) -> None:
        """The next line of the log."""
        text = line.text
        if not (MARKS.match(text) or text.endswith(ENDS) or INSIDE.search(text)):
            return
        if line.step != self._step:
            self._collect()
            self._runners, self._step, self._job = [kind() for kind in ALL], line.step, line.job
        begins = WHOSE.match(text).groups()
        for runner in compress(self._runners, begins):
            runner.see(line)
        for place, ends, inside in _ELSEWHERE:
            if not begins[place] and (
                (ends and text.endswith(ends)) or (inside and any(part in text for part in inside))
            ):
                self._runners[place].see(line)

    def found(self) -> Scan:
        """After the last line."""
        self._collect()
        self._runners = []
        return self._found

    def _collect(self) -> None:
        found = self._found
        summaries: list[Summary] = []
        for runner in self._runners:
            said_here = runner.findings()
            summaries += said_here.summaries
            found.outcomes += said_here.outcomes
            found.notes += said_here.notes
            if isinstance(runner, ExitCodes):
                found.zero += runner.zero
                found.untouched = found.untouched or runner.untouched
                found.touched = found.touched or runner.touched
        for summary in sorted(summaries, key=lambda summary: summary.line):
            summary.job = self._job
            found.summaries.append(summary)


def scan(lines: Iterable[LogLine]) -> Scan:
    """What all runners say in a log."""
    scanner = Scanner()
    for line in lines:
        scanner.see(line)
    return scanner.found()


def conclude(found: Scan) -> Result:
    """Tests by the rules of `decide`; the build failed if anything did, and succeeded if anything says so beside work."""
    decision = decide(found.summaries)
    failed = [outcome for outcome in found.outcomes if not outcome.success]
    succeeded = [outcome for outcome in found.outcomes if outcome.success]
    warnings = [*decision.notes, *found.notes]
    outcome: Outcome | None = None
    if failed:
        outcome = failed[-1]
        warnings += dict.fromkeys(f"line {told.line}: {told.reason}" for told in failed)
        if succeeded:
            warnings.append(f"line {succeeded[-1].line}: {succeeded[-1].reason}, but the failure counts")
    elif succeeded:
        outcome = succeeded[-1]
    elif (
        found.zero
        and decision.counts
        and not decision.counts.failed + decision.counts.errors
        and decision.counts.passed
    ):
        outcome = Outcome(True, found.zero[-1], "exit code 0 after tests that passed")
    elif found.zero:
        warnings.append(f"line {found.zero[-1]}: exit code 0 alone is no successful build: unknown")
    if found.untouched and not found.touched:
        warnings.append(f"line {found.untouched}: the job says 0 files touched")
    if not found.summaries:
        warnings.append("no test summary in it: the tests are unknown")
    unique = list(dict.fromkeys(warnings))
    if len(unique) > MOST_NOTES:
        unique = [*unique[:MOST_NOTES], f"{said(len(unique) - MOST_NOTES, 'more warning')}"]
    return Result(decision, outcome and outcome.success, outcome, unique)
