"""Somebody else has rated the run meanwhile, or another window has another draft: what stands there, side by side?

The reviewer decides; nothing is overwritten before that, and what they wrote is kept all along.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.components import drafting, show, states, viewer
from quality.draft_commands import RatedSince, RatingDraft

MEANWHILE = "Rated since you opened it"
UNSIGNED = "somebody unnamed"


def decide(run_id: str, since: list[RatedSince], store: Callable[[str], Any], blind: bool) -> None:
    """The newer ratings beside what the reviewer writes, and the three ways on.

    Args:
        since: the latest first, at least one.
        store: stores what is written, knowing of a rating; called in a callback.
        blind: others' scores and notes are not told.
    """
    latest = since[0].override_id
    with st.container(border=True, gap="small"):
        st.badge(MEANWHILE, icon=":material/group:", color="orange")
        theirs, mine = st.columns(2, gap="small")
        with theirs:
            for rating in since:
                _card(show.isolated(rating.reviewer or UNSIGNED), rating, rating.given_at, blind)
        with mine:
            held = drafting.held_of(run_id)
            _card("You, not stored yet", drafting.given(run_id), held and held.kept_at)
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Store mine on top", key=f"on_top-{run_id}", on_click=store, args=(latest,),
                disabled=drafting.given(run_id).rating is None, help="Both stay in the history; the latest one counts.",
            )  # fmt: skip
            st.button(
                "Keep theirs, discard mine", key=f"theirs-{run_id}", on_click=drafting.discard, args=(run_id,),
                type="tertiary",
            )  # fmt: skip
            st.button(
                "Go on writing", key=f"go_on-{run_id}", on_click=drafting.has_seen, args=(run_id, latest),
                type="tertiary", help="You have seen it; store yours when it is done.",
            )  # fmt: skip


def choose(run_id: str, other: RatingDraft) -> None:
    """The draft of another window beside the one in this, and which of them counts."""
    with st.container(border=True, gap="small"):
        st.badge("Another draft of yours", icon=":material/difference:", color="orange")
        there, here = st.columns(2, gap="small")
        with there:
            _card("Kept in another window", other, other.recorded_at)
        with here:
            _card("Here", drafting.given(run_id), None)
        with st.container(horizontal=True, gap="small"):
            st.button("Take the other one", key=f"other-{run_id}", on_click=drafting.choose, args=(run_id, True))
            st.button("Keep this one", key=f"this-{run_id}", on_click=drafting.choose, args=(run_id, False))


def _card(whose: str, said: Any, at: Any, blind: bool = False) -> None:
    """Rating, rework and note of one side, as text."""
    with st.container(border=True, gap="xsmall", height="stretch"):
        st.text(f"{show.SHAPES['human']} {whose}")
        if at:
            st.caption(show.instant(at, viewer.zone()))
        if blind:
            st.caption("Hidden: you rate blind.")
            return
        rating = states.NONE_YET if said.rating is None else show.number(said.rating)
        st.text(rating if said.rework is None else f"{rating}  ·  rework {show.flag(said.rework)}")
        if said.note:
            with st.container(height=show.room(said.note), border=False):
                st.text(said.note)
