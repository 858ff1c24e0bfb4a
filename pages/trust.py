"""Can these scores be trusted? How far verifiers, the automatic tier and reviewers agree with people."""

import streamlit as st

from pages.components import looking_back, page, trust_data, trust_view

page.title("Trust", "How far each verifier, the automatic tier and the reviewers agree with people, each with its n.")
with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
    moment = looking_back.as_of()
    found = page.read(trust_data.trust, moment)
    card = trust_view.chosen(found)
looking_back.tell(moment)
trust_view.without_card(found)

if card:
    trust_view.card(card)
    trust_view.pairs(card, moment)
    trust_view.parts(card)
    trust_view.self_preference(found["self_preference"])
cheap, people = st.columns(2, gap="medium")
with cheap:
    trust_view.low_confidence(found["low_confidence"])
with people:
    trust_view.reviewers(found["reviewers"])
    trust_view.draws(trust_data.draws(moment))
