"""Which AI responses is a run made of? Those of its story: their mean as a remark, and the way to them."""

from pathlib import Path
from typing import Any

import streamlit as st

from pages.components import responses_choice, responses_data, show
from quality.definitions import define
from quality.response_commands import ResponseFilters

PAGE = Path(__file__).parents[1] / "responses.py"


def of(run: dict[str, Any]) -> None:
    """Shown where the story has responses; it is no part of the run's score."""
    overall = responses_data.stats(ResponseFilters(story_id=run["story_id"]))["overall"]
    if not overall["n"]:
        return
    st.subheader("AI responses", anchor=False)
    st.caption(
        f"Mean {show.score(overall['mean'])} of 100 over {show.count(overall['n_scored'])} scored responses of this story. "
        "It does not enter the automatic score.", help=define("mean_of_story").tooltip,
    )  # fmt: skip
    st.page_link(
        st.Page(PAGE), label="Responses of this story", icon=":material/forum:",
        query_params=responses_choice.of_story(run["story_id"]),
    )  # fmt: skip
