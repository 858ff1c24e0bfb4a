"""Which model does what how well? The three tiers side by side, and the one number that people route by."""

import streamlit as st

from pages.components import data, filters, overview, page

page.title("Overview", "Which model does well, by whose word: automatic signals, a verifier agent, or a human.")
chosen = filters.chosen()
totals = data.totals(chosen)

if page.has_rows(totals):
    models = data.leaderboard(chosen)
    overview.headline(totals)
    st.subheader("Tiers by model", anchor=False)
    overview.dumbbells(models.to_pylist())
    st.subheader("Leaderboard", anchor=False)
    overview.leaderboard(models)
    overview.notes(totals)
