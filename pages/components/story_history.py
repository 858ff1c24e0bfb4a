"""What did people correct of a story? Who, when, why, before and after; and the way to take back what still counts."""

from typing import Any

import streamlit as st

from pages.components import correcting_stories, process, show, states, story_change, viewer
from quality.story_commands import StoryCorrection, UndoStoryEdit
from quality.story_words import happened

MOST_SHOWN = 20


def of(found: dict[str, Any]) -> None:
    """The latest first; an edit that counts has its Undo beside it."""
    st.subheader("What was corrected", anchor=False)
    if not found["corrections"]:
        states.none_yet("corrections", "What is known of it is what the files say.")
        return
    barred = process.barred(UndoStoryEdit, doing="Taking a correction back")
    for row in found["corrections"][:MOST_SHOWN]:
        _one(StoryCorrection(**row), barred)
    if len(found["corrections"]) > MOST_SHOWN:
        st.caption(f"The latest {show.count(MOST_SHOWN)}; `story history` lists all.")


def _one(correction: StoryCorrection, barred: str | None) -> None:
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(_capital(happened(correction)))
            if correction.stands:
                st.badge("Counts", icon=":material/check:", color="green")
            if correction.kind == "edit" and correction.stands:
                st.button(
                    "Undo", icon=":material/undo:", key=f"undo-{correction.id}", type="tertiary",
                    on_click=story_change.carry_out,
                    args=(UndoStoryEdit, {"story_id": correction.story_id, "edit_id": correction.id}, "Taken back."),
                    disabled=bool(barred) or not viewer.reviewer(),
                    help=barred or "What is known without it counts again. Both stay in the history.",
                )  # fmt: skip
        st.text(
            f"{show.instant(correction.recorded_at, viewer.zone())} by {show.isolated(correction.actor or show.UNKNOWN)}"
        )
        if correction.reason:
            st.text(correction.reason)
        correcting_stories.before_and_after(correction.changes)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
