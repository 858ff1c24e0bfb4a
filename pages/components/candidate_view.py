"""Why does a candidate score as it does? Its own data, the steps of its score, four reviewers, judge and evidence."""

from typing import Any

import streamlit as st

from pages.components import candidates_charts, candidates_choice, charts, judging, show, states, viewer
from pages.components.candidates_opened import Opened
from pages.components.responses import table
from quality.candidate_judging import DIMENSIONS
from quality.candidate_notes import blocker_words
from quality.candidate_output import Evidence, Parts, Review, ScoredCandidate, Verdict
from quality.candidate_what_if import candidate_of, steps
from quality.definitions import define

LOOKS = {
    "accept_for_execution": ("green", ":material/check_circle:"),
    "hold": ("orange", ":material/pan_tool:"),
    "reject": ("red", ":material/cancel:"),
}
"""Recommendation → colour and a shape besides."""
LABELS = {"CONSENSUS": ":material/done_all:", "VERIFIED": ":material/how_to_vote:", "DISPUTED": ":material/call_split:"}
JUDGED = {
    "panel_reviewer": "reviewer", **{name: name for name in DIMENSIONS}, "llm_score": "score", "judge_decision": "decision",
    "confidence": "confidence",
}  # fmt: skip
MEASURED = {"dimension": "dimension", "evidence_overall": "value", "dimension_weight": "weight"}


def back(opened: Opened) -> None:
    st.button(
        "All candidates of this ranking", on_click=candidates_choice.open_candidate, args=(None,),
        icon=":material/arrow_back:", type="tertiary", key="all_candidates",
    )  # fmt: skip


def heading(opened: Opened, one: ScoredCandidate) -> None:
    """Which candidate, as it was given."""
    given = candidate_of(one)
    st.title("Candidate", anchor=False)
    facts = {
        "Run": opened.head.run_id, "Category": given.category, "Risk": given.risk_level, "Path": given.target_path,
        "Executor": "supports it" if given.executor_support else "does not support it",
        "References": show.count(len(given.source_refs or ())),
    }  # fmt: skip
    lines = "  ·  ".join(f"{name}: {show.isolated(value) if value else show.UNKNOWN}" for name, value in facts.items())
    said = [text for text in (given.title, given.proposed_change_summary, given.rationale) if text]
    with st.container(border=True, gap="xsmall", height=show.room("\n".join([one.id, lines, *said]))):
        st.text(show.isolated(one.id))
        for text in said:
            st.text(text)
        st.text(lines)
        if opened.simulated:
            judging.no_judgement()


def result(one: ScoredCandidate) -> None:
    """The score, what to do, and what stands against it."""
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="medium"):
        st.metric(
            define("candidate_score").label,
            show.ratio(one.score),
            help=define("candidate_score").tooltip,
            width="content",
        )
        recommended(one.recommendation)
        labelled(one)
    against(one)


def against(one: ScoredCandidate) -> None:
    """What stands against carrying it out, in sentences."""
    st.markdown("**Blockers**")
    if not one.blockers:
        st.caption(":material/check: Nothing stands against it.")
    for blocker in one.blockers:
        st.text(f"• {blocker_words(blocker)}")


def recommended(name: str) -> None:
    colour, icon = LOOKS[name]
    st.badge(show.words(name), icon=icon, color=colour, help=define("recommendation").tooltip)


def labelled(one: ScoredCandidate) -> None:
    """Whether the reviewers agree."""
    if one.panel:
        label = one.panel.cognitive_label
        st.badge(label, icon=LABELS[label], color="blue", help=define("cognitive_label").tooltip)


def way(one: ScoredCandidate, key: str = "way") -> None:
    """The steps to its score; with a panel those of one reviewer."""
    if one.panel is None:
        if one.parts:
            _waterfall(one.parts, key)
        return
    reviews = {review.reviewer: review for review in one.panel.panel_reviews}
    chosen = st.segmented_control(
        "Whose score",
        list(reviews),
        default=next(iter(reviews)),
        required=True,
        key=f"{key}-whose",
        format_func=show.words,
    )
    _waterfall(reviews[chosen].parts, key)
    scores = ", ".join(show.ratio(review.score) for review in reviews.values())
    st.caption(f"The candidate's score is the mean of the four: {scores} → {show.ratio(one.score)}.")


