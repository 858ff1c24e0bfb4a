"""What has a reviewer begun to say about a run, and has somebody else rated it meanwhile? (design/015)"""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from quality.command_base import Command
from quality.draft_commands import (
    NONE_YET,
    DraftDropped,
    DraftKept,
    DropRatingDraft,
    KeepRatingDraft,
    ListRatingDrafts,
    RatedSince,
    RatingDraft,
    ShowRatingDraft,
)
from quality.errors import Conflict, NotFound
from quality.ledger.queries import MAX_ROWS
from quality.ledger.review_queue import renew_for_draft
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.settings import Settings

MOST_SINCE = 20
"""Newer ratings that a refusal tells, the latest."""


def keep_rating_draft(tx: Transaction, command: KeepRatingDraft, settings: Settings) -> DraftKept:
    """Put the draft in the place of the one before it.

    Raises:
        NotFound: there is no such run.
        Conflict: it continues another draft than the one that is kept, `details["draft"]`; null where that was stored or
            dropped, which a late draft must not bring back.
    """
    of = {"run_id": command.run_id, "reviewer": command.reviewer}
    if not tx.row(_sql("run_exists"), {"run_id": command.run_id}):
        raise NotFound(f"{command.run_id}: no such run: the draft was not kept, take the id from `score list --json`")
    kept = _draft_of(tx, of)
    if kept and kept.revision == command.idempotency_key:
        return DraftKept(revision=kept.revision, recorded_at=kept.recorded_at)
    _refuse_another(command, kept)
    tx.execute(_sql("drop"), of)
    given = command.model_dump(include={"rating", "rework", "note", "seen", "actor"})
    tx.execute(_sql("add"), of | given | {"revision": command.idempotency_key, "now": tx.now})
    renew_for_draft(tx, command.run_id, command.reviewer, command.actor)
    return DraftKept(revision=command.idempotency_key, recorded_at=tx.now)


def drop_rating_draft(tx: Transaction, command: DropRatingDraft, settings: Settings) -> DraftDropped:
    """Throw the draft away."""
    return DraftDropped(dropped=end_draft(tx, command.run_id, command.reviewer))


def end_draft(tx: Transaction, run_id: str, reviewer: str) -> bool:
    """The draft is over, because its rating is stored or given up; whether there was one."""
    of = {"run_id": run_id, "reviewer": reviewer}
    if _draft_of(tx, of) is None:
        return False
    tx.execute(_sql("drop"), of)
    return True


def refuse_unseen(tx: Transaction, run_id: str, seen: str) -> None:
    """Refuse to store a rating over one that its reviewer does not know of.

    Raises:
        Conflict: there are ratings newer than the one that was seen: `details["since"]`, the latest first.
    """
    newer = ratings_since(tx, run_id, seen)
    if newer:
        who = newer[0].reviewer or "an unnamed reviewer"
        raise Conflict(
            f"not stored: {who} rated this run {newer[0].rating:g} since you looked: send the rating again with seen = "
            f"{newer[0].override_id} to store it all the same",
            details={"seen": seen, "since": [rating.model_dump(mode="json") for rating in newer]},
        )


def ratings_since(reading: Store | Transaction, run_id: str, seen: str) -> list[RatedSince]:
    """The standing ratings of the run that are newer than the one that was seen, the latest first, at most `MOST_SINCE`."""
    asked = {"run_id": run_id, "seen": seen, "limit": MOST_SINCE}
    return [RatedSince(**row) for row in reading.rows(_sql("rated_since"), asked)]


def show_rating_draft(store: Store, question: ShowRatingDraft) -> dict[str, Any]:
    """`draft`: the reviewer's own, or None."""
    draft = _draft_of(store, {"run_id": question.run_id, "reviewer": question.reviewer})
    return {"draft": draft and draft.model_dump()}


def list_rating_drafts(store: Store, question: ListRatingDrafts) -> dict[str, Any]:
    """`drafts`, the latest first, each with its run, and `total`."""
    mine = {"reviewer": question.reviewer}
    drafts = store.rows(_sql("drafts"), mine | {"limit": min(question.limit, MAX_ROWS)})
    return {"total": store.rows(_sql("count_drafts"), mine)[0]["n"], "drafts": drafts}


def _refuse_another(command: KeepRatingDraft, kept: RatingDraft | None) -> None:
    if command.over is None or command.over == (kept.revision if kept else NONE_YET):
        return
    what = f"another draft was kept at {kept.recorded_at:%H:%M} UTC" if kept else "it was stored or dropped meanwhile"
    raise Conflict(
        f"not kept: {what}: look at what stands there, or leave `over` out to keep this one all the same",
        details={"draft": kept and kept.model_dump(mode="json")},
    )


def _draft_of(reading: Store | Transaction, of: dict[str, str]) -> RatingDraft | None:
    rows = reading.rows(_sql("draft_of"), of)
    return RatingDraft(**rows[0]) if rows else None


def _sql(name: str) -> str:
    return load_sql("drafts")[name]


WRITERS: dict[type[Command], tuple[Callable[[Transaction, Any, Settings], BaseModel], type[BaseModel]]] = {
    KeepRatingDraft: (keep_rating_draft, DraftKept),
    DropRatingDraft: (drop_rating_draft, DraftDropped),
}
