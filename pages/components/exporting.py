"""What does a reader take along? Rows or profiles, the format, the columns, and as of which day; kept in the URL."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from pages.components import show, viewer
from quality import moments
from quality.commands import ExportRows, Filters
from quality.export_columns import KEYS, PRESETS, ROW_COLUMNS, columns_of, comes_back
from quality.profiles import PROFILE_COLUMNS

FORMATS = {
    "CSV": {"format": "csv"},
    "CSV for Excel": {"format": "excel"},
    "Parquet": {"format": "parquet"},
    "JSON lines": {"format": "jsonl"},
    "Everything": {"format": "jsonl", "full": True},
}
"""Choice → fields of `ExportRows`."""
MEANING = {
    "CSV": "RFC 4180, UTF-8, times in ISO 8601; unknown values are empty cells.",
    "CSV for Excel": "Opens in Excel by a double click: times are dates there, 007 and 1-2 stay as they are, nothing runs. "
    "Where Excel is set to a decimal comma, open it by Data › From Text/CSV with the locale English.",
    "Parquet": "Typed columns, compressed.",
    "JSON lines": "One JSON object a line; unknown values are null.",
    "Everything": "Every observation of the whole ledger, whatever the filters, as JSON lines; an import gives the same ledger.",
}
ROWS = {"Runs": False, "Profiles": True}
ROWS_MEAN = {
    "Runs": "A row a run, all tiers side by side.",
    "Profiles": "A row a kind of work × model, for all its runs; those with a split model or of a synthetic story are left out.",
}
OWN = "My own"
"""Columns that are chosen one by one."""


def choose(filters: Filters) -> ExportRows:
    """The export that is asked for."""
    name = st.segmented_control(
        "Format", list(FORMATS), default="CSV", required=True, key="format", bind="query-params"
    )
    st.caption(MEANING[name])
    fields = FORMATS[name]
    if fields.get("full"):
        return ExportRows(**fields)
    left, right = st.columns(2, gap="medium")
    with left:
        rows = st.segmented_control("Rows", list(ROWS), default="Runs", required=True, key="rows", bind="query-params")
        st.caption(ROWS_MEAN[rows])
    with right:
        as_of = _as_of()
    return ExportRows(**fields, profiles=ROWS[rows], columns=_columns(rows), as_of=as_of, filters=filters)


def looks_back() -> bool:
    """Whether an earlier state is asked for, whose rows the present ones say nothing of."""
    return bool(st.session_state.get("as_of"))


def _columns(rows: str) -> tuple[str, ...] | None:
    """The chosen columns in their order; `None` = the default ones."""
    profiles = ROWS[rows]
    choices = ["All", OWN] if profiles else [*PRESETS, OWN]
    preset = st.segmented_control(
        "Columns", choices, default=choices[0], required=True, key=f"columns_of_{rows.lower()}", bind="query-params"
    )
    columns: tuple[str, ...] | None = None if preset == choices[0] else PRESETS.get(preset, ())
    if preset == OWN:
        known = PROFILE_COLUMNS if profiles else ROW_COLUMNS
        columns = tuple(
            st.multiselect(
                "Which, in the order of the file",
                known,
                default=known[:6] if profiles else [*KEYS, "signal_source", "quality", "quality_human", "note"],
                key=f"own_of_{rows.lower()}",
                bind="query-params",
                help="They stand in the file in the order in which they were picked.",
            )
        )
    if not profiles and columns != ():
        st.caption(comes_back(columns_of(columns)))
    return columns


def _as_of() -> datetime | None:
    """The end of the chosen day in the viewer's zone; `None` = the present, which today is too."""
    zone = viewer.zone()
    today = datetime.now(ZoneInfo(zone)).date()
    day = st.date_input(
        "As of",
        value=None,
        max_value=today,
        key="as_of",
        format="YYYY-MM-DD",
        bind="query-params",
        help="What was recorded by then, under the settings valid then, whatever was corrected or rated since.",
    )
    if not isinstance(day, date) or day == today:
        st.caption("As it is known now. An earlier day goes back to what was known then.")
        return None
    moment = moments.end_of(day, ZoneInfo(zone))
    st.caption(f"As it was known at the end of that day in {zone}: {show.instant(moment, 'UTC')} UTC.")
    return moment
