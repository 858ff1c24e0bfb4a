"""When is the story of a run done? Its criteria, and the way to have them, or its prompt, judged."""

from pathlib import Path
from typing import Any

import streamlit as st

from pages.components import data, prompt_draft, show
from quality.prompts import CRITERIA, STORY_PROMPT, texts_of_story

PROMPTS_PAGE = Path(__file__).parents[1] / "prompts.py"
EVALUATE = {
    CRITERIA: "Evaluate the done criteria",
    STORY_PROMPT: "Evaluate the prompt",
}
"""Name of a story's text → what its link says."""


def criteria(run: dict[str, Any]) -> None:
    """The done criteria as written, and a link for each text of the story that can be judged."""
    story = data.story(run["story_id"])
    st.subheader("Done criteria", anchor=False)
    if text := story["done_criteria"]:
        with st.container(border=True, height=show.room(text)):
            st.text(text)
    else:
        st.caption("None are recorded for this story.")
    texts = texts_of_story(run, story) or {STORY_PROMPT: ""}
    with st.container(horizontal=True):
        for name, text in texts.items():
            st.page_link(
                st.Page(PROMPTS_PAGE), label=EVALUATE[name] if text else "Evaluate a prompt of this story",
                icon=":material/edit_note:", query_params=prompt_draft.link(run, name),
            )  # fmt: skip
