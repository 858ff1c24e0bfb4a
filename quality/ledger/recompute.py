"""How does a ledger row follow its observations? One path for a touched run and for all of them.

`touched` names the runs; they are resolved in chunks by SQL, scored by the core and written back.
"""

from collections.abc import Iterator
from datetime import datetime

import pyarrow as pa

from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import FOREVER, Transaction
from quality.scoring import score_runs
from quality.settings import ScoringSettings

CHUNK_RUNS = 250_000
"""Runs in memory at a time."""


def recompute_touched(tx: Transaction, settings: ScoringSettings) -> int:
    """Bring the rows of the runs in `touched` up to date; returns how many. The caller filled `touched`."""
    return _write(tx, settings, load_sql("recompute")["merge_scored"])


def rebuild_all(tx: Transaction, settings: ScoringSettings) -> int:
    """Derive the whole ledger anew with these settings; returns the number of runs."""
    sql = load_sql("recompute")
    tx.execute(sql["touch_all"])
    tx.execute(sql["clear_ledger"])
    return _write(tx, settings, sql["insert_scored"])


def touch_runs(tx: Transaction, run_ids: list[str]) -> None:
    """Start `touched` anew with these runs."""
    sql = load_sql("recompute")
    tx.execute(sql["touch_none"])
    for run_id in run_ids:
        tx.execute(sql["touch_one"], {"run_id": run_id})


def derive(tx: Transaction, settings: ScoringSettings, as_of: datetime = FOREVER) -> Iterator[pa.Table]:
    """The ledger rows of the runs in `touched` as known at `as_of`, a chunk at a time."""
    sql = load_sql("recompute")
    tx.execute(sql["line_up"])
    total = tx.value(sql["count_lined_up"])
    for low in range(0, total, CHUNK_RUNS):
        tx.execute(sql["take_chunk"], {"low": low, "high": low + CHUNK_RUNS})
        yield score_runs(tx.table(sql["resolve"], {"as_of": as_of}), settings)


def _write(tx: Transaction, settings: ScoringSettings, statement: str) -> int:
    written = 0
    for scored in derive(tx, settings):
        with tx.seeing(scored=scored):
            tx.execute(statement)
        written += scored.num_rows
    return written
