"""How well is a prompt written, by a judge's word? Evaluate one, see why it scores so, and what a change does to it."""

import streamlit as st

from pages.components import data, opened_prompt, page, prompt_draft, prompt_history, prompt_view

page.title("Prompts", "How well a prompt is written, by a judge's word: structure, clarity, completeness, specificity.")
running = prompt_draft.settle()
write, read = st.columns((2, 3), gap="large")
found = None
with write:
    prompt_draft.form(running)
with read:
    prompt_draft.progress(running)
    if evaluation_id := opened_prompt.current():
        found = page.found(data.evaluation, evaluation_id, "evaluation")
    else:
        prompt_view.nothing_open()
    if found:
        prompt_view.heading(found)
        prompt_view.result(found)
if found:
    prompt_history.of(found)
prompt_history.prompts()