def reviewers(one: ScoredCandidate) -> None:
    """The four side by side with the label."""
    if one.panel is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Four reviewers", anchor=False, width="content")
        labelled(one)
    with st.grid(len(one.panel.panel_reviews), min_column_width=180, gap="small"):
        for review in one.panel.panel_reviews:
            _review(review)


def judged(one: ScoredCandidate) -> None:
    """The judge's four dimensions, one row an answer, and its words."""
    heard = _heard(one)
    if not heard:
        return
    st.subheader("Judge", anchor=False)
    if any(verdict.backend_used == "mock" for _, verdict in heard):
        judging.no_judgement()
    rows = [
        {"reviewer": who, "score": verdict.score, "decision": verdict.decision, "confidence": verdict.confidence}
        | verdict.dimensions
        for who, verdict in heard
    ]  # fmt: skip
    _table(rows, JUDGED, "judged", "What the judge said: four dimensions, their mean, decision and confidence")
    for who, verdict in heard:
        if verdict.reasoning or verdict.warnings:
            with st.expander(f"The judge's words: {who}", icon=":material/notes:"):
                st.text(verdict.reasoning)
                for warning in verdict.warnings:
                    st.text(f"Note: {warning}")


def evidence(one: ScoredCandidate) -> None:
    """What the target's folder and the candidate's data say."""
    if (found := one.evidence) is None:
        return
    st.subheader("Evidence", anchor=False)
    _evidence(found)


def notes(one: ScoredCandidate) -> None:
    """What is said about it, in sentences."""
    if one.judge_notes:
        with st.expander("Notes", icon=":material/info:"):
            st.text("\n".join(one.judge_notes))


def _evidence(found: Evidence) -> None:
    there = [show.words(name) for name, exists in found.structure.items() if exists]
    st.caption(
        f"{found.skill_level}: {', '.join(there) or 'none of the five'} in the target's folder. Overall "
        f"{show.share(found.overall)}, {found.verdict}.", help=define("evidence_overall").tooltip,
    )  # fmt: skip
    rows = [
        {"dimension": show.words(name), "value": value, "weight": found.weights.get(name, 0.0)}
        for name, value in found.dims.items()
    ]  # fmt: skip
    _table(rows, MEASURED, "evidence", "Dimensions of the evidence with their weights")
    for warning in found.warnings:
        st.text(f"Note: {warning}")


def _review(review: Review) -> None:
    with st.container(border=True, gap="xsmall"):
        st.metric(
            show.words(review.reviewer).capitalize(), show.ratio(review.score), help=define("panel_reviewer").tooltip,
        )  # fmt: skip
        recommended(review.recommendation)
        st.caption(candidates_charts.in_words(steps(review.parts)[:-1]))


def _heard(one: ScoredCandidate) -> list[tuple[str, Verdict]]:
    """Who was told what."""
    if one.panel:
        reviews = [(show.words(review.reviewer), review.llm_verdict) for review in one.panel.panel_reviews]
        return [(who, verdict) for who, verdict in reviews if verdict is not None]
    return [("no panel", one.llm_verdict)] if one.llm_verdict else []


def _waterfall(parts: Parts, key: str) -> None:
    found = steps(parts)
    st.plotly_chart(
        candidates_charts.waterfall(found), config=charts.STILL, key=f"{key}-chart",
        alt=f"The way to the score: {candidates_charts.in_words(found)}",
    )  # fmt: skip
    if parts.blend.missing:
        states.missing("The judge gave no usable answer: blended without it.")


def _table(rows: list[dict[str, Any]], columns: dict[str, str], key: str, alt: str) -> None:
    st.dataframe(
        show.shown(table(rows, columns), list(columns)), column_config=show.columns(columns, viewer.zone()), hide_index=True,
        placeholder=show.UNKNOWN, height="content", key=key, alt=alt,
    )  # fmt: skip
