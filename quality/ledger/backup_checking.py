"""May a backup replace the ledger? It is copied, read whole and brought to our schema before anybody decides.

The copy lies beside the ledger, so that one rename can put it in its place. What the ledger would lose are the writes of
its audit that the backup does not have.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from quality.activity_words import forgets
from quality.backup_commands import Manifest
from quality.errors import LedgerUnusable, NotFound, QualityError
from quality.ledger.activity import told
from quality.ledger.backups import (
    SUFFIX,
    contents,
    copy_whole,
    folder_of,
    is_same,
    is_sample,
    manifest_of,
    read_back,
    sha256_of,
    unwritten,
)
from quality.ledger.migrations import bring_up_to_date
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store

COPY = ".restoring-"
"""What the name of a copy has behind the ledger's name."""
BESIDE = ("", ".wal", ".lock", ".owner")
LOST_SHOWN = 20
"""Lost writes that are named, the latest first."""
WAIT_SECONDS = 10.0
_looked_at: set[Path] = set()
"""Copies that this process is at work with."""
NEVER_MIX = "the sample ledger and your own never mix"


def check_backup(store: Store, path: str) -> dict[str, Any]:
    """What is in a backup, what the ledger has now, and the difference: `lost`, `lost_kinds`, `lost_writes`, `returned`.

    Raises:
        QualityError: it cannot be restored; says why.
    """
    with prepared(store.path, Path(path), is_sample(store)) as (copy, schema):
        return {
            "name": Path(path).name, "path": path, "schema_before": schema, "backup": contents(copy),
            "ledger": contents(store), **compared(store, copy),
        }  # fmt: skip


@contextmanager
def prepared(ledger: Path, backup: Path, into_sample: bool) -> Iterator[tuple[Store, int]]:
    """A checked copy beside the ledger, opened and of our schema, and the schema that the backup has.

    Whoever takes the copy away closes it first; whatever is left is removed.

    Raises:
        NotFound: no such file.
        QualityError: not a ledger, damaged, of a newer version, or of the other kind; nothing was changed.
    """
    _refuse(ledger, backup, into_sample)
    copy = ledger.with_name(f"{ledger.name}{COPY}{uuid4().hex}")
    _looked_at.add(copy)
    try:
        try:
            copy_whole(backup, copy)
            if (wal := backup.with_name(backup.name + ".wal")).exists():
                copy_whole(wal, copy.with_name(copy.name + ".wal"))
        except OSError as error:
            raise unwritten(copy, error) from error
        schema = _read_whole(copy, backup)
        store = Store(copy, WAIT_SECONDS, "a restore")
        try:
            if is_sample(store):
                raise QualityError(f"{backup}: a backup of the sample ledger, and {NEVER_MIX}: name one of your own")
            bring_up_to_date(store, keep_copies=False)
            yield store, schema
        finally:
            store.close()
    except LedgerUnusable as error:
        raise LedgerUnusable(str(error).replace(str(copy), str(backup))) from error
    finally:
        _remove(copy)
        _looked_at.discard(copy)


def compared(here: Store, there: Store) -> dict[str, Any]:
    """Which writes only `here` has, and how many only `there`.

    `lost` = their number, `lost_kinds` = kind → number, `lost_writes` = the latest of them, `forgotten` = those that took
    words out for good, which `there` still has; `returned` = the writes that only `there` has.
    """
    sql = load_sql("backups")
    with here.snapshot() as reading, reading.seeing(there=there.table(sql["writes"])):
        kinds = reading.rows(sql["only_here"])
        latest = reading.rows(sql["latest_only_here"], {"limit": LOST_SHOWN})
        returned = reading.value(sql["only_there"])
    return {
        "lost": sum(kind["n"] for kind in kinds),
        "lost_kinds": {kind["name"]: kind["n"] for kind in kinds},
        "forgotten": sum(kind["n"] for kind in kinds if forgets(kind["name"])),
        "lost_writes": [told(row, {}) for row in latest],
        "returned": returned,
    }


def sweep(ledger: Path) -> None:
    """Remove what a restore that was killed has left: its copy, and a second name of the ledger among the backups.

    Only whoever holds the ledger may.
    """
    for path in ledger.parent.glob(f"{ledger.name}{COPY}*"):
        if not any(path.name.startswith(copy.name) for copy in _looked_at):
            path.unlink(missing_ok=True)
    for path in folder_of(ledger).glob(f"*{SUFFIX}"):
        if is_same(path, ledger):
            path.unlink()


def _refuse(ledger: Path, backup: Path, into_sample: bool) -> None:
    if into_sample:
        raise QualityError(f"{ledger.name} is the sample ledger, and {NEVER_MIX}: start your own ledger first")
    if not backup.is_absolute():
        raise QualityError(f"restore {backup}: give the whole path, from / on")
    if not backup.exists():
        raise NotFound(f"{backup}: no such file: name a backup")
    if not backup.is_file():
        raise QualityError(f"{backup}: not a file: name a backup")
    if is_same(backup, ledger):
        raise QualityError(f"{backup}: the ledger itself: name a backup of it")


def _read_whole(copy: Path, backup: Path) -> int:
    manifest: Manifest | None = manifest_of(backup)
    if manifest and sha256_of(copy) != manifest.sha256:
        raise LedgerUnusable(
            f"{backup}: not as it was written, see its SHA-256 in {backup.name}.json: name another backup"
        )
    return read_back(copy)["schema_version"]


def _remove(copy: Path) -> None:
    for ending in BESIDE:
        copy.with_name(copy.name + ending).unlink(missing_ok=True)
