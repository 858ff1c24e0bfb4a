"""What does the Stories page read besides the rows? Neighbours, the review list, what became of a run and was corrected."""

import json
from typing import Any

import streamlit as st

from pages.components import process
from pages.components.data import ENTRIES, Version, of_runs, of_scores
from quality.commands import Filters
from quality.ledger import neighbours, review_list, run_history
from quality.review_commands import ShowReviewList
from quality.story_commands import RowsChanged, ShowStoryCorrections, SupposeStoryChange


def place_of(filters: Filters, run_id: str, sort: str, descending: bool) -> neighbours.Place:
    """Where the run stands among those that fit, in this order."""
    return _place_of(of_scores(), filters.model_dump_json(), run_id, sort, descending)


def waiting() -> int:
    """Runs on the review list."""
    return _waiting(of_scores())


def entries_of(run_id: str) -> list[dict[str, Any]]:
    """What was said of a run on the review list, the latest first."""
    return _entries_of(of_scores(), run_id)


def events_of(run_id: str) -> list[run_history.Event]:
    """What the run's scores were after each thing that was recorded of it, the latest first."""
    return _events_of(of_scores(), run_id)


def around(run_id: str) -> list[dict[str, Any]]:
    """The runs before and after this one, of its story and of its model."""
    return _around(of_scores(), run_id)


def corrections_of(story_id: str) -> dict[str, Any]:
    """What people corrected of a story, and which ids were merged into it.

    Raises:
        NotFound: no such story.
    """
    return _corrections_of(of_runs(), story_id)


def supposed(kind: str, change: dict[str, Any]) -> RowsChanged:
    """What a correction would do to the rows.

    Raises:
        QualityError: what it would be refused with.
    """
    return RowsChanged(**_supposed(of_scores(), kind, json.dumps(change, sort_keys=True)))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _place_of(at: Version, filters: str, run_id: str, sort: str, descending: bool) -> neighbours.Place:
    chosen = Filters.model_validate_json(filters)
    return neighbours.place_of(process.ledger().store, chosen, run_id, sort=sort, descending=descending)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _waiting(at: Version) -> int:
    return process.ledger().ask(ShowReviewList(limit=0), process.who())["waiting"]


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _entries_of(at: Version, run_id: str) -> list[dict[str, Any]]:
    return review_list.entries_of(process.ledger().store, run_id)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _events_of(at: Version, run_id: str) -> list[run_history.Event]:
    ledger = process.ledger()
    return run_history.events_of(ledger.store, run_id, ledger.settings.scoring)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _around(at: Version, run_id: str) -> list[dict[str, Any]]:
    return run_history.around(process.ledger().store, run_id)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _corrections_of(at: Version, story_id: str) -> dict[str, Any]:
    return process.ledger().ask(ShowStoryCorrections(story_id=story_id), process.who())


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _supposed(at: Version, kind: str, change: str) -> dict[str, Any]:
    question = SupposeStoryChange(kind=kind, change=json.loads(change))
    return process.ledger().ask(question, process.who())["rows"]
