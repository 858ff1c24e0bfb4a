"""Which ratings has a reviewer begun and not stored? On the list of runs, each with the way back to it."""

from typing import Any

import streamlit as st

from pages.components import drafting, selection, show, viewer

MANY, SHOWN = 20, 80


def of_mine() -> None:
    """The reviewer's own drafts, the latest first; nothing where there is none."""
    found = drafting.mine()
    if not found["total"]:
        return
    with st.popover("Your unsaved drafts", icon=":material/edit_note:", key="unsaved_drafts"):
        for draft in found["drafts"][:MANY]:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.button(
                    "Open", key=f"draft-of-{draft['run_id']}", on_click=selection.open_run, args=(draft["run_id"],)
                )
                st.text(_line(draft))
        if found["total"] > MANY:
            st.caption("The latest; older ones stand on their runs' pages.")


def _line(draft: dict[str, Any]) -> str:
    note = (draft["note"] or "").split("\n", 1)[0]
    parts = (
        draft["story_id"], draft["model_version"], None if draft["rating"] is None else show.number(draft["rating"]),
        f"{note[:SHOWN]}…" if len(note) > SHOWN else note, show.instant(draft["recorded_at"], viewer.zone()),
    )  # fmt: skip
    return "  ·  ".join(show.isolated(part) for part in parts if part)
