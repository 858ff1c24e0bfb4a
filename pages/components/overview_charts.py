"""Which tiers do runs have, which model is good at what, and how did it go week by week?"""

from typing import Any

import streamlit as st

from pages.components import charts_models, model_data, show
from quality.commands import Filters
from quality.definitions import define
from quality.ledger.queries_models import MOST_MODELS, MOST_VALUES, MOST_WEEKS
from quality.observations import COORDINATE

STILL = {"displayModeBar": False}
KIND, SHOWN = "by", "score"
"""Keys of the choices, and their names in the URL."""
KINDS = {define(part).label: part for part in COORDINATE}
SCORES = {"Effective": "effective", "Auto": "auto", "Verifier": "verifier", "Human": "human"}
NO_SUCH_SCORE = "No run that fits has this score: choose another."


def coverage(filters: Filters) -> None:
    """How many runs have which tiers."""
    st.subheader("Tiers that runs have", anchor=False, help=define("n_tiers").tooltip)
    alt = "How many runs have a score from which tiers: a bar for each combination, with its count and share"
    st.plotly_chart(charts_models.coverage(model_data.coverage(filters)), config=STILL, alt=alt, key="coverage")


def kinds(filters: Filters, order: list[str]) -> None:
    """Model × kind of work, models in this order; which part of the coordinate and which score are chosen."""
    st.subheader("Which model is good at what", anchor=False)
    with st.container(horizontal=True, gap="medium"):
        bound: dict[str, Any] = {"bind": "query-params", "required": True}
        by = st.segmented_control("Kind of work", list(KINDS), key=KIND, default=next(iter(KINDS)), **bound)
        word = st.segmented_control("Score", list(SCORES), key=SHOWN, default=next(iter(SCORES)), **bound)
    shown = SCORES[word]
    cells = model_data.by_coordinate(filters, KINDS[by])
    if not any(cell[charts_models.MEANS[shown][0]] is not None for cell in cells):
        st.caption(f":material/help: {NO_SUCH_SCORE}")
        return
    alt = f"Mean {word.lower()} score of each model by {by.lower()}, with the number of runs behind it in every cell"
    st.plotly_chart(charts_models.heat_map(cells, shown, order), config=STILL, alt=alt, key="kinds")
    lowest, highest = (show.score(mean) for mean in charts_models.extremes(cells, shown))
    sentence = define(charts_models.MEANS[shown][0]).sentence
    st.caption(
        f"{sentence} Tinted from the lowest, {lowest}, to the highest, {highest}. An empty cell has no such run."
    )
    few(cells[0]["n_models"], MOST_MODELS, "models")
    few(cells[0]["n_values"], MOST_VALUES, "kinds of work")


def few(total: int, most: int, what: str) -> None:
    """That not all are drawn, where that is so."""
    if total > most:
        st.caption(f"The {most} {what} with most scored runs, of {show.count(total)}.")


def weeks(filters: Filters) -> None:
    """The tiers by week, gaps as gaps."""
    st.subheader("Week by week", anchor=False)
    found = model_data.by_week(filters)
    if not found:
        st.caption(":material/help: No run that fits is scored.")
        return
    alt = "Mean automatic, verifier and human score by week, and how many runs were scored in each; gaps are weeks without"
    st.plotly_chart(charts_models.by_week(found), config=STILL, alt=alt, key="weeks")
    st.caption("By ISO week (UTC) in which the effective score was given. A gap is a week without such a score.")
    if found[0]["n_weeks"] > MOST_WEEKS:
        st.caption(f"The last {MOST_WEEKS} weeks, of {show.count(found[0]['n_weeks'])}.")
