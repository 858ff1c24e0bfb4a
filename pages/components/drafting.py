"""What is a reviewer writing about a run? With every change that is committed it is kept in the ledger, as their draft.

The ledger's draft is what counts: a page that is opened anew, another browser or another process begins with it. Only what
the browser sends by itself after a lost connection comes before it, because it is newer.

A browser sends all its fields with each event, also those that the server has changed since and it has not heard of. So a
field that a key or a stored rating changed becomes another one (`key`): what is sent of the old one says nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import streamlit as st
from pydantic import ValidationError

from pages.components import process, viewer
from quality.command_base import new_key
from quality.draft_commands import (
    NONE_YET,
    DropRatingDraft,
    KeepRatingDraft,
    ListRatingDrafts,
    RatedSince,
    RatingDraft,
    ShowRatingDraft,
)
from quality.errors import Conflict, QualityError
from quality.ledger.drafts import ratings_since
from quality.problems import first_problem

RATING, REWORK, NOTE = "rating", "rework", "note"
_REWORK = {"no": False, "yes": True}
REWORK_CHOICES = tuple(_REWORK)


@dataclass(frozen=True)
class Fields:
    """What was given of a rating so far."""

    rating: float | None = None
    rework: bool | None = None
    note: str | None = None

    @property
    def empty(self) -> bool:
        return self == Fields()


@dataclass
class Held:
    """What this window knows of the reviewer's draft for a run."""

    reviewer: str
    seen: str
    """The run's latest rating that the reviewer knows of."""
    given: Fields = Fields()
    """What they gave so far."""
    begun: str = NONE_YET
    """The run's latest rating when this window began to write, or what it stored last."""
    pressed: int = 0
    """The last key that changed the rating."""
    revision: str = NONE_YET
    """Of the draft that is kept."""
    kept_at: datetime | None = None
    key: str = field(default_factory=new_key)
    """The rating is sent under it: the same click arriving twice stores once."""
    other: RatingDraft | None = None
    """What another window of the reviewer kept meanwhile; they decide which one counts."""
    fault: str | None = None
    """Why the last change was not kept."""
    thrown: Fields | None = None
    """What was discarded last, to be brought back."""


def key(name: str, run_id: str) -> str:
    """Of a field's widget: the same in every session, so that a browser which comes back can say what it holds."""
    held = held_of(run_id) or Held("", NONE_YET)
    turn = f"{held.begun}-{held.pressed}" if name == RATING else held.begun
    return f"{name}-{run_id}-{turn}"


def settle(run: dict[str, Any]) -> Fields | None:
    """Bring ledger and fields together, before the fields are drawn.

    Returns:
        What they begin with, where they are drawn anew; None where they are there already.
    """
    run_id, name = run["run_id"], viewer.reviewer()
    stored, held = _mine(run_id, name), held_of(run_id)
    if held is None or key(NOTE, run_id) not in st.session_state:
        _hold(run, stored)
        return held_of(run_id).given  # type: ignore[union-attr]
    now = take(run_id)
    if held.reviewer != name:
        _meet(run, stored, now)
    elif name and held.other is None and held.fault is None and held.revision != _revision(stored):
        _hold(run, stored)  # another window of theirs went on
        put(run_id, _of(stored))
    elif now.empty and held.revision == NONE_YET:
        held.seen = latest_of(run)
    return None


def go_on_from(run_id: str, pressed: int) -> None:
    """A browser that comes back tells the last key that it pressed for the run: its field of that time is the one shown."""
    if held := held_of(run_id):
        held.pressed = max(held.pressed, pressed)


def recover(run_id: str, began: Fields) -> None:
    """Keep what a browser held that came back to a new session, after the fields are drawn."""
    if take(run_id) != began:
        keep(run_id)


def held_of(run_id: str) -> Held | None:
    return st.session_state.get(f"draft:{run_id}")


def given(run_id: str) -> Fields:
    """What was given so far."""
    held = held_of(run_id)
    return held.given if held else Fields()


def take(run_id: str) -> Fields:
    """What was given so far, the fields as the browser sent them last."""
    if held := held_of(run_id):
        state, now = st.session_state, held.given
        sent: dict[str, Any] = {"rating": now.rating, "rework": rework_word(now.rework), "note": now.note}
        sent |= {name: state[key(name, run_id)] for name in (RATING, REWORK, NOTE) if key(name, run_id) in state}
        held.given = Fields(sent["rating"], _REWORK.get(sent["rework"] or ""), sent["note"] or None)
    return given(run_id)


def put(run_id: str, fields: Fields) -> None:
    """Fill the fields, in a callback or before they are drawn."""
    if held := held_of(run_id):
        held.given = fields
        st.session_state[key(RATING, run_id)] = fields.rating
        st.session_state[key(REWORK, run_id)] = rework_word(fields.rework)
        st.session_state[key(NOTE, run_id)] = fields.note or ""


def press(run_id: str, number: int, change: Callable[[float | None], float]) -> None:
    """Change the rating by a key, the number of which grows, and keep the draft. In a callback."""
    if held := held_of(run_id):
        rating = change(take(run_id).rating)
        held.given, held.pressed = replace(held.given, rating=rating), number
        keep(run_id)


def rework_word(rework: bool | None) -> str | None:
    """As the choice is called."""
    return None if rework is None else REWORK_CHOICES[rework]


