"""How does a person write? The rating form, undo, and the attestation of a model: each builds one command.

A command carries a key that is fixed a draft, so that a repeated click stores nothing twice; the page says
"Stored" only after the ledger has answered.
"""

from typing import Any
from uuid import uuid4

import streamlit as st
from pydantic import ValidationError

from pages.components import allowed, data, process, show, states, viewer
from quality.catalogue import UNKNOWN
from quality.commands import AddRating, AttestModel, Command, UndoRating
from quality.errors import QualityError
from quality.problems import first_problem
from quality.signals import TOP

STEP = 0.5
NOTE_LENGTH = 20_000
_REWORK = {"no": False, "yes": True}
_MESSAGE = "rating_message"


def form(run: dict[str, Any]) -> None:
    """Rate the run: rating, rework, note, and beside Save the name it is stored under; for a viewer, what it takes."""
    if not allowed.to(AddRating, "Rating a run"):
        return
    # Each in a place of its own: what comes and goes above the form must not remount it, or the rating being typed is lost.
    with st.container():
        _message("rating")
    with st.container():
        viewer.ask_name()
    draft = _draft(run["run_id"])
    with st.form(f"rate-{draft}", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.number_input(
                "Rating, 0–10",
                0.0,
                TOP,
                value=None,
                step=STEP,
                format="%.2f",
                key=f"rating-{draft}",
                placeholder="e.g. 7.5",
                help="Half steps by the buttons, any decimals by typing.",
                width=150,
            )
            st.segmented_control("Rework needed", list(_REWORK), key=f"rework-{draft}", help="No choice = not stated.")
        # No max_chars: the browser would drop a longer paste without a word. `_save` refuses it and keeps the text.
        st.text_area("Note", key=f"note-{draft}", placeholder="What did you see? Plain text.", height=110)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.form_submit_button(
                "**Save rating**",
                icon=":material/save:",
                key=f"save-{draft}",
                on_click=_save,
                args=(run["story_id"], run["run_id"], draft),
                shortcut="mod+enter",
            )
            if name := viewer.reviewer():
                st.text(f"as {name}")
    with st.container(horizontal=True):
        _undo_button(run)
        if viewer.reviewer() and not viewer.logged_in():
            st.button("Change name", on_click=viewer.forget_name, type="tertiary", key="change_name")


def attest(run: dict[str, Any]) -> None:
    """State which model did a run whose model is unknown or split, or correct what was stated."""
    if not (run["split_model"] or run["model_version"] == UNKNOWN or run["attestations"]) or process.barred(
        AttestModel
    ):
        return
    with st.expander("State which model did this run", icon=":material/fact_check:"):
        st.caption(
            "The original stays in the history, with your name. A split model is left out of model scores until then."
        )
        _message("attestation")
        draft = _draft(f"attest-{run['run_id']}")
        known = [model for model in data.facets().get("model_version", []) if model != UNKNOWN]
        st.selectbox(
            "Model",
            known,
            index=None,
            key=f"model-{draft}",
            accept_new_options=True,
            placeholder="Choose, or type an id",
        )
        st.button("Attest model", on_click=_attest, args=(run["story_id"], run["run_id"], draft), key=f"attest-{draft}")


def _save(story_id: str, run_id: str, draft: str) -> None:
    name, given = viewer.reviewer(), st.session_state[f"rating-{draft}"]
    if not name:
        return _say("rating", False, "Not stored: give your name first.")
    if given is None:
        return _say("rating", False, "Not stored: give a rating between 0 and 10.")
    note = st.session_state[f"note-{draft}"] or None
    if note and len(note) > NOTE_LENGTH:
        length, most = show.count(len(note)), show.count(NOTE_LENGTH)
        return _say(
            "rating", False, f"Not stored: the note has {length} characters, at most {most} are kept: shorten it."
        )
    command = {
        "actor": name,
        "reviewer": name,
        "story_id": story_id,
        "run_id": run_id,
        "rating": given,
        "idempotency_key": draft,
        "rework": _REWORK.get(st.session_state[f"rework-{draft}"] or ""),
        "note": note,
    }
    return _execute(AddRating, command, f"Stored: {show.number(given)}.", run_id)


def _undo(story_id: str, run_id: str) -> None:
    name, draft = viewer.reviewer(), _draft(f"undo-{run_id}")
    command = {"actor": name, "reviewer": name, "story_id": story_id, "run_id": run_id, "idempotency_key": draft}
    _execute(UndoRating, command, "Withdrawn: your last rating of this run. It stays in the history.", f"undo-{run_id}")


def _attest(story_id: str, run_id: str, draft: str) -> None:
    name, model = viewer.reviewer(), (st.session_state[f"model-{draft}"] or "").strip()
    if not name or not model:
        return _say("attestation", False, "Not stored: give your name above, and a model.")
    command = {"actor": name, "story_id": story_id, "run_id": run_id, "model": model, "idempotency_key": draft}
    return _execute(AttestModel, command, "Stored: the model of this run.", f"attest-{run_id}")


def _execute(kind: type[Command], fields: dict[str, Any], success: str, draft_of: str) -> None:
    place = "attestation" if kind is AttestModel else "rating"
    refused = "Nothing was withdrawn." if kind is UndoRating else "Not stored."
    try:
        process.execute(kind(**fields))
    except QualityError as error:
        _say(place, False, refused, str(error))
    except ValidationError as error:
        _say(place, False, refused, first_problem(error, list(kind.model_fields)))
    else:
        st.session_state.pop(_draft_key(draft_of))
        _say("rating", True, success)


def _undo_button(run: dict[str, Any]) -> None:
    name = viewer.reviewer()
    mine = [rating for rating in run["overrides"] if rating["reviewer"] == name and rating["withdrawn_at"] is None]
    if name and mine:
        st.button(
            "Undo my last rating",
            on_click=_undo,
            args=(run["story_id"], run["run_id"]),
            icon=":material/undo:",
            key="undo",
            help="Withdraws it; the rating before it counts again. Both stay in the history.",
        )


def _draft(of: str) -> str:
    """The key of what is being written about a run; a new one after it is stored."""
    return st.session_state.setdefault(_draft_key(of), uuid4().hex)


def _draft_key(of: str) -> str:
    return f"draft:{of}"


def _say(place: str, stored: bool, what: str, reason: str = "") -> None:
    st.session_state[_MESSAGE] = (place, stored, what, reason)


def _message(place: str) -> None:
    """What became of the last click, once, where it was clicked."""
    if st.session_state.get(_MESSAGE, ("",))[0] != place:
        return
    _, stored, what, reason = st.session_state.pop(_MESSAGE)
    if stored:
        st.success(what, icon=":material/check_circle:")
    elif reason:
        states.problem(what, reason)
    else:
        st.error(what, icon=":material/error:")
