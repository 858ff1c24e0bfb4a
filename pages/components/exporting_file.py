"""What will the file hold, and where does it come from? How many rows, the first of them, the dictionary, the download."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pyarrow as pa
import streamlit as st

from pages.components import data, process, show, states, tour, viewer
from quality.api.downloads import LIFETIME_SECONDS, TICKETS, download_path
from quality.commands import ExportRows
from quality.definitions import DEFINITIONS, define
from quality.errors import QualityError
from quality.export import Preview, preview
from quality.export_columns import columns_of
from quality.export_dictionary import HEADER, dictionary, dictionary_csv
from quality.export_names import file_name
from quality.spreadsheet import MOST_ROWS

PREVIEW_ROWS = 20
MOST_QUOTED = 4_000
"""Characters of the file that are quoted."""
RENEW_SECONDS = LIFETIME_SECONDS / 3
"""A page that stays open keeps a link that works."""
LABELS = {"written_as": "Written as", **{name: name.capitalize() for name in HEADER if name != "written_as"}}


def begin(question: ExportRows) -> Preview | None:
    """The beginning of the file; `None`, with the reason on screen, where there can be none."""
    try:
        with states.working("Working out what was known then…" if question.as_of else "Reading…"):
            return _preview(data.version(), question.model_dump_json(), datetime.now().date().isoformat())
    except QualityError as error:
        states.problem("This cannot be exported.", str(error))
        return None


@st.cache_data(max_entries=data.ENTRIES, show_spinner=False)
def _preview(at: data.Version, question: str, today: str) -> Preview:
    """`today` is in the key because ages in a routing score are counted in whole weeks."""
    ledger = process.ledger()
    asked = ExportRows.model_validate_json(question)
    return preview(ledger.store, asked, PREVIEW_ROWS, ledger.settings.scoring)


def download(question: ExportRows, found: Preview) -> None:
    """How much it is, and the link that streams it. Nothing is written before it is followed."""
    what = "record" if question.full else "profile" if question.profiles else "row"
    name = file_name(question, datetime.now(ZoneInfo(viewer.zone())).date())
    said = f"{show.count(found.rows)} {what}{'' if found.rows == 1 else 's'} · {name}"
    st.fragment(_link, run_every=RENEW_SECONDS)(question, name, said)
    if question.format == "excel" and found.rows >= MOST_ROWS:
        states.warn(f"Excel shows the first {MOST_ROWS:,} rows of a file and drops the rest: set a filter.")


def _link(question: ExportRows, name: str, said: str) -> None:
    reason = process.barred(ExportRows)
    path = "" if reason else download_path(TICKETS.issue(question, name, tour.on_sent()))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.link_button(
            "**Download**", path, icon=":material/download:", disabled=bool(reason),
            help=reason or "Streamed as it is written. The link works for 15 minutes and is renewed while the page is open.",
        )  # fmt: skip
        st.text(said, width="content")


def first_rows(question: ExportRows, found: Preview) -> None:
    """The first rows, and how the file begins."""
    table = found.table
    st.dataframe(
        table,
        hide_index=True,
        placeholder=show.UNKNOWN,
        height=show.table_height(table.num_rows),
        alt="First rows of the export",
        key="preview",
        column_config={
            name: st.column_config.Column(help=define(name).tooltip)
            for name in table.column_names
            if name in DEFINITIONS
        },
    )
    if found.text:
        with st.expander("How the file begins", icon=":material/notes:"):
            st.code(found.text[:MOST_QUOTED], language=None, height="content")


def columns(question: ExportRows) -> None:
    """What each column means and how it is written, to read and to take along."""
    if question.full:
        st.caption("Its tables and their columns are described in data/README.md, under Everything.")
        return
    names = columns_of(question.columns, question.profiles)
    rows = dictionary(names, question.format)
    table = pa.table({LABELS[name]: [row[name] for row in rows] for name in HEADER})
    st.dataframe(
        table,
        hide_index=True,
        height=show.table_height(len(rows)),
        alt="What each column of the export means",
        key="dictionary",
    )
    st.download_button(
        "Download the dictionary",
        dictionary_csv(names, question.format),
        "quality-tiers-dictionary.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/menu_book:",
        type="tertiary",
        key="download_dictionary",
    )
