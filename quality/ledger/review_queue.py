"""Which runs were drawn for whom, and what became of each draw? Drawing, passing over, giving back, and what a rating answers.

Draws are made from the runs as the statistics of trust read them, outside of the write; inside it only runs that are still
free are stored. Events are appended, and the state of a draw is derived from them and from the ratings (design/018).
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isnan
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel

from quality.command_base import Command
from quality.errors import Conflict, NotFound
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import FOREVER, Store, Transaction
from quality.observations import COORDINATE
from quality.queue_commands import (
    DrawCounts,
    DrawForReview,
    DrawsGivenBack,
    DrawSkipped,
    GiveBackDraws,
    QueuedRun,
    ReviewDrawn,
    ShowReviewQueue,
    ShowReviewTotals,
    SkipDraw,
)
from quality.settings import Settings

if TYPE_CHECKING:
    from quality.ledger.trust import Lifted

RESERVED_FOR = timedelta(minutes=30)
"""How long a drawn run waits for its reviewer since they last did something."""
RENEWED_UNDER = timedelta(minutes=20)
"""A reservation that lasts longer than this is not renewed, so that not every rating writes a row a draw."""
QUEUE = "queue"
"""`review_reason` of a rating that answers a draw."""
SEED_BITS = 32
DRAWN = pa.schema([
    ("place", pa.int64()), ("run_id", pa.string()), ("probability", pa.float64()), ("pool", pa.int64()),
    ("model_probability", pa.float64()), ("model_pool", pa.int64()), ("why", pa.string()),
])  # fmt: skip


class Taken(Exception):
    """A run that was drawn is not free any more: draw anew."""


@dataclass(frozen=True)
class Chosen:
    """Runs drawn for a command, none of them reserved yet."""

    seed: int
    rows: pa.Table
    """As `DRAWN`, in the order of the draws."""


def choose(store: Store, lifted: "Lifted", command: DrawForReview) -> Chosen:
    """Draw as many runs as the command lacks."""
    from quality.trust.queue import draw, use_of_rating, why

    with store.snapshot() as snapshot:
        at = _present(snapshot.now)
        missing = command.count - _count(snapshot, at, command.reviewer).left
        barred = snapshot.table(_sql("not_for"), at | {"reviewer": command.reviewer})["run_id"]
    seed = secrets.randbits(SEED_BITS)
    runs, rows = lifted.evidence.runs, []
    if missing > 0 and runs.model.size:
        use = lifted.once("use of a rating", lambda: use_of_rating(runs, lifted.scores, lifted.errors))
        eligible = ~_flags(pc.is_in(lifted.run_ids, barred.combine_chunks().cast(pa.string())))
        fitting = lifted.fitting({part: getattr(command, part) for part in COORDINATE})
        if fitting is not None:
            eligible &= fitting
        if command.model:
            eligible &= lifted.of_models(command.model)
        for place, one in enumerate(draw(runs, use, missing, seed, eligible)):
            model = int(runs.model[one.row])
            scored = not bool(lifted.scores.needed[model])
            both = not (isnan(runs.verifier[one.row]) or isnan(runs.auto[one.row]))
            words = why(lifted.models[model], use, one.row, scored, one.probability, one.pool, both)
            rows.append((place, lifted.run_ids[one.row].as_py(), one.probability, one.pool, one.model_probability,
                         one.model_pool, words))  # fmt: skip
    return Chosen(seed, pa.Table.from_pylist([dict(zip(DRAWN.names, row, strict=True)) for row in rows], DRAWN))


def draw_for_review(tx: Transaction, command: DrawForReview, settings: Settings, chosen: Chosen) -> ReviewDrawn:
    """Reserve what was drawn; a reviewer who has drawn in another window meanwhile gets only what is missing now.

    Raises:
        Taken: one of the runs is not free any more.
    """
    at = _present(tx.now)
    renew(tx, command.reviewer, command.actor)
    before = _count(tx, at, command.reviewer).left
    rows = chosen.rows.slice(0, max(command.count - before, 0))
    if rows.num_rows:
        with tx.seeing(drawn=rows):
            if tx.row(_sql("gone"), at | {"reviewer": command.reviewer}):
                raise Taken
            given = command.model_dump(include={"reviewer", "blind", "actor"})
            until = {"seed": chosen.seed, "expires_at": tx.now + RESERVED_FOR, "recorded_at": tx.now}
            tx.execute(_sql("add"), given | until)
    pool = rows["pool"][0].as_py() if rows.num_rows else None
    return ReviewDrawn(drawn=rows.num_rows, open=before + rows.num_rows, pool=pool)


def skip_draw(tx: Transaction, command: SkipDraw, settings: Settings) -> DrawSkipped:
    """Pass over a drawn run.

    Raises:
        NotFound: no such draw of this reviewer.
        Conflict: it is not open any more.
    """
    at = _present(tx.now)
    found = tx.row(_sql("one"), at | {"draw_id": command.draw_id})
    if not found or found["reviewer"] != command.reviewer:
        raise NotFound(f"{command.draw_id}: no such draw of {command.reviewer}: take one that show_review_queue lists")
    if found["state"] != "open":
        raise Conflict(f"{command.draw_id}: is {found['state'].replace('_', ' ')} already: nothing was changed")
    _end(tx, at, command, "skipped", command.draw_id)
    renew(tx, command.reviewer, command.actor)
    left = _count(tx, at, command.reviewer).left
    return DrawSkipped(draw_id=command.draw_id, run_id=found["run_id"], left=left)


def give_back_draws(tx: Transaction, command: GiveBackDraws, settings: Settings) -> DrawsGivenBack:
    """End all that is open."""
    at, skipped = _present(tx.now), 0
    before = _count(tx, at, command.reviewer).left
    if command.looked_at:
        _end(tx, at, command, "skipped", command.looked_at)
        skipped = before - _count(tx, at, command.reviewer).left
    _end(tx, at, command, "given_back", None)
    return DrawsGivenBack(given_back=before - skipped, skipped=skipped)


def chance_drawn(tx: Transaction, run_id: str, reviewer: str, actor: str) -> float | None:
    """The chance with which a run was drawn that its reviewer rates now; `None` where it was not drawn for them.

    A draw that has expired or was passed over is not answered any more: who comes back to it later has picked it. What
    else is reserved for the reviewer stays so.
    """
    of = {"run_id": run_id, "reviewer": reviewer}
    if not tx.row(_sql("was_drawn"), of):
        return None
    renew(tx, reviewer, actor)
    return tx.value(_sql("chance_of"), of | _present(tx.now))


def renew(tx: Transaction, reviewer: str, actor: str) -> None:
    """The reviewer has done something: what is reserved for them is theirs for a while from now on."""
    until = {"expires_at": tx.now + RESERVED_FOR, "soon": tx.now + RENEWED_UNDER, "recorded_at": tx.now}
    tx.execute(_sql("renew"), _present(tx.now) | until | {"reviewer": reviewer, "actor": actor})


def renew_for_draft(tx: Transaction, run_id: str, reviewer: str, actor: str) -> None:
    """The reviewer writes about a run; if it was drawn for them, that is doing something."""
    if tx.row(_sql("was_drawn"), {"run_id": run_id, "reviewer": reviewer}):
        renew(tx, reviewer, actor)


def show_review_queue(store: Store, question: ShowReviewQueue) -> dict[str, Any]:
    """`queue`, the open draws in order; `round`, what became of the present round; `all`, of all draws of the reviewer."""
    mine = {"reviewer": question.reviewer}
    with store.snapshot() as snapshot:
        at = _present(snapshot.now)
        found = [QueuedRun(**row).model_dump() for row in snapshot.rows(_sql("open"), at | mine)]
        since = snapshot.value(_sql("round"), at | mine)
        counted = _count(snapshot, at, question.reviewer)
        latest = _count(snapshot, at, question.reviewer, since) if since else counted
    return {"queue": found, "round": latest.model_dump(), "all": counted.model_dump()}


def show_review_totals(store: Store, question: ShowReviewTotals) -> dict[str, Any]:
    """`DrawCounts` of everybody, and `skipped_share`: of the draws that are over, those that nobody answered.

    What was given back unseen is not among them: nobody knew what it was, so that leaves the lot as it is.
    """
    from quality.trust.queue import skipped_share

    with store.snapshot() as snapshot:
        at = _present(snapshot.now) if question.as_of is None else {"now": question.as_of, "known": question.as_of}
        counted = _count(snapshot, at, None)
    unanswered = counted.skipped + counted.expired
    return counted.model_dump() | {"skipped_share": skipped_share(counted.rated + unanswered, unanswered)}


def _present(now: datetime) -> dict[str, Any]:
    """What is known now, and the instant that reservations are measured by."""
    return {"now": now, "known": FOREVER}


def _count(reading: Transaction, at: dict[str, Any], reviewer: str | None, since: datetime | None = None) -> DrawCounts:
    return DrawCounts(**(reading.row(_sql("counts"), at | {"reviewer": reviewer, "since": since}) or {}))


def _end(
    tx: Transaction, at: dict[str, Any], command: SkipDraw | GiveBackDraws, kind: str, draw_id: str | None
) -> None:
    ended = {
        "kind": kind,
        "draw_id": draw_id,
        "reviewer": command.reviewer,
        "recorded_at": tx.now,
        "actor": command.actor,
    }
    tx.execute(_sql("end"), at | ended)


def _flags(found: Any) -> Any:
    return found.to_numpy(zero_copy_only=False).astype(bool)


def _sql(name: str) -> str:
    sql = load_sql("review_queue")
    return sql[name].replace("/* not_for */", sql["not_for"]).replace("/* states */", sql["states"])


WRITERS: dict[type[Command], tuple[Callable[..., BaseModel], type[BaseModel]]] = {
    DrawForReview: (draw_for_review, ReviewDrawn),
    SkipDraw: (skip_draw, DrawSkipped),
    GiveBackDraws: (give_back_draws, DrawsGivenBack),
}
