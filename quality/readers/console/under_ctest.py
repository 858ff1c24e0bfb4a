"""Is a C++ test program's summary one of many that CTest ran? Then CTest counts it, as one test."""

import re

from quality.readers.console.runner import Findings, Outcome, Summary, said

BEGINS, ENDS = re.compile(r"Test project \S"), re.compile(r"\d{1,3}% tests passed, \d")
MARKS = r"Test project \S|\d{1,3}% tests passed, \d"


class UnderCtest:
    """Keeps summaries, but for those between CTest's first line and its last."""

    def __init__(self) -> None:
        self._found = Findings()
        self._inside = False
        self._dropped = 0

    def is_ctest(self, text: str) -> bool:
        """Whether the line is CTest's; remembers where it begins and ends."""
        if BEGINS.match(text) or ENDS.match(text):
            self._inside = bool(BEGINS.match(text))
            return True
        return False

    def keep(self, summary: Summary) -> None:
        if self._inside:
            self._dropped += 1
        else:
            self._found.summaries.append(summary)

    def broke(self, line: int, reason: str) -> None:
        """A program ended without a summary."""
        if not self._inside:
            self._found.notes.append(f"line {line}: {reason}")
            self._found.outcomes.append(Outcome(False, line, reason))

    def told(self) -> Findings:
        if self._dropped:
            self._found.notes.append(
                f"{said(self._dropped, 'summary', 'summaries')} of programs that CTest ran: CTest counts"
            )
        return self._found
