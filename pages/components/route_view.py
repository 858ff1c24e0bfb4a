"""Where should this kind of work go? The choice of the work, the answer in a sentence, and the models behind it."""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import data, model_choice, page, ranking, review_queue_choice, show, states, viewer
from quality.definitions import define
from quality.observations import COORDINATE

PREFIX, TABLE, CHART = "work_", "route", "route_chart"
"""Before a part of the coordinate, the key of its choice and its name in the URL."""
COLUMNS = (
    "model", "tie_group", "p_best", "expected_loss", "calibrated_score", "ci_low", "ci_high", "cost_per_accepted",
    "n_with_cost", "n_with_human", "n", "effective_mean",
)  # fmt: skip
WHOLE = {"tie_group", "n_with_cost", "n_with_human", "n"}
WHY = {"few": "it has no calibrated score for this yet", "tied": "that could tell it from the best"}
DECIDED = "Nothing more has to be reviewed to decide this."
ALL_WORK = "all work"
VERDICTS = {"decided": "One is the best", "tied": "Not told apart", "unknown": "Not enough evidence"}


def asked() -> dict[str, str | None]:
    """The kind of work, chosen part by part; a part that is left open may be anything."""
    facets = data.facets()
    found = {}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for part in COORDINATE:
            found[part] = st.selectbox(
                define(part).label, facets.get(part, []), index=None, key=f"{PREFIX}{part}", placeholder="Any", width=190,
                accept_new_options=True, bind="query-params", help=define(part).tooltip,
            )  # fmt: skip
    return found


def answer(found: dict[str, Any]) -> None:
    """The sentence; names of models are other people's text."""
    kind = " / ".join(show.isolated(value) for value in found["asked"].values()) or ALL_WORK
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(
                VERDICTS[verdict(found)], icon=":material/alt_route:", color="green" if found["best"] else "orange"
            )
            st.text(f"For {kind}")
        st.text(f"{found['words']}.")
    if found["dropped"]:
        states.missing(
            f"Nothing is known of exactly this work, so it was widened: any {', any '.join(map(show.words, found['dropped']))}."
        )


def verdict(found: dict[str, Any]) -> str:
    """A key of `VERDICTS`.

    >>> verdict({"best": ["a", "b"], "decided": False})
    'tied'
    """
    return "decided" if found["decided"] else "tied" if found["best"] else "unknown"


def models(found: dict[str, Any]) -> None:
    """Each model of the kind of work; the tied best on top, ticking one opens its page."""
    if not found["models"]:
        return
    st.subheader("How sure that is", anchor=False)
    scored = [row for row in found["models"] if row["calibrated_score"] is not None]
    if scored:
        alt = "Calibrated score of each model for this kind of work with its 95 % interval and tie group"
        ranked = sorted(scored, key=lambda row: -row["calibrated_score"])
        ranking.chart(ranked, CHART, alt)
    kinds = {"model": pa.string(), **dict.fromkeys(WHOLE, pa.int64())}
    table = show.as_table(found["models"], COLUMNS, kinds)
    st.dataframe(
        show.shown(table, COLUMNS),
        column_config=show.columns(COLUMNS, viewer.zone(), pinned=("model",)),
        hide_index=True,
        placeholder=show.UNKNOWN,
        height=show.table_height(table.num_rows),
        key=TABLE,
        on_select=partial(model_choice.clicked_row, TABLE, table["model"].to_pylist()),
        selection_mode="single-row",
        alt="Chance to be the best, expected loss, score and cost of each model for this kind of work",
    )


def review(found: dict[str, Any]) -> None:
    """What would decide more."""
    if not found["models"]:
        return
    st.subheader("What to review next", anchor=False, help=define("review_more").tooltip)
    if not found["review"]:
        states.missing(DECIDED) if not found["best"] else st.caption(f":material/check: {DECIDED}")
        return
    work = {part: value for part, value in found["asked"].items() if part not in found["dropped"]}
    for one in found["review"]:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(
                f"{one['review_more']} more of {show.isolated(one['model'])}: {WHY[one['reason']]}", width="content"
            )
            page.link(
                "review", "Draw some", ":material/rate_review:", **review_queue_choice.of_work(one["model"], work)
            )
