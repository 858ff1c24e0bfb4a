"""What do compilers, type checkers and linters print? Findings, and whether the build says that it ended well.

gcc, clang, javac, mypy, pyright, tsc, MSBuild, rustc, clippy, cargo, go, kotlinc, maven, gradle, ruff, flake8, eslint,
CMake and make. A finding that a tool prints again in its summary (MSBuild) counts once. Lines about findings ("could
not compile", "3 warnings emitted") are no findings. A success counts from the last line that says so: errors before
it were mended in the meantime, which is said, and errors after it make the build false.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from quality.observations import Batch
from quality.readers.base import SNIFF_BYTES, Artifact, Target
from quality.readers.instants import Clock
from quality.readers.lint.build_lines import (
    ANNOTATION,
    CLEAN,
    ESLINT,
    FAILED,
    GO,
    GO_PACKAGE,
    KOTLIN_LEVEL,
    MAKE,
    MARKS,
    PLACED,
    PLACED_RULE,
    RUFF_HEAD,
    RULE,
    RULE_MARK,
    RUST,
    RUST_PLACE,
    RUST_TOTAL,
    RUSTC,
    SUCCEEDED,
    TOTALS,
)
from quality.readers.lint.counts import ERROR, INFORMATION, Findings, severity_of
from quality.readers.lint.report import MOST_EVIDENCE, Gathered
from quality.readers.log_excerpts import LONGEST, excerpts
from quality.readers.log_lines import LogLine, clean, log_lines
from quality.readers.text import head_text

MOST_SEEN = 200_000
"""Findings remembered to tell a repetition."""


@dataclass
class BuildLog:
    """What the lines of a log say about building."""

    findings: Findings = field(default_factory=Findings)
    recognised: int = 0
    """Lines that a compiler, a linter or their driver wrote."""
    failed_at: int | None = None
    succeeded_at: int | None = None
    clean_at: int | None = None
    totals_at: int | None = None
    errors: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    after: int = 0
    """Errors since the last line that told success."""

    @property
    def diagnostics(self) -> dict[str, int] | None:
        """The findings; `None` if no compiler or linter speaks in the log."""
        spoke = self.findings.standing or self.clean_at or self.totals_at
        return self.findings.counts() if spoke else None

    @property
    def build_success(self) -> bool | None:
        """The newest outcome: false with errors after the last success, true with none, `None` without any outcome."""
        if self.after or (self.failed_at or 0) > (self.succeeded_at or 0):
            return False
        return True if self.succeeded_at else self.findings.build_success


def read_build(lines: Iterable[LogLine]) -> BuildLog:
    """The findings and the outcome of a log."""
    walk = BuildWalk()
    for line in lines:
        walk.see(line)
    return walk.found()


class BuildWalk:
    """Line by line, remembering what the line before began."""

    def __init__(self) -> None:
        self._log = BuildLog()
        self._seen: set[tuple[str, ...]] = set()
        self._begun: tuple[int, str, str, bool] | None = None
        """A finding whose place is in one of the next lines: number, severity, words, fixable."""
        self._in_go = self._in_rust = False
        self._header = ""
        """The line that the indented ones after it belong to: eslint's file."""
        self._unplaced: list[tuple[int, str]] = []
        """Errors without a place, which count in the log of a Rust build only: any program prints `error: …`."""

    def found(self) -> BuildLog:
        """After the last line."""
        self._settle(None)
        for number, words in self._unplaced if self._in_rust else ():
            self._count(number, ERROR, ("", words), False)
            self._log.after -= number < (self._log.succeeded_at or 0)
        return self._log

    def see(self, line: LogLine) -> None:
        """The next line of the log."""
        number, text = line.number, line.text[:LONGEST]
        if not text:
            return
        if self._begun:
            if place := RUST_PLACE.match(text):
                self._settle(place["place"])
                return
            if number > self._begun[0] + 1:
                self._settle(None)
        if not _matters(text):
            if not text[0].isspace():
                self._header = text
            return
        self._in_rust = self._in_rust or bool(RUST.match(text))
        if self._outcome(number, text):
            return
        if GO_PACKAGE.match(text):
            self._in_go = True
            return
        stripped = text.lstrip()
        found = next((found for pattern in PLACED if (found := pattern.match(stripped))), None)
        if found and _names_a_file(found.groupdict().get("place")):
            self._finding(number, _level(found), found)
        elif (found := RULE.match(stripped)) or (self._in_go and (found := GO.match(stripped))):
            self._finding(number, ERROR, found)
        elif found := ESLINT.match(text):
            self._finding(number, _level(found), found, self._header)
        elif (found := RUSTC.match(text)) and not RUST_TOTAL.match(found["what"]):
            self._begin(number, severity_of(found["level"]), found["what"], False)
        elif found := RUFF_HEAD.match(text):
            self._begin(number, "", found["what"], bool(found["fix"]))
        elif found := ANNOTATION.match(stripped):
            self._finding(number, _level(found), found)
        elif text == stripped:
            self._header = text

    def _outcome(self, number: int, text: str) -> bool:
        """Lines that say how a build or a check ended."""
        log, bare = self._log, text.strip()
        if SUCCEEDED.match(text):
            log.succeeded_at, log.after = number, 0
        elif FAILED.match(bare) or MAKE.match(bare):
            log.failed_at = number
        elif CLEAN.match(bare):
            log.clean_at = number
        elif TOTALS.match(bare):
            log.totals_at = number
        else:
            return False
        log.recognised += 1
        return True

    def _begin(self, number: int, severity: str, words: str, fixable: bool) -> None:
        self._settle(None)
        self._begun = (number, severity, words, fixable)

    def _settle(self, place: str | None) -> None:
        """Count the finding that was begun, if its place followed."""
        if self._begun is None:
            return
        number, severity, words, fixable = self._begun
        self._begun = None
        if place:
            self._count(number, severity or ERROR, (place, words), fixable)
        elif severity == ERROR and len(self._unplaced) < MOST_SEEN:
            self._unplaced.append((number, words))

    def _finding(self, number: int, severity: str, found: re.Match[str], file: str = "") -> None:
        parts = found.groupdict()
        key = (file, parts.get("place") or "", parts.get("code") or "", parts["what"].strip())
        self._count(number, severity, key, bool(parts.get("fix")))

    def _count(self, number: int, severity: str, key: tuple[str, ...], fixable: bool) -> None:
        log = self._log
        log.recognised += 1
        log.after += severity == ERROR
        if (severity, *key) in self._seen:
            return
        if len(self._seen) < MOST_SEEN:
            self._seen.add((severity, *key))
        if severity == INFORMATION:  # a compiler's note explains the finding before it
            return
        log.findings.add(severity, fixable=fixable)
        kept = log.errors if severity == ERROR else log.others
        if len(kept) < MOST_EVIDENCE:
            kept.append(number)


