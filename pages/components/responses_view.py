"""Why does a response score as it does? Its parts and their steps, what people did with it, and the scores it had."""

from typing import Any

import streamlit as st

from pages.components import page, responses_choice, show, states, viewer
from pages.components.responses import table
from quality.definitions import define
from quality.response_settings import ResponseSettings
from quality.response_steps import score_steps
from quality.responses import PARTS

PART_COLUMNS = ("part", "composite", "part_weight", "part_used_weight", "part_contribution")
STEPS = {"part": "part", "step": "step", "step_number": "number", "step_points": "points", "step_adds": "adds"}
FEEDBACK = {"signal_given": "signal", "told_at": "recorded_at", "event_id": "event_id", "actor": "actor"}
HISTORY = {
    "told_at": "recorded_at", "cause": "cause", "composite": "composite", "correctness": "correctness",
    "user_feedback": "user_feedback", "static_analysis": "static_analysis", "actor": "actor",
}  # fmt: skip
REGRESSIONS = {"told_at": "recorded_at", "severity": "severity", "delta": "delta", "composite": "composite"}
TOOLS = {"tool": "name", "tool_status": "status"}
TOKENS = ("input", "output", "reasoning", "cache_read", "cache_write")
IDENTITY = ("response_id", "model", "provider", "agent", "session_id", "story_id")
CAUSES = {"stored": "stored", "restated": "stated again", "feedback": "feedback", "settings": "other settings"}
NO_LONGER = "none any more"


def back() -> None:
    st.button(
        "All responses",
        on_click=responses_choice.close,
        icon=":material/arrow_back:",
        type="tertiary",
        key="all_responses",
    )


def heading(found: dict[str, Any]) -> None:
    """Which response it is, as the source named it, and whether it is a regression."""
    known = [f"{define(name).label}: {show.isolated(str(found[name]))}" for name in IDENTITY if found[name] is not None]
    key = "  ·  ".join([*known, f"{define('ended_at').label}: {show.instant(found['ts'], viewer.zone())}"])
    st.title("Response", anchor=False)
    with st.container(border=True, gap="xsmall", height=show.room(key + (found["error"] or ""))):
        st.text(key)
        if found["response_error"]:
            st.badge("The response itself errored", icon=":material/error:", color="red")
            if found["error"]:
                st.text(found["error"])
        if found["severity"]:
            look = {"icon": ":material/trending_down:", "color": "red" if found["alert"] else "orange"}
            st.badge(f"{found['severity'].capitalize()} regression", help=define("severity").tooltip, **look)
        if found["story_id"]:
            page.link("stories", "Runs of this story", ":material/fact_check:", q=found["story_id"], run="")


def scores(found: dict[str, Any]) -> None:
    """The score beside its model's others, and its parts."""
    with st.grid(2 + len(PARTS), min_column_width=130, gap="small"):
        _metric("composite", found["composite"], f"coverage {show.share(found['coverage'])}")
        _metric("rolling_mean", found["rolling_mean"], None)
        for part in PARTS:
            added = found["score"]["contributions"].get(part)
            _metric(part, found[part], "missing" if added is None else f"adds {show.score(added)}")


def parts(found: dict[str, Any]) -> None:
    """Parts → weights → contributions that sum to the score, and the steps of each part."""
    settings = ResponseSettings.model_validate(found["scored_with"])
    weights = found["weights"] or found["scored_with"]["weights"]
    rows = [
        {
            "part": define(part).label, "composite": found["score"]["sub_scores"][part], "part_weight": weights[part],
            "part_used_weight": found["score"]["effective_weights"].get(part),
            "part_contribution": found["score"]["contributions"].get(part),
        }
        for part in PARTS
    ]  # fmt: skip
    st.subheader("How the score adds up", anchor=False)
    _shown(rows, {name: name for name in PART_COLUMNS}, "response_parts", "Parts with weights and contributions")
    if not found["current_settings"]:
        st.caption(":material/tune: Scored with other settings than today's; a rebuild scores it anew.")
    steps = [step | {"part": define(step["part"]).label} for step in score_steps(found, settings)]
    st.subheader("How each part comes about", anchor=False)
    _shown(steps, STEPS, "response_steps", "What each part is put together from")
    if found["static_analysis"] is None:
        states.missing("No diagnostics before and after are known: static analysis is missing, not zero.")


def feedback(found: dict[str, Any]) -> None:
    """What people did with it, oldest first."""
    st.subheader("Feedback", anchor=False)
    if found["feedback"]:
        rows = [event | {"signal": show.words(event["signal"])} for event in found["feedback"]]
        _shown(rows, FEEDBACK, "response_feedback", "Signals in the order in which they were told")
    else:
        st.caption("Nobody has accepted, reverted, redone or edited it yet: user feedback stands at its neutral start.")


def history(found: dict[str, Any]) -> None:
    """Every score that it had, and each change of its regression."""
    st.subheader("Scores it had", anchor=False)
    rows = [row | {"cause": CAUSES.get(row["cause"], row["cause"])} for row in found["scores"]]
    _shown(rows, HISTORY, "response_scores", "Every score of the response, oldest first")
    if found["regressions"]:
        st.subheader("Its regression over time", anchor=False)
        changes = [row | {"severity": row["severity"] or NO_LONGER} for row in found["regressions"]]
        _shown(changes, REGRESSIONS, "response_regressions", "Each change of its regression, oldest first")


def tools(found: dict[str, Any]) -> None:
    """Calls and tokens, as far as they are known."""
    st.subheader("Tool calls", anchor=False)
    with st.grid(3, min_column_width=90, gap="small"):
        for name in ("tools_ok", "tools_failed", "tools_unknown"):
            st.metric(define(name).label, show.count(found[name]), help=define(name).tooltip, border=True)
    if found["tools"]:
        with st.expander("Each call", icon=":material/build:"):
            _shown(found["tools"], TOOLS, "response_tools", "Tool calls in order")
    known = {name: found[f"{name}_tokens"] for name in TOKENS if found[f"{name}_tokens"] is not None}
    st.subheader("Tokens", anchor=False)
    if not known:
        st.caption("Not stated. They are shown, never scored.")
        return
    with st.grid(len(known), min_column_width=90, gap="small"):
        for name, number in known.items():
            definition = define(f"response_tokens_{name}")
            st.metric(definition.label, show.count(number), help=definition.tooltip, border=True)


def _metric(name: str, value: float | None, behind: str | None) -> None:
    definition = define(name)
    st.metric(
        definition.label, show.score(value), help=definition.tooltip, border=True, height="stretch", delta=behind,
        delta_color="off", delta_arrow="off",
    )  # fmt: skip


def _shown(rows: list[dict[str, Any]], columns: dict[str, str], key: str, alt: str) -> None:
    st.dataframe(
        show.shown(table(rows, columns), list(columns)), column_config=show.columns(columns, viewer.zone()), hide_index=True,
        placeholder=show.UNKNOWN, height="content" if len(rows) < 14 else 420, key=key, alt=alt,
    )  # fmt: skip
