"""How did `dart test` or `flutter test` end? The counter before `All tests passed!` or `Some tests failed.`

The last such line of an invocation counts: what a test prints comes before it. A new invocation begins again at `+0`.
"""

import re

from quality.readers.console.runner import Findings, Runner, Summary
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_LINE = re.compile(
    r"\d\d:\d\d \+(?P<passed>\d{1,8})(?: ~(?P<skipped>\d{1,8}))?(?: -(?P<failed>\d{1,8}))?: (?P<rest>.*)"
)
_ENDS = ("All tests passed!", "Some tests failed.", "All tests skipped.", "No tests ran.")


class Dart(Runner):
    """package:test with its compact and expanded reporters."""

    name = "dart test"
    marks = re.compile(r"\d\d:\d\d \+\d")

    def __init__(self) -> None:
        self._found = Findings()
        self._end: Summary | None = None
        self._progress = 0

    def see(self, line: LogLine) -> None:
        found = _LINE.match(line.text)
        if found is None:
            return
        passed, skipped, failed = (int(found[name] or 0) for name in ("passed", "skipped", "failed"))
        if found["rest"] in _ENDS:
            counts = TestCounts(passed=passed, failed=failed, skipped=skipped)
            self._end = Summary.of(self.name, counts, line.number, self._progress > 0)
            return
        if self._end and not passed + skipped + failed:
            self._close()
        self._progress += 1

    def findings(self) -> Findings:
        self._close()
        return self._found

    def _close(self) -> None:
        if self._end:
            self._found.summaries.append(self._end)
        elif self._progress:
            self._found.notes.append("dart test began and shows no end: it was stopped, or the log is cut")
        self._end, self._progress = None, 0
