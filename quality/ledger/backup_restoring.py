"""How does a backup become the ledger? A checked copy takes the ledger's name in one rename, while everybody waits.

Killed at any moment, the file of that name is either the old ledger, whole, or the restored one. What is replaced lies
among the backups before the rename, so that it can be restored in turn.
"""

import os
import shutil
import threading
from pathlib import Path

from quality.backup_commands import Restore, Restored
from quality.errors import Conflict
from quality.ledger import backup_checking
from quality.ledger.auditing import record
from quality.ledger.backups import contents, described, folder_of, is_sample, keep_manifest, new_name, sync, unwritten
from quality.ledger.locking import holding
from quality.ledger.migrations import SCHEMA_VERSION
from quality.ledger.store import Store

REPLACED, UNUSABLE = "-replaced", "-unusable"
"""What the name of a kept file ends in."""
_one_at_a_time = threading.Lock()


def restore(store: Store, command: Restore) -> Restored:
    """Replace the ledger by a backup, and write in the restored one that this was done.

    Raises:
        Conflict: more writes would be lost than `most_lost`.
        QualityError: the backup cannot be restored; the ledger is as it was.
    """
    backup_checking.sweep(store.path)
    prepared = backup_checking.prepared(store.path, Path(command.path), is_sample(store))
    with _one_at_a_time, prepared as (copy, schema), store.alone():
        found = backup_checking.compared(store, copy)
        if command.most_lost is not None and found["lost"] > command.most_lost:
            raise Conflict(
                f"{found['lost'] - command.most_lost:,} writes more were made since the backup was looked at: look again"
            )
        before = contents(store)
        kept = _kept_name(store.path, REPLACED) if before["writes"] else None
        answer = _record(copy, command, schema, kept, found["lost"], found["returned"])
        copy.checkpoint()
        copy.close()
        store.exchange(lambda: swap(copy.path, store.path, kept))
    if kept:
        keep_manifest(kept, described(kept, store.path, before, command.actor, replaced=True))
    return answer


def restore_unopened(ledger: Path, command: Restore, wait: float) -> Restored:
    """The same where there is no ledger, or one that cannot be opened: that is kept as it lies, and what is lost unknown.

    Raises:
        LedgerBusy: a process holds it all the same.
        QualityError: the backup cannot be restored; nothing was changed.
    """
    with holding(ledger, wait, "restore") as path:
        backup_checking.sweep(path)
        with backup_checking.prepared(path, Path(command.path), into_sample=False) as (copy, schema):
            kept = _kept_name(path, UNUSABLE) if path.exists() else None
            answer = _record(copy, command, schema, kept, None if kept else 0, 0)
            copy.checkpoint()
            copy.close()
            _put_aside(path.with_name(path.name + ".wal"), kept)
            swap(copy.path, path, kept)
    return answer


def _put_aside(wal: Path, kept: Path | None) -> None:
    """What stands beside a file that cannot be opened belongs to no other."""
    if not wal.exists():
        return
    if kept:
        wal.replace(kept.with_name(kept.name + ".wal"))
    else:
        wal.unlink()


def _record(copy: Store, command: Restore, schema: int, kept: Path | None, lost: int | None, returned: int) -> Restored:
    """The answer, with its row in the audit of the copy."""
    with copy.transaction() as tx:
        found = contents(tx)
        answer = Restored(
            name=Path(command.path).name, path=command.path, kept=str(kept) if kept else None, lost=lost, returned=returned,
            schema_before=schema, schema_version=SCHEMA_VERSION, runs=found["runs"], stories=found["stories"],
            writes=found["writes"] + 1,
        )  # fmt: skip
        record(tx, command, answer)
    return answer


def _kept_name(ledger: Path, what: str) -> Path:
    folder_of(ledger).mkdir(mode=0o700, exist_ok=True)
    return new_name(ledger, folder_of(ledger), what)


def swap(copy: Path, ledger: Path, kept: Path | None) -> None:
    """Both files are closed and have nothing beside them. The old one gets a second name, then loses its first."""
    try:
        sync(copy)
        if ledger.exists():
            shutil.copymode(ledger, copy)
        if kept:
            _link(ledger, kept)
            sync(kept.parent)
        os.replace(copy, ledger)
        if kept:
            kept.chmod(0o600)  # until the rename it is the ledger's own mode
        sync(ledger.parent)
    except OSError as error:
        backup_checking.sweep(ledger)
        raise unwritten(ledger, error) from error


def _link(ledger: Path, kept: Path) -> None:
    try:
        os.link(ledger, kept)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        shutil.copyfile(ledger, kept)
        sync(kept)
