"""Which runs fit, a page at a time? Sorted and paged by the ledger, so that no more than a page travels."""

from functools import partial

import pyarrow as pa
import streamlit as st

from pages.components import data, process, selection, show, viewer
from pages.components.filters import PAGE, back_to_first_page
from quality.commands import Filters
from quality.ledger.queries import SORTABLE

COLUMNS = (
    "story_id", "title", "model", "agent", "attempt", "quality", "signal_source", "quality_auto", "quality_verifier",
    "quality_human", "n_human", "low_confidence", "caveats", "reviewer", "note", "ts",
)  # fmt: skip
SORT_NAMES = {"model": "model_version"}
"""Column of the table → the column the ledger sorts by, where they differ."""
ARROWS = {True: "↓", False: "↑"}
FIRST_SORT = "ts"
_SORT, _UP = "sort", "order"
_DIRECTIONS = ("high to low", "low to high")


def sorting() -> tuple[str, bool]:
    """Widgets for the order of all rows: column, and whether it descends."""
    labels = {show.label(name): SORT_NAMES.get(name, name) for name in COLUMNS if SORT_NAMES.get(name, name) in SORTABLE}
    first = list(labels.values()).index(FIRST_SORT)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Sort all rows by", list(labels), index=first, key=_SORT, bind="query-params", width=190, on_change=back_to_first_page
        )
        direction = st.segmented_control(
            "Order", _DIRECTIONS, default=_DIRECTIONS[0], required=True, key=_UP, bind="query-params", on_change=back_to_first_page
        )
    return labels.get(chosen, FIRST_SORT), direction != _DIRECTIONS[1]


def paged(filters: Filters, total: int) -> None:
    """The table, and under it the pages it has."""
    sort, descending = sorting()
    rows = process.ledger().settings.limits.page_rows
    slot = st.container()
    pages = max(1, -(-total // rows))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        place = st.container(width="content")
        page = min(st.pagination(pages, key=PAGE, bind="query-params"), pages)
    first = (page - 1) * rows
    found = data.runs_page(filters, sort, descending, rows, first)
    place.caption(f"Runs {show.count(first + 1)}–{show.count(first + found.num_rows)} of {show.count(total)}")
    with slot:
        table(found, "runs_table", sort, descending)


def table(runs: pa.Table, key: str, sort: str = "", descending: bool = True) -> None:
    """Runs with their tiers side by side; ticking a row opens it."""
    config = show.columns(COLUMNS, viewer.zone(), pinned=("story_id",))
    for name in COLUMNS:
        if sort and SORT_NAMES.get(name, name) == sort:
            config[name]["label"] = f"{show.label(name)} {ARROWS[descending]}"
    st.dataframe(
        show.shown(runs, COLUMNS), column_config=config, hide_index=True, placeholder=show.UNKNOWN, height="content", key=key,
        on_select=partial(_chosen, key, runs["run_id"].to_pylist()), selection_mode=("single-row", "single-column"),
        alt="Runs that fit the filters, with the scores of each tier",
    )  # fmt: skip


def _chosen(key: str, run_ids: list[str]) -> None:
    """A ticked row opens its run; a clicked column title sorts all rows by it, again the other way round."""
    chosen = st.session_state[key].selection
    if chosen.rows:
        selection.open_run(run_ids[chosen.rows[0]])
    elif chosen.columns:
        _sort_by(chosen.columns[0])
        st.session_state[key] = {"selection": {"rows": [], "columns": []}}


def _sort_by(column: str) -> None:
    wanted = show.label(column)
    if SORT_NAMES.get(column, column) not in SORTABLE or _SORT not in st.session_state:
        return
    up_now = st.session_state.get(_UP) == _DIRECTIONS[1]
    same = st.session_state[_SORT] == wanted
    st.session_state[_SORT] = wanted
    st.session_state[_UP] = _DIRECTIONS[0 if up_now or not same else 1]
    back_to_first_page()
