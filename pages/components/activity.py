"""Which writes fit? A row a write, latest first, a page at a time; ticking one opens it."""

from functools import partial

import pyarrow as pa
import streamlit as st

from pages.components import activity_choice, activity_data, show, states, viewer
from pages.components.activity_choice import AFTER, BEFORE
from quality.activity_commands import ListActivity

COLUMNS = ("written_at", "written_by", "write_words", "write_about")
TABLE = "activity_list"
WIDTHS = {"written_by": 120, "write_words": 540}
"""Pixels."""


def listed(question: ListActivity) -> None:
    """The table, and the way to newer and older writes."""
    with states.loading():
        found = activity_data.listed(question)
    writes = found["writes"]
    if not writes:
        _nothing()
        return
    key = f"{TABLE}-{writes[0]['command_id']}-{question.model_dump_json(exclude={'before', 'after'})}"
    config = show.columns(COLUMNS, viewer.zone())
    for name, width in WIDTHS.items():
        config[name]["width"] = width
    table = pa.table(
        {
            "written_at": pa.array([one["recorded_at"] for one in writes], pa.timestamp("us", "UTC")),
            "written_by": [one["actor"] for one in writes],
            "write_words": [one["words"] for one in writes],
            "write_about": [one["subjects"][0]["label"] if one["subjects"] else None for one in writes],
        }
    )
    st.dataframe(
        table, column_config=config, hide_index=True, placeholder=show.UNKNOWN, height="content", key=key,
        selection_mode="single-row", on_select=partial(_ticked, key, [one["command_id"] for one in writes]),
        alt="Writes that fit the filters, the latest first: when, who, what",
    )  # fmt: skip
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(f"{show.count(len(writes))} of {show.count(found['total'])} writes. Tick one to see it whole.")
        with st.container(horizontal=True, width="content"):
            _turn("Newest", None, found["newer"])
            _turn("Newer", AFTER, found["newer"])
            _turn("Older", BEFORE, found["older"])


def _turn(label: str, name: str | None, place: str | None) -> None:
    st.button(
        label, on_click=activity_choice.turn, args=(name, place if name else None), disabled=place is None,
        key=f"activity_{label.lower()}",
    )  # fmt: skip


def _nothing() -> None:
    if activity_choice.active():
        states.nothing_fits()
    else:
        states.empty("writes", "Each import, rating, review and correction shows here with who made it and when.")


def _ticked(key: str, ids: list[str]) -> None:
    if rows := st.session_state[key].selection.rows:
        activity_choice.open_one(ids[rows[0]])
