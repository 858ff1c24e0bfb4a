"""What did one import bring, and should it count? Its facts and runs, and withdrawing it, with reinstating as the way back."""

from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import allowed, imports_list, process, show, states, viewer
from quality.activity_words import some
from quality.correction_commands import Brought, ReinstateImport, WithdrawImport
from quality.correction_words import brought, changes
from quality.definitions import define
from quality.errors import QualityError
from quality.readers.full_jsonl import FORMAT as FULL_FORMAT

NUMBERS = {
    "runs_gone": "runs_gone", "runs_kept": "runs_kept", "ratings_waiting": "ratings_waiting",
    "import_stories": "stories", "import_signals": "signals", "import_verdicts": "verdicts",
    "import_overrides": "overrides", "import_rejects": "rejects",
}  # fmt: skip
"""Name in the catalogue → part of `Brought`."""
RUN_COLUMNS = ("story_id", "model_version", "agent", "attempt", "quality", "import_run_state")
NOTE = "import_note"
FULL = "A full export brought other imports with it: withdraw those, each by itself."
_AGREED, _WHY = "withdraw_agreed", "withdraw_why"


def back() -> None:
    st.button(
        "All imports", on_click=imports_list.open_one, args=(None,), icon=":material/arrow_back:", type="tertiary",
        key="all_imports",
    )  # fmt: skip


def heading(found: dict[str, Any]) -> None:
    """Which file, when, by whom, and whether it counts; what the last action came to."""
    st.title("Import", anchor=False)
    _note()
    zone = viewer.zone()
    with st.container(border=True, gap="xsmall"):
        st.text(found["label"])
        by = show.isolated(found["actor"] or show.UNKNOWN)
        st.text(
            f"{show.instant(found['recorded_at'], zone)} by {by}  ·  {found['format']}  ·  {show.size(found['bytes'])}"
        )
        st.text(f"Brought {brought(found['counts'])}")
        with st.container(horizontal=True, gap="xsmall"):
            if found["withdrawn"]:
                st.badge("Withdrawn", icon=":material/block:", color="orange")
            else:
                st.badge("Counts", icon=":material/check:", color="green")
        st.caption(f"SHA-256 {found['sha256']}")
        st.caption(f"Id {found['import_id']}")
    for turn in found["turns"]:
        did = "Reinstated" if turn["reinstates"] else "Withdrawn"
        why = f": {turn['reason']}" if turn["reason"] else ""
        by = show.isolated(turn["actor"] or show.UNKNOWN)
        st.text(f"{did} {show.instant(turn['recorded_at'], zone)} by {by}{why}")


def numbers(found: dict[str, Any]) -> None:
    """What it says, and what would be without it; of a withdrawn one, what lies aside."""
    st.subheader("What lies aside with it" if found["withdrawn"] else "What would be without it", anchor=False)
    with st.grid(4, min_column_width=130, gap="small"):
        for name, part in NUMBERS.items():
            definition = define(name)
            st.metric(
                definition.label, show.count(found["brought"][part]), help=definition.tooltip, border=True,
                height="stretch",
            )  # fmt: skip


def runs(found: dict[str, Any]) -> None:
    """The first of the runs that it speaks of, with what becomes of each."""
    rows, total = found["runs"], found["brought"]["runs_gone"] + found["brought"]["runs_kept"]
    if not rows:
        return
    kinds = {"attempt": pa.int64(), "quality": pa.float64()}
    table = [row | {"import_run_state": _fate(row)} for row in rows]
    st.dataframe(
        pa.table({name: pa.array([row[name] for row in table], kinds.get(name, pa.string())) for name in RUN_COLUMNS}),
        column_config=show.columns(RUN_COLUMNS, viewer.zone(), pinned=("story_id",)), hide_index=True,
        placeholder=show.UNKNOWN, height=show.table_height(len(rows)), key=f"runs-of-{found['import_id']}",
        alt="Runs that the import speaks of, and what becomes of each without it",
    )  # fmt: skip
    if total > len(rows):
        st.caption(f"The first {show.count(len(rows))} of {show.count(total)} runs.")


def turn(found: dict[str, Any]) -> None:
    """Withdraw it, behind a confirmation with the numbers, or reinstate it."""
    if found["withdrawn"]:
        _reinstate(found)
    else:
        _withdraw(found)


def _withdraw(found: dict[str, Any]) -> None:
    st.subheader("Withdraw", anchor=False)
    if found["format"] == FULL_FORMAT:
        states.note(FULL)
        viewer.ask_name()
        return
    st.caption("Nothing is thrown away: it is set aside whole, and reinstating it brings all of it back.")
    may = allowed.to(WithdrawImport, "Withdrawing an import")
    st.text("\n".join(f"• {line}" for line in changes(Brought(**found["brought"]))))
    viewer.ask_name()
    why = st.text_input("Why", key=_WHY, max_chars=2_000, placeholder="For whoever asks later", disabled=not may)
    agreed = st.checkbox(_agreement(found), key=_AGREED, disabled=not may)
    st.button(
        "**Withdraw this import**", on_click=_execute, disabled=not (may and agreed and why.strip() and viewer.reviewer()),
        args=(found, WithdrawImport), icon=":material/undo:", key="withdraw",
        help="It counts nowhere from the next click on. Your name and the reason are kept.",
    )  # fmt: skip
    if may and not (agreed and why.strip()):
        st.caption("Say why and tick the box first.")


def _reinstate(found: dict[str, Any]) -> None:
    st.subheader("Reinstate", anchor=False)
    may = allowed.to(ReinstateImport, "Reinstating an import")
    st.caption(
        "What it brought counts again, as if it had never been withdrawn; people's ratings of its runs come back."
    )
    viewer.ask_name()
    st.button(
        "**Reinstate this import**", on_click=_execute, args=(found, ReinstateImport),
        disabled=not (may and viewer.reviewer()), icon=":material/redo:", key="reinstate",
    )  # fmt: skip


def _agreement(found: dict[str, Any]) -> str:
    gone, kept = found["brought"]["runs_gone"], found["brought"]["runs_kept"]
    parts = [f"{some(gone, 'runs')} leave every list and number" if gone != 1 else "1 run leaves every list and number"]
    parts += [f"{some(kept, 'runs')} {'loses' if kept == 1 else 'lose'} evidence"] if kept else []
    return f"Withdraw it: {', '.join(parts)}"


def _fate(row: dict[str, Any]) -> str:
    return "gone" if row["gone"] else "stays, loses what this file says"


def _execute(found: dict[str, Any], kind: type[WithdrawImport] | type[ReinstateImport]) -> None:
    why = st.session_state.get(_WHY, "").strip() or None
    stated = {"reason": why} if kind is WithdrawImport else {}
    st.session_state[_AGREED] = False
    try:
        done = process.execute(kind(actor=viewer.reviewer(), import_id=found["import_id"], **stated))
    except QualityError as error:
        st.session_state[NOTE] = (False, "Nothing was changed.", str(error))
        return
    st.session_state[_WHY] = ""
    if kind is WithdrawImport:
        was = done.brought
        said = f"Withdrawn: {some(was.runs_gone, 'runs')} gone, {some(was.runs_kept, 'runs')} without what it said."
    else:
        said = f"Reinstated: it speaks of {some(done.runs, 'runs')}, of which {show.count(done.runs_back)} came back."
    st.session_state[NOTE] = (True, said, "")


def _note() -> None:
    if said := st.session_state.pop(NOTE, None):
        worked, what, reason = said
        if worked:
            states.done(what)
        else:
            states.problem(what, reason)
