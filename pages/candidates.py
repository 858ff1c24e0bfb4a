"""Which proposed changes are worth carrying out? Candidates scored and ranked; one opened to the way to its score."""

import streamlit as st

from pages.components import (
    candidate_supposing,
    candidate_view,
    candidates,
    candidates_choice,
    candidates_draft,
    candidates_opened,
    page,
)

running = candidates_draft.settle()
ranking_id, named = candidates_choice.opened(), candidates_choice.candidate()
opened = page.found(candidates_opened.ranking, ranking_id, "ranking") if ranking_id else None

if opened and named:
    candidate_view.back(opened)
    if one := page.found(opened.candidate, named, "candidate"):
        candidate_view.heading(opened, one)
        why, suppose = st.columns((1, 1), gap="large")
        with why:
            candidate_view.result(one)
            st.subheader("How the score adds up", anchor=False)
            candidate_view.way(one)
        with suppose:
            candidate_supposing.of(opened, one)
        candidate_view.reviewers(one)
        candidate_view.judged(one)
        candidate_view.evidence(one)
        candidate_view.notes(one)
elif opened:
    candidates.back()
    candidates.heading(opened)
    if opened.ranking_id is None:
        candidates_draft.store(opened)
    candidates.listed(opened)
elif ranking_id:
    candidates.back()
else:
    page.title(
        "Candidates", "Which proposed changes are worth carrying out: scored, ranked, and what stands against each."
    )
    make, pick = st.columns((2, 3), gap="large")
    with make:
        candidates_draft.form(running)
    with pick:
        candidates.rankings()
    candidates.agreement()
