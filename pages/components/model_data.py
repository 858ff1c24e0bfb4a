"""What do the pages read about models? Cached reads, keyed by ledger and version as in `data.py`."""

from typing import Any

import streamlit as st

from pages.components import process
from pages.components.data import ENTRIES, Version, version
from quality.commands import Filters
from quality.ledger import queries_models


def by_coordinate(filters: Filters, part: str) -> list[dict[str, Any]]:
    """A row a model and value of a part of the coordinate."""
    return _answer(version(), "by_coordinate", filters.model_dump_json(), part)


def by_week(filters: Filters) -> list[dict[str, Any]]:
    """A row a week, gaps included."""
    return _answer(version(), "by_week", filters.model_dump_json())


def coverage(filters: Filters) -> list[dict[str, Any]]:
    """A row a set of tiers that runs have."""
    return _answer(version(), "coverage", filters.model_dump_json())


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _answer(at: Version, question: str, filters: str, *more: Any) -> Any:
    ask = getattr(queries_models, question)
    return ask(process.ledger().store, Filters.model_validate_json(filters), *more)
