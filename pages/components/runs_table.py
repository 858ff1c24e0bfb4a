"""Which runs fit, a page at a time? Sorted and paged by the ledger, so that no more than a page travels."""

from functools import partial

import pyarrow as pa
import streamlit as st

from pages.components import data, links, ordering, process, review_bar, selection, show, states, url, viewer
from pages.components.filters import PAGE
from quality.commands import Filters

COLUMNS = (
    "story_id",
    "title",
    "quality",
    "signal_source",
    "quality_auto",
    "quality_verifier",
    "quality_human",
    "model",
    "agent",
    "attempt",
    "discipline",
    "n_human",
    "low_confidence",
    "caveats",
    "reviewer",
    "note",
    "ts",
    "org_domain",
    "industry",
    "phase",
)
OPEN, OPEN_WIDTH = "open", 66
MOST_DIGITS = 9
"""Of a page number in the URL; Python refuses to read one of thousands of digits."""
ARROWS = {True: "↓", False: "↑"}


def paged(filters: Filters, total: int) -> None:
    """The table, the pages it has, and what can be done with its ticked rows."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        sort, descending = ordering.widgets()
        review_bar.waiting_now()
    rows = process.ledger().settings.limits.page_rows
    st.caption("Tick rows to put them on the review list. Click a column's title to sort all rows by it.")
    slot = st.container()
    pages = max(1, -(-total // rows))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        place = st.container(width="content")
        page = _page(pages)
    first = (page - 1) * rows
    with slot, states.loading():
        found = data.runs_page(filters, sort, descending, rows, first)
    place.caption(f"Runs {show.count(first + 1)}–{show.count(first + found.num_rows)} of {show.count(total)}")
    with slot:
        key = f"runs-{sort}-{descending}-{page}-{review_bar.round_of_ticks()}"
        ticked = table(found, key, sort, descending, many=True)
    review_bar.of_ticked(ticked)


def table(runs: pa.Table, key: str, sort: str = "", descending: bool = True, many: bool = False) -> list[str]:
    """Runs with their tiers side by side, a button to open each; of `many`, the ids of the rows that are ticked."""
    config = show.columns(COLUMNS, viewer.zone(), pinned=("story_id",))
    if sort:
        config[sort]["label"] = f"{show.label(sort)} {ARROWS[descending]}"
    run_ids, click = runs["run_id"].to_pylist(), f"open-{key}"
    config[OPEN] = st.column_config.ButtonColumn(
        "", type="tertiary", pinned=True, width=OPEN_WIDTH, key=click, on_click=_open, args=(click, run_ids)
    )
    shown = show.shown(runs, COLUMNS)
    buttons = pa.chunked_array([["Open"] * runs.num_rows], pa.string())
    chosen = st.dataframe(
        shown.add_column(0, OPEN, buttons),
        column_config=config,
        hide_index=True,
        placeholder=show.UNKNOWN,
        height=show.table_height(runs.num_rows) if not many else "content",
        key=key,
        on_select=partial(_sort_by_title, key) if many else "ignore",
        selection_mode=("multi-row", "single-column"),
        alt="Runs that fit the filters, with the scores of each tier",
    )
    return [run_ids[row] for row in chosen.selection.rows] if many else []


def _page(pages: int) -> int:
    """The page in the URL, and the buttons that turn to another."""
    named = url.read(PAGE) or "1"
    is_number = named.isdecimal() and len(named) <= MOST_DIGITS
    page = min(max(int(named), 1), pages) if is_number else 1
    if not is_number or int(named) != page:
        links.refuse(PAGE, named, f"shown is page {show.count(page)} of {show.count(pages)}")
        links.tell()
    key = f"page-{page}-of-{pages}"
    st.pagination(pages, default=page, key=key, on_change=partial(_turn, key))
    return page


def _turn(key: str) -> None:
    links.forget()
    url.write(PAGE, str(st.session_state[key]))


def _open(click: str, run_ids: list[str]) -> None:
    selection.open_run(run_ids[st.session_state[click].row])


def _sort_by_title(key: str) -> None:
    """A clicked column title sorts all rows by it, again the other way round."""
    if columns := st.session_state[key].selection.columns:
        ordering.by(columns[0])
