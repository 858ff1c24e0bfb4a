"""What do the logs and reports in an archive say? Its texts are read together as logs, each report on its own.

GitHub's archive of a run holds every job twice: as one text and, in a folder of the same name, as one text a step. Where
the steps are there the job's own text is passed over. Names are only shown: no path is followed or written.
"""

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from quality.observations import Batch, Reject
from quality.readers.base import Artifact, Reader, Target
from quality.readers.console.runner import said
from quality.readers.console.scan import Scan, conclude, scan
from quality.readers.evidence import Excerpt
from quality.readers.log_excerpts import excerpts
from quality.readers.log_lines import log_lines
from quality.readers.results import test_batch
from quality.readers.text import shown
from quality.readers.zip_members import DOCUMENTS, is_report, read_member

MAGIC = b"PK\x03\x04"
LOGS = (".txt", ".log")
MOST_MEMBERS = 5_000
MOST_BYTES = 256 * 1024 * 1024
"""Of one member, unpacked; what is beyond is not read."""
MOST_TOTAL = 512 * 1024 * 1024
"""Of all members, unpacked."""
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    struct.error,
    KeyError,
)
"""What a damaged, encrypted or unusually packed archive raises."""
_STEP = re.compile(r"\d+_.*\.txt$")
_JOB = re.compile(r"\d+_(?P<job>.*)\.txt$")
_APPLE = re.compile(r"(?:^|/)(?:__MACOSX/|\._|\.DS_Store$)")


class ZipLog:
    """GitHub's run logs and uploaded artifacts, or any archive of texts and reports."""

    format = "log archive"
    names_no_story = True

    def __init__(self, reports: Sequence[Reader] = ()) -> None:
        self._reports = reports

    def recognises(self, artifact: Artifact) -> bool:
        if not artifact.head.startswith(MAGIC):
            return False
        try:
            with zipfile.ZipFile(artifact.path) as archive:
                names = [name for name in archive.namelist() if not _APPLE.search(name)]
        except BROKEN:
            return False
        if "header.json" in names or any(name.lower().startswith(DOCUMENTS) for name in names):
            return False
        return any(name.lower().endswith(LOGS) or is_report(name) for name in names)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        rejects: list[Reject] = []
        try:
            with zipfile.ZipFile(artifact.path) as archive:
                yield from _Archive(archive, rejects, self._reports).batches(target)
        except BROKEN as error:
            yield Batch.of(Reject(reason=shown(f"the archive cannot be read: {error}"), value=None))


