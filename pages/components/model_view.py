"""What is one model like? Its tiers, how its scores are spread, its kinds of work, caveats, cost and stories."""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import charts, charts_model, model_choice, model_data, page, show, states, viewer
from pages.components.charts_models import NOT_RECORDED
from pages.components.overview_charts import KIND, KINDS
from quality.commands import Filters
from quality.definitions import define
from quality.ledger.queries import MAX_ROWS
from quality.tiers import CAVEATS, TIERS

HEADLINE = ("routing_score", "effective_mean", *(f"mean_{tier}" for tier in TIERS))
BEHIND = {"routing_score": "n", "effective_mean": "n", **{f"mean_{tier}": f"n_with_{tier}" for tier in TIERS}}
"""Headline figure → the n behind it."""
WORK = ("kind", "n", "effective_mean", *(name for tier in TIERS for name in (f"mean_{tier}", f"n_with_{tier}")))
STORIES = ("story_id", "title", "n_runs", "effective_mean", *(f"mean_{tier}" for tier in TIERS), "ts")
EFFORT = {
    "mean_cost": ("n_with_cost", show.dollars),
    "median_duration": ("n_with_duration", show.seconds),
    "median_duration_vs_estimate": ("n_with_ratio", show.ratio),
}
"""What runs took → its n, and how it is written."""
STORIES_TABLE = "model_stories"


def heading(model: str) -> None:
    """The model's id as text, and the way to all its runs."""
    st.title("Model", anchor=False)
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.text(model, width="content")
        page.link("stories", "All its runs", ":material/fact_check:")


def headline(row: dict[str, Any] | None) -> None:
    """Its scores, each with the n behind it."""
    if row is None:
        states.missing("None of its runs is in model scores: each has a split model or a synthetic story.")
        return
    with st.grid(len(HEADLINE), min_column_width=130, gap="small"):
        for name in HEADLINE:
            n = f"n {show.count(row[BEHIND[name]])}"
            st.metric(
                show.label(name), show.score(row[name]), help=define(name).tooltip, border=True,
                delta=n, delta_color="off", delta_arrow="off",
            )  # fmt: skip


def distribution(filters: Filters) -> None:
    """How its scores are spread, a panel a tier."""
    st.subheader("How its scores are spread", anchor=False, help=define("n_step").tooltip)
    with states.loading(states.CHART):
        rows = model_data.distribution(filters)
    if not rows:
        states.none_scored()
        return
    alt = "How many runs of this model score in each step of one point, for each tier"
    st.plotly_chart(charts_model.distribution(rows), config=charts.STILL, alt=alt, key="distribution")


def caveats(filters: Filters, runs: int) -> None:
    """What to know besides its scores, each caveat in a sentence with the runs it holds for."""
    st.subheader("What to know besides", anchor=False, help=define("n_caveat").tooltip)
    with states.loading(states.LINE):
        found = model_data.caveats(filters)
    if not found:
        st.caption(":material/check: None of its runs has a caveat.")
    for row in found:
        of_all = f"{show.count(row['n_caveat'])} of {show.count(runs)} runs"
        st.caption(f":material/info: **{of_all}** · {CAVEATS[row['caveat']]}")


def effort(filters: Filters) -> None:
    """What its runs took, where files state it."""
    st.subheader("What its runs took", anchor=False)
    with states.loading(states.FIGURES):
        found = model_data.effort(filters)
    known = [name for name, (n, _) in EFFORT.items() if found[n]]
    if known:
        with st.grid(len(known), min_column_width=130, gap="small"):
            for name in known:
                n, written = EFFORT[name]
                st.metric(
                    define(name).label, written(found[name]), help=define(name).tooltip, border=True,
                    delta=f"n {show.count(found[n])}", delta_color="off", delta_arrow="off",
                )  # fmt: skip
    if missing := [define(name).label for name in EFFORT if name not in known]:
        states.missing(f"Not recorded for its runs: {', '.join(missing)}.")


def kinds(filters: Filters) -> None:
    """Its scores by kind of work, which part of the coordinate is chosen."""
    st.subheader("By kind of work", anchor=False)
    by = st.segmented_control(
        "Kind of work", list(KINDS), key=KIND, default=next(iter(KINDS)), required=True, bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip
    with states.loading():
        cells = model_data.by_coordinate(filters, KINDS[by])
    if not cells:
        states.none_scored()
        return
    columns = show.columns(WORK, viewer.zone(), pinned=("kind",))
    st.dataframe(
        show.shown(pa.Table.from_pylist([{"kind": cell["value"] or NOT_RECORDED} | cell for cell in cells]), WORK),
        column_config=columns,
        hide_index=True,
        placeholder=show.UNKNOWN,
        height="content",
        alt=f"Scores of this model by {by.lower()}, each tier with its number of runs",
        key="model_kinds",
    )


def stories(filters: Filters, total: int) -> None:
    """Its stories, the latest rated first; ticking one opens its latest run."""
    st.subheader("Its stories", anchor=False)
    with states.loading():
        found = model_data.stories(filters)
    more = f", the latest {show.count(MAX_ROWS)} of {show.count(total)}" if total > MAX_ROWS else ""
    st.caption(f"A row a story{more}. Tick one to open its latest run.")
    st.dataframe(
        show.shown(found, STORIES),
        column_config=show.columns(STORIES, viewer.zone(), pinned=("story_id",)),
        hide_index=True,
        placeholder=show.UNKNOWN,
        height=show.table_height(found.num_rows),
        key=STORIES_TABLE,
        on_select=partial(model_choice.clicked_run, STORIES_TABLE, found["run_id"].to_pylist()),
        selection_mode="single-row",
        alt="Stories of this model with the mean score of each tier",
    )
