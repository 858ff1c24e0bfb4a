"""What is one model like? Its tiers, kinds of work, weeks, caveats and stories, and how it does beside another."""

import streamlit as st

from pages.components import data, filters, model_choice, model_pair, model_view, overview, overview_charts, page

model_choice.follow()
chosen = filters.chosen()
totals = data.totals(chosen)

if model := model_choice.current():
    model_choice.back()
    model_view.heading(model)
    if page.has_rows(totals):
        model_view.headline(model_choice.row_of(model, data.leaderboard(chosen)))
        scores, besides = st.columns(2, gap="medium")
        with scores:
            model_view.distribution(chosen)
        with besides:
            model_view.caveats(chosen, totals["runs"])
            model_view.effort(chosen)
        model_view.kinds(chosen)
        overview_charts.weeks(chosen)
        model_pair.beside(chosen, model)
        model_view.stories(chosen, totals["stories"])
else:
    page.title("Models", "One model in depth, and two side by side. Tick a model to open its page.")
    if page.has_rows(totals):
        overview.leaderboard(data.leaderboard(chosen))
