"""Is the ledger safe? When it was last backed up, the button that does it, and the backups that lie beside it."""

from functools import partial
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import process, show, states, url, viewer
from quality.backup_commands import BackUp, ListBackups
from quality.definitions import define
from quality.errors import QualityError
from quality.ledger.backups import receive

OPEN = "backup"
COLUMNS = ("made_at", "backup_name", "backup_kind", "backup_runs", "backup_writes", "backup_size", "made_by")
NOTE = "backup_note"
COMMAND = "python -m quality backup"
_TABLE, _UPLOAD, _TAKEN = "backups_list", "backup_upload", "backup_upload_taken"


def may_see() -> bool:
    """Whether the person may look at backups; if not, says why."""
    if reason := process.barred(ListBackups):
        with st.container(border=True):
            st.subheader("For admins", anchor=False)
            st.write("A backup holds everything, and restoring one replaces everything.")
            st.text(reason)
        return False
    return True


def opened() -> str | None:
    """Name of the open backup."""
    return url.read(OPEN) or None


def open_one(name: str | None) -> None:
    url.write(OPEN, name)


def back() -> None:
    st.button(
        "All backups", on_click=open_one, args=(None,), icon=":material/arrow_back:", type="tertiary", key="all_backups"
    )


def notes() -> None:
    """What the last action came to."""
    if said := st.session_state.pop(NOTE, None):
        worked, what, more = said
        if not worked:
            states.problem(what, more)
            return
        states.done(what, more)


def make(found: dict[str, Any]) -> None:
    """The last backup, what came after it, and the way to the next."""
    last, zone = found["last"], viewer.zone()
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.metric("Last backup", show.instant(last["recorded_at"], zone) if last else "Never", width="content")
            st.metric(
                define("writes_since").label, show.count(found["writes_since"]), help=define("writes_since").tooltip,
                width="content",
            )  # fmt: skip
        viewer.ask_name()
        st.button(
            "**Back up now**", on_click=_back_up, disabled=not viewer.reviewer(), icon=":material/backup:", key="back_up",
            help="Writes wait for the moment it takes; reading goes on. The file is read back before it counts.",
        )  # fmt: skip
        st.caption("It is written beside the ledger, readable by its owner alone, and never over another:")
        st.code(found["folder"], language=None, wrap_lines=True)
        st.caption("Copy it to another machine as well. Or from the command line, also while this page is open:")
        st.code(COMMAND, language=None)


def listed(found: dict[str, Any]) -> None:
    """The backups beside the ledger, latest first; ticking one opens it."""
    st.subheader("Backups", anchor=False)
    backups = found["backups"]
    if not backups:
        states.none_yet("backups")
        return
    key = f"{_TABLE}-{backups[0]['name']}-{len(backups)}"
    table = pa.table(
        {
            "made_at": pa.array([b["made_at"] for b in backups], pa.timestamp("us", "UTC")),
            "backup_name": [b["name"] for b in backups],
            "backup_kind": [kind(b) for b in backups],
            "backup_runs": pa.array([b["runs"] for b in backups], pa.int64()),
            "backup_writes": pa.array([b["writes"] for b in backups], pa.int64()),
            "backup_size": [show.size(b["bytes"]) for b in backups],
            "made_by": pa.array([b["actor"] for b in backups], pa.string()),
        }
    )
    st.dataframe(
        table, column_config=show.columns(COLUMNS, viewer.zone()), hide_index=True, placeholder=show.UNKNOWN,
        height=show.table_height(len(backups)), key=key, selection_mode="single-row",
        on_select=partial(_ticked, key, [b["name"] for b in backups]), alt="Backups beside the ledger, the latest first",
    )  # fmt: skip
    st.caption("Tick one to take it along or to restore it.")


def upload(found: dict[str, Any]) -> None:
    """A backup from elsewhere joins the list, once it was read."""
    if found["sample"]:
        return
    st.file_uploader("A backup from elsewhere", type="duckdb", key=_UPLOAD, on_change=_receive)
    st.caption("A larger one: put the file into the folder above, and it is listed.")


def kind(backup: dict[str, Any]) -> str:
    """What a file among the backups is.

    >>> kind({"sha256": "ab", "replaced": True, "received": False}), kind({"sha256": None})
    ('replaced by a restore', 'put here by hand')
    """
    if backup["sha256"] is None:
        return "put here by hand"
    if backup["received"]:
        return "uploaded"
    return "replaced by a restore" if backup["replaced"] else "backup"


def _back_up() -> None:
    try:
        done = process.execute(BackUp(actor=viewer.reviewer()))
    except QualityError as error:
        st.session_state[NOTE] = (False, "The ledger was not backed up.", str(error))
        return
    said = f"Backed up: {show.count(done.runs)} runs, {show.count(done.writes)} writes, {show.size(done.bytes)}."
    st.session_state[NOTE] = (True, said, f"{done.path}\nSHA-256 {done.sha256}")


def _receive() -> None:
    dropped = st.session_state[_UPLOAD]
    if dropped is None or process.barred(BackUp):
        return
    try:
        done = receive(process.ledger().store, dropped, process.who().name or "")
    except QualityError as error:
        st.session_state[NOTE] = (False, "This file is not a backup that can be restored.", str(error))
        return
    open_one(done.name)


def _ticked(key: str, names: list[str]) -> None:
    if rows := st.session_state[key].selection.rows:
        open_one(names[rows[0]])
