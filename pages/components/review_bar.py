"""What can be done with ticked runs? They are put on the review list, or taken off it; one alone can be opened."""

from typing import Any

import streamlit as st
from pydantic import ValidationError

from pages.components import filters, process, selection, show, states, stories_data, viewer
from quality.commands import Command
from quality.definitions import define
from quality.errors import QualityError
from quality.problems import first_problem
from quality.review_commands import LONGEST_WHY, AddToReviewList, RemoveFromReviewList

_ROUND, _WHY, _REFUSED = "ticks_round", "review_why", "review_refused"
_ON = next(iter(filters.LISTED))


def waiting_now() -> None:
    """How many runs wait on the list, and the way to see them."""
    n = stories_data.waiting()
    st.button(
        f"Review list: {show.count(n)}", icon=":material/playlist_add_check:", on_click=_show_list, key="show_list",
        type="tertiary", disabled=not n, help=define("n_waiting").tooltip,
    )  # fmt: skip


def round_of_ticks() -> int:
    """Part of the table's key: another one, and no row is ticked any more."""
    return st.session_state.get(_ROUND, 0)


def of_ticked(run_ids: list[str]) -> None:
    """What was ticked, and what to do with it."""
    _tell_refusal()
    if not run_ids:
        return
    some = f"{show.count(len(run_ids))} {'run' if len(run_ids) == 1 else 'runs'}"
    barred = process.barred(AddToReviewList)
    with st.bottom, st.container(horizontal=True, vertical_alignment="bottom"):  # so that the table does not move
        if len(run_ids) == 1:  # the way in for who cannot click into the table
            st.button(
                "Open it", key="open_ticked", icon=":material/open_in_full:", on_click=selection.open_run,
                args=(run_ids[0],),
            )  # fmt: skip
        if not barred:
            viewer.ask_name()
        st.text_input(
            "Why", key=_WHY, max_chars=LONGEST_WHY, placeholder="For whoever reviews; may stay empty", width=320
        )
        st.button(
            f"**Add {some} to the review list**", key="list_add", icon=":material/playlist_add:",
            on_click=_add, args=(run_ids,), disabled=bool(barred), help=barred,
        )  # fmt: skip
        st.button(
            "Take off the list", key="list_remove", icon=":material/playlist_remove:", on_click=_remove,
            args=(run_ids,), disabled=bool(barred), help=barred,
        )  # fmt: skip
        st.button("Untick all", key="untick", type="tertiary", on_click=_untick)


def of_run(run_id: str) -> None:
    """What the review list says of the open run, and the way on and off it."""
    _tell_refusal()
    entries = stories_data.entries_of(run_id)
    waits = next((entry for entry in entries if entry["waits"]), None)
    barred = process.barred(AddToReviewList)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if waits:
            st.badge("On the review list", icon=":material/playlist_add_check:", color="blue")
            since = show.instant(waits["recorded_at"], viewer.zone())
            st.text(f"by {show.isolated(waits['actor'])} · {since}", width="content")
            st.button(
                "Take off the list", key="run_list_remove", type="tertiary", on_click=_remove, args=([run_id],),
                disabled=bool(barred), help=barred,
            )  # fmt: skip
        else:
            st.button(
                "Add to the review list", key="run_list_add", icon=":material/playlist_add:", type="tertiary",
                on_click=_add, args=([run_id],), disabled=bool(barred), help=barred,
            )  # fmt: skip
    if waits and waits["why"]:
        with st.container(border=True, height=show.room(waits["why"])):
            st.text(waits["why"])


def _tell_refusal() -> None:
    if reason := st.session_state.pop(_REFUSED, None):
        states.problem("Not stored.", reason)


def _show_list() -> None:
    filters.clear()
    st.session_state["list"] = _ON


def _untick() -> None:
    st.session_state[_ROUND] = round_of_ticks() + 1


def _add(run_ids: list[str]) -> None:
    why = (st.session_state.get(_WHY) or "").strip() or None
    if stored := _execute(AddToReviewList, run_ids=run_ids, why=why):
        already = f", {show.count(stored.waiting_already)} waited already" if stored.waiting_already else ""
        states.flash(f"Put on the review list: {show.count(stored.added)}{already}.")
        st.session_state[_WHY] = ""


def _remove(run_ids: list[str]) -> None:
    if stored := _execute(RemoveFromReviewList, run_ids=run_ids):
        states.flash(f"Taken off the review list: {show.count(stored.removed)}.")


def _execute(kind: type[Command], **fields: Any) -> Any:
    """The answer to what the person in front of the page asks; None, and the reason is told, where it is refused."""
    name = viewer.reviewer()
    if not name:
        st.session_state[_REFUSED] = "give your name first"
        return None
    try:
        stored = process.execute(kind(actor=name, **fields))
    except ValidationError as error:
        st.session_state[_REFUSED] = first_problem(error)
    except QualityError as error:
        st.session_state[_REFUSED] = str(error)
    else:
        _untick()
        return stored
    return None
