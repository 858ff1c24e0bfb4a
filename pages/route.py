"""Which model should this kind of work go to? The tied best, the chance of each, and what to review to know more."""

import streamlit as st

from pages.components import looking_back, model_choice, page, route_view, trust_data

model_choice.follow()
page.title("Route", "Which model to send a kind of work to, how sure that is, and what to review to be surer.")
with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
    asked = route_view.asked()
    moment = looking_back.as_of()
looking_back.tell(moment)
found = page.read(trust_data.route, asked, moment)
route_view.answer(found)
route_view.models(found)
route_view.review(found)
