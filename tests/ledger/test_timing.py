"""Does whoever listens hear of each question, and by the name of the function that asked it?"""

from quality.ledger.ledger import Ledger
from quality.ledger.timing import listening


def count_runs_twice(ledger: Ledger) -> None:
    with ledger.store.snapshot() as tx:
        tx.rows("SELECT count(*) FROM ledger")
        tx.table("SELECT 1 UNION ALL SELECT 2")


def test_questions_that_see_one_state_are_one_entry_with_all_their_rows(tmp_path):
    """A snapshot's two questions, of one row and of two, are heard once, under the asker's name."""
    with Ledger(tmp_path / "ledger.duckdb") as ledger, listening() as heard:
        count_runs_twice(ledger)
    assert [(asked.by, asked.rows) for asked in heard] == [("test_timing.count_runs_twice", 3)]
    assert heard[0].seconds > 0


def test_nothing_is_noted_where_nobody_listens(tmp_path):
    """After the block the same questions add nothing."""
    with Ledger(tmp_path / "ledger.duckdb") as ledger:
        with listening() as heard:
            pass
        count_runs_twice(ledger)
    assert heard == []
