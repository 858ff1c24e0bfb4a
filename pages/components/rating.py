"""How does a person rate a run? What they give is a draft at once, and "Stored" is said only after the ledger has answered.

Nothing here knows which page it is on: what comes after a save or a skip, and whether the reviewer rates blind, the page
says. Only the form is drawn anew while one writes; the page around it follows when something was stored.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import streamlit as st
from pydantic import ValidationError

from pages.components import (
    allowed,
    data,
    drafting,
    process,
    rating_conflict,
    rating_fields,
    rating_scale,
    show,
    states,
    viewer,
)
from quality.commands import AddRating, Command, UndoRating
from quality.errors import Conflict, NotFound, QualityError
from quality.problems import first_problem

NOTE_LENGTH = 20_000
KEPT = "It is in the ledger, for you alone: on this page later, in another browser, after a lost connection."
SKIP_KEY, UNDO_KEY, SAVE_KEYS = "s", "u", "Ctrl+Enter"
_MESSAGE, _DRAWN, _MOVED = "rating_message", "rating_drawn_with", "rating_moved"
Step = Callable[[], Any]


def form(
    run: dict[str, Any],
    *,
    after_save: Step | None = None,
    skip: Step | None = None,
    blind: bool = False,
    stated: dict[str, Any] | None = None,
    also_keys: tuple[tuple[str, str], ...] = (),
) -> None:
    """Rating, rework and note of a run, with what stands beside them; for a viewer, what it takes.

    Args:
        after_save, skip: what leads on to another run, called in a callback.
        blind: other people's ratings are not told, not even where they came in between.
        stated: further fields of `AddRating`, such as why the run is reviewed.
        also_keys: keys of the page to be told in one line with those of the form, and what they do.
    """
    if not allowed.to(AddRating, "Rating a run"):
        return
    st.session_state.pop(_MOVED, None)
    st.session_state[_DRAWN] = _around()
    _form(run["run_id"], after_save, skip, blind, stated or {}, also_keys)


@st.fragment
def _form(
    run_id: str, after_save: Step | None, skip: Step | None, blind: bool, stated: dict[str, Any],
    also_keys: tuple[tuple[str, str], ...],
) -> None:  # fmt: skip
    if st.session_state.get(_MOVED) or st.session_state[_DRAWN] != _around():
        st.rerun()
    try:
        run = data.run(run_id)
    except NotFound:
        st.rerun()

    def save(seen: str | None = None) -> None:
        _save(run, seen, stated, after_save)

    # Each in a place of its own: what comes and goes above the fields must not remount them.
    with st.container():
        _message()
    with st.container():
        viewer.ask_name()
    began = drafting.settle(run)
    shown = [("0–9", "rate"), ("T", "10"), ("H", "+½"), (SAVE_KEYS, "save"), *also_keys]
    shown += [(SKIP_KEY.upper(), "skip")] * bool(skip) + [(UNDO_KEY.upper(), "undo")]
    leaving = "".join(key.lower() for key, _ in also_keys) + SKIP_KEY * bool(skip)
    rating_scale.draw(
        run_id, drafting.given(run_id).rating, lambda of, n, key: _press(run_id, of, n, key, save), shown, leaving
    )
    if began is not None:
        drafting.go_on_from(run_id, rating_scale.last_of(run_id))
    rating_fields.draw(run_id)
    if began is not None:
        drafting.recover(run_id, began)
    held, since = drafting.held_of(run_id), drafting.newer(run_id)
    with st.container():
        if held and held.other:
            rating_conflict.choose(run_id, held.other)
        elif since:
            rating_conflict.decide(run_id, since, save, blind)
    with st.container(horizontal=True, vertical_alignment="center"):
        if not since:
            st.button("**Save rating**", icon=":material/save:", key=f"save-{run_id}", on_click=save)
        if skip:
            st.button(
                "Skip", key="skip_run", icon=":material/skip_next:", type="tertiary", on_click=_skip, args=(skip,),
                shortcut=SKIP_KEY, help="On to the next one without a rating; what you wrote stays a draft.",
            )  # fmt: skip
        if name := viewer.reviewer():
            st.text(f"as {name}")
    _state(run_id, held)
    with st.container(horizontal=True):
        _of_mine(run)
        if viewer.reviewer() and not viewer.logged_in():
            st.button("Change name", on_click=viewer.forget_name, type="tertiary", key="change_name")


def _state(run_id: str, held: drafting.Held | None) -> None:
    """Whether what stands in the fields is kept: said until it is stored."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if held and held.fault:
            states.problem("Not kept as a draft: it stands on this page only.", held.fault)
        elif drafting.given(run_id).empty:
            if held and held.thrown:
                st.caption("Draft discarded.", width="content")
                st.button(
                    "Bring it back", key=f"bring_back-{run_id}", on_click=drafting.bring_back, args=(run_id,), type="tertiary",
                    icon=":material/undo:",
                )  # fmt: skip
        elif held and held.kept_at:
            st.badge("Unsaved", icon=":material/edit_note:", color="orange")
            st.caption(f"Draft kept at {_when(held.kept_at)}", width="content", help=KEPT)
            st.button(
                "Discard draft", key=f"discard-{run_id}", on_click=drafting.discard, args=(run_id,), type="tertiary",
                icon=":material/delete:",
            )  # fmt: skip
        else:
            st.badge("Unsaved", icon=":material/edit_note:", color="orange")
            st.caption("Give your name, and it is kept as a draft.", width="content")


