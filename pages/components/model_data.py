"""What do the pages read about models? Cached reads, keyed by ledger, version and moment as in `data.py`."""

from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import process
from pages.components.data import ENTRIES, Seen, seen
from quality.commands import Filters
from quality.ledger import queries_models


def by_coordinate(filters: Filters, part: str) -> list[dict[str, Any]]:
    """A row a model and value of a part of the coordinate."""
    return _answer(seen(), "by_coordinate", filters.model_dump_json(), part)


def by_week(filters: Filters) -> list[dict[str, Any]]:
    """A row a week, gaps included."""
    return _answer(seen(), "by_week", filters.model_dump_json())


def coverage(filters: Filters) -> list[dict[str, Any]]:
    """A row a set of tiers that runs have."""
    return _answer(seen(), "coverage", filters.model_dump_json())


def distribution(filters: Filters) -> list[dict[str, Any]]:
    """A row a tier and step of one point."""
    return _answer(seen(), "distribution", filters.model_dump_json())


def caveats(filters: Filters) -> list[dict[str, Any]]:
    """A row a caveat, most frequent first."""
    return _answer(seen(), "caveats", filters.model_dump_json())


def stories(filters: Filters) -> pa.Table:
    """A row a story, the latest rated first, at most 1,000."""
    return _answer(seen(), "stories", filters.model_dump_json())


def effort(filters: Filters) -> dict[str, Any]:
    """What runs took: cost and duration, each with its n."""
    return _answer(seen(), "effort", filters.model_dump_json())


def compare(filters: Filters, first: str, second: str) -> dict[str, dict[str, Any]]:
    """Tier → the paired difference of two models on the stories that they share; empty where they share none."""
    return _answer(seen(), "compare", filters.model_dump_json(), first, second)


def shared_stories(filters: Filters, first: str, second: str, tier: str) -> pa.Table:
    """A row a story that two models share, the largest difference in this tier first, at most 1,000."""
    return _answer(seen(), "shared_stories", filters.model_dump_json(), first, second, tier)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _answer(at: Seen, question: str, filters: str, *more: Any) -> Any:
    ask = getattr(queries_models, question)
    return ask(process.store(at[-1]), Filters.model_validate_json(filters), *more)
