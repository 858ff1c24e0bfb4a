"""How did cargo nextest end? Its one `Summary` line; retries that passed are flaky passes."""

import re

from quality.readers.console.runner import Findings, Runner, Summary, parts, said
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_SUMMARY = re.compile(
    r" +Summary \[ *\d[\d.]*s\] +(?P<run>\d{1,8})(?:/(?P<all>\d{1,8}))? tests? run: (?P<parts>.{1,200})$"
)
_INSIDE = re.compile(r"\([^()]{1,100}\)")
_STARTING = re.compile(r" +Starting \d+ tests? across ")


class Nextest(Runner):
    """cargo nextest run."""

    name = "cargo nextest"
    marks = re.compile(r"  *(?:Summary \[|Starting \d)")

    def __init__(self) -> None:
        self._found = Findings()
        self._started = False

    def see(self, line: LogLine) -> None:
        if _STARTING.match(line.text):
            self._started = True
        elif found := _SUMMARY.match(line.text):
            inside = parts(" ".join(_INSIDE.findall(found["parts"])))
            told = parts(_INSIDE.sub("", found["parts"]))
            counts = TestCounts(
                passed=told.get("passed", 0), failed=told.get("failed", 0) + told.get("timed out", 0),
                errors=told.get("exec failed", 0), skipped=told.get("skipped", 0), flaky=inside.get("flaky", 0),
            )  # fmt: skip
            left = int(found["all"] or found["run"]) - int(found["run"])
            notes = [f"cargo nextest: {said(left, 'test was', 'tests were')} not run"] if left > 0 else []
            summary = Summary.of("cargo nextest", counts, line.number, self._started, notes=notes, is_part=left > 0)
            self._found.summaries.append(summary)
            self._started = False

    def findings(self) -> Findings:
        return self._found
