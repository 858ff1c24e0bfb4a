"""What do the pages read about trust? Cached answers, keyed by ledger and version as in `data.py`.

The first answer after a write reads all runs: at a million that is a second, for which no other part of a page waits.
"""

from datetime import datetime
from typing import Any

import streamlit as st

from pages.components import looking_back, process
from pages.components.data import ENTRIES, Version, of_scores, version
from quality.commands import Filters, Question
from quality.observations import COORDINATE
from quality.queue_commands import ShowReviewTotals
from quality.trust_commands import TRUST_REQUESTS, ListPairs, RankKinds, RankModels, ShowRoute, ShowTrends, ShowTrust

AT_ONCE = 50_000
"""Runs up to which reading them takes no longer than drawing the page."""
QUESTIONS = {question.name: question for question in TRUST_REQUESTS}
OF_THE_WORK = (*COORDINATE, "agent")
"""Filters that say which work it was. The others choose runs by how they were rated, which would bend what is estimated."""


def is_ready(runs: int) -> bool:
    """Whether an answer about so many runs comes without a wait that would be noticed."""
    ledger = process.ledger()
    return runs <= AT_ONCE or ledger.trust.is_ready(ledger.scores_version, looking_back.moment())


def ranking(filters: Filters) -> dict[str, dict[str, Any]]:
    """Model → its calibrated score, interval and tie group for the work that the filters name, the best first."""
    wanted = {part: getattr(filters, part) for part in OF_THE_WORK}
    return {row["model"]: row for row in _asked(RankModels(**wanted, as_of=looking_back.moment()))["models"]}


def kinds(filters: Filters, part: str) -> dict[tuple[str, str | None], dict[str, Any]]:
    """(Model, value of a part of the coordinate) → its calibrated score and interval, where it has one."""
    wanted = {name: getattr(filters, name) for name in OF_THE_WORK}
    rows = _asked(RankKinds(**wanted, by=part, as_of=looking_back.moment()))["kinds"]
    return {(row["model"], row[part]): row for row in rows if row["calibrated_score"] is not None}


def route(asked: dict[str, str | None], as_of: datetime | None) -> dict[str, Any]:
    """Where to send a kind of work: `words`, `models`, `review`."""
    return _asked(ShowRoute(**asked, as_of=as_of))


def trust(as_of: datetime | None) -> dict[str, Any]:
    """Cards of verifiers, self-preference, low confidence, reviewers among themselves."""
    return _asked(ShowTrust(as_of=as_of))


def pairs(verifier_model: str, as_of: datetime | None) -> dict[str, Any]:
    """Scores of a verifier beside people's.

    Raises:
        NotFound: it has verified no run.
    """
    return _asked(ListPairs(verifier_model=verifier_model, as_of=as_of))


def draws(as_of: datetime | None) -> dict[str, Any]:
    """What became of the runs that the queue drew: `drawn`, `rated`, …, and `skipped_share`."""
    return _draws(version(), as_of)


def trends(filters: Filters, as_of: datetime | None) -> list[dict[str, Any]]:
    """A row a model with its weeks and what was called a drop."""
    wanted = {part: getattr(filters, part) for part in COORDINATE}
    return _asked(ShowTrends(**wanted, as_of=as_of))["models"]


def _asked(question: Question) -> dict[str, Any]:
    return _answer(of_scores(), question.name, question.model_dump_json())


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _draws(at: Version, as_of: datetime | None) -> dict[str, Any]:
    return process.ledger().ask(ShowReviewTotals(as_of=as_of))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _answer(at: Version, name: str, question: str) -> dict[str, Any]:
    return process.ledger().ask(QUESTIONS[name].model_validate_json(question))
