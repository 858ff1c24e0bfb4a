"""What do the pages read about rankings of candidates? Cached reads, keyed by ledger and version as in `data.py`."""

from typing import Any

import streamlit as st

from pages.components import process
from pages.components.data import ENTRIES, Version, version
from quality.ledger.rankings_reading import ranking_file
from quality.ranking_commands import CandidateFilters, ListRankings, ReviewerAgreement, ShowRanking

QUESTIONS = {question.name: question for question in (ListRankings, ReviewerAgreement, ShowRanking)}


def rankings(limit: int, offset: int) -> dict[str, Any]:
    """Rankings, latest first, and their `total`."""
    return _answer(version(), ListRankings.name, ListRankings(limit=limit, offset=offset).model_dump_json())


def ranking(ranking_id: str, filters: CandidateFilters, limit: int, offset: int) -> dict[str, Any]:
    """A ranking with the candidates that fit, best first, and their `total`.

    Raises:
        NotFound: no such ranking.
    """
    question = ShowRanking(ranking_id=ranking_id, filters=filters, limit=limit, offset=offset)
    return _answer(version(), ShowRanking.name, question.model_dump_json())


def agreement() -> dict[str, Any]:
    """How reviewers agree over the stored rankings."""
    return _answer(version(), ReviewerAgreement.name, ReviewerAgreement().model_dump_json())


def file(ranking_id: str) -> bytes:
    """The ranking as the command line writes it."""
    return ranking_file(process.ledger().store, ranking_id)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _answer(at: Version, name: str, question: str) -> dict[str, Any]:
    return process.ledger().ask(QUESTIONS[name].model_validate_json(question))
