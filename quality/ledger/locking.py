"""How do processes take turns at a ledger file? Whoever works with it holds a lock file beside it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from quality.errors import LedgerBusy, LedgerUnusable
from quality.ledger.owner import OwnerFile


def take_lock(path: Path, wait: float, owner: OwnerFile) -> FileLock:
    """The side lock, held until it is released.

    Raises:
        LedgerBusy: another process holds it longer than `wait` seconds; names the holder.
        LedgerUnusable: no permission, no such folder.
    """
    if path.is_dir():
        raise LedgerUnusable(f"{path}: is a folder: name a ledger file in it")
    if not path.parent.is_dir():
        raise LedgerUnusable(f"{path}: its folder does not exist: create it, or name another ledger")
    if path.exists() and not os.access(path, os.W_OK):
        raise LedgerUnusable(f"{path}: not writable: change its permissions, or copy it elsewhere")
    lock = FileLock(path.with_name(path.name + ".lock"), timeout=wait, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise LedgerBusy(f"{path}: in use by {owner.describe()}: try again when it has finished, or stop it") from error
    except OSError as error:
        raise LedgerUnusable(
            f"{path}: cannot be locked ({error.strerror}): check the folder's permissions and space"
        ) from error
    return lock


@contextmanager
def holding(path: Path, wait: float, purpose: str) -> Iterator[Path]:
    """Hold a ledger without opening it, so that its file may be exchanged; gives the whole path.

    Raises:
        LedgerBusy: another process holds it longer than `wait` seconds.
    """
    path = path.resolve()
    owner = OwnerFile(path)
    lock = take_lock(path, wait, owner)
    try:
        owner.announce(purpose)
        yield path
    finally:
        owner.forget()
        lock.release()
