"""How is a verifier asked about a run? Its diff goes to a judge, and the review comes back as a verdict or a reject."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.components import allowed, asking, data, judging, process, show, states
from quality.commands import AddVerdict, VerdictStored
from quality.errors import QualityError
from quality.judges import open_judge
from quality.judges.choice import Available
from quality.judging import SCRIPTED, JudgeFailure, JudgeReply, JudgeRequest
from quality.settings import JudgeSettings
from quality.verifying import check_diff, family_warning, verdict_command, verification_request

SENT = (
    "A judge reviews the diff against the done criteria and the measured signals; it does not see the scores. Its verdict "
    "is stored under its own model. It is asked once."
)
MOST_MEGABYTES = 1
"""Of a patch file."""


@dataclass(frozen=True)
class Outcome:
    """What the verifier answered, and what became of it; a judge that gave no answer leaves nothing to store."""

    answer: JudgeReply | JudgeFailure
    stored: VerdictStored | None


def settle(run: dict[str, Any]) -> None:
    """Take what a verifier has answered since about this run, before the run is drawn."""
    if job := asking.done(_place(run)):
        st.session_state[_outcome_key(run)] = job


def ask(run: dict[str, Any]) -> None:
    """The diff, the judge, and what has become of the question."""
    running = asking.under_way(_place(run)) is not None
    answered = st.session_state.get(_outcome_key(run))
    with st.expander("Ask a verifier", icon=":material/rate_review:", expanded=running or answered is not None):
        st.caption(SENT)
        st.text_area(
            "Diff or patch", key=_diff_key(run), persist_state="session", height=160,
            placeholder="Paste the output of git diff, or choose a file.",
        )  # fmt: skip
        st.file_uploader(
            "Or a patch file", key=f"patch-{run['run_id']}", on_change=_take_file, args=(run,),
            max_upload_size=MOST_MEGABYTES, help="Its text takes the place of what is above.",
        )  # fmt: skip
        judge = judging.choose("verifier_judge")
        may = allowed.to(AddVerdict, "Asking for a verdict")
        _warn(run, judge)
        st.button(
            "**Ask for a verdict**", icon=":material/rate_review:", key="ask_verifier", on_click=_ask, args=(run, judge),
            disabled=running or not may,
        )  # fmt: skip
        asking.progress(_place(run))
        if answered and not running:
            _show(answered)


def _warn(run: dict[str, Any], judge: Available) -> None:
    """What to know before asking."""
    if not data.story(run["story_id"])["done_criteria"]:
        st.caption(":material/info: No done criteria are recorded for this story: the verifier is told so.")
    models = process.ledger().settings.scoring.models
    shared = None if judge.backend == SCRIPTED else family_warning(run["model_version"], judge.model, models)
    if shared:
        with st.container(border=True, gap="xsmall"):
            st.badge("Before you ask", icon=":material/warning:", color="orange")
            st.text(f"{shared[0].upper()}{shared[1:]}.")


def _take_file(run: dict[str, Any]) -> None:
    if file := st.session_state[f"patch-{run['run_id']}"]:
        raw = file.getvalue()
        encoding = "utf-16" if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
        st.session_state[_diff_key(run)] = raw.decode(encoding, "replace")


def _ask(run: dict[str, Any], judge: Available) -> None:
    ledger = process.ledger()
    st.session_state.pop(_outcome_key(run), None)
    try:
        diff = check_diff(st.session_state[_diff_key(run)] or "", ledger.settings.limits.diff_bytes)
    except QualityError as error:
        st.session_state[_outcome_key(run)] = asking.Job("", fault=str(error))
        return
    request = verification_request(run, data.story(run["story_id"]), diff)
    actor, write, limits = judging.actor(), process.writer(), ledger.settings.judges
    asking.start(
        _place(run), "Waiting for the verifier", lambda: _asked(write, limits, judge, request, run, diff, actor)
    )


def _asked(
    write: process.Writer,
    settings: JudgeSettings,
    judge: Available,
    request: JudgeRequest,
    run: dict[str, Any],
    diff: str,
    actor: str,
) -> Outcome:
    """Ask, then store the review; the ledger is not held while the judge thinks."""
    opened = open_judge(judge.backend, settings, model=judge.model)
    try:
        answer = opened.ask(request)
    finally:
        opened.close()
    if isinstance(answer, JudgeFailure):
        return Outcome(answer, None)
    return Outcome(answer, write(verdict_command(answer, request, run, diff, actor)))


def _show(job: asking.Job) -> None:
    """The verdict, the reject with the verifier's words, or why there is neither."""
    if job.fault is not None:
        states.problem("No verdict was asked for, or it could not be stored.", job.fault)
        return
    answer, stored = job.result.answer, job.result.stored
    if stored is None:
        states.problem("The verifier gave no answer. Nothing was stored.", answer.message)
        return
    if stored.verdict_id is None:
        for reject in stored.rejects:
            states.problem("No verdict: the review is a reject.", reject.reason)
        st.caption("The verifier's words:")
        st.code(answer.text, language=None, wrap_lines=True, height=show.room(answer.text))
        return
    if stored.simulated:
        states.note("Stored as simulated: it is in the history only and counts nowhere.", ":material/science:")
    else:
        states.done("Stored: the verdict stands among the ratings.")
    st.text(f"{show.score(stored.quality)} by {show.isolated(stored.verifier_model)}")
    for warning in stored.warnings:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge("Note", icon=":material/warning:", color="orange")
            st.text(f"{warning[0].upper()}{warning[1:]}.")


def _diff_key(run: dict[str, Any]) -> str:
    return f"diff-{run['run_id']}"


def _place(run: dict[str, Any]) -> str:
    return f"verify-{run['run_id']}"


def _outcome_key(run: dict[str, Any]) -> str:
    return f"verified-{run['run_id']}"
