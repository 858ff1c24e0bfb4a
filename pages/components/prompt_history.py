"""How did a prompt do over time? Its evaluations with their trend, two of them compared, and all prompts there are."""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import charts, data, judging, opened_prompt, show, states, viewer
from quality.commands import ListEvaluations
from quality.definitions import define
from quality.errors import NotFound
from quality.prompts import DIMENSIONS
from quality.versions import compare, line_diff

COLUMNS = ("version", "overall", "label", "judge", "evaluated_at", "actor")
PROMPTS = ("prompt", "overall", "label", "versions", "n_evaluations", "judge", "evaluated_at")
DIFFERENCES = ("dimension", "before", "after", "difference")
FAILED = "FAILED"


def of(found: dict[str, Any]) -> None:
    """The history of the open evaluation's prompt, and the comparison."""
    rows = evaluations_of(found)
    st.subheader("History of this prompt", anchor=False)
    if len(rows) == 1:
        st.caption("Evaluated once. Edit the text and evaluate it under the same name to see what that changes.")
        return
    trend, table = st.columns((1, 1), gap="medium")
    with trend:
        _trend(rows)
    with table:
        _table(rows, COLUMNS, "prompt_history", "Evaluations of this prompt, latest first")
    _comparison(found, [row for row in rows if row["evaluation_id"] != found["evaluation_id"]])


def prompts() -> None:
    """All prompts, each by its latest evaluation."""
    listed = data.evaluations(ListEvaluations(latest=True))
    st.subheader("All prompts", anchor=False)
    if not listed["evaluations"]:
        states.none_yet("prompts", "The first that is evaluated shows here, with its history.")
        return
    _table([_shown(row) for row in listed["evaluations"]], PROMPTS, "prompts", "Prompts by their latest evaluation")
    if listed["total"] > len(listed["evaluations"]):
        shown, total = show.count(len(listed["evaluations"])), show.count(listed["total"])
        st.caption(f"The latest {shown} of {total} prompts.")


def evaluations_of(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Every evaluation of the same prompt, latest first."""
    question = ListEvaluations(
        prompt_name=found["name"], story_id=found["story_id"], no_story=found["story_id"] is None
    )
    return [_shown(row) for row in data.evaluations(question)["evaluations"]]


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    return row | {
        "prompt": opened_prompt.named(row),
        "judge": judging.model_of(row["metadata"]) or show.UNKNOWN,
        "label": row["label"] or FAILED,
        "evaluated_at": row["recorded_at"],
    }


def _trend(rows: list[dict[str, Any]]) -> None:
    earliest_first = rows[::-1]
    scores = ", ".join(show.score(row["overall"]) for row in earliest_first[:20])
    st.plotly_chart(
        charts.prompt_trend(earliest_first), config=charts.STILL, key="prompt_trend",
        alt=f"Overall score of each evaluation, the earliest first: {scores}",
    )  # fmt: skip


def _table(rows: list[dict[str, Any]], names: tuple[str, ...], key: str, alt: str) -> None:
    kinds = {"score": pa.float64(), "count": pa.int64(), "time": pa.timestamp("us", "UTC")}
    table = pa.table(
        {name: pa.array([row[name] for row in rows], kinds.get(define(name).kind, pa.string())) for name in names}
    )
    st.dataframe(
        table, column_config=show.columns(names, viewer.zone()), hide_index=True, placeholder=show.UNKNOWN, key=key,
        on_select=partial(_open, key, [row["evaluation_id"] for row in rows]), selection_mode="single-row", alt=alt,
        height="content" if len(rows) < 8 else 300,
    )  # fmt: skip


def _open(key: str, ids: list[str]) -> None:
    if rows := st.session_state[key].selection.rows:
        opened_prompt.open_one(ids[rows[0]])


def _comparison(found: dict[str, Any], others: list[dict[str, Any]]) -> None:
    by_id = {row["evaluation_id"]: row for row in others}
    named = opened_prompt.against()
    key = f"against-{found['evaluation_id']}"
    if key not in st.session_state:
        st.session_state[key] = named if named in by_id else None
    st.selectbox(
        "Compare with", list(by_id), index=None, key=key, placeholder="Another evaluation of this prompt",
        format_func=lambda chosen: _line(by_id[chosen]), on_change=lambda: opened_prompt.compare_with(st.session_state[key]),
    )  # fmt: skip
    if chosen := st.session_state[key]:
        try:
            other = data.evaluation(chosen)
        except NotFound:
            return
        _side_by_side(*sorted((other, found), key=lambda one: (one["recorded_at"], one["evaluation_id"])))


def _line(row: dict[str, Any]) -> str:
    at = show.instant(row["recorded_at"], viewer.zone())
    return f"v{row['version']} · {show.score(row['overall'])} {row['label']} · {row['judge']} · {at}"


def _side_by_side(before: dict[str, Any], after: dict[str, Any]) -> None:
    """The earlier and the later: scores with their differences, and the lines that changed."""
    names = _apart(before, after)
    rows = compare(before, after)
    chart, table = st.columns((1, 1), gap="medium", vertical_alignment="center")
    scored = {name: one for name, one in zip(names, (before, after)) if one["dimensions"]}
    with chart:
        labels = {d.key: d.label for d in DIMENSIONS}
        series = {
            name: {labels[part["key"]]: part["score"] for part in one["dimensions"]} for name, one in scored.items()
        }
        if series:
            alt = "; ".join(
                f"{row['dimension']} {show.score(row['before'])} then {show.score(row['after'])}" for row in rows
            )
            st.plotly_chart(charts.radar(series), config=charts.STILL, alt=alt, key="radar_of_two")
    with table:
        config = show.columns(("dimension", "difference"), viewer.zone())
        scores = show.columns(("dimension_score",), viewer.zone())["dimension_score"]
        config |= {side: scores | {"label": name} for side, name in zip(("before", "after"), names)}
        columns = {name: pa.array([row[name] for row in rows]) for name in DIFFERENCES}
        st.dataframe(
            pa.table(columns), column_config=config, hide_index=True, placeholder=show.UNKNOWN, height="content",
            alt="Scores of both, and their differences", key="differences",
        )  # fmt: skip
        if judging.model_of(before["metadata"]) != judging.model_of(after["metadata"]):
            st.caption(":material/info: Different judges: a part of the difference may be theirs.")
    st.markdown("**What changed in the text**")
    diff = line_diff(before["text"], after["text"], names)
    st.code(diff, language="diff", wrap_lines=True, height=show.room(diff))


def _apart(before: dict[str, Any], after: dict[str, Any]) -> tuple[str, str]:
    """Names that tell the two apart, also where they are of one version."""
    if before["version"] != after["version"]:
        return f"v{before['version']}", f"v{after['version']}"
    return f"v{before['version']}, earlier", f"v{after['version']}, later"
