"""What do the pages read about imports? Cached reads, keyed by ledger and version as in `data.py`."""

from typing import Any

import streamlit as st

from pages.components import process
from pages.components.data import ENTRIES, Version, version
from quality.correction_commands import ListImports, ShowImport


def listed(question: ListImports) -> dict[str, Any]:
    """Imports that fit, the latest first."""
    return _listed(version(), question.model_dump_json())


def one(import_id: str) -> dict[str, Any]:
    """One import with its turns, what it brought and its first runs.

    Raises:
        NotFound: no such import.
    """
    return _one(version(), import_id)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _listed(at: Version, question: str) -> dict[str, Any]:
    return process.ledger().ask(ListImports.model_validate_json(question))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _one(at: Version, import_id: str) -> dict[str, Any]:
    return process.ledger().ask(ShowImport(import_id=import_id))
