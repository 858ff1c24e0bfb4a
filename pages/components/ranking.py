"""How do the models rank, and how sure is that? The leaderboard's rows by calibrated score, with interval and tie group.

The calibrated scores of many runs take a second to compute after a write. The page is drawn at once without them then,
and again by itself when they are there.
"""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import charts, charts_trust, model_choice, states, trust_data
from quality.commands import Filters
from quality.definitions import define
from quality.ledger.trust_models import UNRANKED_ROW, best_first
from quality.trust_words import remark

COLUMNS = {
    "calibrated_score": pa.float64(), "ci_low": pa.float64(), "ci_high": pa.float64(), "tie_group": pa.int64(),
    "n_same_family": pa.int64(), "trust_remark": pa.string(), "lenience": pa.float64(), "n_needed": pa.int64(),
}  # fmt: skip
"""What stands beside the leaderboard's own columns."""
CHART = "ranking"
HOW = (
    "Ranked by calibrated score: the mean that people would give all of a model's runs, estimated from those that they "
    "reviewed, with the leniency of verifier and signals taken off. Bars are 95 % intervals; models of one tie group cannot "
    "be told apart."
)
NO_SCORE = "No model has the five human ratings that a calibrated score takes: ranked by routing score."
COMPUTING = "The calibrated scores are being computed; by routing score until then."
OTHERS = (
    "Calibrated scores, intervals and tie groups are of all runs of this kind of work. Filters by rating, time or text are "
    "left out of them: they choose runs by how they were rated."
)
SOON = 0.25
"""Seconds after the page stands until the scores are computed."""
_TURN = "ranking_turn"


def of(table: pa.Table, filters: Filters, runs: int) -> pa.Table:
    """The leaderboard of the `runs` that fit, best calibrated score first; without these columns' values while they wait."""
    trusted = trust_data.ranking(filters) if trust_data.is_ready(runs) else {}
    rows = [UNRANKED_ROW | row | _beside(trusted.get(row["model"])) for row in table.to_pylist()]
    kinds = dict(zip(table.schema.names, table.schema.types)) | COLUMNS
    return pa.Table.from_pylist(best_first(rows), schema=pa.schema(list(kinds.items())))


def intervals(models: pa.Table, filters: Filters, runs: int) -> None:
    """The chart of the calibrated scores, and in a line how they came about; ticking a marker opens the model."""
    if not trust_data.is_ready(runs):
        st.caption(f":material/hourglass_top: {COMPUTING}")
        st.session_state[_TURN] = 0
        _compute(filters)
        return
    scored = [row for row in models.to_pylist() if row["calibrated_score"] is not None]
    if not scored:
        states.missing(NO_SCORE)
        return
    chart(
        scored,
        CHART,
        "Calibrated score of each model with its 95 % interval and tie group, beside the plain effective mean",
    )
    st.caption(f":material/verified: {HOW}", help=define("calibrated_score").tooltip)
    tell_of_others(filters)


def tell_of_others(filters: Filters) -> None:
    """That calibrated scores leave filters out, where one is set that they leave out."""
    if set(filters.model_dump(exclude_none=True)) - {*trust_data.OF_THE_WORK, "model_version"}:
        st.caption(f":material/filter_alt_off: {OTHERS}")


def chart(scored: list[dict[str, Any]], key: str, alt: str) -> None:
    """The scored models' intervals, best on top; ticking a marker opens the model."""
    st.plotly_chart(
        charts_trust.ranking(scored), config=charts.STILL, alt=alt, key=key, selection_mode="points",
        on_select=partial(model_choice.clicked_point, key),
    )  # fmt: skip


def _beside(row: dict[str, Any] | None) -> dict[str, Any]:
    """What is said of a model besides its means; n and the means stay those of the runs that fit."""
    if row is None:
        return {}
    return {name: row[name] for name in COLUMNS if name != "trust_remark"} | {"trust_remark": remark(row) or None}


@st.fragment(run_every=SOON)
def _compute(filters: Filters) -> None:
    """In the page's own run nothing; in the next turn, when the page stands, the scores, and the page anew."""
    st.session_state[_TURN] += 1
    if st.session_state[_TURN] > 1:
        trust_data.ranking(filters)
        st.rerun()
