"""How good are single AI responses, and are they getting worse? Over time and by model; one opened to its parts."""

import streamlit as st

from pages.components import page, responses, responses_choice, responses_data, responses_view
from quality.response_commands import ResponseFilters

if response_id := responses_choice.opened():
    found = page.found(responses_data.response, response_id, "response")
    responses_view.back()
    if found:
        responses_view.heading(found)
        responses_view.scores(found)
        why, more = st.columns((3, 2), gap="medium")
        with why:
            responses_view.parts(found)
            responses_view.history(found)
        with more:
            responses_view.feedback(found)
            responses_view.tools(found)
else:
    page.title("Responses", "How good single AI responses are, 0–100: correctness, user feedback, static analysis.")
    everything = page.read(responses_data.stats, ResponseFilters())
    if everything["overall"]["n"] or responses_choice.active():
        responses_choice.row([model["model"] for model in everything["models"]])
    chosen = responses_choice.chosen()
    stats = page.read(responses_data.stats, chosen.model_copy(update={"severity": None}))
    if responses.has_any(stats):
        responses.headline(stats)
        responses.over_time(chosen, stats)
        responses.by_model(stats)
        responses.listed(chosen)
