"""How does a model do beside another on the stories that both did? Differences story by story, never of all runs."""

from functools import partial
from typing import Any

import streamlit as st

from pages.components import charts, charts_model, data, model_choice, model_data, show, states, viewer
from quality.commands import Filters
from quality.definitions import define
from quality.tiers import TIERS

WITH, TIER = "with", "pair_tier"
"""Keys of the choices; the first is its name in the URL."""
SHARED = ("story_id", "title", "first_mean", "second_mean", "paired_difference")
SHARED_TABLE = "shared_stories"
WHY = "Each story counts once: the mean of one model's runs of it minus the mean of the other's, tier by tier."
NONE_SHARED = (
    "These two models share no story: there is nothing to compare them on story by story. Their means are of different "
    "stories; a difference between them can come from the stories."
)
NONE_PAIRED = "They share stories, but on none of them do both have a score of the same tier."


def beside(filters: Filters, model: str) -> None:
    """Choose another model, and see the differences on the stories that both have a run of."""
    st.subheader("Beside another model", anchor=False)
    others = [name for name in data.facets().get("model_version", []) if name != model]
    second = st.selectbox(
        "Compare with", others, index=None, key=WITH, placeholder="Choose a model", accept_new_options=True,
        bind="query-params", width=320, help=WHY,
    )  # fmt: skip
    if not second:
        return
    with states.loading(states.CHART):
        pairs = model_data.compare(filters, model, second)
    if not pairs:
        states.note(NONE_SHARED, ":material/join_inner:")
        return
    st.text(f"First: {show.isolated(model)}\nSecond: {show.isolated(second)}")
    shared = next(iter(pairs.values()))["n_shared"]
    st.caption(f"{define('n_shared').label}: {show.count(shared)}. {WHY}")
    paired = [tier for tier in TIERS if pairs[tier]["n_paired"]]
    if not paired:
        states.note(NONE_PAIRED, ":material/join_inner:")
        return
    alt = "Mean difference of the two models on the stories they share, with its 95 % interval, for each tier"
    st.plotly_chart(charts_model.differences(pairs), config=charts.STILL, alt=alt, key="differences")
    for tier in TIERS:
        st.caption(in_words(tier, pairs[tier]))
    _stories(filters, model, second, sorted(paired, key=lambda tier: -pairs[tier]["n_paired"]))


def in_words(tier: str, row: dict[str, Any]) -> str:
    """What the pairs of one tier say.

    >>> row = {"n_paired": 3, "paired_difference": 1.0, "paired_low": -0.4, "paired_high": 2.4}
    >>> in_words("human", row | {"n_better": 2, "n_equal": 0, "n_worse": 1})
    '● Human: +1.0 points (95 % interval −0.40 to +2.40): not told apart. First better on 2, equal on 0, worse on 1 of n 3.'
    """
    label = show.tier_label(tier)
    if not row["n_paired"]:
        return f"{label}: no shared story has a score of both."
    low, high = row["paired_low"], row["paired_high"]
    if low is None:
        verdict = "no interval from so few or so equal pairs"
    else:
        told = "not told apart" if low <= 0 <= high else f"the {'first' if low > 0 else 'second'} does better"
        verdict = f"95 % interval {show.difference(low, 2)} to {show.difference(high, 2)}"
    tail = "" if low is None else f": {told}"
    counts = f"First better on {row['n_better']:,}, equal on {row['n_equal']:,}, worse on {row['n_worse']:,}"
    return f"{label}: {show.difference(row['paired_difference'])} points ({verdict}){tail}. {counts} of n {row['n_paired']:,}."


def _stories(filters: Filters, first: str, second: str, paired: list[str]) -> None:
    """The shared stories, the largest difference first; ticking one opens the first model's latest run of it."""
    tier = st.segmented_control(
        "Tier of the table", paired, key=TIER, default=paired[0], required=True, format_func=show.tier_label
    )
    found = model_data.shared_stories(filters, first, second, tier)
    st.caption("The largest difference first. Tick a story to open the first model's latest run of it.")
    st.dataframe(
        show.shown(found, SHARED),
        column_config=show.columns(SHARED, viewer.zone(), pinned=("story_id",)),
        hide_index=True,
        placeholder=show.UNKNOWN,
        height=show.table_height(found.num_rows),
        key=SHARED_TABLE,
        on_select=partial(model_choice.clicked_run, SHARED_TABLE, found["run_id"].to_pylist()),
        selection_mode="single-row",
        alt="Stories that both models have a run of, with both scores and their difference",
    )
