"""What does a person write? Ratings, their withdrawal, and which model did a run. History only grows."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from quality.catalogue import UNKNOWN
from quality.commands import (
    AddRating,
    AttestModel,
    ModelAttested,
    RatingStored,
    RatingWithdrawn,
    RunChoice,
    RunRef,
    UndoRating,
)
from quality.errors import Conflict, NotFound, QualityError
from quality.ledger.drafts import end_draft, refuse_unseen
from quality.ledger.recompute import recompute_human, recompute_run, row_of_run
from quality.ledger.review_queue import QUEUE, chance_drawn
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.ledger.story_identity import ids_of
from quality.ledger.withdrawals import bring_back_run
from quality.settings import Settings

CLOCKS_DIFFER = timedelta(minutes=5)
"""How far ahead the clock of whoever states a time may be."""


def add_rating(tx: Transaction, command: AddRating, settings: Settings) -> RatingStored:
    """Store a rating and bring its run's row up to date. The reviewer's draft of it is over then.

    Where the run was drawn for this reviewer, the rating answers the draw, and carries its chance.

    Raises:
        NotFound: the story, or a run of it that fits, is not known (unless `create`).
        Conflict: somebody rated the run since the reviewer looked (`seen`).
        QualityError: it was given in the future, where it would outlast every later one.
    """
    refuse_future("given_at", command.given_at, tx.now, "the time of the rating")
    row = find_row(tx, command)
    if row and command.seen:
        refuse_unseen(tx, row["run_id"], command.seen)
    run, created = (reference(row), False) if row else (_created(tx, command), True)
    drawn = None if created else chance_drawn(tx, run.run_id, command.reviewer, command.actor)
    rating = {
        "run_id": run.run_id, "rating": command.rating + 0.0, "correct": command.correct, "rework": command.rework,
        "note": command.note, "reviewer": command.reviewer, "review_reason": QUEUE if drawn else command.review_reason,
        "review_probability": drawn or command.review_probability, "given_at": command.given_at, "now": tx.now,
        "actor": command.actor,
    }  # fmt: skip
    override_id = tx.value(load_sql("ratings")["add_rating"], rating)
    end_draft(tx, run.run_id, command.reviewer)
    row = recompute_run(tx, run.run_id, settings.scoring) if row is None else recompute_human(tx, row, settings.scoring)
    return RatingStored(override_id=override_id, run=reference(row), created=created, row=row)


def refuse_future(name: str, stated: datetime | None, now: datetime, wanted: str) -> None:
    """Raises QualityError for a time that has not come yet, clocks that differ a little allowed for."""
    if stated is None:
        return
    at = stated if stated.tzinfo else stated.replace(tzinfo=UTC)
    if at > now + CLOCKS_DIFFER:
        raise QualityError(f"{name} {at.isoformat()}: lies in the future: give {wanted}, or leave it out")


def undo_rating(tx: Transaction, command: UndoRating, settings: Settings) -> RatingWithdrawn:
    """Withdraw the reviewer's latest standing rating of the story; the one before it counts again.

    Raises:
        NotFound: nobody has a standing rating there.
        Conflict: the latest one is another reviewer's and `force` is not set.
    """
    sql = load_sql("ratings")
    scope = {"story_ids": ids_of(tx, command.story_id), "run_id": command.run_id}
    rating = tx.row(sql["latest_standing_rating"], {**scope, "reviewer": command.reviewer})
    if rating is None:
        rating = tx.row(sql["latest_standing_rating"], {**scope, "reviewer": None})
        if rating is None:
            refuse_unknown_story(tx, command.story_id)
            raise NotFound(f"{command.story_id}: has no rating to withdraw")
        if not command.force:
            raise Conflict(
                f"{command.story_id}: {command.reviewer} has no rating to withdraw; the latest is by "
                f"{rating['reviewer'] or 'an unnamed reviewer'}: name that reviewer, or use --force (it is audited)"
            )
    withdrawal = {
        "run_id": rating["run_id"], "withdraws": rating["override_id"], "reviewer": rating["reviewer"],
        "now": tx.now, "actor": command.actor,
    }  # fmt: skip
    tx.execute(sql["withdraw_rating"], withdrawal)
    row = recompute_human(tx, row_of_run(tx, rating["run_id"]), settings.scoring)
    return RatingWithdrawn(
        override_id=rating["override_id"], run=reference(row), reviewer=rating["reviewer"] or "", rating=rating["quality"],
        note=rating["note"], row=row,
    )  # fmt: skip


def attest_model(tx: Transaction, command: AttestModel, settings: Settings) -> ModelAttested:
    """State which model did a run whose model is unknown or split; actor and original are kept.

    A run that was attested before can be corrected, once none of the story's runs is unsettled or it is named.

    Raises:
        NotFound: no such story or run.
        Conflict: the run's model is known and not split.
    """
    sql = load_sql("ratings")
    run = _find(tx, command, unsettled=True) or _find(tx, command, attested=True)
    if run is None:
        known = _find(tx, command)
        if known is None:
            refuse_unknown_story(tx, command.story_id)
            raise NotFound(no_such_run(tx, command))
        raise Conflict(
            f"{command.story_id}: its model is recorded as {known.model_version}: only an unknown or split model can be attested"
        )
    attestation = {
        "run_id": run.run_id, "model": command.model, "original": run.model_version, "now": tx.now, "actor": command.actor,
    }  # fmt: skip
    tx.execute(sql["attest"], attestation)
    row = recompute_run(tx, run.run_id, settings.scoring)
    return ModelAttested(run=reference(row), original=run.model_version, row=row)


def find_row(tx: Transaction, choice: RunChoice) -> dict | None:
    """The ledger row of the run that is meant."""
    if choice.run_id:
        row = row_of_run(tx, choice.run_id) if _is_uuid(choice.run_id) else None
        fits = row and (row["story_id"] == choice.story_id or row["story_id"] == ids_of(tx, choice.story_id)[0])
        return row if fits else None
    run = _find(tx, choice)
    return row_of_run(tx, run.run_id) if run else None


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _created(tx: Transaction, command: AddRating) -> RunRef:
    """A new run, and story where it is not known, if the command allows it."""
    known = tx.row(load_sql("ratings")["story_exists"], {"story_id": command.story_id})
    if not command.create:
        if not known:
            refuse_unknown_story(tx, command.story_id, " Use --create to start it with this rating")
        raise NotFound(f"{no_such_run(tx, command)} Use --create to start a new one")
    if command.run_id:
        raise NotFound(f"{command.story_id}: no run {command.run_id}: leave the run id out to create one")
    stamp = {"story_id": command.story_id, "now": tx.now, "actor": command.actor}
    if not known:
        tx.execute(load_sql("ratings")["add_story"], stamp)
    key = {
        "agent": command.agent or UNKNOWN, "model_version": command.model_version or UNKNOWN,
        "attempt": command.attempt or 1,
    }  # fmt: skip
    run_id = bring_back_run(tx, {"story_id": command.story_id, **key}, command.actor)
    run_id = run_id or tx.value(load_sql("ratings")["add_run"], {**stamp, **key})
    return RunRef(run_id=run_id, story_id=command.story_id, **key)


def _find(tx: Transaction, choice: RunChoice, unsettled: bool = False, attested: bool = False) -> RunRef | None:
    """The run that is meant; only among those whose model is unknown or split, or among those attested before."""
    wanted = choice.model_dump(include=set(RunChoice.model_fields))
    kind = {"unsettled": unsettled, "attested": attested}
    row = tx.row(load_sql("ratings")["find_run"], {**wanted, **kind})
    if row is None and (stands := ids_of(tx, choice.story_id)[0]) != choice.story_id:  # no run has a merged id any more
        row = tx.row(load_sql("ratings")["find_run"], {**wanted, **kind, "story_id": stands})
    return RunRef(**row) if row else None


def refuse_unknown_story(tx: Transaction, story_id: str, remedy: str = "") -> None:
    """Raises NotFound, with the nearest ids, where the ledger knows no such story."""
    sql = load_sql("ratings")
    if tx.row(sql["story_exists"], {"story_id": story_id}):
        return
    near = [row["story_id"] for row in tx.rows(sql["similar_stories"], {"story_id": story_id})]
    hint = f" Did you mean: {', '.join(near)}?" if near else ""
    raise NotFound(f"{story_id}: no such story.{hint}{remedy}")


def no_such_run(tx: Transaction, choice: RunChoice) -> str:
    runs = tx.rows(load_sql("ratings")["runs_of_story"], {"story_id": ids_of(tx, choice.story_id)[0]})
    listed = "; ".join(f"{r['agent']} / {r['model_version']} / attempt {r['attempt']}" for r in runs) or "none"
    return f"{choice.story_id}: no run fits what was asked; its runs are: {listed}."


def reference(row: dict) -> RunRef:
    return RunRef(**{name: row[name] for name in RunRef.model_fields})
