"""What do all runners say in a log? One pass over its lines, step by step."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import BinaryIO

from quality.readers.console.decide import Decision, decide
from quality.readers.console.exit_codes import ExitCodes
from quality.readers.console.registry import ALL, ENDS, INSIDE, MARKS
from quality.readers.console.runner import Outcome, Runner, Summary, said
from quality.readers.evidence import AROUND, Excerpt, around
from quality.readers.log_lines import LogLine, log_lines

MOST_LINES = 50
"""Summaries and outcomes whose lines are kept as evidence."""
MOST_NOTES = 50
_Wants = tuple[Runner, Callable[[str], object], tuple[str, ...], tuple[str, ...]]
"""A runner, and the lines that it wants."""


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


def scan(lines: Iterable[LogLine]) -> Scan:
    """Every runner sees the lines of a step that are in its form; with the next step all begin anew."""
    found = Scan()
    runners: list[_Wants] = []
    step, job = -1, ""
    for line in lines:
        text = line.text
        if not (MARKS.match(text) or text.endswith(ENDS) or INSIDE.search(text)):
            continue
        if line.step != step:
            _collect(runners, job, found)
            runners, step, job = [_wants(kind()) for kind in ALL], line.step, line.job
        for runner, begins, ends, inside in runners:
            if begins(text) or (ends and text.endswith(ends)) or (inside and any(part in text for part in inside)):
                runner.see(line)
    _collect(runners, job, found)
    return found


def _wants(runner: Runner) -> _Wants:
    return runner, runner.marks.match, runner.ends, runner.inside


def _collect(runners: list[_Wants], job: str, found: Scan) -> None:
    summaries: list[Summary] = []
    for runner, *_ in runners:
        said_here = runner.findings()
        summaries += said_here.summaries
        found.outcomes += said_here.outcomes
        found.notes += said_here.notes
        if isinstance(runner, ExitCodes):
            found.zero += runner.zero
            found.untouched = found.untouched or runner.untouched
            found.touched = found.touched or runner.touched
    for summary in sorted(summaries, key=lambda summary: summary.line):
        summary.job = job
        found.summaries.append(summary)


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


def excerpts(file: BinaryIO, wanted: list[int]) -> dict[int, Excerpt]:
    """Line → the lines around it, read in one more pass."""
    found: dict[int, Excerpt] = {}
    if not wanted:
        return found
    window: deque[LogLine] = deque(maxlen=2 * AROUND + 1)
    todo = deque(sorted(set(wanted)))
    for line in log_lines(file):
        window.append(line)
        while todo and line.number >= todo[0] + AROUND:
            number = todo.popleft()
            found[number] = _excerpt(window, number)
        if not todo:
            break
    for number in todo:
        found[number] = _excerpt(window, number)
    return found


def _excerpt(window: deque[LogLine], number: int) -> Excerpt:
    return around({line.number: line.text for line in window if line.text or line.number != number}, number)
