"""How good are the responses? What they add up to, over time, by model, and a list of them."""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import (
    charts,
    process,
    responses_charts,
    responses_choice,
    responses_data,
    show,
    states,
    url,
    viewer,
)
from quality.definitions import define
from quality.response_commands import ResponseFilters
from quality.response_regressions import SEVERITIES

HEADLINE = {
    "n_all_responses": "n", "n_sessions": "sessions", "mean_response": "mean", "median_response": "median",
    "n_regressions": "n_regressions",
}  # fmt: skip
"""Number in the catalogue → its column in the query."""
MODELS = {
    "model": "model", "n_responses": "n_scored", "mean_response": "mean", "p25_response": "p25", "median_response": "median",
    "p75_response": "p75", "trend_response": "trend", "week_n": "week_n", "rolling_mean": "rolling_mean",
    "severities": "severities", "last_at": "last_at",
}  # fmt: skip
LIST = {
    "ended_at": "ts", "model": "model", "composite": "composite", "delta": "delta", "severity": "severity",
    "correctness": "correctness", "user_feedback": "user_feedback", "static_analysis": "static_analysis",
    "session_id": "session_id", "story_id": "story_id", "response_id": "response_id",
}  # fmt: skip
CHART, BY_MODEL, ROWS = "responses_over_time", "responses_by_model", "responses_list"
KINDS = {
    "score": pa.float64(), "ratio": pa.float64(), "difference": pa.float64(), "share": pa.float64(), "count": pa.int64(),
    "weight": pa.float64(), "time": pa.timestamp("us", "UTC"),
}  # fmt: skip
COMMANDS = (
    "python -m quality respond session.jsonl --store",
    "python -m quality respond response.json --store",
    "python -m quality respond feedback RESPONSE-ID accept",
)
WHAT = (
    "A response is what a model answered to one prompt, tool calls included. Score and store them from an agent's session "
    "transcript, from traces, or from message metadata, also while this page is open:"
)
MOST_DIGITS = 9


def has_any(stats: dict[str, Any]) -> bool:
    """Whether a response fits; if not, says why and what to do."""
    if stats["overall"]["n"]:
        return True
    if responses_choice.active():
        states.nothing_fits()
    else:
        states.empty("responses", WHAT, "\n".join(COMMANDS))
    return False


def headline(stats: dict[str, Any]) -> None:
    """What all that fit add up to."""
    overall = stats["overall"] | {"n_regressions": sum(stats["overall"][severity] for severity in SEVERITIES)}
    with st.grid(len(HEADLINE), min_column_width=120, gap="small"):
        for name, column in HEADLINE.items():
            look = show.score if define(name).kind == "score" else show.count
            st.metric(define(name).label, look(overall[column]), help=define(name).tooltip, border=True)


def over_time(filters: ResponseFilters, stats: dict[str, Any]) -> None:
    """Score over time with its rolling mean, regressions marked; a click on one opens it."""
    st.subheader("Score over time", anchor=False, help=define("rolling_mean").tooltip)
    scored = [row for row in stats["models"] if row["n_scored"]]
    if not scored:
        states.none_scored("responses")
        return
    most = sorted(scored, key=lambda row: -row["n_scored"])[: responses_charts.MOST_MODELS]
    drawn = [row["model"] for row in scored if row in most]
    with states.loading(states.CHART):
        found = responses_data.series(filters.model_copy(update={"severity": None}))
    st.plotly_chart(
        responses_charts.over_time(found, drawn, viewer.zone()), config=charts.STILL, key=CHART,
        on_select=_clicked_point, selection_mode="points",
        alt=f"Scores of {show.count(stats['overall']['n_scored'])} responses over time by model, with regressions",
    )  # fmt: skip
    st.caption("Points are responses, lines the rolling mean of each model. A click on a mark opens the response.")
    if len(scored) > len(drawn):
        st.caption(f"The {len(drawn)} models with most responses, of {len(scored)}. The table has them all.")
    grouped = max((point["n"] for point in found["points"]), default=1)
    if grouped > 1:
        st.caption(
            f"A point is the mean of up to {show.count(grouped)} responses in a row; regressions are all marked one by one."
        )


def by_model(stats: dict[str, Any]) -> None:
    """A row a model, best mean first; ticking one narrows the page to it."""
    st.subheader("By model", anchor=False)
    rows = [row | {"severities": _severities(row)} for row in stats["models"]]
    st.dataframe(
        table(rows, MODELS), column_config=show.columns(MODELS, viewer.zone(), pinned=("model",)), hide_index=True,
        placeholder=show.UNKNOWN, height="content" if len(rows) < 12 else 420, key=BY_MODEL, selection_mode="single-row",
        on_select=partial(_ticked, BY_MODEL, [row["model"] for row in rows], responses_choice.choose_model),
        alt="Responses by model: number, mean, quartiles, trend and regressions",
    )  # fmt: skip


def listed(filters: ResponseFilters) -> None:
    """The responses, latest first, a page at a time; ticking one opens it."""
    st.subheader("Responses, latest first", anchor=False)
    responses_choice.severities()
    # Between the choice and the table: the table's toolbar appears above its right end and would cover the choice.
    st.caption("Tick one to open it.")
    size = process.ledger().settings.limits.page_rows
    page = _page()
    with states.loading():
        found = responses_data.listed(filters, size, (page - 1) * size)
    if not found["total"]:
        st.caption(":material/check: No response that fits is such a regression.")
        return
    rows = found["responses"]
    key = f"{ROWS}-{page}-{filters.severity}"
    st.dataframe(
        table(rows, LIST), column_config=show.columns(LIST, viewer.zone()), hide_index=True, placeholder=show.UNKNOWN,
        height="content", key=key, selection_mode="single-row", alt="Responses with score, regression and parts",
        on_select=partial(_ticked, key, [row["response_id"] for row in rows], responses_choice.open_one),
    )  # fmt: skip
    pages = max(1, -(-found["total"] // size))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(f"{show.count(found['total'])} responses")
        turn = f"responses-page-{page}-of-{pages}"
        place = partial(_turn, turn)
        st.pagination(pages, default=min(page, pages), key=turn, on_change=place)


def table(rows: list[dict[str, Any]], columns: dict[str, str]) -> pa.Table:
    """Rows of a query as the columns of the catalogue, typed by their kind."""
    return pa.table(
        {
            name: pa.array([row.get(column) for row in rows], KINDS.get(define(name).kind, pa.string()))
            for name, column in columns.items()
        }
    )


def _severities(row: dict[str, Any]) -> str | None:
    """
    >>> _severities({"minor": 2, "moderate": 0, "severe": 1})
    '1 severe, 2 minor'
    """
    return ", ".join(f"{show.count(row[name])} {name}" for name in reversed(SEVERITIES) if row[name]) or None


def _page() -> int:
    """The page in the URL."""
    named = url.read(responses_choice.PAGE) or "1"
    return max(int(named), 1) if named.isdecimal() and len(named) <= MOST_DIGITS else 1


def _turn(key: str) -> None:
    url.write(responses_choice.PAGE, str(st.session_state[key]))


def _ticked(key: str, ids: list[str], take: Any) -> None:
    if rows := st.session_state[key].selection.rows:
        take(ids[rows[0]])


def _clicked_point() -> None:
    points = st.session_state[CHART].selection.points
    named = points[0].get("customdata") if points else None
    if named and named[0]:
        responses_choice.open_one(named[0])