def _when(at: datetime) -> str:
    """The time; with its day, where that is not today."""
    today, told = (show.instant(one, viewer.zone()) for one in (datetime.now(UTC), at))
    return told.removeprefix(today.split()[0]).strip()


def _of_mine(run: dict[str, Any]) -> None:
    """Take the reviewer's last rating back, or write it anew."""
    name = viewer.reviewer()
    mine = drafting.standing(run, name) if name else []
    if not mine:
        return
    last = mine[-1]
    if drafting.given(run["run_id"]).empty:
        st.button(
            "Edit my last rating", key="edit_rating", icon=":material/edit:", on_click=_edit, args=(run["run_id"], last),
            help="Begins a draft with it; stored, it comes on top, and both stay in the history.",
        )  # fmt: skip
    st.button(
        "Undo my last rating", key="undo", icon=":material/undo:", on_click=_undo, args=(run, last["override_id"]),
        shortcut=UNDO_KEY, help="Withdraws it; the rating before it counts again. Both stay in the history.",
    )  # fmt: skip


def _press(shown: str, run_id: str, number: int, key: str, save: Step) -> None:
    """What a key does that was pressed on the page of a run; one that was left meanwhile is done with."""
    if run_id == shown:
        save() if key == rating_scale.SAVE else rating_fields.press(run_id, number, key)


def _edit(run_id: str, last: dict[str, Any]) -> None:
    drafting.put(run_id, drafting.Fields(last["quality"], last["rework"], last["note"]))
    drafting.keep(run_id)


def _skip(skip: Step) -> None:
    if skip() is False:
        states.flash("This is the last one of the list.", ":material/last_page:")
    st.session_state[_MOVED] = True


def _save(run: dict[str, Any], seen: str | None, stated: dict[str, Any], after_save: Step | None) -> None:
    run_id, name = run["run_id"], viewer.reviewer()
    held, fields = drafting.held_of(run_id), drafting.take(run_id)
    if not name:
        return _say(False, "Not stored: give your name first.")
    if fields.rating is None:
        return _say(False, "Not stored: give a rating between 0 and 10.")
    if fields.note and len(fields.note) > NOTE_LENGTH:
        length, most = show.count(len(fields.note)), show.count(NOTE_LENGTH)
        return _say(False, f"Not stored: the note has {length} characters, at most {most} are kept: shorten it.")
    command = {
        "actor": name, "reviewer": name, "story_id": run["story_id"], "run_id": run_id, "rating": fields.rating,
        "rework": fields.rework, "note": fields.note, **stated,
    }  # fmt: skip
    if held:
        command |= {"idempotency_key": held.key, "seen": seen or held.seen}
    answer = _execute(AddRating, command, "Not stored.")
    if answer is None:
        return None
    drafting.stored(run_id, answer.override_id)
    _say(True, f"Stored: {show.number(fields.rating)}.")
    if after_save:
        after_save()
    st.session_state[_MOVED] = True
    return None


def _undo(run: dict[str, Any], override_id: str) -> None:
    name = viewer.reviewer()
    command = {
        "actor": name, "reviewer": name, "story_id": run["story_id"], "run_id": run["run_id"],
        "idempotency_key": f"undo {override_id}",
    }  # fmt: skip
    if _execute(UndoRating, command, "Nothing was withdrawn."):
        _say(True, "Withdrawn: your last rating of this run. It stays in the history.")


def _execute(kind: type[Command], fields: dict[str, Any], refused: str) -> Any:
    """The answer; None, and the reason is said, where it is refused."""
    try:
        return process.execute(kind(**fields))
    except Conflict as error:
        if error.details:
            _say(False, "Not stored: somebody rated this run since you opened it. You decide, below.")
        else:
            _say(False, refused, str(error))
    except QualityError as error:
        _say(False, refused, str(error))
    except ValidationError as error:
        _say(False, refused, first_problem(error, list(kind.model_fields)))
    return None


def _around() -> tuple[Any, ...]:
    """What the page around the form was drawn with: where that has changed, it is drawn anew."""
    return (*data.of_scores(), viewer.reviewer())


def _say(stored: bool, what: str, reason: str = "") -> None:
    st.session_state[_MESSAGE] = (stored, what, reason)


def _message() -> None:
    """What became of the last click, once."""
    if _MESSAGE not in st.session_state:
        return
    stored, what, reason = st.session_state.pop(_MESSAGE)
    if stored:
        states.done(what)
    else:
        states.problem(what, reason)
