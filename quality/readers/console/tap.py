"""Which test points does TAP (12–14) report? Those of the top level; a subtest is told by the point that closes it.

A point with SKIP or TODO is skipped whatever it says. Points that the plan announces but nobody reports are told in a
warning, and what is reported is a part of a run. YAML below a point and everything indented is detail.
"""

import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary, said
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

VERSION = re.compile(r"TAP version 1[234]$")
PLAN = re.compile(r"1\.\.(?P<n>\d{1,8})(?:\s*#\s*(?:skip\S*\s*)?(?P<reason>.*))?$", re.IGNORECASE)
POINT = re.compile(r"(?P<indent>\s*)(?P<bad>not )?ok\b(?: +(?P<n>\d{1,8}))?(?P<rest>(?: .*|$))")
_DIRECTIVE = re.compile(r"(?<!\\)#\s*(?P<what>skip|todo)", re.IGNORECASE)
_BAIL = re.compile(r"Bail out!(?P<why>.*)$", re.IGNORECASE)
_OPEN, _CLOSE = re.compile(r"\s+---$"), re.compile(r"\s+\.\.\.$")


class Tap(Runner):
    """One or several TAP documents in one output."""

    name = "TAP"
    marks = re.compile(r"TAP version |1\.\.\d|ok\b|not ok\b|\s\s*(?:not )?ok\b|Bail out!|\s\s*(?:---|\.\.\.)$")

    def __init__(self) -> None:
        self._announced = False
        self._plan: int | None = None
        self._planned, self._plans = 0, 0
        self._counts = {"passed": 0, "failed": 0, "skipped": 0}
        self._numbered = 0
        self._unnumbered: list[tuple[str, str]] = []
        self._tests: list[tuple[str, str]] = []
        self._inner = 0
        self._line = 0
        self._in_yaml = False
        self._outcomes: list[Outcome] = []
        self._notes: list[str] = []

    def see(self, line: LogLine) -> None:
        text = line.text
        if self._in_yaml:
            self._in_yaml = not _CLOSE.match(text)
        elif _OPEN.match(text):
            self._in_yaml = True
        elif VERSION.match(text):
            self._announced, self._line = True, self._line or line.number
        elif found := PLAN.match(text):
            self._plans += 1
            self._planned += int(found["n"])
            self._line = self._line or line.number
            if found["n"] == "0":
                self._notes.append(f"TAP: nothing was run ({(found['reason'] or 'the plan is 1..0').strip()[:100]})")
        elif found := _BAIL.match(text):
            if self._announced or self._plans:
                self._outcomes.append(Outcome(False, line.number, f"TAP: bailed out{found['why'][:200]}"))
        elif found := POINT.match(text):
            self._point(line, found)

    def findings(self) -> Findings:
        is_planned = self._plans and (self._numbered or len(self._unnumbered) == self._planned)
        if not self._announced and not is_planned:
            return Findings()
        for name, result in self._unnumbered if not self._numbered else ():
            self._counts[result] += 1
            self._tests.append((name, result))
        points = sum(self._counts.values())
        if self._plans and points != self._planned:
            self._notes.append(
                f"TAP: {said(self._planned, 'test point')} planned, {points:,} reported: those reported count"
            )
        if self._inner:
            self._notes.append(
                f"TAP: the top level counts ({said(points, 'point')}), {said(self._inner, 'point')} of subtests are in them"
            )
        counts = (
            TestCounts(passed=self._counts["passed"], failed=self._counts["failed"], skipped=self._counts["skipped"])
            if points
            else None
        )
        return Findings(
            [
                Summary.of(
                    "TAP", counts, self._line, True, notes=self._notes, tests=self._tests,
                    is_part=self._planned > points or any(not told.success for told in self._outcomes),
                )
            ],
            self._outcomes,
        )  # fmt: skip

    def _point(self, line: LogLine, found: re.Match[str]) -> None:
        if found["indent"]:
            self._inner += 1
            return
        directive = _DIRECTIVE.search(found["rest"])
        result = "skipped" if directive else "failed" if found["bad"] else "passed"
        end = directive.start() if directive else len(found["rest"])
        name = found["rest"][:end].strip().removeprefix("- ").strip()
        if found["n"] is None:
            self._unnumbered.append((name, result))
            return
        self._line = self._line or line.number
        self._numbered += 1
        self._counts[result] += 1
        self._tests.append((name, result))
