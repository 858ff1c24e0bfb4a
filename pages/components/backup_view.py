"""What is in one backup, and what would restoring it change? Facts, download, and the restore with its confirmation."""

from pathlib import Path
from typing import Any

import streamlit as st

from pages.components import activity_data, backups, process, show, states, viewer
from quality.activity_words import label_of, some
from quality.api.downloads import LIFETIME_SECONDS, TICKETS, download_path
from quality.backup_commands import Restore
from quality.definitions import define
from quality.errors import QualityError

RENEW_SECONDS = LIFETIME_SECONDS / 3
"""A page that stays open keeps a link that works."""
SAMPLE = "This is the sample ledger, and it never mixes with your own: nothing can be restored into it."
_AGREED = "restore_agreed"


def named(found: dict[str, Any], name: str) -> dict[str, Any] | None:
    """The backup of that name; `None`, and that on screen, where there is none."""
    one = next((backup for backup in found["backups"] if backup["name"] == name), None)
    if one is None:
        states.problem("This backup is not beside the ledger any more.", name)
    return one


def heading(backup: dict[str, Any]) -> None:
    """What it is, and the way to take it along."""
    zone = viewer.zone()
    st.title("Backup", anchor=False)
    with st.container(border=True, gap="xsmall"):
        st.text(backup["name"])
        by = f" by {show.isolated(backup['actor'])}" if backup["actor"] else ""
        st.text(
            f"{backups.kind(backup).capitalize()}, {show.instant(backup['made_at'], zone)}{by}, {show.size(backup['bytes'])}"
        )
        if backup["sha256"]:
            st.text(f"SHA-256 {backup['sha256']}")
        st.fragment(_link, run_every=RENEW_SECONDS)(backup["path"], backup["name"])


def restore(found: dict[str, Any], backup: dict[str, Any]) -> None:
    """What it would change, and the button behind a confirmation."""
    st.subheader("Restore", anchor=False)
    if found["sample"]:
        states.note(SAMPLE, ":material/science:")
        return
    try:
        with states.working("Checking the backup…"):
            changes = activity_data.difference(backup["path"])
    except (QualityError, OSError) as error:
        states.problem("This backup cannot be restored.", str(error))
        return
    _numbers(changes)
    _lost(changes)
    viewer.ask_name()
    st.checkbox(_agreement(changes), key=_AGREED)
    st.button(
        "**Replace the ledger by this backup**", on_click=_restore, args=(backup["path"], changes["lost"]),
        disabled=not (st.session_state.get(_AGREED) and viewer.reviewer()), icon=":material/settings_backup_restore:",
        key="restore", help="Everybody sees the restored ledger from the next click on.",
    )  # fmt: skip
    st.caption("What is replaced is kept among the backups, so a restore can be taken back by another.")


def _link(path: str, name: str) -> None:
    st.link_button(
        "Download", download_path(TICKETS.issue(Path(path), name)), icon=":material/download:",
        help="Streamed from the file. The link works for 15 minutes and is renewed while the page is open.",
    )  # fmt: skip


def _numbers(changes: dict[str, Any]) -> None:
    held, has = changes["backup"], changes["ledger"]
    with st.grid(4, min_column_width=165, gap="small"):
        for name, value, now in (
            ("backup_runs", held["runs"], has["runs"]),
            ("backup_writes", held["writes"], has["writes"]),
        ):
            st.metric(
                f"{define(name).label} in it", show.count(value), f"now {show.count(now)}", delta_color="off", delta_arrow="off",
                help=define(name).tooltip, border=True, height="stretch",
            )  # fmt: skip
        for name, key in (("lost_writes", "lost"), ("returned_writes", "returned")):
            st.metric(
                define(name).label, show.count(changes[key]), help=define(name).tooltip, border=True, height="stretch"
            )
    st.caption(f"Its last write: {show.instant(held['last_write'], viewer.zone())}.")
    if changes["schema_before"] != held["schema_version"] or held["schema_version"] != has["schema_version"]:
        st.caption(f"It has schema {changes['schema_before']} and would be brought to {has['schema_version']}.")


def _lost(changes: dict[str, Any]) -> None:
    if not changes["lost"]:
        return
    kinds = ", ".join(f"{label_of(kind).lower()}: {show.count(n)}" for kind, n in changes["lost_kinds"].items())
    states.warn("These writes are not in the backup and would be lost.")
    if changes["forgotten"]:
        states.warn("What was redacted in them would be in the ledger again: redact it anew.", ":material/visibility:")
    st.text(kinds)
    lines = [
        f"{show.instant(one['recorded_at'], viewer.zone())}  {one['actor']} {one['words']}"
        for one in changes["lost_writes"]
    ]
    if (more := changes["lost"] - len(lines)) > 0:
        lines.append(f"and {show.count(more)} before them")
    st.code("\n".join(lines), language=None, wrap_lines=True)


def _agreement(changes: dict[str, Any]) -> str:
    if not changes["lost"]:
        return "Replace the ledger: nothing is lost"
    return f"Replace the ledger and lose {some(changes['lost'], 'writes')}"


def _restore(path: str, lost: int) -> None:
    st.session_state[_AGREED] = False
    try:
        done = process.execute(Restore(actor=viewer.reviewer(), path=path, most_lost=lost))
    except QualityError as error:
        st.session_state[backups.NOTE] = (False, "The ledger is as it was.", str(error))
        return
    said = f"Restored: {show.count(done.runs)} runs, {show.count(done.writes)} writes."
    kept = f"What it replaced: {done.kept}" if done.kept else "There was nothing to keep."
    st.session_state[backups.NOTE] = (True, said, kept)
    backups.open_one(None)
