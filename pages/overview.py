"""Which model does what how well? The three tiers side by side, and the one number that people route by."""

import streamlit as st

from pages.components import data, filters, looking_back, model_choice, overview, overview_charts, page, ranking

model_choice.follow()
page.title("Overview", "Which model does well, by whose word: automatic signals, a verifier agent, or a human.")
chosen = filters.chosen()
looking_back.tell(looking_back.as_of())
totals = page.read(data.totals, chosen)

if page.has_rows(totals):
    models = ranking.of(page.read(data.leaderboard, chosen), chosen, totals["runs"])
    overview.headline(totals)
    with st.grid(2, min_column_width=400, gap="medium"):
        side_by_side, coverage = st.container(), st.container()
    with side_by_side:
        st.subheader("Tiers by model", anchor=False)
        overview.dumbbells(models.to_pylist())
    with coverage:
        overview_charts.coverage(chosen)
    st.subheader("Leaderboard", anchor=False)
    ranking.intervals(models, chosen, totals["runs"])
    overview.leaderboard(models)
    overview.notes(totals)
    overview_charts.kinds(chosen, models["model"].to_pylist())
    overview_charts.weeks(chosen)
