"""How do words leave the bytes of the file? All that is still there is written into a new one, which takes the old one's name.

DuckDB marks a changed value's old place as free and leaves its bytes as they are. Killed at any moment, the file of the
ledger's name is either one, whole; that it is still to be done stands in it, and the next start does it.
"""

from contextlib import suppress
from pathlib import Path

import pyarrow as pa

from quality.errors import LedgerUnusable, QualityError
from quality.ledger.backup_checking import BESIDE
from quality.ledger.backup_restoring import swap
from quality.ledger.migrations import bring_up_to_date
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store

AFRESH = ".afresh"
"""What the name of the new file has behind the ledger's, until it takes that."""
WAIT_SECONDS = 10.0


def is_pending(store: Store) -> bool:
    """Whether the file holds bytes of what was forgotten."""
    return store.rows(load_sql("redactions")["pending"])[0]["pending"]


def write_afresh(store: Store) -> None:
    """Write the file afresh, where that is to be done; readers go on, writers wait.

    Raises:
        LedgerUnusable: no room, no permission; the ledger is as it was, and it is tried again when it is next opened.
    """
    if not is_pending(store):
        return
    fresh = store.path.with_name(store.path.name + AFRESH)
    _remove(fresh)
    try:
        with store.alone():
            _copy(store, fresh)
            store.exchange(lambda: swap(fresh, store.path, None))
    finally:
        _remove(fresh)


def finish(store: Store) -> None:
    """Do now what a process that was killed has left to be done; where it cannot be done, it stays to be done."""
    with suppress(QualityError):
        write_afresh(store)


def _copy(store: Store, fresh: Path) -> None:
    """Table by table, so that only what is still there travels."""
    sql = load_sql("redactions")
    target = Store(fresh, WAIT_SECONDS, "writing a ledger afresh")
    try:
        bring_up_to_date(target, keep_copies=False)
        for found in store.rows(sql["columns"]):
            with store.snapshot() as reading, target.transaction() as tx:
                tx.execute(_of("empty", found["table"]))
                for part in reading.batches(_of("rows", found["table"])):
                    with tx.seeing(part=pa.Table.from_batches([part])):
                        tx.execute(_of("fill", found["table"]))
            here, there = store.rows(_of("count", found["table"])), target.rows(_of("count", found["table"]))
            if here != there:
                raise LedgerUnusable(f"{store.path}: {found['table']} could not be written afresh: try again")
        with target.transaction() as tx:
            tx.execute(sql["done"])
        target.checkpoint()
    finally:
        target.close()


def _remove(fresh: Path) -> None:
    for ending in BESIDE:
        fresh.with_name(fresh.name + ending).unlink(missing_ok=True)


def _of(step: str, table: str) -> str:
    return load_sql("redactions")[step].replace("/* table */", table)
