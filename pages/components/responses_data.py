"""What do the pages read about AI responses? Cached reads, keyed by ledger and version as in `data.py`."""

from typing import Any

import streamlit as st

from pages.components import process
from pages.components.data import ENTRIES, Version, version
from quality.response_commands import ListResponses, ResponseFilters, ResponseSeries, ResponseStats, ShowResponse

POINTS = 1_000
"""Points of the chart that travel to a browser; its regressions come besides."""
QUESTIONS = {question.name: question for question in (ListResponses, ResponseSeries, ResponseStats, ShowResponse)}


def stats(filters: ResponseFilters) -> dict[str, Any]:
    """`overall`, `models` and `days`."""
    return _answer(version(), ResponseStats.name, ResponseStats(filters=filters).model_dump_json())


def series(filters: ResponseFilters) -> dict[str, Any]:
    """`points` and `regressions`."""
    return _answer(version(), ResponseSeries.name, ResponseSeries(filters=filters, points=POINTS).model_dump_json())


def listed(filters: ResponseFilters, limit: int, offset: int) -> dict[str, Any]:
    """Responses, latest first, and their `total`."""
    question = ListResponses(filters=filters, limit=limit, offset=offset)
    return _answer(version(), ListResponses.name, question.model_dump_json())


def response(response_id: str) -> dict[str, Any]:
    """One response with its parts, feedback and history.

    Raises:
        NotFound: no such response.
    """
    return _answer(version(), ShowResponse.name, ShowResponse(response_id=response_id).model_dump_json())


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _answer(at: Version, name: str, question: str) -> dict[str, Any]:
    return process.ledger().ask(QUESTIONS[name].model_validate_json(question))
