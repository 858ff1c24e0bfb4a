"""How did pytest end? The last summary line of each session, outside what pytest captured from the tests.

A session begins with its header, or, where -q hides that, with the progress after a finished session. One that
begins inside another was printed by that one's tests, unless the outer never ends. Before the progress is complete or
a report section begins, a summary may be a test's own print: a later one of the session replaces it.
"""

import re
from dataclasses import dataclass, field

from quality.readers.console.runner import Findings, Outcome, Runner, Summary, parts
from quality.readers.log_lines import LogLine
from quality.readers.results import TestCounts

_HEADER = re.compile(r"(?:\S+\.py )?[.FEsxXR]*=+ test session starts =+$")
_SECTION = re.compile(
    r"=+ (?:ERRORS|FAILURES|PASSES|XPASSES|XFAILURES|short test summary info|rerun test summary info"
    r"|warnings summary.*|slowest .*durations.*) =+$"
)
_FULL = re.compile(r"=+ (?P<parts>.{1,400}) in [\d.]+ ?s(?:econds)?(?: \(.{1,40}\))? =+$")
_QUIET = re.compile(
    r"(?P<parts>(?:\d{1,8} [a-z][a-z ]*, )*(?:\d{1,8} [a-z][a-z ]*|no tests ran)) in [\d.]+s(?: \(.{1,40}\))?$"
)
_CAPTURED = re.compile(r"-+ ?Captured .{1,60}-$")
_TITLE = re.compile(r"_+ (?P<title>\S.{0,400}) _+$")
_LETTERS = re.compile(r"(?:(?P<file>\S+\.py) )?(?P<letters>[.FEsxXRuyp,]+)(?:\s+\[.{1,24}\])?$")
_PERCENT = re.compile(r"\[ *(?P<done>\d{1,8})(?:%| */ *(?P<all>\d{1,8}))\]$")
_VERBOSE = re.compile(
    r"(?:\[gw\d+\] .{0,12}?)?(?P<test>\S+?\.py::\S.*?) (?P<word>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN)\b"
)
_SHORT = re.compile(r"(?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS|RERUN|SUBFAILED\S*) \S")
_INTERRUPTED = re.compile(r"!+ (?:Interrupted: )?\d+ errors? during collection !+$")
_STOPPED = re.compile(r"!+ (?:KeyboardInterrupt|_pytest\.outcomes\.Exit\b.{0,300}|(?:\S+\.)?Interrupted: .{1,300}) !+$")
"""Written above the summary of a session that somebody or something ended early."""
_COLLECTED = re.compile(r"collected \d+ items?|\d+ workers? \[\d+ items?\]|gw\d+ \[\d+\]")
COUNTED = ("passed", "failed", "error", "errors", "skipped")
KNOWN = {*COUNTED, "xfailed", "xpassed", "deselected", "rerun", "reruns"}
UNCOUNTED = ("xfailed", "xpassed", "deselected", "rerun", "subtests passed", "subtests failed", "subtests skipped")
"""What is told but is no test that passed, failed or was skipped."""


@dataclass
class _Session:
    """One run of pytest."""

    full: bool = False
    """Its header was seen, so its summary has = around it."""
    supported: bool = False
    complete: bool = False
    captured: bool = False
    closed: bool = False
    summary: Summary | None = None
    broken: Outcome | None = None
    files: set[str] = field(default_factory=set)
    inner: list["_Session"] = field(default_factory=list)
    is_part: bool = False
    last_letter: str = ""
    recovered: int = 0
    rerun: set[str] = field(default_factory=set)
    recovered_tests: set[str] = field(default_factory=set)


