"""Which runs fit, a page at a time? Sorted and paged by the ledger, so that no more than a page travels."""

from functools import partial

import pyarrow as pa
import streamlit as st

from pages.components import data, process, selection, show, url, viewer
from pages.components.filters import PAGE, back_to_first_page
from quality.commands import Filters
from quality.definitions import define
from quality.ledger.queries import SORTABLE

COLUMNS = (
    "story_id",
    "quality",
    "signal_source",
    "quality_auto",
    "quality_verifier",
    "quality_human",
    "title",
    "model",
    "agent",
    "attempt",
    "n_human",
    "low_confidence",
    "caveats",
    "reviewer",
    "note",
    "ts",
)
MOST_DIGITS = 9
"""Of a page number in the URL; Python refuses to read one of thousands of digits."""
ARROWS = {True: "↓", False: "↑"}
_SORT, _UP, _PLACE = "sort", "ascending", "table_place"
ORDERS = {define(name).label: name for name in sorted(COLUMNS, key=lambda name: name != "ts") if name in SORTABLE}
"""Label in the URL → column, the latest first by default."""


def sorting() -> tuple[str, bool]:
    """Widgets for the order of all rows: column, and whether it descends."""
    bound = {"bind": "query-params", "on_change": back_to_first_page}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("Sort all rows by", list(ORDERS), key=_SORT, width=190, **bound)
        ascending = st.toggle("Ascending", key=_UP, **bound)
    return ORDERS[chosen], not ascending


def paged(filters: Filters, total: int) -> None:
    """The table, and under it the pages it has."""
    sort, descending = sorting()
    rows = process.ledger().settings.limits.page_rows
    slot = st.container()
    pages = max(1, -(-total // rows))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        place = st.container(width="content")
        page = _page(pages)
    first = (page - 1) * rows
    found = data.runs_page(filters, sort, descending, rows, first)
    place.caption(f"Runs {show.count(first + 1)}–{show.count(first + found.num_rows)} of {show.count(total)}")
    with slot:
        table(found, f"runs-{sort}-{descending}-{page}", sort, descending)


def table(runs: pa.Table, key: str, sort: str = "", descending: bool = True) -> None:
    """Runs with their tiers side by side; ticking a row opens it."""
    config = show.columns(COLUMNS, viewer.zone(), pinned=("story_id",))
    if sort:
        config[sort]["label"] = f"{show.label(sort)} {ARROWS[descending]}"
    st.dataframe(
        show.shown(runs, COLUMNS),
        column_config=config,
        hide_index=True,
        placeholder=show.UNKNOWN,
        height="content",
        key=key,
        on_select=partial(_chosen, key, runs["run_id"].to_pylist()),
        selection_mode=("single-row", "single-column"),
        alt="Runs that fit the filters, with the scores of each tier",
    )


def _page(pages: int) -> int:
    """The page in the URL, and the buttons that turn to another."""
    named = url.read(PAGE) or "1"
    page = min(max(int(named), 1), pages) if named.isdecimal() and len(named) <= MOST_DIGITS else 1
    key = f"page-{page}-of-{pages}"
    st.pagination(pages, default=page, key=key, on_change=lambda: url.write(PAGE, str(st.session_state[key])))
    return page


def keep_place() -> None:
    """Remember the order while a run is open: their widgets are not drawn then."""
    state = st.session_state
    state[_PLACE] = {key: state[key] for key in (_SORT, _UP) if key in state}


def back_to_place() -> None:
    """Close the run and show the table as it was left."""
    selection.close_run()
    for key, value in st.session_state.pop(_PLACE, {}).items():
        st.session_state[key] = value


def _chosen(key: str, run_ids: list[str]) -> None:
    """A ticked row opens its run; a clicked column title sorts all rows by it, again the other way round."""
    chosen = st.session_state[key].selection
    if chosen.rows:
        if selection.current() is None:
            keep_place()
        selection.open_run(run_ids[chosen.rows[0]])
    elif chosen.columns:
        _sort_by(chosen.columns[0])


def _sort_by(column: str) -> None:
    state, wanted = st.session_state, define(column).label
    if column in SORTABLE and _SORT in state:
        state[_UP] = state[_SORT] == wanted and not state[_UP]
        state[_SORT] = wanted
        back_to_first_page()
