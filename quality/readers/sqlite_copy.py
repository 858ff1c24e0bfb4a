"""How is a database read that another program may be writing? As a private copy, with what is in its log.

Nothing is ever written beside the original: opening it in place would make or change `-wal` and `-shm` files.
"""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from quality.readers.base import COMPANION_SUFFIXES

MAGIC = b"SQLite format 3\0"
TRIES = 5
PAUSE = 0.1
"""Seconds between them."""
MOST_STEPS = 50_000_000
"""Instructions of the database engine for one statement; a file that asks for more is not read."""
_STEPS = 100_000


class Unreadable(Exception):
    """Why the database cannot be read, in one sentence."""


@contextmanager
def opened_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy as of one moment.

    Raises:
        Unreadable: the file changed at every attempt, or SQLite does not open it.
    """
    with tempfile.TemporaryDirectory(prefix="quality-") as folder:
        copy = Path(folder) / "copy.db"
        for attempt in range(TRIES):
            if _copied(path, copy):
                break
            time.sleep(PAUSE * (attempt + 1))
        else:
            raise Unreadable("another program kept writing to it while it was copied: try again when that has finished")
        connection = sqlite3.connect(copy)
        try:
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
            steps = iter(range(MOST_STEPS // _STEPS))
            connection.set_progress_handler(lambda: next(steps, None) is None, _STEPS)
            yield connection
        finally:
            connection.close()


def _copied(path: Path, copy: Path) -> bool:
    """Copy the log first, then the database; whether nothing changed meanwhile."""
    parts = [path.with_name(path.name + suffix) for suffix in COMPANION_SUFFIXES] + [path]
    before = [_state(part) for part in parts]
    for part, state in zip(parts, before):
        target = copy if part == path else copy.with_name(copy.name + part.name.removeprefix(path.name))
        target.unlink(missing_ok=True)
        if state is not None:
            try:
                shutil.copyfile(part, target)
            except FileNotFoundError:
                return False
    return before == [_state(part) for part in parts]


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_mtime_ns, found.st_size
