"""What do the pages read? Every cached read, keyed by the open ledger and its version.

A write moves the version, so it shows at once on every page, and nothing else is read twice.
"""

from datetime import UTC, date, datetime
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import looking_back, process
from quality.commands import Filters, ListEvaluations, ShowEvaluation
from quality.ledger import intake, queries
from quality.observations import COORDINATE
from quality.readers.base import Target

ENTRIES = 200
"""Answers kept a question."""

OF_A_RUN = {"story_id", "agent", "model_version", *COORDINATE}
"""Filters that no rating moves a run into or out of."""

Version = tuple[str, int, int]
Seen = tuple[str, int, int, datetime | None]
"""A version, and the earlier moment that the screen is asked as of."""


def version() -> Version:
    """Which ledger, and which state of it."""
    ledger = process.ledger()
    return str(ledger.path), id(ledger), ledger.version


def of_scores() -> Version:
    """Which ledger, and which state of its runs and their scores: what else is written, such as a draft, leaves it."""
    ledger = process.ledger()
    return str(ledger.path), id(ledger), ledger.scores_version


def of_runs() -> Version:
    """Which ledger, and which state of its runs apart from their scores."""
    ledger = process.ledger()
    return str(ledger.path), id(ledger), ledger.runs_version


def seen() -> Seen:
    """Which state of the scores the screen shows: that of now, or what was known at the moment it is asked as of."""
    return *of_scores(), looking_back.moment()


def totals(filters: Filters) -> dict[str, Any]:
    """Runs, stories, scored runs and tier mix of what fits."""
    chosen = filters.model_dump_json()
    of_a_run = set(filters.model_dump(exclude_none=True)) <= OF_A_RUN
    at = seen()
    stories = (*of_runs(), None) if of_a_run and at[-1] is None else at
    return _totals(at, chosen) | {"stories": _stories(stories, chosen)}


def leaderboard(filters: Filters) -> pa.Table:
    """A row a model."""
    return _leaderboard(seen(), filters.model_dump_json(), datetime.now(UTC).date())


def facets() -> dict[str, list[str]]:
    """Filter → the values it can take."""
    return _facets(of_runs()) | {"reviewer": _reviewers(of_scores())}


def runs_page(filters: Filters, sort: str, descending: bool, limit: int, offset: int) -> pa.Table:
    """One page of runs."""
    return _runs_page(of_scores(), filters.model_dump_json(), sort, descending, limit, offset)


def run(run_id: str) -> dict[str, Any]:
    """One run with everything behind it.

    Raises:
        NotFound: no such run.
    """
    return _run(of_scores(), run_id)


def story(story_id: str) -> dict[str, Any]:
    """What is known of a story."""
    return _story(version(), story_id)


def stories_with_criteria() -> list[dict[str, Any]]:
    """`story_id` and `title` of the stories that have done criteria, the latest first, at most 1,000."""
    return _stories_with_criteria(version())


def evaluations(question: ListEvaluations) -> dict[str, Any]:
    """Evaluations of prompts, latest first, and their `total`."""
    return _evaluations(version(), question.model_dump_json())


def evaluation(evaluation_id: str) -> dict[str, Any]:
    """One evaluation with the text that was judged and the judge's words.

    Raises:
        NotFound: no such evaluation.
    """
    return _evaluation(version(), evaluation_id)


def stored_files(hashes: list[str]) -> dict[str, list[Target]]:
    """SHA-256 of a file that is stored → the targets it was stored with."""
    return _stored_files(version(), tuple(hashes))


def find_stories(text: str, limit: int) -> list[dict[str, Any]]:
    """The stories that hold every word, the latest first."""
    return _find_stories(version(), text, limit)


def start_of_run(target: Target) -> datetime | None:
    """When the run that a file without ids would go to began, if that is known."""
    return intake.start_of_run(process.ledger().store, target)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _stored_files(at: Version, hashes: tuple[str, ...]) -> dict[str, list[Target]]:
    return intake.stored_files(process.ledger().store, list(hashes))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _find_stories(at: Version, text: str, limit: int) -> list[dict[str, Any]]:
    return intake.find_stories(process.ledger().store, text, limit)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _totals(at: Seen, filters: str) -> dict[str, Any]:
    return queries.totals(process.store(at[-1]), Filters.model_validate_json(filters))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _stories(at: Seen, filters: str) -> int:
    return queries.count_stories(process.store(at[-1]), Filters.model_validate_json(filters))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _reviewers(at: Version) -> list[str]:
    return queries.reviewers(process.ledger().store)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _leaderboard(at: Seen, filters: str, today: date) -> pa.Table:
    """`today` is in the key because ages in a routing score are counted in whole weeks."""
    moment = at[-1]
    scoring = process.ledger().past(moment).scoring if moment else process.ledger().settings.scoring
    return queries.leaderboard(process.store(moment), Filters.model_validate_json(filters), scoring, moment)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _facets(at: Version) -> dict[str, list[str]]:
    return queries.facets(process.ledger().store)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _runs_page(at: Version, filters: str, sort: str, descending: bool, limit: int, offset: int) -> pa.Table:
    chosen = Filters.model_validate_json(filters)
    store = process.ledger().store
    return queries.runs_page(store, chosen, sort=sort, descending=descending, limit=limit, offset=offset)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _run(at: Version, run_id: str) -> dict[str, Any]:
    return queries.run(process.ledger().store, run_id)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _story(at: Version, story_id: str) -> dict[str, Any]:
    return queries.story_facts(process.ledger().store, story_id)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _stories_with_criteria(at: Version) -> list[dict[str, Any]]:
    return queries.stories_with_criteria(process.ledger().store)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _evaluations(at: Version, question: str) -> dict[str, Any]:
    return process.ledger().ask(ListEvaluations.model_validate_json(question))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _evaluation(at: Version, evaluation_id: str) -> dict[str, Any]:
    return process.ledger().ask(ShowEvaluation(evaluation_id=evaluation_id))
