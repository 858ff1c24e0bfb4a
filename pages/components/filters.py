"""Which runs are looked at? The filters that all screens share; in the URL, so that a link shows the same view."""

from datetime import date, timedelta
from typing import Any

import streamlit as st

from pages.components import data, selection, url, viewer
from pages.components.show import words
from quality.commands import Filters
from quality.tiers import CAVEATS, TIERS

CHOICES = {
    "model": ("Model", "model_version"),
    "agent": ("Agent", "agent"),
    "discipline": ("Discipline", "discipline"),
    "domain": ("Org domain", "org_domain"),
    "industry": ("Industry", "industry"),
    "phase": ("Phase", "phase"),
    "reviewer": ("Reviewer", "reviewer"),
}
"""Name in the URL → label, field of `Filters` (and facet whose values are offered)."""
FIRST = ("model", "agent")
"""Choices that are always in sight; the rest is behind "More filters"."""
CONFIDENCE = {"low": True, "not low": False}
CAVEAT_WORDS = {words(name): name for name in CAVEATS}
KEYS = ("q", "tier", "confidence", "caveat", "since", "until", *CHOICES)
PAGE = "p"
"""Name in the URL of the page of a table; another filter starts at its first page."""


def sidebar(apply: bool = True) -> None:
    """The filters, one below the other. Where they do not `apply`, that is said; they are kept for the other screens."""
    if not apply:
        st.caption(":material/filter_alt_off: These filters choose runs. They do not apply to this screen.")
    facets = data.facets()
    bound: dict[str, Any] = {"bind": "query-params", "on_change": back_to_list}
    st.text_input(
        "Search",
        key="q",
        type="search",
        placeholder="Title, story id or note",
        icon=":material/search:",
        help="Words that title, story id or note contain, any case; all of them must occur.",
        **bound,
    )
    st.segmented_control("Tier of the score", TIERS, key="tier", width="stretch", **bound)
    for key in FIRST:
        _choice(key, facets, bound)
    with st.expander("More filters", icon=":material/tune:"):
        st.segmented_control("Confidence", list(CONFIDENCE), key="confidence", width="stretch", **bound)
        st.selectbox("Caveat", list(CAVEAT_WORDS), index=None, key="caveat", placeholder="Any", **bound)
        for key in CHOICES:
            if key not in FIRST:
                _choice(key, facets, bound)
        st.date_input("Rated from", value=None, key="since", format="YYYY-MM-DD", **bound)
        st.date_input("Rated until", value=None, key="until", format="YYYY-MM-DD", **bound)
    if active():
        st.button("Clear filters", on_click=clear, icon=":material/filter_alt_off:", width="stretch", key="clear")


def chosen() -> Filters:
    """The filters as the queries take them."""
    state = st.session_state.get
    since, until = _day(state("since")), _day(state("until"))
    return Filters(
        text=(state("q") or "").strip() or None,
        tier=state("tier") or None,
        low_confidence=CONFIDENCE.get(state("confidence") or ""),
        caveat=CAVEAT_WORDS.get(state("caveat") or ""),
        since=viewer.start_of(since) if since else None,
        until=viewer.start_of(until + timedelta(days=1)) if until else None,
        **{field: state(key) or None for key, (_, field) in CHOICES.items()},
    )


def active() -> list[str]:
    """Which filters are set."""
    return [key for key in KEYS if st.session_state.get(key)]


def clear() -> None:
    """Take every filter back."""
    for key in active():
        st.session_state[key] = "" if key == "q" else None
    back_to_list()


def back_to_list() -> None:
    """Another filter asks for other runs: no run stays open, and the table starts at its first page."""
    selection.close_run()
    back_to_first_page()


def back_to_first_page() -> None:
    url.write(PAGE, None)


def _choice(key: str, facets: dict[str, list[str]], bound: dict[str, Any]) -> None:
    label, field = CHOICES[key]
    st.selectbox(
        label,
        facets.get(field, []),
        index=None,
        key=key,
        placeholder="Any",
        accept_new_options=True,
        **bound,
    )


def _day(value: Any) -> date | None:
    return value if isinstance(value, date) else None
