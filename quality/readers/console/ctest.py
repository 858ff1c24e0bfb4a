"""How did ctest end? Its `% tests passed` line; what it lists as skipped or disabled did not pass.

ctest's own percentage counts a skipped test as passed.
"""

import re

from quality.readers.console.runner import Findings, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_SUMMARY = re.compile(r"\d{1,3}% tests passed, (?P<failed>\d{1,8}) tests? failed out of (?P<all>\d{1,8})$")
_TEST = re.compile(r" *\d+/\d+ +Test +#\d+: ")
_NOT_RUN = re.compile(r"The following tests did not run:$")
_LISTED = re.compile(r"\s+\d+ - .{1,400} \((?P<why>Skipped|Disabled)\)$")
_NONE = re.compile(r"No tests were found!!!$")


class Ctest(Runner):
    """CMake's ctest."""

    name = "ctest"
    marks = re.compile(
        r"\d\d{0,2}% tests passed|\d+/\d+ +Test +#|  *\d+/\d+ +Test +#|The following tests |\s\s*\d+ - .|No tests were found!!!"
    )

    def __init__(self) -> None:
        self._found = Findings()
        self._listed = False
        self._told: tuple[LogLine, int, int] | None = None
        self._why = {"Skipped": 0, "Disabled": 0}
        self._tests = 0

    def see(self, line: LogLine) -> None:
        text = line.text
        if _TEST.match(text):
            self._close()
            self._tests += 1
        elif found := _SUMMARY.match(text):
            self._close()
            self._told = (line, int(found["failed"]), int(found["all"]))
        elif text.startswith("The following tests"):
            self._listed = bool(_NOT_RUN.match(text))
        elif self._listed and (found := _LISTED.match(text)):
            self._why[found["why"]] += 1
        elif _NONE.match(text):
            self._found.summaries.append(Summary.of("ctest", None, line.number, True))

    def findings(self) -> Findings:
        self._close()
        return self._found

    def _close(self) -> None:
        if self._told is None:
            return
        line, failed, total = self._told
        skipped = self._why["Skipped"]
        counts = TestCounts(
            passed=max(0, total - failed - skipped),
            failed=failed,
            skipped=skipped + self._why["Disabled"],
        )
        self._found.summaries.append(Summary.of("ctest", counts, line.number, bool(self._tests)))
        self._told, self._listed, self._why, self._tests = None, False, {"Skipped": 0, "Disabled": 0}, 0
