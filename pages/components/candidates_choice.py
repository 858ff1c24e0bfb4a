"""Which ranking and which of its candidates are open, and which are listed? In the URL, so a link shows the same view."""

import streamlit as st

from pages.components import show, url
from quality.candidates import CATEGORIES, LEVELS, RECOMMENDATIONS
from quality.panel import LABELS
from quality.ranking_commands import CandidateFilters

OPEN, CANDIDATE, PAGE = "ranking", "candidate", "cp"
IN_HAND = "in-hand"
"""Stands for the ranking of this session that is not stored."""
FILTERS = {
    "recommended": ("recommendation", "Recommendation", RECOMMENDATIONS),
    "of_category": ("category", "Category", CATEGORIES),
    "at_risk": ("risk", "Risk", LEVELS),
    "labelled": ("label", "Panel", LABELS),
}
"""Name in the URL → field of `CandidateFilters`, label, what can be chosen."""


def opened() -> str | None:
    """Id of the open ranking."""
    return url.read(OPEN) or None


def candidate() -> str | None:
    """Id of the open candidate."""
    return url.read(CANDIDATE) or None


def open_ranking(ranking_id: str | None) -> None:
    """Open it from its beginning; `None` closes."""
    url.write(OPEN, ranking_id)
    for name in (CANDIDATE, PAGE, *FILTERS):
        url.write(name, None)


def stored_as(ranking_id: str) -> None:
    """The ranking in hand has an id now; what is looked at of it stays."""
    url.write(OPEN, ranking_id)


def open_candidate(name: str | None) -> None:
    url.write(CANDIDATE, name)


def chosen() -> CandidateFilters:
    """The filters as the query takes them."""
    return CandidateFilters.model_validate({FILTERS[name][0]: _read(name) or None for name in FILTERS})


def active() -> bool:
    return any(_read(name) for name in FILTERS)


def clear() -> None:
    for name in (*FILTERS, PAGE):
        url.write(name, None)


def row(with_panel: bool) -> None:
    """The filters side by side; the label where there is a panel."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for name, (field, label, values) in FILTERS.items():
            if field != "label" or with_panel:
                key = f"candidates-{name}"
                st.session_state[key] = _read(name)
                st.multiselect(
                    label, values, key=key, width=220, placeholder="Any", format_func=show.words,
                    on_change=_set, args=(name,),
                )  # fmt: skip
        if active():
            st.button(
                "Clear", on_click=clear, icon=":material/filter_alt_off:", type="tertiary", key="clear_candidates"
            )


def _read(name: str) -> list[str]:
    """What the URL says, as far as it can be chosen."""
    return [value for value in (url.read(name) or "").split(",") if value in FILTERS[name][2]]


def _set(name: str) -> None:
    """Another filter asks for other candidates: their list starts at its first page."""
    url.write(name, ",".join(st.session_state[f"candidates-{name}"]) or None)
    url.write(PAGE, None)