def _matters(text: str) -> bool:
    """A quick look before the patterns are tried: most lines of a log are none of theirs."""
    low = text.lower()
    for mark in MARKS:
        if mark in low:
            return True
    return bool(RULE_MARK.match(text) or PLACED_RULE.search(text))


def _level(found: re.Match[str]) -> str:
    word = found["level"]
    return KOTLIN_LEVEL.get(word) or severity_of(word)


def _names_a_file(place: str | None) -> bool:
    """Not a time: `12:30:45: error: refused` is no compiler's line."""
    head = re.split(r":\d", place or "x", maxsplit=1)[0]
    is_path = " " not in head.strip() or bool(re.search(r"[\\/.(]", head))
    return is_path and any(sign.isalpha() or sign in "<>_" for sign in head)


class BuildTextReader:
    """The console output of a build or a check; it names no story."""

    format = "build log"
    names_no_story = True

    def recognises(self, artifact: Artifact) -> bool:
        text = head_text(artifact.head)
        if text is None or text.lstrip()[:1] in ("<", "{"):
            return False
        return _looks_built(text) or (artifact.size > len(artifact.head) and _looks_built(_end(artifact)))

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        with artifact.path.open("rb") as file:
            log = read_build(log_lines(file))
        yield _batch(log, artifact, target)


def _looks_built(text: str) -> bool:
    lines = (LogLine(number, clean(line)) for number, line in enumerate(text.splitlines(), start=1))
    return read_build(lines).recognised > 0


def _end(artifact: Artifact) -> str:
    """The last lines: what a long log was about stands there."""
    with artifact.path.open("rb") as file:
        file.seek(max(0, artifact.size - SNIFF_BYTES))
        return file.read(SNIFF_BYTES).decode("utf-8", "replace")


def _batch(log: BuildLog, artifact: Artifact, target: Target) -> Batch:
    success = log.build_success
    gathered = Gathered()
    if success and log.findings.errors:
        gathered.warnings.append(
            f"{log.findings.errors} errors were followed by a success in line {log.succeeded_at}: the newest outcome counts"
        )
    if success is None and not log.findings.standing:
        gathered.warnings.append("a clean check is no evidence of a build: build_success is unknown")
    places = {True: [log.succeeded_at], False: [*log.errors, log.failed_at], None: [*log.others, log.clean_at]}
    wanted = [place for place in places[success] if place][:MOST_EVIDENCE]
    with artifact.path.open("rb") as file:
        texts = excerpts(file, wanted)
    gathered.errors += texts.items()
    clock = Clock()
    for text in texts.values():
        clock.note(text.time.replace(",", "."))
    gathered.times += [clock.latest] if clock.latest else []
    gathered.warnings += clock.warnings
    log.findings.succeeded = success
    log.findings.old_errors = log.findings.errors if success is not False else 0
    gathered.by_tool[""] = log.findings
    return gathered.batch(target)
