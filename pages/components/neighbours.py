"""What comes before and after the open run? The next and previous of the list it was opened from, also by key.

A run keeps the place it had when it was opened: a rating moves it in the list, and the next one is still the next.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.components import filters, ordering, process, selection, show, stories_data, url
from quality.definitions import define
from quality.ledger.neighbours import Place

NEXT_KEY, PREVIOUS_KEY = "n", "p"
MOST_PLACES = 1_000
_WALK = "walk"


def bar(run: dict[str, Any]) -> None:
    """Where the run stands, and a button each way."""
    here = _place(run["run_id"])
    with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content"):
        if here.fits:
            st.caption(
                f"{show.count(here.position)} of {show.count(here.total)}", width="content",
                help=define("list_position").tooltip,
            )  # fmt: skip
        else:
            st.caption(f"Not among the {show.count(here.total)} that fit the filters", width="content")
        st.button(
            "Previous", key="previous_run", on_click=go_previous, args=(run,), icon=":material/arrow_upward:",
            shortcut=PREVIOUS_KEY, disabled=here.previous is None, help="The run above it in the list.",
        )  # fmt: skip
        st.button(
            "Next", key="next_run", on_click=go_next, args=(run,), icon=":material/arrow_downward:",
            shortcut=NEXT_KEY, disabled=here.next is None, help="The run below it in the list.",
        )  # fmt: skip


def go_next(run: dict[str, Any]) -> bool:
    """Open the run below this one in the list, in a callback; whether there is one."""
    return _go(run["run_id"], forward=True)


def go_previous(run: dict[str, Any]) -> bool:
    """Open the run above this one in the list, in a callback; whether there is one."""
    return _go(run["run_id"], forward=False)


def way_on(run: dict[str, Any]) -> Callable[[], bool] | None:
    """`go_next` from this run; None where it is the last."""
    return partial(go_next, run) if _place(run["run_id"]).next else None


def keys(run: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """The keys that lead from this run to another, as they are told."""
    here = _place(run["run_id"])
    ways = ((NEXT_KEY, "next", here.next), (PREVIOUS_KEY, "previous", here.previous))
    return tuple((key.upper(), what) for key, what, there in ways if there)


def back_to_list() -> None:
    """Close the run; the table shows the page that it stands on."""
    if run_id := selection.current():
        here = _place(run_id)
        rows = process.ledger().settings.limits.page_rows
        page = (here.position - 1) // rows + 1
        if here.fits:
            url.write(filters.PAGE, str(page) if page > 1 else None)
    selection.close_run()
    st.session_state.pop(_WALK, None)


def _go(run_id: str, forward: bool) -> bool:
    here = _place(run_id)
    there = here.next if forward else here.previous
    if there is None:
        return False
    found, places = _place(there), _places()
    if here.fits:
        found = replace(found, position=here.position + (1 if forward else -1), total=here.total, fits=True)
    places[there] = replace(found, previous=run_id) if forward else replace(found, next=run_id)
    selection.open_run(there)
    return True


def _place(run_id: str) -> Place:
    places = _places()
    if run_id not in places:
        if len(places) >= MOST_PLACES:
            places.clear()
        sort, descending = ordering.current()
        places[run_id] = stories_data.place_of(filters.chosen(), run_id, sort, descending)
    return places[run_id]


def _places() -> dict[str, Place]:
    """Run → its place, of this walk through the list: other filters or another order begin a new one."""
    through = (filters.chosen().model_dump_json(), *ordering.current())
    walk = st.session_state.get(_WALK)
    if walk is None or walk[0] != through:
        walk = st.session_state[_WALK] = (through, {})
    return walk[1]
