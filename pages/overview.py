"""Which model does what how well? The three tiers side by side, and the one number that people route by."""

import streamlit as st

from pages.components import data, filters, model_choice, overview, overview_charts, page

model_choice.follow()
page.title("Overview", "Which model does well, by whose word: automatic signals, a verifier agent, or a human.")
chosen = filters.chosen()
totals = data.totals(chosen)

if page.has_rows(totals):
    models = data.leaderboard(chosen)
    overview.headline(totals)
    side_by_side, coverage = st.columns((3, 2), gap="medium")
    with side_by_side:
        st.subheader("Tiers by model", anchor=False)
        overview.dumbbells(models.to_pylist())
    with coverage:
        overview_charts.coverage(chosen)
    st.subheader("Leaderboard", anchor=False)
    overview.leaderboard(models)
    overview.notes(totals)
    overview_charts.kinds(chosen, models["model"].to_pylist())
    overview_charts.weeks(chosen)
