"""Has a model become worse? The weeks of one model, and which of them were called a drop."""

from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import charts, charts_trust, show, states, viewer
from quality.commands import Filters
from quality.definitions import define
from quality.observations import COORDINATE

MODEL = "trend_of"
"""Key of the choice, and its name in the URL."""
COLUMNS = ("model", "trend_verdict", "drop_week", "week_before", "week_after", "surest_drop", "n_weeks_scored", "n")
HOW = (
    "The human score expected of each run, on one scale whoever rated it. A drop is called by a rule that allows for few runs "
    "and for looking every day: a model that never changes is ever called in 5 % of cases at most."
)
OTHERS = (
    "Of the filters those of the kind of work count here: all of a model's runs of it are followed, whoever rated them."
)
NONE = "No run of a known model is scored and dated yet."


def summary(found: list[dict[str, Any]]) -> None:
    """A row a model, drops first; nothing where there is none."""
    if not found:
        return
    st.subheader("Drops", anchor=False, help=define("drop_week").tooltip)
    rows = [row_of(one) for one in found]
    rows.sort(key=lambda row: (row["drop_week"] is None, row["model"]))
    dropped = sum(row["drop_week"] is not None for row in rows)
    st.caption(f"{show.count(dropped)} of {show.count(len(rows))} models have dropped. {HOW}")
    kinds = {"model": pa.string(), "trend_verdict": pa.string(), "drop_week": pa.string(), "n_weeks_scored": pa.int64(),
             "n": pa.int64()}  # fmt: skip
    st.dataframe(
        show.shown(show.as_table(rows, COLUMNS, kinds), COLUMNS),
        column_config=show.columns(COLUMNS, viewer.zone(), pinned=("model",)),
        hide_index=True,
        placeholder=show.UNKNOWN,
        height=show.table_height(len(rows)),
        key="drops",
        alt="For each model whether its weekly level has dropped, since when and by how much",
    )


def row_of(one: dict[str, Any]) -> dict[str, Any]:
    """A model's trend as a row: the verdict in words, and the drop where one was called."""
    drop = one["drop"] or {}
    verdict = "dropped" if drop else one["reason"] or "no drop"
    return {
        "model": one["model"],
        "trend_verdict": verdict,
        "drop_week": drop["drop_week"].isoformat() if drop else None,
        "week_before": drop.get("before"),
        "week_after": drop.get("after"),
        "surest_drop": drop.get("surest_drop"),
        "n_weeks_scored": sum(week["n_week"] > 0 for week in one["weeks"]),
        "n": sum(week["n_week"] for week in one["weeks"]),
    }


def model(found: list[dict[str, Any]]) -> str | None:
    """Which model is looked at; one that dropped at first."""
    names = [one["model"] for one in sorted(found, key=lambda one: (one["drop"] is None, one["model"]))]
    return st.selectbox("Model", names, key=MODEL, bind="query-params", width=320) if names else None


def applied(filters: Filters) -> None:
    """That only the kind of work counts here, where another filter is set."""
    if set(filters.model_dump(exclude_none=True)) - set(COORDINATE):
        st.caption(f":material/filter_alt_off: {OTHERS}")


def weeks(found: list[dict[str, Any]], named: str | None) -> None:
    """The weeks of the model."""
    shown = next((one for one in found if one["model"] == named), None)
    if shown is None:
        states.missing(NONE)
        return
    alt = "The mean score expected by people a week with its 95 % interval; gaps are weeks without runs"
    st.plotly_chart(charts_trust.trend(shown), config=charts.STILL, alt=alt, key="trend")
    st.caption("By ISO week (UTC) in which the score that counts was given. A gap is a week without a run.")
    st.text(in_words(shown))


def in_words(one: dict[str, Any]) -> str:
    """What the rule says of a model.

    >>> in_words({"drop": None, "reason": "2 of 35 runs that a drop is told from"})
    'Nothing can be said of a drop: 2 of 35 runs that a drop is told from.'
    >>> in_words({"drop": None, "reason": None})
    'No drop: no change for the worse is larger than chance makes it.'
    """
    drop = one["drop"]
    if drop:
        return (
            f"Dropped in the week of {drop['drop_week']:%Y-%m-%d}: from {show.score(drop['before'])} (n "
            f"{show.count(drop['n_before'])}) to {show.score(drop['after'])} (n {show.count(drop['n_after'])}), by "
            f"{show.ratio(drop['surest_drop'])} points at least."
        )
    if one["reason"]:
        return f"Nothing can be said of a drop: {one['reason']}."
    return "No drop: no change for the worse is larger than chance makes it."
