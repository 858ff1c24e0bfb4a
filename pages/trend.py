"""Has a model become worse? Weekly scores with gaps as gaps, and drops by a rule that may be looked at every day."""

import streamlit as st

from pages.components import filters, looking_back, page, trend_view, trust_data

page.title("Trend", "How each model does week by week, and which of them have really dropped.")
chosen = filters.chosen()
with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
    moment = looking_back.as_of()
    found = page.read(trust_data.trends, chosen, moment)
    model = trend_view.model(found)
looking_back.tell(moment)
trend_view.applied(chosen)
trend_view.weeks(found, model)
trend_view.summary(found)
