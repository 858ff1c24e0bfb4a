"""What is one model like? Its tiers, kinds of work, weeks, caveats and stories, and how it does beside another."""

import streamlit as st

from pages.components import (
    data,
    filters,
    looking_back,
    model_choice,
    model_pair,
    model_view,
    overview,
    overview_charts,
    page,
    ranking,
)

model_choice.follow()
chosen = filters.chosen()

if model := model_choice.current():
    model_choice.back()
    model_view.heading(model)
    looking_back.tell(looking_back.as_of())
    totals = page.read(data.totals, chosen)
    if page.has_rows(totals):
        model_view.headline(model_choice.row_of(model, page.read(data.leaderboard, chosen)))
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
    looking_back.tell(looking_back.as_of())
    totals = page.read(data.totals, chosen)
    if page.has_rows(totals):
        models = ranking.of(page.read(data.leaderboard, chosen), chosen, totals["runs"])
        ranking.intervals(models, chosen, totals["runs"])
        overview.leaderboard(models)
