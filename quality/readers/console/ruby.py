"""How did RSpec or minitest end? `N examples, …` or `N runs, …` below the line that says how long it took."""

import re

from quality.readers.console.runner import Findings, Outcome, Pile, Runner, Summary, said
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_EXAMPLES = re.compile(
    r"(?P<all>\d{1,8}) examples?, (?P<failed>\d{1,8}) failures?(?:, (?P<pending>\d{1,8}) pending)?"
    r"(?:, (?P<outside>\d{1,8}) errors? occurred outside of examples)?$"
)
_FINISHED = re.compile(r"Finished in \d")
_RUNS = re.compile(
    r"(?P<all>\d{1,8}) (?:runs|tests), \d{1,9} assertions, (?P<failed>\d{1,8}) failures, (?P<errors>\d{1,8}) errors,"
    r" (?P<skipped>\d{1,8}) (?:skips|pendings)\b"
)
_HEADING = re.compile(r"rspec \S{1,300}(?: # |$)")
_NEAR = 3
"""Lines from `Finished in` to the numbers."""


class Ruby(Runner):
    """RSpec 3 and minitest 5."""

    name = "rspec"
    marks = re.compile(r"\d\d{0,6} (?:examples?|runs|tests), |Finished in \d|rspec \S")

    def __init__(self) -> None:
        self._pile = Pile()
        self._outcomes: list[Outcome] = []
        self._finished = -9
        self._told: tuple[Summary, int] | None = None
        self._headings = 0

    def see(self, line: LogLine) -> None:
        text = line.text
        if _FINISHED.match(text):
            self._close()
            self._finished = line.number
        elif found := _EXAMPLES.match(text):
            self._close()
            self._examples(line, found)
        elif found := _RUNS.match(text):
            self._close()
            total, failed, errors, skipped = (int(found[name]) for name in ("all", "failed", "errors", "skipped"))
            counts = TestCounts(
                passed=max(0, total - failed - errors - skipped), failed=failed, errors=errors, skipped=skipped
            )
            self._pile.add(Summary.of("minitest", counts, line.number, self._is_near(line)), None)
        elif _HEADING.match(text):
            self._headings += 1

    def findings(self) -> Findings:
        self._close()
        found = self._pile.findings()
        found.outcomes += self._outcomes
        return found

    def _is_near(self, line: LogLine) -> bool:
        return line.number - self._finished <= _NEAR

    def _examples(self, line: LogLine, found: re.Match[str]) -> None:
        total, failed, pending, outside = (int(found[name] or 0) for name in ("all", "failed", "pending", "outside"))
        counts = TestCounts(passed=max(0, total - failed - pending), failed=failed, errors=outside, skipped=pending)
        notes = []
        if outside:
            notes.append(f"rspec: {said(outside, 'error')} outside of the examples")
            self._outcomes.append(Outcome(False, line.number, notes[0]))
        self._told = (Summary.of("rspec", counts, line.number, self._is_near(line), notes=notes), failed)

    def _close(self) -> None:
        """RSpec lists the failed examples below its numbers."""
        if self._told is None:
            return
        summary, failed = self._told
        self._pile.add(summary, None if not self._headings else self._headings == failed)
        self._told, self._headings = None, 0
