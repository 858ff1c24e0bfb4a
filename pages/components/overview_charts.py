"""Which tiers do runs have, which model is good at what, and how did it go week by week?"""

from typing import Any

import streamlit as st

from pages.components import charts, charts_models, model_data, ranking, show, states, trust_data
from quality.commands import Filters
from quality.definitions import define
from quality.ledger.queries_models import MOST_MODELS, MOST_VALUES, MOST_WEEKS
from quality.observations import COORDINATE

KIND, SHOWN = "by", "score"
"""Keys of the choices, and their names in the URL."""
KINDS = {define(part).label: part for part in COORDINATE}
SCORES = {
    "Effective": "effective",
    "Auto": "auto",
    "Verifier": "verifier",
    "Human": "human",
    "Calibrated": "calibrated",
}
NONE_CALIBRATED = "No model has the five human ratings that a calibrated score takes in any of these: choose another."
NO_SUCH_SCORE = "No run that fits has this score: choose another."


def coverage(filters: Filters) -> None:
    """How many runs have which tiers."""
    st.subheader("Tiers that runs have", anchor=False, help=define("n_tiers").tooltip)
    alt = "How many runs have a score from which tiers: a bar for each combination, with its count and share"
    with states.loading(states.CHART):
        found = model_data.coverage(filters)
    st.plotly_chart(charts_models.coverage(found), config=charts.STILL, alt=alt, key="coverage")


def kinds(filters: Filters, order: list[str]) -> None:
    """Model × kind of work, models in this order; which part of the coordinate and which score are chosen."""
    st.subheader("Which model is good at what", anchor=False)
    with st.container(horizontal=True, gap="medium"):
        bound: dict[str, Any] = {"bind": "query-params", "required": True}
        by = st.segmented_control("Kind of work", list(KINDS), key=KIND, default=next(iter(KINDS)), **bound)
        word = st.segmented_control("Score", list(SCORES), key=SHOWN, default=next(iter(SCORES)), **bound)
    shown = SCORES[word]
    with states.loading(states.CHART):
        cells = model_data.by_coordinate(filters, KINDS[by])
        if shown == "calibrated":
            cells = _calibrated(cells, trust_data.kinds(filters, KINDS[by]))
    if not any(cell[charts_models.MEANS[shown][0]] is not None for cell in cells):
        states.missing(NONE_CALIBRATED if shown == "calibrated" else NO_SUCH_SCORE)
        return
    beneath = "its 95 % interval" if shown == "calibrated" else "the number of runs behind it"
    alt = f"Mean {word.lower()} score of each model by {by.lower()}, with {beneath} in every cell"
    st.plotly_chart(charts_models.heat_map(cells, shown, order), config=charts.STILL, alt=alt, key="kinds")
    lowest, highest = (show.score(mean) for mean in charts_models.extremes(cells, shown))
    sentence = define(charts_models.MEANS[shown][0]).sentence
    st.caption(
        f"{sentence} Tinted from the lowest, {lowest}, to the highest, {highest}. An empty cell has no such run."
    )
    if shown == "calibrated":
        ranking.tell_of_others(filters)
    few(cells[0]["n_models"], MOST_MODELS, "models")
    few(cells[0]["n_values"], MOST_VALUES, "kinds of work")


def _calibrated(
    cells: list[dict[str, Any]], scores: dict[tuple[str, str | None], dict[str, Any]]
) -> list[dict[str, Any]]:
    """The cells with the calibrated scores of their runs instead of what the filters leave of them."""
    nothing = {"calibrated_score": None, "ci_low": None, "ci_high": None}
    return [cell | scores.get((cell["model"], cell["value"]), nothing) for cell in cells]


def few(total: int, most: int, what: str) -> None:
    """That not all are drawn, where that is so."""
    if total > most:
        st.caption(f"The {most} {what} with most scored runs, of {show.count(total)}.")


def weeks(filters: Filters) -> None:
    """The tiers by week, gaps as gaps."""
    st.subheader("Week by week", anchor=False)
    with states.loading(states.CHART):
        found = model_data.by_week(filters)
    if not found:
        states.none_scored()
        return
    alt = "Mean automatic, verifier and human score by week, and how many runs were scored in each; gaps are weeks without"
    st.plotly_chart(charts_models.by_week(found), config=charts.STILL, alt=alt, key="weeks")
    st.caption("By ISO week (UTC) in which the effective score was given. A gap is a week without such a score.")
    if found[0]["n_weeks"] > MOST_WEEKS:
        st.caption(f"The last {MOST_WEEKS} weeks, of {show.count(found[0]['n_weeks'])}.")
