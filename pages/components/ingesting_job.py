"""How are files stored without holding up the page? In a thread that goes on when the page is left, and is found again.

A job belongs to the bag of dropped files. A new session of the same person takes up the bag of one that is under way, or
that has ended and was not looked at.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pages.components import process, viewer
from pages.components.hosting import HOME
from quality.commands import ImportArtifact, Imported
from quality.errors import QualityError
from quality.ledger import advancing
from quality.ledger.ledger import Ledger

LEDGER_FAULT = 500
"""From this status on an error is about the ledger, not about one file."""
CLOSING = "the dashboard was closed meanwhile: what is not stored is still to be stored"
ANOTHER = "another ledger was opened meanwhile: the rest was not stored, into neither of them"
_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Task:
    """One file on its way, and what takes its answer or why there is none."""

    name: str
    path: Path
    command: ImportArtifact
    answered: Callable[[Imported], None]
    refused: Callable[[str], None]

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0


@dataclass(eq=False)
class Storing:
    """Files that are stored one after the other, and how far that is. Read by pages while a thread writes it."""

    tasks: list[Task]
    by: str | None
    """Whose it is; `None` = of nobody who could find it again."""
    keeps: Any = None
    """Lives at least as long as the job: the bag, whose folder holds the files."""
    done: int = 0
    """Files that are through."""
    records: int = 0
    """Of the file in hand, as far as it is read."""
    began: float = field(default_factory=time.monotonic)
    """When the file in hand was begun."""
    fault: str = ""
    """Why it ended before the last file."""
    seen: bool = False
    """Whether somebody has looked at what came of it."""
    stopping: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._sizes = [max(task.size, 1) for task in self.tasks]

    @property
    def is_running(self) -> bool:
        return not self.finished.is_set()

    @property
    def share(self) -> float:
        """Of the bytes, those of the files that are through, 0–1."""
        return sum(self._sizes[: self.done]) / sum(self._sizes)

    @property
    def left(self) -> int:
        """Files that it did not get to."""
        return len(self.tasks) - self.done

    @property
    def seconds(self) -> float:
        """That the file in hand has taken so far."""
        return time.monotonic() - self.began

    def run(self, write: process.Writer, is_current: Callable[[], bool]) -> None:
        """Store them; uses no Streamlit."""
        try:
            with advancing.heard_by(self._heard):
                for task in self.tasks:
                    if self.stopping.is_set():
                        break
                    if not is_current():
                        self.fault = ANOTHER
                        break
                    self._store(task, write)
                    self.done += 1
                    self.records, self.began = 0, time.monotonic()
        except QualityError as error:
            self.fault = CLOSING if self.stopping.is_set() else str(error)
        except Exception as error:
            if self.stopping.is_set():
                self.fault = CLOSING
            else:
                _log.exception("storing files failed")
                self.fault = f"unexpected fault ({type(error).__name__}): see the server's log"
        finally:
            self.finished.set()

    def _store(self, task: Task, write: process.Writer) -> None:
        try:
            task.answered(write(task.command))
        except QualityError as error:
            if error.status >= LEDGER_FAULT:
                raise
            task.refused(str(error))

    def _heard(self, records: int) -> None:
        self.records = records


_JOBS: list[Storing] = []
"""Those that somebody may still want to look at."""
_changing = threading.Lock()


def start(tasks: list[Task], keeps: Any) -> Storing:
    """Begin to store them as the person in front of the page; returns at once."""
    ledger = process.ledger()
    job = Storing(tasks, _owner(), keeps)
    with _changing:
        _JOBS[:] = [one for one in _JOBS if one.is_running or not one.seen]
        _JOBS.append(job)
    if stop_all not in HOME.on_close:
        HOME.on_close.append(stop_all)
    work = (process.writer(), lambda: _is_current(ledger))
    threading.Thread(target=job.run, args=work, name="store-files", daemon=True).start()
    return job


def to_take_up() -> Storing | None:
    """The latest job of this person that is under way, or that has ended and that nobody has looked at."""
    owner = _owner()
    with _changing:
        mine = [job for job in _JOBS if job.by == owner and owner is not None and (job.is_running or not job.seen)]
    return mine[-1] if mine else None


def forget(job: Storing) -> None:
    """Nobody needs to find it any more."""
    with _changing:
        if job in _JOBS:
            _JOBS.remove(job)


def stop_all() -> None:
    """End every job after the file in hand: the process lets go of the ledger."""
    with _changing:
        for job in _JOBS:
            job.stopping.set()


def _owner() -> str | None:
    """Who could come back for it: whoever is logged in, or whoever sits at this machine; of guests nobody is known."""
    if viewer.logged_in():
        return process.who().name
    return None if viewer.is_open() else ""


def _is_current(ledger: Ledger) -> bool:
    return HOME.state.ledger is ledger
