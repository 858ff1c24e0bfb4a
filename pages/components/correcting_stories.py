"""What is known of a story, and is it right? A view of its own in Stories: what a person can correct, before and after.

An id that was merged opens the story that stands for it.
"""

import hashlib
import json
from typing import Any

import streamlit as st

from pages.components import allowed, data, process, selection, show, story_change, viewer
from quality.definitions import define
from quality.observations import COORDINATE
from quality.story_commands import STORY_FIELDS, EditStory, FieldChange
from quality.story_words import FIELDS, changed, value_of

SUPPOSED = "What is different then"
_ROOM = 130
"""Pixels of the field for done criteria."""


def link(story_id: str) -> None:
    """The way from a run to its story's corrections."""
    barred = process.barred(EditStory)
    st.button(
        "What was corrected of this story" if barred else "Correct this story", icon=":material/edit:", key="correct",
        type="tertiary", on_click=selection.correct, args=(story_id,),
        help="Title, kind of work, estimate, criteria; merge, split, history.",
    )  # fmt: skip


def back(has_run: bool) -> None:
    st.button(
        "Back to the run" if has_run else "All runs", on_click=selection.correct, args=(None,), icon=":material/arrow_back:",
        type="tertiary", key="correct_back",
    )  # fmt: skip


def heading(named: str, found: dict[str, Any]) -> None:
    """Which story it is, and by which other ids it goes."""
    story = data.story(found["story_id"])
    st.title("Correct a story", anchor=False)
    story_change.note()
    with st.container(border=True, gap="xsmall"):
        if story["title"]:
            st.text(story["title"])
        st.text(found["story_id"])
        if found["merged"]:
            st.text(f"With it, since they are one story: {', '.join(map(show.isolated, found['merged']))}")
        if named != found["story_id"]:
            st.caption(":material/info: The id that was asked for was merged into this story.")
    viewer.ask_name()


def form(story_id: str) -> None:
    """The fields as they are known; what is changed shows before and after, with what it does, and can be saved.

    Who may not correct reads what is known.
    """
    story = data.story(story_id)
    st.subheader("What is known of it", anchor=False)
    st.caption("What you say counts before what any file says, now and later, until it is taken back.")
    if not allowed.to(EditStory, "Correcting a story"):
        _known(story)
        return
    changes = [FieldChange(field=name, before=story[name], after=value) for name, value in _asked(story).items()]
    why = st.text_input(
        "Why it is corrected", key=_key(story, "why"), placeholder="For whoever asks later; may stay empty"
    )
    news = {one.field: one.after for one in changes}
    if changes:
        st.markdown(f"**{SUPPOSED}**")
        before_and_after(changes)
        story_change.numbers(EditStory, {"story_id": story_id, **news})
    command = {"story_id": story_id, "reason": why.strip() or None, **news}
    st.button(
        "**Save correction**", icon=":material/save:", key="save_correction", on_click=story_change.carry_out,
        args=(EditStory, command, "Stored."), disabled=not story_change.ready(changes),
    )  # fmt: skip
    if not changes:
        st.caption("Change a field first. One that you empty stays as it is known.")


def before_and_after(changes: list[FieldChange]) -> None:
    """Each field that changed, as text."""
    for what, before, after in map(changed, changes):
        then, now = (show.isolated(text) if text else show.UNKNOWN for text in (before, after))
        with st.container(border=True, gap="xsmall", height=show.room(before + after)):
            st.caption(what.capitalize())
            st.text(f"{then}  →  {now}")


def _known(story: dict[str, Any]) -> None:
    with st.container(border=True, gap="xsmall", height=show.room(story["done_criteria"] or "")):
        for name in STORY_FIELDS:
            st.caption(FIELDS[name].capitalize())
            st.text(value_of(story[name]) or show.UNKNOWN)


def _asked(story: dict[str, Any]) -> dict[str, Any]:
    """The fields that say something else than what is known."""
    facets = data.facets()
    typed: dict[str, Any] = {
        "title": st.text_input(define("title").label, story["title"] or "", key=_key(story, "title"))
    }
    with st.grid(4, min_column_width=120, gap="small"):
        for name in COORDINATE:
            known = story[name]
            values = [*([known] if known else []), *(value for value in facets.get(name, []) if value != known)]
            typed[name] = st.selectbox(
                define(name).label, values, index=0 if known else None, key=_key(story, name), accept_new_options=True,
                placeholder="Not stated",
            )  # fmt: skip
    typed["estimated_tokens"] = st.number_input(
        "Estimate, tokens", 1, None, story["estimated_tokens"], 1, key=_key(story, "estimated_tokens"), width=220,
        placeholder="Not stated",
        help="A corrected estimate rescales duration ÷ estimate of its runs, and what that scores.",
    )  # fmt: skip
    typed["done_criteria"] = st.text_area(
        "Done criteria", story["done_criteria"] or "", key=_key(story, "done_criteria"), height=_ROOM
    )
    stated = {name: value.strip() if isinstance(value, str) else value for name, value in typed.items()}
    return {name: stated[name] for name in STORY_FIELDS if stated[name] and typed[name] != (story[name] or "")}


def _key(story: dict[str, Any], name: str) -> str:
    """A field begins anew, with what is known by then, when somebody corrected the story."""
    known = json.dumps([story["story_id"], *(story[field] for field in STORY_FIELDS)])
    return f"correct-{name}-{hashlib.sha256(known.encode()).hexdigest()[:12]}"
