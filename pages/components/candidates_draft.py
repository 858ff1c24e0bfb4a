"""Which candidates are to be ranked, and how? A file is checked as soon as it is there; nothing is stored by that."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from pages.components import (
    allowed,
    asking,
    candidates_choice,
    candidates_opened,
    judging,
    process,
    show,
    states,
    viewer,
)
from pages.components.candidates_opened import Opened
from quality.candidate_folders import look_into
from quality.candidate_input import FaultyCandidates, ReadCandidates, read_candidates
from quality.candidate_output import Ranking
from quality.candidate_ranking import callers, rank
from quality.errors import QualityError
from quality.judges.candidates import Judged, judge_candidates
from quality.judges.choice import Available
from quality.ranking_commands import MOST_CANDIDATES, StoreRanking
from quality.settings import Settings

PLACE = "candidates"
"""Of the judge's work under way."""
_FILE, _DRAFT, _PANEL, _EVIDENCE, _JUDGE, _REFUSED, _NOT_STORED = (
    "candidates_file", "candidates_draft", "candidates_panel", "candidates_evidence", "candidates_ask",
    "candidates_refused", "candidates_not_stored",
)  # fmt: skip
NO_ROOT = (
    "Evidence looks into the folders of the targets. Which folder that may be is not set: name it as candidates.root in "
    "quality.toml."
)


@dataclass(frozen=True)
class Draft:
    """A file of candidates, and what was found in it: candidates, or faults."""

    name: str
    read: ReadCandidates | None
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class How:
    """What the candidates are ranked by."""

    panel: bool
    evidence: bool
    judge: Available | None


def settle() -> bool:
    """Take in hand what was ranked since; whether a judge is still at work."""
    if job := asking.done(PLACE):
        if job.fault is None:
            candidates_opened.take(job.result, process.ledger().settings.candidates.protected_paths)
        else:
            st.session_state[_REFUSED] = job.fault
    return asking.under_way(PLACE) is not None


def form(running: bool) -> None:
    """The file, what is in it, how it is to be ranked, and the button."""
    st.subheader("Rank candidates", anchor=False)
    st.file_uploader("A file of candidates, JSON", key=_FILE, on_change=_read)
    draft: Draft | None = st.session_state.get(_DRAFT)
    if draft is None:
        st.caption("Checked at once. Ranking stores nothing; you store the ranking afterwards if you want to keep it.")
        return
    st.text(show.isolated(draft.name))
    if draft.read is None:
        states.problem("These candidates cannot be ranked. Nothing was stored.", "\n".join(draft.faults))
        return
    _seen(draft.read)
    how = _how(len(draft.read.file.candidates))
    st.button(
        "**Rank**", icon=":material/sort:", key="rank_candidates", on_click=_rank, args=(draft, how), disabled=running
    )
    asking.progress(PLACE)
    if not running and (reason := st.session_state.get(_REFUSED)):
        states.problem("Not ranked. Nothing was stored.", reason)


def store(opened: Opened) -> None:
    """Said of a ranking that is not stored, and the way to store it."""
    with st.container(border=True):
        st.badge("Not stored", icon=":material/draft:", color="orange")
        st.caption("It is in this session only: store it to keep it, to link to it, and to count its reviewers.")
        viewer.ask_name()
        name, too_many = viewer.reviewer(), opened.count > MOST_CANDIDATES
        may = allowed.to(StoreRanking, "Storing a ranking")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                "**Store this ranking**", icon=":material/save:", key="store_ranking", on_click=_store,
                args=(opened,), disabled=not name or too_many or not may,
            )  # fmt: skip
            if name:
                st.text(f"as {show.isolated(name)}")
        if too_many:
            st.caption(f"At most {show.count(MOST_CANDIDATES)} candidates of one ranking are stored: split the input.")
        if reason := st.session_state.get(_NOT_STORED):
            states.problem("Not stored.", reason)


def _seen(read: ReadCandidates) -> None:
    file = read.file
    with st.container(border=True, gap="xsmall"):
        st.text(f"Improvement run {show.isolated(file.run_id)}")
        st.text(f"Target {show.isolated(file.target.path)}")
        st.caption(f"{show.count(len(file.candidates))} candidates, SHA-256 {read.sha256[:12]}…")


