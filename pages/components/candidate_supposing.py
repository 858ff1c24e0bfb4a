"""What would a candidate's score be if something were otherwise? Switches, and the answer of the ranking's own call."""

import streamlit as st

from pages.components import candidate_view, show
from pages.components.candidates_opened import Opened
from quality.candidate_output import ScoredCandidate
from quality.candidate_what_if import Supposed, as_it_is, differs, what_if
from quality.candidates import LEVELS, MOST_REFS
from quality.definitions import define

NONE = "none given"
REFS_OFFERED = 2 * MOST_REFS
"""References that can be supposed, where the candidate has no more."""


def of(opened: Opened, one: ScoredCandidate) -> None:
    """Suppose, and see at once."""
    now = as_it_is(one, opened.head.llm_judge is not None)
    st.subheader("What if", anchor=False)
    st.caption("Nothing is changed or stored: the candidate is ranked again by the same call, under what you suppose.")
    found = what_if(one, _supposed(opened, one, now), opened.protected_paths)
    _answer(one, found)


def _supposed(opened: Opened, one: ScoredCandidate, now: Supposed) -> Supposed:
    key = f"what-if-{opened.ranking_id}-{one.id}"
    given = NONE if now.risk_level is None else now.risk_level
    levels = list(dict.fromkeys([*LEVELS, NONE, given]))
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            risk = st.selectbox("Risk", levels, index=levels.index(given), key=f"{key}-risk", width=160)
            refs = st.number_input(
                "References", 0, max(REFS_OFFERED, now.refs), now.refs, key=f"{key}-refs", width=140,
                help=define("refs").tooltip,
            )  # fmt: skip
            executor = st.toggle("Executor supports it", now.executor_support, key=f"{key}-executor")
        with st.container(horizontal=True, gap="medium"):
            panel = st.toggle("Panel", now.panel, key=f"{key}-panel")
            evidence = st.toggle("Evidence", now.evidence, key=f"{key}-evidence", disabled=one.evidence is None)
            judge = st.toggle("Judge", now.judge, key=f"{key}-judge", disabled=one.llm_verdict is None)
        missing = {"Evidence": one.evidence is None, "A judge": one.llm_verdict is None}
        if any(missing.values()):
            names = " and ".join(name for name, is_missing in missing.items() if is_missing)
            st.caption(
                f":material/info: {names} can be supposed only where the ranking had it: nothing is looked up anew."
            )
    return Supposed(None if risk == NONE else risk, executor, int(refs), panel, evidence, judge)


def _answer(one: ScoredCandidate, found: ScoredCandidate) -> None:
    changes = differs(one, found)
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="medium"):
        st.metric(
            "Score it would have", show.ratio(found.score), help=define("candidate_score").tooltip, width="content",
            delta=f"{show.difference(found.score - one.score, 2)} against {show.ratio(one.score)}", delta_color="off",
            delta_arrow="off",
        )  # fmt: skip
        candidate_view.recommended(found.recommendation)
        candidate_view.labelled(found)
    for name, (before, after) in changes.items():
        words = [show.words(value) if value else "none" for value in (before, after)]
        st.caption(f"{name.capitalize()}: {words[0]} → {words[1]}")
    candidate_view.against(found)
    candidate_view.way(found, "what-if")