def keep(run_id: str) -> None:
    """Keep what stands in the fields; nothing at all ends the draft. In a callback."""
    held, name, now = held_of(run_id), viewer.reviewer(), take(run_id)
    if held is None or not name or held.reviewer != name or held.other:
        return
    try:
        _keep(run_id, held, now)
    except Conflict as conflict:
        held.other = RatingDraft.model_validate((conflict.details or {})["draft"])
    except QualityError as error:
        held.fault = str(error)
    except ValidationError as error:
        held.fault = first_problem(error)


def discard(run_id: str) -> None:
    """Throw it away; until something else is given it can be brought back. In a callback."""
    if held := held_of(run_id):
        thrown = take(run_id)
        put(run_id, Fields())
        keep(run_id)
        held.thrown = thrown


def bring_back(run_id: str) -> None:
    """Take the discarding back. In a callback."""
    if (held := held_of(run_id)) and held.thrown:
        put(run_id, held.thrown)
        keep(run_id)


def choose(run_id: str, other: bool) -> None:
    """Of two windows' drafts, the other one counts, or this one. In a callback."""
    held = held_of(run_id)
    if held is None or held.other is None:
        return
    held.revision, held.kept_at, held.seen = held.other.revision, held.other.recorded_at, held.other.seen or held.seen
    if other:
        put(run_id, _fields(held.other))
    held.other = None
    if not other:
        keep(run_id)


def has_seen(run_id: str, override_id: str) -> None:
    """The reviewer knows of this rating now, and goes on. In a callback."""
    if held := held_of(run_id):
        held.seen = override_id
        keep(run_id)


def stored(run_id: str, override_id: str) -> None:
    """The rating is stored and its draft with it ended: the fields are empty for the next one. In a callback."""
    st.session_state[f"draft:{run_id}"] = Held(viewer.reviewer(), override_id, begun=override_id)


def newer(run_id: str) -> list[RatedSince]:
    """Ratings that somebody gave since the reviewer looked, the latest first; nothing given yet, there is nothing to decide."""
    held = held_of(run_id)
    if held is None or given(run_id).empty:
        return []
    return ratings_since(process.ledger().store, run_id, held.seen)


def mine() -> dict[str, Any]:
    """The reviewer's drafts, the latest first, each with its run, and their `total`; who may not rate has none."""
    name = viewer.reviewer()
    if not name or process.barred(ListRatingDrafts):
        return {"total": 0, "drafts": []}
    return process.ask(ListRatingDrafts(reviewer=name))


def standing(run: dict[str, Any], reviewer: str | None = None) -> list[dict[str, Any]]:
    """The run's ratings that were not taken back, everybody's or one reviewer's, the first that was stored first."""
    found = [
        rating for rating in reversed(run["overrides"])
        if rating["withdrawn_at"] is None and reviewer in (None, rating["reviewer"])
    ]  # fmt: skip
    return sorted(found, key=lambda rating: rating["recorded_at"])


def latest_of(run: dict[str, Any]) -> str:
    """The run's latest standing rating."""
    found = standing(run)
    return found[-1]["override_id"] if found else NONE_YET


def _keep(run_id: str, held: Held, now: Fields) -> None:
    who = {"actor": held.reviewer, "reviewer": held.reviewer, "run_id": run_id}
    held.fault = held.thrown = None
    if now.empty:
        process.execute(DropRatingDraft(**who))
        held.revision, held.kept_at = NONE_YET, None
        return
    said = {"rating": now.rating, "rework": now.rework, "note": now.note, "seen": held.seen}
    try:
        kept = process.execute(KeepRatingDraft(**who, **said, over=held.revision))
    except Conflict as conflict:
        if conflict.details is None or conflict.details["draft"]:
            raise
        kept = process.execute(KeepRatingDraft(**who, **said, over=NONE_YET))  # ended elsewhere, and they write on here
    held.revision, held.kept_at = kept.revision, kept.recorded_at


def _meet(run: dict[str, Any], stored: RatingDraft | None, now: Fields) -> None:
    """Who writes has just said their name: what they wrote before, and what the ledger kept of them, come together."""
    run_id = run["run_id"]
    _hold(run, stored, now)
    if stored is None:
        keep(run_id)
    elif now.empty:
        put(run_id, _fields(stored))
    elif now != _fields(stored) and (held := held_of(run_id)):
        held.other = stored


def _hold(run: dict[str, Any], stored: RatingDraft | None, now: Fields | None = None) -> None:
    """Begin with what the ledger kept, or go on with what is given now."""
    run_id, name = run["run_id"], viewer.reviewer()
    held = Held(name, (stored and stored.seen) or latest_of(run), now or _of(stored))
    before = held_of(run_id)
    held.begun, held.pressed = (before.begun, before.pressed) if before else (latest_of(run), 0)
    if stored:
        held.revision, held.kept_at = stored.revision, stored.recorded_at
    st.session_state[f"draft:{run_id}"] = held


def _mine(run_id: str, name: str) -> RatingDraft | None:
    found = process.ask(ShowRatingDraft(run_id=run_id, reviewer=name))["draft"] if name else None
    return RatingDraft.model_validate(found) if found else None


def _revision(stored: RatingDraft | None) -> str:
    return stored.revision if stored else NONE_YET


def _of(stored: RatingDraft | None) -> Fields:
    return _fields(stored) if stored else Fields()


def _fields(draft: RatingDraft) -> Fields:
    return Fields(draft.rating, draft.rework, draft.note)
