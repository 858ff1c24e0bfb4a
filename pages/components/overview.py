"""How do the models compare? Headline figures and the leaderboard with its tiers side by side."""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import charts, model_choice, show, states, viewer
from quality.definitions import define
from quality.tiers import TIERS

DUMBBELLS, LEADERBOARD = "tiers_by_model", "leaderboard"
HEADLINE = ("runs", "stories", "scored", "human", "low_confidence_share")
COLUMNS = (
    "model", "calibrated_score", "ci_low", "ci_high", "tie_group", "effective_mean", "trust_remark", "n", "mean_auto",
    "n_with_auto", "mean_verifier", "n_with_verifier", "n_same_family", "mean_human", "n_with_human", "routing_score",
    "low_confidence_share", "tier_mix",
)  # fmt: skip


def headline(totals: dict[str, Any]) -> None:
    """The figures of everything that fits the filters."""
    with st.grid(len(HEADLINE), min_column_width=158, gap="small"):
        for name in HEADLINE:
            look = show.share if define(name).kind == "share" else show.count
            st.metric(define(name).label, look(totals[name]), help=define(name).tooltip, border=True)


def dumbbells(models: list[dict[str, Any]]) -> None:
    """The chart of the tiers a model; a click on a marker opens the model's page."""
    alt = "Mean automatic, verifier and human score of each model, on one scale from 0 to 10"
    st.plotly_chart(
        charts.tiers_by_model(models),
        config=charts.STILL,
        alt=alt,
        key=DUMBBELLS,
        on_select=partial(model_choice.clicked_point, DUMBBELLS),
        selection_mode="points",
    )
    scored = [row for row in models if row["n"]]
    if len(scored) > charts.MOST_MODELS:
        st.caption(f"The {charts.MOST_MODELS} models with most scored runs, of {len(scored)}. The table has them all.")


def leaderboard(table: pa.Table) -> None:
    """A row a model, in the order of the table; ticking one opens its page."""
    with_mix = table.append_column("tier_mix", pa.array([tier_mix(row) for row in table.to_pylist()], pa.string()))
    st.dataframe(
        show.shown(with_mix, COLUMNS),
        column_config=show.columns(COLUMNS, viewer.zone(), pinned=("model",)),
        hide_index=True,
        placeholder=show.UNKNOWN,
        height="content",
        alt="Scores of each model by tier",
        key=LEADERBOARD,
        on_select=partial(model_choice.clicked_row, LEADERBOARD, table["model"].to_pylist()),
        selection_mode="single-row",
    )


def notes(totals: dict[str, Any]) -> None:
    """What the numbers leave out, and why one of them misleads."""
    st.caption(f":material/balance: {states.UNFAIR_MEAN}")
    st.caption(f":material/casino: {states.FEW_RUNS}")
    if totals["left_out"]:
        st.caption(
            f":material/filter_alt: Left out of model scores: {show.count(totals['left_out'])} of "
            f"{show.count(totals['runs'])} runs (split model, or a synthetic story). They are listed under Stories."
        )


def tier_mix(row: dict[str, Any]) -> str | None:
    """Shares of the scored runs by effective tier; None without a scored run.

    >>> tier_mix({"n": 4, "n_auto": 1, "n_verifier": 0, "n_human": 3})
    '◆ 25 %  ● 75 %'
    """
    if not row["n"]:
        return None
    return "  ".join(
        f"{show.SHAPES[tier]} {show.share(row[f'n_{tier}'] / row['n'])}" for tier in TIERS if row[f"n_{tier}"]
    )
