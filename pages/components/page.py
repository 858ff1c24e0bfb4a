"""What do all pages have in common? A title, the line that says what is looked at, and the ways out of it."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from pages.components import data, filters, first_steps, links, looking_back, neighbours, show, states
from quality.commands import Filters
from quality.errors import NotFound

Answer = TypeVar("Answer")


def title(text: str, caption: str) -> None:
    st.title(text, anchor=False)
    st.caption(caption)


def read(ask: Callable[..., Answer], *about: Any) -> Answer:
    """What a page waits for; a shape stands in its place where that takes long, below what is drawn already."""
    with states.loading():
        return ask(*about)


def has_rows(totals: dict[str, Any]) -> bool:
    """Whether there is something to show; if not, says why. If filters are set, says how much they leave."""
    links.tell(filters.not_here())
    everything = totals["runs"] if not filters.active() else data.totals(Filters())["runs"]
    if not everything and looking_back.moment():
        states.nothing_known()
        return False
    if not everything:
        first_steps.what_next()
        return False
    if filters.active():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(
                f"{show.count(totals['runs'])} of {show.count(everything)} runs fit the filters",
                icon=":material/filter_alt:",
                color="gray",
            )
            st.button("Clear filters", on_click=filters.clear, type="tertiary", key="clear_above")
    if not totals["runs"]:
        states.nothing_fits()
    return bool(totals["runs"])


def found(ask: Callable[[str], dict[str, Any]], named: str, what: str = "run") -> dict[str, Any] | None:
    """The open run, or what else a link names; None, and the reason on screen, where this ledger has none such."""
    try:
        return read(ask, named)
    except NotFound as error:
        states.problem(f"This {what} is not in the open ledger.", str(error))
        return None


def link(name: str, label: str, icon: str, **query: str) -> None:
    """A way to another page of ours; `label` is markdown, so never other people's text."""
    st.page_link(f"{name}.py", label=label, icon=icon, query_params=query or None)


def back_to_runs() -> None:
    st.button("All runs", on_click=neighbours.back_to_list, icon=":material/arrow_back:", type="tertiary", key="back")
