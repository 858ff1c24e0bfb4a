"""In which order are the rows shown? By a column, up or down; in the URL, so that a link and the next run agree."""

import streamlit as st

from pages.components import filters, links, url
from quality.definitions import define
from quality.ledger.queries import SORTABLE

DEFAULT = "ts"
OFFERED = tuple(name for name in SORTABLE if name != "model_version")
"""Columns of the table, each with a label of its own."""
ASCENDING = "ascending"
_COLUMN, _ORDER = "by", "order"
"""Names in the URL; those of the widgets are apart, since they are not drawn while a run is open."""
_SORT, _UP = "sort", "ascending"


def current() -> tuple[str, bool]:
    """The column, and whether it descends; the latest first by default."""
    column, order = url.read(_COLUMN), url.read(_ORDER)
    if column is not None and column not in OFFERED:
        links.refuse(_COLUMN, column, "left out, the latest are first")
        url.write(_COLUMN, None)
        column = None
    return column or DEFAULT, order != ASCENDING


def check_link() -> None:
    """Note an order that a link asks for and that there is not, before what a link gets wrong is told."""
    current()


def widgets() -> tuple[str, bool]:
    """Choose the order of all rows: column, and whether it descends."""
    labels = {define(name).label: name for name in sorted(OFFERED, key=lambda name: name != DEFAULT)}
    column, descending = current()
    state = st.session_state
    state[_SORT], state[_UP] = define(column).label, not descending
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        st.selectbox("Sort all rows by", list(labels), key=_SORT, width=190, on_change=lambda: _take(labels))
        st.toggle("Ascending", key=_UP, on_change=lambda: _take(labels))
    return column, descending


def by(column: str) -> None:
    """A clicked title sorts by its column, again the other way round."""
    if column in OFFERED:
        now, descending = current()
        _write(column, not descending if now == column else True)


def _take(labels: dict[str, str]) -> None:
    _write(labels[st.session_state[_SORT]], not st.session_state[_UP])


def _write(column: str, descending: bool) -> None:
    url.write(_COLUMN, column if column != DEFAULT else None)
    url.write(_ORDER, None if descending else ASCENDING)
    filters.back_to_first_page()