class _Archive:
    def __init__(self, archive: zipfile.ZipFile, rejects: list[Reject], reports: Sequence[Reader]) -> None:
        self._archive = archive
        self._readers = reports
        self._reports: list[zipfile.ZipInfo] = []
        self._unread = 0
        self._rejects = rejects
        self._left = MOST_TOTAL
        self._notes: list[str] = []

    def batches(self, target: Target) -> Iterator[Batch]:
        """Of all logs together, then of each report."""
        logs = self._members()
        read = 0
        if logs:
            yield self._logs(logs, target)
        for member in self._reports:
            for batch in self._report(member, target):
                read += 1
                yield batch
        told = list(self._notes)
        if self._unread:
            told.append(
                f"{said(self._unread, 'member')} of the archive are no logs (.txt, .log) and no report: not read"
            )
        if not logs and not read and not self._rejects:
            self._rejects.append(Reject(reason="nothing in the archive is a log or a report that can be read"))
        yield Batch.of(*self._rejects, warnings=told)

    def _report(self, member: zipfile.ZipInfo, target: Target) -> Iterator[Batch]:
        try:
            with self._opened(member) as file:
                found = read_member(member.filename, file, self._readers, target)
        except BROKEN as error:
            name = shown(member.filename)[:200]
            self._rejects.append(Reject(field=name, reason=shown(f"the member cannot be read: {error}"), value=None))
            return
        self._unread += found is None
        yield from found or ()

    def _logs(self, members: list[zipfile.ZipInfo], target: Target) -> Batch:
        found = Scan()
        texts: dict[int, tuple[str, int]] = {}
        for place, member in enumerate(members, start=1):
            one = self._scanned(member)
            if one is None:
                continue
            _merge(found, one, member.filename, place, texts)
        result = conclude(found)
        evidence = [
            (signal, texts[line][1], self._excerpt(*texts[line]))
            for signal, line in result.evidence if line in texts
        ]  # fmt: skip
        told = result.reading(kept.time for _, _, kept in evidence)
        warnings = [_named(text, texts) for text in result.warnings]
        return test_batch(target, result.decision.counts, evidence, warnings, [], **told)

    def _members(self) -> list[zipfile.ZipInfo]:
        entries = [
            entry for entry in self._archive.infolist() if not entry.is_dir() and not _APPLE.search(entry.filename)
        ]
        logs = [entry for entry in entries if entry.filename.lower().endswith(LOGS)]
        reports = [entry for entry in entries if is_report(entry.filename)]
        self._reports = reports[:MOST_MEMBERS]
        self._unread = len(entries) - len(logs) - len(self._reports)
        if len(logs) > MOST_MEMBERS:
            self._notes.append(f"{len(logs):,} logs in the archive, the first {MOST_MEMBERS:,} are read")
        stepped = {_folder(entry.filename) for entry in logs if _STEP.match(entry.filename.rpartition("/")[2])} - {""}
        kept = [entry for entry in logs if not _is_whole_job(entry.filename, stepped)]
        return kept[:MOST_MEMBERS]

    def _scanned(self, member: zipfile.ZipInfo) -> Scan | None:
        try:
            with self._opened(member) as file:
                return scan(log_lines(file))
        except BROKEN as error:
            name = shown(member.filename)[:200]
            self._rejects.append(Reject(field=name, reason=shown(f"the member cannot be read: {error}"), value=None))
            return None

    def _excerpt(self, name: str, line: int) -> Excerpt:
        kept = Excerpt("", 0)
        try:
            with self._opened(self._archive.getinfo(name)) as file:
                kept = excerpts(file, [line]).get(line, kept)
        except BROKEN:
            pass
        return Excerpt(kept, kept.at, shown(name), kept.time)

    @contextmanager
    def _opened(self, member: zipfile.ZipInfo) -> Iterator[BinaryIO]:
        with self._archive.open(member) as file:
            bounded = _Bounded(file, min(MOST_BYTES, self._left))
            yield bounded  # type: ignore[misc]
        self._left -= bounded.taken
        if bounded.is_cut:
            self._notes.append(
                f"{shown(member.filename)[:200]}: longer than {MOST_BYTES:,} bytes, the rest is not read"
            )


class _Bounded:
    """A file that ends after so many bytes."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file, self._most = file, most
        self.taken = 0
        self.is_cut = False

    def read(self, size: int) -> bytes:
        room = self._most - self.taken
        block = self._file.read(min(size, room)) if room > 0 else b""
        self.taken += len(block)
        self.is_cut = room <= 0 and bool(self._file.read(1))
        return block


def _folder(name: str) -> str:
    return name.rpartition("/")[0]


def _is_whole_job(name: str, stepped: set[str]) -> bool:
    """Whether it is the text of a whole job whose steps are in the archive too."""
    found = _JOB.match(name)
    return "/" not in name and bool(found) and found["job"] in stepped


def _merge(found: Scan, one: Scan, name: str, place: int, texts: dict[int, tuple[str, int]]) -> None:
    """Lines are made unique over the members, and a member's folder is its job."""

    def unique(line: int) -> int:
        key = place * 10**10 + line
        texts[key] = (name, line)
        return key

    for summary in one.summaries:
        summary.line, summary.job = unique(summary.line), f"{_folder(name) or name} {summary.job}"
        found.summaries.append(summary)
    found.outcomes += [outcome._replace(line=unique(outcome.line)) for outcome in one.outcomes]
    found.notes += [f"{shown(name)[:200]}: {note}" for note in one.notes]
    found.zero += [unique(line) for line in one.zero]
    found.untouched = found.untouched or (unique(one.untouched) if one.untouched else None)
    found.touched = found.touched or (unique(one.touched) if one.touched else None)


def _named(warning: str, texts: dict[int, tuple[str, int]]) -> str:
    """`line N` with the member's name and its own number."""

    def told(number: re.Match[str]) -> str:
        name, line = texts.get(int(number[1]), ("", int(number[1])))
        return f"{shown(name)[:200]} line {line}" if name else number[0]

    return re.sub(r"line (\d{11,20})\b", told, warning)
