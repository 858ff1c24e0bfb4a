"""How did the program or CI step end? Exit codes in the CI's own form, and build tools that say what became of the build.

A code other than 0 is a failure. Exit 0 alone is no success (MODEL.md): it counts only where the same log shows work,
which is a test summary or a build tool's own word. What an agent's job says of itself ("0 files touched") is told.
"""

import re

from quality.readers.console.runner import Findings, Outcome, Runner
from quality.readers.log_lines import LogLine

_EXIT = re.compile(
    r"(?:##\[error\]|::error::|Error: )(?:Process completed with exit code (?P<github>\d{1,10})\."
    r"|\w+ (?:exited|failed) with (?:exit )?code '?(?P<azure>-?\d{1,10})'?\.?)$"
    r"|ERROR: Job failed: (?:exit code|command terminated with exit code) (?P<gitlab>\d{1,10})$"
    r"|The command \".{1,300}\" (?:exited with|failed and exited with) (?P<travis>\d{1,10})(?: during .{0,40})?\.$"
    r"|Exited with code (?:exit status )?(?P<circle>\d{1,10})$"
    r"|🚨 Error: The command exited with status (?P<buildkite>\d{1,10})$"
    r"|(?:\[|> )?(?:exit[ _]code|exit status|returned exit code|EXIT(?:_CODE)?)[:= ]+(?P<plain>\d{1,10})\]?$"
    r"|Command exited with non-zero status (?P<time>\d{1,10})$"
)
_WORD = re.compile(r"Finished: (?P<jenkins>SUCCESS|FAILURE|UNSTABLE|ABORTED|NOT_BUILT)$|(?P<gitlab>Job succeeded)$")
_STATUS = re.compile(r"status:\s+(?P<word>\w+) \(exit (?P<exit>-?\d{1,10})\)$")
_FILES = re.compile(r"files:\s+(?P<n>\d{1,8}) touched$")
_JOB = re.compile(r"-- (?:job )?(?:[\w-]{1,100} )?complete -+$")
_BUILD = re.compile(
    r"(?P<make>(?:make|gmake|mingw32-make)(?:\[\d+\])?: \*\*\* .{1,300} Error \d+)$|(?P<ninja>ninja: build stopped: .{1,200})$"
    r"|(?P<npm>npm (?:ERR!|error) code (?:ELIFECYCLE|\d{1,10}))$|(?P<yarn>error Command failed with exit code (?!0\.)\d{1,10}\.)$"
    r"|(?P<bazel>(?:ERROR|FAILED): Build did NOT complete successfully)$"
)


class ExitCodes(Runner):
    """Exit codes and outcomes that no test runner prints."""

    name = "exit codes"
    marks = re.compile(
        r"##\[error\]|::error::|Error: |ERROR: |The command \"|Exited with code |🚨 Error"
        r"|exit[ _]|returned exit|EXIT|\[(?:exit[ _]|EXIT)|> (?:exit[ _]|EXIT)"
        r"|Command exited|Finished: |Job succeeded|status:\s|files:\s|-- "
        r"|gmake(?:\[\d+\])?: \*\*\* |mingw32-make(?:\[\d+\])?: \*\*\* |make(?:\[\d+\])?: \*\*\* |ninja: build stopped"
        r"|npm (?:ERR!|error) code |error Command failed|FAILED: Build did"
    )

    def __init__(self) -> None:
        self._found = Findings()
        self.zero: list[int] = []
        """Lines that say exit 0 or success, which count only beside evidence of work."""
        self.untouched: int | None = None
        """The line of a job that says it touched no file."""
        self.touched: int | None = None
        self._in_job = False

    def see(self, line: LogLine) -> None:
        text = line.text
        if found := _EXIT.match(text):
            code = next(value for value in found.groups() if value is not None).strip("-") or "0"
            self._exit(line, int(code), f"exit code {code}")
        elif found := _WORD.match(text):
            word = found["jenkins"] or "SUCCESS"
            if word in ("SUCCESS", "FAILURE", "UNSTABLE"):
                self._exit(line, 0 if word == "SUCCESS" else 1, f"the job ended with {found[0].strip()}")
        elif _JOB.match(text):
            self._in_job = True
        elif found := _STATUS.match(text):
            if self._in_job:
                self._exit(line, abs(int(found["exit"])), f"the job ended with {found['word']} (exit {found['exit']})")
        elif found := _FILES.match(text):
            if self._in_job and int(found["n"]):
                self.touched = line.number
            elif self._in_job:
                self.untouched = line.number
        elif _BUILD.match(text):
            self._found.outcomes.append(Outcome(False, line.number, text[:100].strip()))

    def findings(self) -> Findings:
        return self._found

    def _exit(self, line: LogLine, code: int, reason: str) -> None:
        if code:
            self._found.outcomes.append(Outcome(False, line.number, reason))
        else:
            self.zero.append(line.number)
