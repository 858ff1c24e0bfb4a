"""How did `dotnet test` end? One line an assembly, or one total, in the form of the platform and logger used."""

import re

from quality.readers.console.runner import Findings, Outcome, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_ASSEMBLY = re.compile(
    r"(?:Passed|Failed|Skipped)! +- Failed: +(?P<failed>\d{1,8}), Passed: +(?P<passed>\d{1,8}), Skipped: +(?P<skipped>\d{1,8}),"
    r" Total: +(?P<all>\d{1,8}), Duration: .{1,30}?(?: - (?P<assembly>.{1,300}))?$"
)
_ONE_LINE = re.compile(
    r"Test summary: total: (?P<all>\d{1,8}), failed: (?P<failed>\d{1,8}), succeeded: (?P<passed>\d{1,8}), "
    r"skipped: (?P<skipped>\d{1,8}), duration: "
)
_BLOCK = re.compile(r"(?:Total tests: (?P<old>\d{1,8}|Unknown)|Test run summary: .{1,300})$")
_NONE = re.compile(r"No test is available in \S")
_ABORTED = re.compile(r"Test Run Aborted\b")
_FIELD = re.compile(r" +(?P<word>Passed|Failed|Skipped|total|failed|succeeded|skipped): (?P<n>\d{1,8})$")
_BLOCK_LINES = 6
_BUILD = re.compile(
    r" *(?:Build (?P<outcome>succeeded|FAILED)(?:\.$| .{0,60}in )|Build (?P<failed>failed) with \d+ error)"
)


class Dotnet(Runner):
    """VSTest's console logger, the terminal logger and the Microsoft testing platform."""

    name = "dotnet test"
    marks = re.compile(
        r"Passed! |Failed! |Skipped! |Test summary: total|Total tests: |Test run summary: |No test is available in "
        r"|Test Run Aborted|Build (?:succeeded|FAILED|failed)"
        r"|  *(?:Build |(?:Passed|Failed|Skipped|total|failed|succeeded|skipped): \d)"
    )

    def __init__(self) -> None:
        self._assemblies: list[Summary] = []
        self._totals: list[Summary] = []
        self._blocks: list[tuple[LogLine, dict[str, int]]] = []
        self._outcomes: list[Outcome] = []
        self._none: list[Summary] = []
        self._is_aborted = False

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _ASSEMBLY.match(text):
            self._assemblies.append(_summary(line, found.groupdict(), found["assembly"] or ""))
        elif found := _ONE_LINE.match(text):
            self._totals.append(_summary(line, found.groupdict(), ""))
        elif found := _BLOCK.match(text):
            total = found["old"] or ""
            self._blocks.append((line, {"total": int(total)} if total.isdigit() else {}))
        elif (
            (found := _FIELD.match(text)) and self._blocks and line.number - self._blocks[-1][0].number <= _BLOCK_LINES
        ):
            self._blocks[-1][1][found["word"].lower()] = int(found["n"])
        elif _NONE.match(text):
            self._none.append(Summary.of("dotnet test", None, line.number, True))
        elif _ABORTED.match(text):
            self._is_aborted = True
            self._outcomes.append(Outcome(False, line.number, "dotnet: the test run was aborted"))
        elif found := _BUILD.match(text):
            success = found["outcome"] == "succeeded"
            self._outcomes.append(Outcome(success, line.number, f"dotnet: {text.strip()[:60]}"))

    def findings(self) -> Findings:
        blocks = [
            _summary(line, {"passed": told.get("passed", told.get("succeeded", 0)), **told}, "")
            for line, told in self._blocks
            if told
        ]
        found = self._assemblies or self._totals or blocks or self._none
        for summary in found:
            summary.is_part = self._is_aborted
        return Findings(found, self._outcomes)


def _summary(line: LogLine, told: dict, assembly: str) -> Summary:
    passed, failed, skipped = (int(told.get(name) or 0) for name in ("passed", "failed", "skipped"))
    counts = TestCounts(passed=passed, failed=failed, skipped=skipped)
    return Summary.of("dotnet test", counts, line.number, True, [assembly] if assembly else [])
