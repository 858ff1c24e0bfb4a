"""Which runs wait for somebody's rating? Entries are appended, and so is their end; what waits is derived."""

from typing import Any

from quality.errors import NotFound
from quality.ledger.filtering import with_waiting
from quality.ledger.queries import MAX_ROWS
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.review_commands import (
    AddToReviewList,
    RemoveFromReviewList,
    ReviewListed,
    ReviewUnlisted,
    ShowReviewList,
    Waiting,
)
from quality.settings import Settings

CHOSEN, REMOVED = "choice", "removed"
"""Why an entry is there, and why one is not any more."""


def add_to_review_list(tx: Transaction, command: AddToReviewList, settings: Settings) -> ReviewListed:
    """Put the runs on the list, all of them or none.

    Raises:
        NotFound: there is no such run.
    """
    asked = {"run_ids": list(command.run_ids)}
    _refuse_unknown(tx, asked)
    before = tx.value(_sql("count_waiting_of"), asked)
    tx.execute(
        _sql("add"), asked | {"reason": CHOSEN, "why": command.why or None, "now": tx.now, "actor": command.actor}
    )
    added = tx.value(_sql("count_waiting_of"), asked) - before
    return ReviewListed(added=added, waiting_already=before, waiting=tx.value(_sql("count_waiting")))


def remove_from_review_list(tx: Transaction, command: RemoveFromReviewList, settings: Settings) -> ReviewUnlisted:
    """Take the runs off the list.

    Raises:
        NotFound: there is no such run.
    """
    asked = {"run_ids": list(command.run_ids)}
    _refuse_unknown(tx, asked)
    removed = tx.value(_sql("count_waiting_of"), asked)
    tx.execute(_sql("remove"), asked | {"reason": REMOVED, "now": tx.now, "actor": command.actor})
    return ReviewUnlisted(removed=removed, waiting=tx.value(_sql("count_waiting")))


def show_review_list(store: Store, question: ShowReviewList) -> dict[str, Any]:
    """The entries that wait, the first first, at most `MAX_ROWS`, and how many runs wait in all."""
    page = {"limit": min(question.limit, MAX_ROWS), "offset": question.offset}
    rows = [Waiting(**row).model_dump() for row in store.rows(_sql("list"), page)]
    return {"waiting": store.rows(_sql("count_waiting"))[0]["n"], "rows": rows}


def entries_of(store: Store, run_id: str) -> list[dict[str, Any]]:
    """A run's entries and removals, the latest first; `waits` where it is one that waits."""
    return store.rows(_sql("of_run"), {"run_id": run_id})


def _refuse_unknown(tx: Transaction, asked: dict[str, Any]) -> None:
    if unknown := tx.row(_sql("unknown"), asked):
        raise NotFound(f"{unknown['run_id']}: no such run: nothing was changed, take the ids from `score list --json`")


def _sql(name: str) -> str:
    return with_waiting(load_sql("review_list")[name])
