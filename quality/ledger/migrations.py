"""Is the file's schema ours? Forward-only numbered migrations, with a copy of the file before each."""

import shutil
from datetime import UTC, datetime

from quality.errors import LedgerDamaged, LedgerNewer
from quality.ledger.auditing import record_own
from quality.ledger.sqlfiles import load_sql, statements
from quality.ledger.store import Store, Transaction

SCHEMA_VERSION = 5
"""The schema this version writes. `sql/migrations/NNN.sql` leads from NNN − 1 to NNN, from 2 on."""


def bring_up_to_date(store: Store, keep_copies: bool = True) -> None:
    """Create the schema in a new file, or migrate an older one.

    Args:
        keep_copies: keep a copy of the file before each migration.

    Raises:
        LedgerNewer: the schema is newer than this version knows.
        LedgerDamaged: the file is not a ledger.
    """
    found = _version(store)
    if found is None:
        with store.transaction() as tx:
            for statement in statements("schema/v1"):
                tx.execute(statement)
            for version in range(2, SCHEMA_VERSION + 1):
                _run_all(tx, f"migrations/{version:03}")
            tx.execute(load_sql("meta")["set_version"], {"version": str(SCHEMA_VERSION)})
        found = SCHEMA_VERSION
    if found > SCHEMA_VERSION:
        raise LedgerNewer(
            f"{store.path}: written by a newer version (schema {found}, this one knows {SCHEMA_VERSION}): upgrade Quality Tiers"
        )
    for version in range(found + 1, SCHEMA_VERSION + 1):
        if keep_copies:
            _keep_copy(store, version)
        _migrate(store, version)


def _version(store: Store) -> int | None:
    tables = {row["table_name"] for row in store.rows(load_sql("meta")["tables"])}
    if not tables:
        return None
    if "meta" not in tables or "ledger" not in tables:
        raise LedgerDamaged(f"{store.path}: a DuckDB file, but not a ledger: name another file")
    return int(store.rows(load_sql("meta")["version"])[0]["value"])


def _keep_copy(store: Store, version: int) -> None:
    store.cursor().execute("CHECKPOINT")
    copy = store.path.with_name(f"{store.path.name}.before-{version:03}-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    shutil.copy2(store.path, copy)


def _migrate(store: Store, version: int) -> None:
    with store.transaction() as tx:
        _run_all(tx, f"migrations/{version:03}")
        tx.execute(load_sql("meta")["forget_version"])
        tx.execute(load_sql("meta")["set_version"], {"version": str(version)})
        record_own(tx, "migrate", f"schema {version}", {"from": version - 1, "to": version})


def _run_all(tx: Transaction, path: str) -> None:
    for statement in statements(path):
        tx.execute(statement)
