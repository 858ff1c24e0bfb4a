"""What tells on every page that this is the sample, and which ways lead on from it? The mark, the tour, one's own ledger."""

import streamlit as st

from pages.components import filters, process, states, tour
from pages.components.process import HOME
from quality.errors import QualityError

WHAT = "Public benchmarks, not your team's work."
_REFUSED = "start_own_failed"


def banner(screen: str) -> None:
    """On every page of a sample ledger.

    Args:
        screen: title of the page below it.
    """
    with st.container(border=True, key="sample_banner", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("Sample data", icon=":material/science:", color="orange")
            st.caption(WHAT, width="stretch")
            tour.way_back()
            st.button(
                "Start your own ledger",
                on_click=_start_own,
                icon=":material/add:",
                key="start_own",
                help="Creates an empty ledger beside the sample and switches to it. The two never mix.",
                disabled=process.lacking("admin") is not None,
            )
        tour.steps(screen)
    if reason := st.session_state.pop(_REFUSED, None):
        states.problem("Your own ledger was not created.", reason)


def _start_own() -> None:
    try:
        if reason := process.lacking("admin", "Starting your own ledger"):
            raise QualityError(reason)
        HOME.start_own()
        filters.clear()
    except QualityError as error:
        st.session_state[_REFUSED] = str(error)