class Pytest(Runner):
    """Sessions of pytest, with and without -q, xdist and reruns."""

    name = "pytest"
    marks = re.compile(
        r"==* |[.FEsxXR][.FEsxXR]*=+ |--* ?Captured |__* \S|!!* |\d\d{0,6} [a-z]|no tests ran in"
        r"|[.FEsxXRuyp,][.FEsxXRuyp,]*(?:\s|$)|collected \d|gw\d+ \[|\d\d* workers? \[|\[gw\d+\] "
        r"|PASSED \S|FAILED \S|ERROR \S|SKIPPED \S|XFAIL \S|XPASS \S|RERUN \S|SUBFAILED\S{0,200} \S"
    )
    ends = ("%]",)
    inside = (".py ", ".py::")

    def __init__(self) -> None:
        self._open: list[_Session] = []
        self._done: list[_Session] = []
        self._ignored = 0

    def see(self, line: LogLine) -> None:
        text = line.text
        if _HEADER.match(text):
            self._begin(_Session(full=True, supported=True))
            return
        session = self._open[-1] if self._open else None
        is_section = bool(_SECTION.match(text))
        if session and session.captured:
            title = _TITLE.match(text)
            if not (is_section or title):
                return
            session.captured = False
        found = _FULL.match(text) or (None if session and session.full else _QUIET.match(text))
        if found and self._is_summary(found["parts"]):
            self._end(line, found["parts"])
            return
        if session and session.closed:
            if is_section:
                session.closed = False
            elif not self._is_progress(text):
                return
            else:
                self._finish()
                session = self._open[-1] if self._open else None
        self._within(session or self._begin(_Session()), line, is_section)

    def findings(self) -> Findings:
        while self._open:
            self._finish()
        found = Findings()
        for session in _standing(self._done):
            if session.summary:
                session.summary.supported = session.supported
                session.summary.is_part = session.is_part
                session.summary.suites = frozenset(session.files)
                found.summaries.append(session.summary)
            elif session.full:
                found.notes.append("a pytest session began and shows no end: it was stopped, or the log is cut")
            if session.broken:
                found.outcomes.append(session.broken)
        return found

    def _begin(self, session: _Session) -> _Session:
        if self._open and self._open[-1].closed:
            self._finish()
        self._open.append(session)
        return session

    def _finish(self) -> None:
        session = self._open.pop()
        (self._open[-1].inner if self._open else self._done).append(session)

    @staticmethod
    def _is_summary(text: str) -> bool:
        return text == "no tests ran" or not KNOWN.isdisjoint(parts(text))

    def _end(self, line: LogLine, text: str) -> None:
        while len(self._open) > 1 and self._open[-1].closed:
            self._finish()
        session = self._open[-1] if self._open else self._begin(_Session())
        if session.closed:
            return
        session.summary = _summary(line, text, session)
        session.closed = session.complete

    @staticmethod
    def _is_progress(text: str) -> bool:
        letters = _LETTERS.match(text)
        return bool(letters and (letters["file"] or "[" in text or set(letters["letters"]) - {","})) or bool(
            _COLLECTED.match(text) or (_PERCENT.search(text) and _VERBOSE.match(text))
        )

    def _within(self, session: _Session, line: LogLine, is_section: bool) -> None:
        text = line.text
        if is_section:
            session.complete = session.supported = True
        elif _CAPTURED.match(text):
            session.captured = True
        elif title := _TITLE.match(text):
            if title["title"].startswith("ERROR collecting "):
                session.broken = Outcome(False, line.number, "pytest could not collect " + title["title"][17:])
        elif _INTERRUPTED.match(text):
            session.complete = session.supported = True
            session.broken = session.broken or Outcome(False, line.number, "pytest stopped at errors of the collection")
        elif _STOPPED.match(text):
            session.complete = session.supported = session.is_part = True
        elif _SHORT.match(text) or _COLLECTED.match(text):
            session.supported = True
        else:
            self._progress(session, text)

    @staticmethod
    def _progress(session: _Session, text: str) -> None:
        done = _PERCENT.search(text)
        if done and (done["done"] == "100" if done["all"] is None else done["done"] == done["all"]):
            session.complete = True
        if verbose := _VERBOSE.match(text):
            session.supported = True
            test = verbose["test"]
            session.files.add(test.split("::")[0])
            if verbose["word"] == "RERUN":
                session.rerun.add(test)
            elif verbose["word"] == "PASSED" and test in session.rerun:
                session.recovered_tests.add(test)
        elif letters := _LETTERS.match(text):
            session.supported = True
            if letters["file"]:
                session.files.add(letters["file"])
            for letter in letters["letters"]:
                session.recovered += letter == "." and session.last_letter == "R"
                session.last_letter = letter


def _standing(sessions: list[_Session]) -> list[_Session]:
    """Without those that the tests of a session printed."""
    standing: list[_Session] = []
    for session in sessions:
        if session.summary or not session.inner:
            standing.append(session)
        else:
            standing += _standing(session.inner)
    return standing


def _summary(line: LogLine, text: str, session: _Session) -> Summary:
    said_parts = parts(text)
    errors = said_parts.get("errors", 0) + said_parts.get("error", 0)
    passed, failed, skipped = (said_parts.get(word, 0) for word in ("passed", "failed", "skipped"))
    reruns = said_parts.get("rerun", 0) + said_parts.get("reruns", 0)
    notes = [f"{said_parts[word]:,} {word}" for word in UNCOUNTED if said_parts.get(word)]
    flaky = len(session.recovered_tests) or session.recovered
    if reruns and not flaky and not failed + errors:
        flaky = 1
    counts = TestCounts(passed=passed, failed=failed, errors=errors, skipped=skipped, flaky=min(flaky, passed, reruns))
    if not counts.total + counts.skipped:
        return Summary.of("pytest", None, line.number, False, notes=[*notes, "pytest ran no tests"])
    if notes:
        notes = ["pytest also counts " + ", ".join(notes) + ": neither passed nor failed"]
    return Summary.of("pytest", counts, line.number, False, notes=notes)
