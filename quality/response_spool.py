"""Where do responses wait while the ledger cannot be reached? In `<ledger>.spool.jsonl` beside it, a line each.

Any number of processes append to it; whoever next writes to the ledger imports it. Every line has an identity, so that
one which is imported twice, because the importer died in between, counts once.
"""

import logging
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal, Protocol
from uuid import uuid4

from filelock import FileLock
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from quality.commands import Command
from quality.observations import Reject
from quality.problems import first_problem
from quality.response_commands import AddFeedbacks, FeedbackOn, StoreResponses
from quality.response_models import ResponseRecord

SUFFIX = ".spool.jsonl"
CLAIMED = ".importing-"
"""In the name of a spool file that somebody imports, or began to."""
REJECTED = ".rejected.jsonl"
"""Ends the name of the file that keeps what could not be imported."""
HEAD = b'{"spool":'
"""How every line begins."""
AT_ONCE = 10_000
"""Lines that are imported in one transaction."""
LINE_BYTES = 16 * 1024**2
"""A longer line is a reject."""
SHOWN_BYTES = 1_000
"""Bytes of a rejected line that are shown."""
LOCK_SECONDS = 10.0

_log = logging.getLogger(__name__)


class _Line(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid")


class ResponseLine(_Line):
    """A response that waits."""

    spool: Literal["response"] = "response"
    record: ResponseRecord


class FeedbackLine(_Line):
    """An event that waits; it has an id, or it would count again with each import."""

    spool: Literal["feedback"] = "feedback"
    event: FeedbackOn

    def model_post_init(self, _: object) -> None:
        if self.event.event_id is None:
            raise ValueError("event.event_id is missing: a feedback line needs one, so that it counts once")


Line = ResponseLine | FeedbackLine
_LINE: TypeAdapter[Line] = TypeAdapter(Annotated[Line, Field(discriminator="spool")])


class Door(Protocol):
    """What carries out commands: an open ledger, or a way to whoever holds it."""

    def execute(self, command: Command) -> object: ...


@dataclass
class SpoolImported:
    """What became of the lines of a spool."""

    responses: int = 0
    feedback: int = 0
    rejects: list[Reject] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)


class Spool:
    """The spool of one ledger."""

    def __init__(self, ledger: Path) -> None:
        self.path = ledger.with_name(ledger.name + SUFFIX)
        self._lock = FileLock(self.path.with_name(self.path.name + ".lock"), timeout=LOCK_SECONDS, thread_local=False)

    def append(self, lines: Iterable[Line]) -> None:
        """Write the lines behind those that wait, durably.

        Raises:
            OSError: no permission, no space; nothing is counted as kept then.
        """
        if not self.path.parent.is_dir():  # the lock would make it, and nobody would look there
            raise FileNotFoundError(f"{self.path.parent}: no such folder: the ledger's folder must exist")
        content = b"".join(line.model_dump_json().encode() + b"\n" for line in lines)
        with self._lock:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(handle, "rb+", buffering=0) as file:
                end = file.seek(0, os.SEEK_END)
                if end and os.pread(file.fileno(), 1, end - 1) != b"\n":
                    content = b"\n" + content  # whoever wrote last was killed in the middle of a line
                _write_all(file.fileno(), content)
                os.fsync(file.fileno())

    def waiting(self) -> list[Path]:
        """Files with lines to import: the spool, and those whose importer did not finish."""
        claimed = self.path.parent.glob(self.path.name + CLAIMED + "*")
        return [*sorted(claimed), *([self.path] if self.path.exists() else [])]

    def import_waiting(self, door: Door, actor: str) -> SpoolImported:
        """Import everything that waits; a file is removed once its lines are in the ledger.

        What could not be imported is kept beside it, in a file that ends in `.rejected.jsonl`.
        """
        whole = SpoolImported()
        for path in self.waiting():
            if path == self.path:
                path = self._claim()
            if path is None:
                continue
            try:
                done = import_spool(path, door, actor, rejected=self.path.with_name(self.path.name + REJECTED))
            except FileNotFoundError:
                continue  # another process imported it at the same time
            path.unlink(missing_ok=True)
            whole.responses += done.responses
            whole.feedback += done.feedback
            whole.rejects += done.rejects
            whole.conflicts += done.conflicts
        return whole

    def _claim(self) -> Path | None:
        """Take the spool away from those who append to it."""
        claimed = self.path.with_name(self.path.name + CLAIMED + uuid4().hex)
        with self._lock:
            try:
                self.path.rename(claimed)
            except FileNotFoundError:
                return None
        return claimed


def is_spool(path: Path) -> bool:
    """Whether a file is a spool, by its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(len(HEAD)) == HEAD
    except OSError:
        return False


def import_spool(path: Path, door: Door, actor: str, rejected: Path | None = None) -> SpoolImported:
    """Import the lines of one file, in transactions of `AT_ONCE`; the file stays.

    Args:
        rejected: the file to which lines that cannot be imported are appended.
    """
    done = SpoolImported()
    with path.open("rb") as file:
        lines = enumerate(iter(lambda: file.readline(LINE_BYTES + 1), b""), start=1)
        while chunk := list(islice(lines, AT_ONCE)):
            _import(list(_parsed(chunk, done, rejected)), door, actor, done)
    for conflict in done.conflicts:
        _log.warning("%s: feedback left out: %s", path, conflict)
    return done


def store_lines(lines: list[Line], door: Door, actor: str) -> SpoolImported:
    """Responses first, then the feedback on them; what a line stated before changes nothing."""
    done = SpoolImported()
    _import(lines, door, actor, done)
    return done


def _import(lines: list[Line], door: Door, actor: str, done: SpoolImported) -> None:
    records = [line.record for line in lines if isinstance(line, ResponseLine)]
    events = [line.event for line in lines if isinstance(line, FeedbackLine)]
    if records:
        stored = door.execute(StoreResponses(actor=actor, responses=records))
        done.conflicts += stored.conflicts  # type: ignore[attr-defined]
        done.responses += len(records)
    if events:
        heard = door.execute(AddFeedbacks(actor=actor, events=events))
        done.conflicts += heard.conflicts  # type: ignore[attr-defined]
        done.feedback += len(events)


def _parsed(chunk: list[tuple[int, bytes]], done: SpoolImported, rejected: Path | None) -> Iterator[Line]:
    bad = []
    for place, line in chunk:
        if not line.strip():
            continue
        try:
            if len(line) > LINE_BYTES:
                raise ValueError(f"the line is longer than {LINE_BYTES:,} bytes")
            yield _LINE.validate_json(line)
        except ValueError as error:
            reason = first_problem(error) if isinstance(error, ValidationError) else str(error)
            shown = line[:SHOWN_BYTES].decode("utf-8", "replace").rstrip("\n")
            done.rejects.append(Reject(line=place, reason=reason, value=shown))
            bad.append(line if line.endswith(b"\n") else line + b"\n")
            _log.warning("a waiting line %d cannot be imported: %s", place, reason)
    if bad and rejected:
        with rejected.open("ab") as file:
            file.writelines(bad)


def _write_all(handle: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(handle, view) :]


def import_behind(ledger: Door, path: Path, actor: str) -> None:
    """Import what waits for an opened ledger in a thread of its own; whatever goes wrong is logged, and it waits on."""
    spool = Spool(path)

    def work() -> None:
        try:
            spool.import_waiting(ledger, actor)
        except Exception:
            _log.exception("%s could not be imported", spool.path)

    if spool.waiting():
        threading.Thread(target=work, name="spool import", daemon=True).start()
