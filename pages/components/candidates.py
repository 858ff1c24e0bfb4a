"""Which rankings are there, how is one ranked, and do its reviewers agree? Lists, with the ways into them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from pages.components import candidates_choice, candidates_data, judging, process, show, states, url, viewer
from pages.components.candidates_opened import Opened
from pages.components.responses import table
from quality.candidate_notes import blocker_words
from quality.candidate_output import ScoredCandidate
from quality.definitions import define
from quality.panel import LABELS

RANKINGS = {
    "ranked_at": "recorded_at", "candidate_run": "candidate_run", "critic_mode": "mode", "candidates_judge": "judge",
    "n_candidates": "candidates", "n_accepted": "accepted", "n_held": "held", "n_rejected": "rejected", "actor": "actor",
}  # fmt: skip
CANDIDATES = {
    "candidate_place": "place", "candidate_id": "id", "candidate_score": "score", "recommendation": "recommendation",
    "cognitive_label": "label", "candidate_category": "category", "candidate_risk": "risk_level", "blockers": "blockers",
    "candidate_title": "title",
}  # fmt: skip
REVIEWERS = {
    "panel_reviewer": "reviewer", "reviewer_mean": "mean_score", "reviewer_agrees": "agrees", "changed_without": "n",
    "changed_share": "share", "changed_low": "low", "changed_high": "high",
}  # fmt: skip
SHARES = {"CONSENSUS": "consensus_share", "VERIFIED": "verified_share", "DISPUTED": "disputed_share"}
COMMAND = "python -m quality discriminate --input candidates.json --panel --store"
HOW = "Drop a file of candidates here, rank it and store it. Or from the command line, while this page is open:"
LISTED = 100
MOST_DIGITS = 9
MODES = {
    "heuristic-only": "heuristic", "heuristic+evaluator-phase1": "heuristic, evidence",
    "heuristic+llm-judge": "heuristic, judge", "heuristic+evaluator+llm-judge": "heuristic, judge, evidence",
}  # fmt: skip
"""critic_mode → in words; a panel is put together."""


def rankings() -> None:
    """The stored rankings, latest first; ticking one opens it."""
    st.subheader("Stored rankings", anchor=False)
    found = candidates_data.rankings(LISTED, 0)
    if not found["total"]:
        states.empty("rankings", HOW, COMMAND)
        return
    rows = [row | {"mode": mode_of(row), "judge": _judge(row["backend_used"])} for row in found["rankings"]]
    _ticking(rows, RANKINGS, "candidate_rankings", "Stored rankings, latest first", [row["ranking_id"] for row in rows],
             candidates_choice.open_ranking)  # fmt: skip
    if found["total"] > len(rows):
        st.caption(f"The latest {show.count(len(rows))} of {show.count(found['total'])} rankings.")


def back() -> None:
    st.button(
        "All rankings", on_click=candidates_choice.open_ranking, args=(None,), icon=":material/arrow_back:",
        type="tertiary", key="all_rankings",
    )  # fmt: skip


def heading(opened: Opened) -> None:
    """Which run, ranked by what, and what came of it."""
    head = opened.head
    made_of = {"panel": opened.with_panel, "evidence": head.evaluator_evidence_enabled, "critic_mode": head.critic_mode}
    words = mode_of(made_of | {"judged": head.llm_judge is not None})
    where = [f"Target: {show.isolated(str(head.target.get('path', show.UNKNOWN)))}"]
    if head.source_candidate_artifact:
        where.append(f"Input: {show.isolated(head.source_candidate_artifact)}")
    if opened.recorded_at:
        where.append(f"Stored {show.instant(opened.recorded_at, viewer.zone())} by {show.isolated(opened.actor or '')}")
    st.title("Ranking", anchor=False)
    with st.container(border=True, gap="xsmall"):
        st.text(f"Improvement run {show.isolated(head.run_id)}")
        st.text("  ·  ".join(where))
        st.caption(f"Ranked by {words}.", help=define("critic_mode").tooltip)
        if head.llm_judge:
            _who_judged(opened)
    with st.grid(4, min_column_width=150, gap="small"):
        counts = (opened.count, head.summary.accept_for_execution, head.summary.hold, head.summary.reject)
        for name, number in zip(("n_candidates", "n_accepted", "n_held", "n_rejected"), counts):
            st.metric(define(name).label, show.count(number), help=define(name).tooltip, border=True)
    if head.warnings:
        with st.expander(f"Notes on this ranking: {show.count(len(head.warnings))}", icon=":material/info:"):
            st.text("\n".join(head.warnings))


def listed(opened: Opened) -> None:
    """The candidates that fit, best first, a page at a time; ticking one opens it. And the whole as a file."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        st.subheader("Candidates, best first", anchor=False, width="content")
        st.download_button(
            "Download JSON", opened.file, f"{opened.head.run_id}.json", "application/json", on_click="ignore",
            icon=":material/download:", key="download_ranking", help="The whole ranking, as the command line writes it.",
        )  # fmt: skip
    candidates_choice.row(opened.with_panel)
    size, page = process.ledger().settings.limits.page_rows, _page()
    filters = candidates_choice.chosen()
    total, places, found = opened.fitting(filters, size, (page - 1) * size)
    if not total:
        if opened.count:
            states.nothing_fits()
        else:
            states.missing("The file has no candidates.")
        return
    rows = [row_of(place, one) for place, one in zip(places, found)]
    columns = {name: of for name, of in CANDIDATES.items() if opened.with_panel or name != "cognitive_label"}
    _ticking(rows, columns, f"candidates-{page}-{filters.model_dump_json()}", "Candidates with scores and blockers",
             [one.id for one in found], candidates_choice.open_candidate)  # fmt: skip
    pages = max(1, -(-total // size))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        of_all = f" of {show.count(opened.count)}" if total != opened.count else ""
        st.caption(f"{show.count(total)}{of_all} candidates. Tick one to see how its score comes about.")
        turn = f"candidates-page-{page}-of-{pages}"
        st.pagination(pages, default=min(page, pages), key=turn, on_change=partial(_turn, turn))


def agreement() -> None:
    """What the panels of the stored rankings agree on, and what one reviewer decides."""
    found = candidates_data.agreement()
    st.subheader("Reviewer agreement", anchor=False)
    mocked = f"left out because the mock judged: {show.count(found['simulated'])}" if found["simulated"] else ""
    if not found["candidates"]:
        st.caption("No stored ranking has a panel that counts." + (f" {mocked.capitalize()}." if mocked else ""))
        return
    st.caption(f"Over the latest panel ranking of each improvement run{'; ' + mocked if mocked else ''}.")
    with st.grid(7, min_column_width=120, gap="small"):
        _metric("n_panel_rankings", show.count(found["rankings"]))
        _metric("n_panel_candidates", show.count(found["candidates"]))
        for label in LABELS:
            part = found["labels"][label]
            _metric(
                SHARES[label], show.share(part["share"]), f"{show.share(part['low'])} to {show.share(part['high'])}"
            )
        _metric("panel_spread", show.ratio(found["spread"]["mean"]))
        _metric("most_spread", show.ratio(found["spread"]["most"]))
    rows = [
        one["without"] | one | {"reviewer": show.words(one["reviewer"]), "agrees": one["agrees"]["share"]}
        for one in found["reviewers"]
    ]  # fmt: skip
    st.dataframe(
        show.shown(table(rows, REVIEWERS), list(REVIEWERS)), hide_index=True, height="content", key="reviewer_agreement",
        column_config=show.columns(REVIEWERS, viewer.zone()), placeholder=show.UNKNOWN,
        alt="Each reviewer: mean score, agreement with the panel, and what would change without it",
    )  # fmt: skip
    st.caption("Shares in small print, and From to To, are 95 % intervals: few candidates make them wide.")


def row_of(place: int, one: ScoredCandidate) -> dict[str, Any]:
    """A candidate as it is listed, recommendation and blockers in words."""
    given = one.model_extra or {}
    return {
        "place": place, "id": one.id, "score": one.score, "recommendation": show.words(one.recommendation),
        "label": one.panel and one.panel.cognitive_label, "title": given.get("title"), "category": given.get("category"),
        "risk_level": given.get("risk_level"), "blockers": " ".join(map(blocker_words, one.blockers)) or "none",
    }  # fmt: skip


def mode_of(row: dict[str, Any]) -> str:
    """What the scores are made of, in words.

    >>> mode_of({"critic_mode": "heuristic-only", "panel": False})
    'heuristic'
    >>> mode_of({"critic_mode": "multi-reviewer-panel", "panel": True, "evidence": True, "judged": False})
    'panel of four, evidence'
    """
    if not row["panel"]:
        return MODES[row["critic_mode"]]
    judged = row["judged"] if "judged" in row else row["backend_used"] is not None
    parts = {"panel of four": True, "judge": judged, "evidence": row["evidence"]}
    return ", ".join(name for name, there in parts.items() if there)


def _who_judged(opened: Opened) -> None:
    use = opened.head.llm_judge
    assert use is not None
    if opened.simulated:
        judging.no_judgement()
    cost = f", {show.dollars(use.cost_usd)}" if use.cost_usd is not None else ""
    st.text(
        f"Judge: {use.backend_used}, {show.isolated(use.model)}; {show.count(use.answered)} of {show.count(use.asked)} "
        f"questions answered{cost}"
    )  # fmt: skip
    if use.reason:
        st.text(f"{use.requested} was asked for: {use.reason}")


def _judge(backend: str | None) -> str | None:
    return "mock: no judgement" if backend == "mock" else backend


def _metric(name: str, value: str, behind: str | None = None) -> None:
    st.metric(
        define(name).label, value, help=define(name).tooltip, border=True, height="stretch", delta=behind, delta_color="off",
        delta_arrow="off",
    )  # fmt: skip


def _ticking(
    rows: list[dict[str, Any]], columns: dict[str, str], key: str, alt: str, ids: list[str], take: Callable[[str], None]
) -> None:
    st.dataframe(
        table(rows, columns), column_config=show.columns(columns, viewer.zone()), hide_index=True, placeholder=show.UNKNOWN,
        height=show.table_height(len(rows)), key=key, selection_mode="single-row", alt=alt,
        on_select=partial(_ticked, key, ids, take),
    )  # fmt: skip


def _ticked(key: str, ids: list[str], take: Callable[[str], None]) -> None:
    if rows := st.session_state[key].selection.rows:
        take(ids[rows[0]])


def _page() -> int:
    named = url.read(candidates_choice.PAGE) or "1"
    return max(int(named), 1) if named.isdecimal() and len(named) <= MOST_DIGITS else 1


def _turn(key: str) -> None:
    url.write(candidates_choice.PAGE, str(st.session_state[key]))
