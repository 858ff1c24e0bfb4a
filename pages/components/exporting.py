"""How does a reader take the rows along? Format, preview, dictionary and download."""

import tempfile
from functools import partial
from pathlib import Path

import pyarrow as pa
import streamlit as st

from pages.components import data, process, show
from quality.commands import ExportRows, Filters
from quality.definitions import define
from quality.export import export_rows

PREVIEW_ROWS = 20
FORMATS = {
    "CSV": ("csv", {"format": "csv"}, "text/csv"),
    "CSV for Excel": ("csv", {"format": "csv", "bom": True}, "text/csv"),
    "Parquet": ("parquet", {"format": "parquet"}, "application/vnd.apache.parquet"),
    "JSON lines": ("jsonl", {"format": "jsonl"}, "application/x-ndjson"),
    "Everything": ("jsonl", {"format": "jsonl", "full": True}, "application/x-ndjson"),
}
"""Choice → file ending, fields of `ExportRows`, media type."""
MEANING = {
    "CSV": "RFC 4180, UTF-8, a row a run; unknown values are empty cells.",
    "CSV for Excel": "The same with a byte order mark, so that Excel reads it as UTF-8.",
    "Parquet": "A row a run with typed columns.",
    "JSON lines": "A row a run, one JSON object a line.",
    "Everything": "Every observation of the whole ledger, whatever the filters; importing it gives the same ledger.",
}


def choose() -> str:
    """Which format."""
    name = st.segmented_control(
        "Format", list(FORMATS), default="CSV", required=True, key="format", bind="query-params"
    )
    st.caption(MEANING[name])
    return name


def download(name: str, filters: Filters) -> None:
    """The button; the file is written when it is clicked, not on every rerun."""
    ending, fields, media_type = FORMATS[name]
    question = ExportRows(filters=Filters() if fields.get("full") else filters, **fields)
    st.download_button(
        f"**Download {name}**",
        partial(written, question),
        f"quality-tiers.{ending}",
        media_type,
        on_click="ignore",
        icon=":material/download:",
        key="download",
    )


def written(question: ExportRows) -> bytes:
    """The export as the bytes of a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export"
        export_rows(process.ledger().store, question, path)
        return path.read_bytes()


def preview(filters: Filters) -> pa.Table:
    """The first rows, with all columns."""
    table = data.export_preview(filters, PREVIEW_ROWS)
    st.dataframe(
        table,
        hide_index=True,
        placeholder=show.UNKNOWN,
        height=280,
        alt="First rows of the export",
        key="preview",
        column_config={name: st.column_config.Column(help=define(name).tooltip) for name in table.column_names},
    )
    return table


def dictionary(columns: list[str]) -> None:
    """What each column means."""
    known = [define(name) for name in columns]
    table = pa.table(
        {
            "Column": columns,
            "Meaning": [d.sentence for d in known],
            "Unit": [d.unit for d in known],
            "Range": [d.range for d in known],
            "Source": [d.source for d in known],
        }
    )
    st.dataframe(table, hide_index=True, height=420, alt="What each column of the export means", key="dictionary")
