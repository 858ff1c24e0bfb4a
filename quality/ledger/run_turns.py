"""What did a run's imports say when? In a snapshot, what lies aside stands beside the rest, by the turns known then."""

from datetime import datetime

from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.ledger.withdrawals import OF_RUNS

SOURCE = "run_turns"
TABLES = (*OF_RUNS, "story_facts")
"""Tables whose rows an import brings, and that say what a run is worth or what it is."""


def gather_turns(tx: Transaction, run_id: str) -> bool:
    """Have the turns of the run's imports in `turns_of_run`; whether there are any.

    If there are, the run's tables, which stand alone in the snapshot (`queries/run_history.sql`), hold what lies aside too.
    """
    sql = load_sql(SOURCE)
    tx.execute(sql["no_turns"])
    if not tx.value(load_sql("withdrawals")["any"]):
        return False
    tx.execute(sql["gather_turns"], {"run_id": run_id})
    if not tx.value(sql["any_turns"]):
        return False
    for table in TABLES:
        tx.execute(_of("gather_stories" if table == "story_facts" else "gather", table), {"run_id": run_id})
        tx.execute(_of("all_of_it", table))
    return True


def stand_at(tx: Transaction, instant: datetime) -> None:
    """Have in the run's tables what stood at an instant."""
    tx.execute(load_sql("withdrawals")["withdrawn_then"], {"as_of": instant})
    for table in TABLES:
        tx.execute(_of("stand_then", table))


def _of(step: str, table: str) -> str:
    return load_sql(SOURCE)[step].replace("/* table */", table)
