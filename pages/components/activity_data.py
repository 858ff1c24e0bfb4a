"""What do the pages read about writes and backups? Cached reads, keyed by ledger and version as in `data.py`."""

from pathlib import Path
from typing import Any

import streamlit as st

from pages.components import process
from pages.components.data import ENTRIES, Version, version
from quality.activity_commands import ListActivity, ShowWrite
from quality.backup_commands import CheckBackup, ListBackups
from quality.ledger.activity import activity_facets


def listed(question: ListActivity) -> dict[str, Any]:
    """A page of writes, latest first."""
    return _listed(version(), question.model_dump_json())


def write(command_id: str) -> dict[str, Any]:
    """One write, whole.

    Raises:
        NotFound: no such write.
    """
    return _write(version(), command_id)


def facets() -> dict[str, list[str]]:
    """Who wrote, and what kinds of writes there are."""
    return _facets(version())


def backups() -> dict[str, Any]:
    """The backups beside the ledger. Files come and go by themselves, so nothing is kept.

    Raises:
        Forbidden: the person in front of the page may not see them.
    """
    return process.ask(ListBackups())


def difference(path: str) -> dict[str, Any]:
    """What restoring a backup would change.

    Raises:
        Forbidden: they may not.
        QualityError: it cannot be restored; says why.
    """
    stat = Path(path).stat()
    return _difference(version(), process.who().role, path, stat.st_mtime_ns, stat.st_size)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _listed(at: Version, question: str) -> dict[str, Any]:
    return process.ledger().ask(ListActivity.model_validate_json(question))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _write(at: Version, command_id: str) -> dict[str, Any]:
    return process.ledger().ask(ShowWrite(command_id=command_id))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _facets(at: Version) -> dict[str, list[str]]:
    return activity_facets(process.ledger().store)


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _difference(at: Version, role: str, path: str, changed: int, size: int) -> dict[str, Any]:
    return process.ask(CheckBackup(path=path))
