"""Is a report from before the run began of this run? Named on the run's page, and confirmed there by a person."""

from typing import Any

import streamlit as st

from pages.components import allowed, process, show, states, viewer
from quality.commands import AcceptReport
from quality.errors import QualityError

CAVEAT = "older_report"
_REASON = "confirm_refused"


def ask(run: dict[str, Any]) -> None:
    """A button a report that waits, with its name and both times beside it."""
    if CAVEAT not in run["caveats"]:
        return
    may = allowed.to(AcceptReport, "Confirming a report")
    for import_id, reading in waiting(run).items():
        zone = viewer.zone()
        times = (
            f"says {show.instant(reading['occurred_at'], zone)}, the run began {show.instant(run['started_at'], zone)}"
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "Confirm: this report is of this run",
                on_click=_confirm,
                args=(import_id, run["run_id"]),
                disabled=not viewer.reviewer() or not may,
                icon=":material/check:",
                key=f"confirm-{import_id}",
                help="It is scored from now on; your name is kept with it.",
            )
            st.text(f"{show.isolated(reading['artifact'] or '')}: {times}", width="stretch")
    if may and not viewer.reviewer():
        st.caption("Give your name under Your rating first.")
    if reason := st.session_state.pop(_REASON, None):
        states.problem("Not confirmed.", reason)


def waiting(run: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Import → its latest reading, of those that are older than the run and not confirmed."""
    found: dict[str, dict[str, Any]] = {}
    for reading in run["readings"]:
        if reading["is_older"]:
            found.setdefault(reading["import_id"], reading)
    return found


def _confirm(import_id: str, run_id: str) -> None:
    try:
        process.execute(AcceptReport(actor=viewer.reviewer(), import_id=import_id, run_id=run_id))
    except QualityError as error:
        st.session_state[_REASON] = str(error)
