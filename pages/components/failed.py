"""What does somebody see whose ledger cannot be opened? What stands in the way, what helps, and one action."""

from typing import Any

import streamlit as st

from pages.components import process, show, states, viewer
from pages.components.process import HOME
from quality.home import State
from quality.trouble import Kind, Trouble

WHAT: dict[Kind, str] = {
    "busy": "Another process works with this ledger, and one at a time can.",
    "damaged": "This file is not a whole ledger. Nothing was changed.",
    "newer": "A newer version of Quality Tiers wrote this ledger. Nothing was changed.",
    "other": "Nothing was changed. What stands in the way, and what to do about it:",
}
WAIT = "When it has finished, or you have stopped it, try again here. The ledger itself is whole."
SAMPLE = "It is only the sample: delete the file and try again, and it is built anew."
UPGRADE = "Upgrade Quality Tiers and start it again: the ledger itself is whole."
RESTORE = (
    "Put a backup in its place, the latest first; what lies there now is kept among them. To be run where Quality Tiers is "
    "installed:"
)
NO_BACKUP = "No backup that this version can read lies beside it. If you have one elsewhere:"
FOR_ADMINS = "An admin can put a backup in its place."


def screen(state: State) -> None:
    """The whole screen; there is no other while the ledger is not open."""
    trouble = state.trouble or Trouble("other", state.reason)
    st.title("The ledger cannot be opened", anchor=False)
    states.problem(WHAT[trouble.kind], trouble.reason)
    if trouble.kind == "busy":
        st.write(WAIT)
        if trouble.served_at:
            st.link_button("Open the dashboard that has it", trouble.served_at, icon=":material/open_in_new:")
    elif trouble.sample:
        st.write(SAMPLE)
    elif trouble.kind == "newer":
        st.write(UPGRADE)
        _restore(trouble)
    elif trouble.kind == "damaged":
        _restore(trouble)
    st.button("Try again", on_click=HOME.retry, icon=":material/refresh:", key="retry")


def _restore(trouble: Trouble) -> None:
    if process.lacking("admin"):
        st.write(FOR_ADMINS)
        return
    st.write(RESTORE if trouble.backups else NO_BACKUP)
    for backup in trouble.backups:
        st.text(_said(backup))
        st.code(trouble.restore_command(backup["path"]), language=None, wrap_lines=True)
    if not trouble.backups:
        st.code(trouble.restore_command(), language=None, wrap_lines=True)


def _said(backup: dict[str, Any]) -> str:
    runs = f"  ·  {show.count(backup['runs'])} runs" if backup["runs"] is not None else ""
    return f"{show.instant(backup['made_at'], viewer.zone())}  ·  {backup['name']}{runs}"
