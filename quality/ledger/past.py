"""What did a screen say at an earlier instant? The rows of then, kept so that every question can be asked of them.

The rows are those of `as_of.py`. They are derived once an instant and lent to a snapshot under the names that the queries
read, so that nothing else of the ledger is held open.
"""

from contextlib import ExitStack
from datetime import datetime
from typing import Any

import pyarrow as pa

from quality.ledger.as_of import snapshot_as_of
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store
from quality.settings import ScoringSettings


class Past:
    """The scored runs as they were known at an instant; `rows` and `table` answer as those of `Store` do.

    What is asked of it may read `ledger` and `run_facts`.
    """

    def __init__(self, store: Store, instant: datetime, scoring: ScoringSettings) -> None:
        self._store = store
        with snapshot_as_of(store, instant, scoring) as (snapshot, self.scoring):
            sql = load_sql("as_of")
            self._tables = {
                "ledger": snapshot.table(sql["rows_then"]),
                "run_facts": snapshot.table(sql["stated_then"], {"as_of": instant}),
            }

    def rows(self, sql: str, params: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """A query's rows as dictionaries; for few rows."""
        return self.table(sql, params).to_pylist()

    def table(self, sql: str, params: dict[str, Any] | None = None) -> pa.Table:
        """A query's rows as an Arrow table."""
        with ExitStack() as stack:
            snapshot = stack.enter_context(self._store.snapshot())
            stack.enter_context(snapshot.seeing(**self._tables))
            return snapshot.table(sql, params)