def _how(count: int) -> How:
    root = process.ledger().settings.candidates.root
    panel = st.toggle(
        "Panel", key=_PANEL, persist_state="session", help="Four reviewers score blind; their agreement decides."
    )
    evidence = st.toggle(
        "Evidence", key=_EVIDENCE, persist_state="session", disabled=root is None,
        help="Count how the target's folder is built. Five names are looked up, no file is opened.",
    )  # fmt: skip
    if root is None:
        st.caption(f":material/folder_off: {NO_ROOT}")
    else:
        st.text(f"Looks into the folder {show.isolated(root.resolve().name)}")
    judge = None
    may = process.lacking(asking.NEEDS) is None
    if st.toggle("Ask a judge", key=_JUDGE, persist_state="session", disabled=not may, help=asking.WHO) and may:
        judge = judging.choose("candidates_judge")
        if judge.backend == "scripted":
            judging.no_judgement()
        questions = show.count(count * callers(panel))
        st.caption(f":material/forum: {questions} questions, one a candidate{' and reviewer' if panel else ''}.")
    return How(panel, evidence and root is not None, judge)


def _read() -> None:
    """Look at the file that was dropped, or forget the one that was taken out."""
    state = st.session_state
    state.pop(_REFUSED, None)
    if (upload := state[_FILE]) is None:
        state.pop(_DRAFT, None)
        return
    try:
        state[_DRAFT] = Draft(upload.name, read_candidates(upload.getvalue()))
    except FaultyCandidates as error:
        state[_DRAFT] = Draft(upload.name, None, tuple(error.faults))


def _rank(draft: Draft, how: How) -> None:
    st.session_state.pop(_REFUSED, None)
    settings = process.ledger().settings
    if how.judge is None:
        try:
            candidates_opened.take(ranked(draft, how, settings), settings.candidates.protected_paths)
        except QualityError as error:
            st.session_state[_REFUSED] = _why(error)
        return
    total = len(draft.read.file.candidates) * callers(how.panel)  # type: ignore[union-attr]
    came: Counter[str] = Counter()
    asking.start(
        PLACE, "Asking the judge", lambda: ranked(draft, how, settings, came), lambda: (came["answers"], total)
    )


def ranked(draft: Draft, how: How, settings: Settings, came: Counter[str] | None = None) -> Ranking:
    """The ranking, by the call of the command line; `came` counts the judge's answers.

    Raises:
        QualityError: a target leads out of the folder that may be looked into.
    """
    read = draft.read
    assert read is not None
    folders = look_into(read.file.candidates, [settings.candidates.root]) if how.evidence else None  # type: ignore[list-item]
    judged: Judged | None = None
    if how.judge is not None:
        counted = Counter() if came is None else came

        def on_done(*_: Any) -> None:
            counted["answers"] += 1

        judged = judge_candidates(
            read.file.candidates, callers(how.panel), how.judge.backend, settings.judges, how.judge.model, on_done
        )
    made = rank(
        read.file, with_panel=how.panel, folders=folders, verdicts=judged and judged.verdicts,
        judge=judged and judged.use, protected_paths=settings.candidates.protected_paths, source=draft.name,
        sha256=read.sha256, warnings=judged.warnings if judged else (),
    )  # fmt: skip
    return made.model_copy(update={"created_at": datetime.now(UTC).replace(microsecond=0)})


def _store(opened: Opened) -> None:
    st.session_state.pop(_NOT_STORED, None)
    command = StoreRanking(actor=viewer.reviewer(), ranking=opened.head, protected_paths=opened.protected_paths)
    try:
        stored = process.execute(command)
    except QualityError as error:
        st.session_state[_NOT_STORED] = str(error)
        return
    candidates_opened.drop()
    candidates_choice.stored_as(stored.ranking_id)


def _why(error: QualityError) -> str:
    return "\n".join(error.faults) if isinstance(error, FaultyCandidates) else str(error)
