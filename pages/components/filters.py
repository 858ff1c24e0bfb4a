"""Which runs are looked at? The filters that all screens share; in the URL, so that a link shows the same view."""

from datetime import date, timedelta
from typing import Any

import streamlit as st

from pages.components import data, links, selection, states, url, viewer
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
NOTE = {"with": True, "without": False}
LISTED = {"on it": True, "not on it": False}
CAVEAT_WORDS = {words(name): name for name in CAVEATS}
FIXED = {
    "tier": TIERS, "confidence": tuple(CONFIDENCE), "note": tuple(NOTE), "list": tuple(LISTED),
    "caveat": tuple(CAVEAT_WORDS),
}  # fmt: skip
"""Name in the URL → the only values it can have."""
DAYS = ("since", "until")
SEVERAL = ("tier", "caveat", *CHOICES)
"""Filters that take several values, of which any will do."""
KEYS = ("q", *FIXED, *DAYS, *CHOICES)
ANY_WILL_DO = "Of several, any will do."
NOTE_HELP = "Whether the rating that counts came with a note."
LISTED_HELP = "Runs that somebody put on the review list and nobody has rated since."
PAGE = "p"
"""Name in the URL of the page of a table; another filter starts at its first page."""


def sidebar(apply: bool = True) -> None:
    """The filters, one below the other. Where they do not `apply`, that is said; they are kept for the other screens."""
    if not apply:
        st.caption(":material/filter_alt_off: These filters choose runs. They do not apply to this screen.")
    with states.loading(states.LINE):
        facets = data.facets()
    _check_link()
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
    st.segmented_control(
        "Tier of the score", TIERS, selection_mode="multi", key="tier", width="stretch", help=ANY_WILL_DO, **bound
    )
    for key in FIRST:
        _choice(key, facets, bound)
    with st.expander("More filters", icon=":material/tune:"):
        st.segmented_control("Confidence", list(CONFIDENCE), key="confidence", width="stretch", **bound)
        st.segmented_control("Has a note", list(NOTE), key="note", width="stretch", help=NOTE_HELP, **bound)
        st.segmented_control("Review list", list(LISTED), key="list", width="stretch", help=LISTED_HELP, **bound)
        st.multiselect("Caveat", list(CAVEAT_WORDS), key="caveat", placeholder="Any", **bound)
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
        has_note=NOTE.get(state("note") or ""),
        on_review_list=LISTED.get(state("list") or ""),
        caveat=[CAVEAT_WORDS[name] for name in _listed("caveat") if name in CAVEAT_WORDS],
        since=viewer.start_of(since) if since else None,
        until=viewer.start_of(until + timedelta(days=1)) if until else None,
        **{field: _listed(key) for key, (_, field) in CHOICES.items()},
    )


def active() -> list[str]:
    """Which filters are set."""
    return [key for key in KEYS if st.session_state.get(key)]


def clear() -> None:
    """Take every filter back."""
    for key in active():
        st.session_state[key] = [] if key in SEVERAL else "" if key == "q" else None
    back_to_list()


def back_to_list() -> None:
    """Another filter asks for other runs: no run stays open, and the table starts at its first page."""
    selection.close_run()
    back_to_first_page()


def back_to_first_page() -> None:
    links.forget()
    url.write(PAGE, None)


def not_here() -> dict[str, str]:
    """Chosen values that no run of the ledger has, and what that means."""
    facets = data.facets()
    return {
        f"{key} = {value}": "no run has it"
        for key, (_, field) in CHOICES.items()
        for value in _listed(key)
        if value not in facets.get(field, [])
    }


def _check_link() -> None:
    """What a link gives a filter that cannot have it, the widget leaves out without a word: so say it here."""
    for key, allowed in FIXED.items():
        for value in st.query_params.get_all(key):
            if value and value not in allowed:
                links.refuse(key, value, f"left out, there is {', '.join(allowed)}")
    for key in DAYS:
        for value in st.query_params.get_all(key):
            try:
                date.fromisoformat(value)
            except ValueError:
                links.refuse(key, value, "left out, a day is written like 2026-03-31")


def _choice(key: str, facets: dict[str, list[str]], bound: dict[str, Any]) -> None:
    label, field = CHOICES[key]
    st.multiselect(
        label,
        facets.get(field, []),
        key=key,
        placeholder="Any",
        accept_new_options=True,
        **bound,
    )


def _listed(key: str) -> list[str]:
    """The values of a filter that takes several; a single one may stand for itself."""
    value = st.session_state.get(key) or []
    return [value] if isinstance(value, str) else list(value)


def _day(value: Any) -> date | None:
    return value if isinstance(value, date) else None
