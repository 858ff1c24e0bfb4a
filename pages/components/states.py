"""What does a page say when there is nothing, not enough, or something wrong? One wording for every screen.

Other people's text (paths, ids, notes) is shown with `st.text` or `st.code`, never as markdown.
"""

import streamlit as st

from pages.components import filters, process
from pages.components.process import HOME
from quality.errors import QualityError
from quality.tiers import CAVEATS

NOT_SCORED = "Not scored"
NOT_SCORED_WHY = "No tier has a score for this run yet: no outcome signal, no verdict and no rating."
LOW_CONFIDENCE = "Low confidence"
LOW_CONFIDENCE_WHY = "Only automatic signals speak for this run; nobody has verified or reviewed it."
UNFAIR_MEAN = (
    "The effective mean is not a fair comparison: it averages three instruments, so a model that people reviewed less "
    "often gets more of its number from the verifier, which tends to be more lenient. Compare models within one tier."
)
SAMPLE = "Public benchmarks and a small demo workspace, not your team's work."
FEW_RUNS = "A model with few scored runs can top the list by chance: read each number with its n."
INGEST = "python -m quality ingest PATH…"


def opening() -> None:
    """How far the opening of the ledger is; refreshes by itself."""
    st.title("Quality Tiers")
    _progress()


@st.fragment(run_every=0.5)
def _progress() -> None:
    state = HOME.state
    if state.phase in ("ready", "failed"):
        st.rerun()
    st.progress(state.done, text=f"{state.doing or 'Opening the ledger'}…")
    st.caption("This happens once, on the first start. The page goes on by itself.")


def failed(reason: str) -> None:
    """The ledger cannot be opened: the reason, which names the remedy, and one action."""
    st.title("The ledger cannot be opened")
    st.error("Nothing was changed. What stands in the way, and what to do about it:", icon=":material/block:")
    st.code(reason, language=None, wrap_lines=True)
    st.button("Try again", on_click=HOME.retry, icon=":material/refresh:")


def sample_banner() -> None:
    """On every page of a sample ledger: what it is, and the way out."""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="sample_banner"):
        st.badge("Sample data", icon=":material/science:", color="orange")
        st.caption(SAMPLE, width="stretch")
        st.button(
            "Start your own ledger",
            on_click=_start_own,
            icon=":material/add:",
            key="start_own",
            help="Creates an empty ledger beside the sample and switches to it. The two never mix.",
            disabled=process.lacking("admin") is not None,
        )
    if reason := st.session_state.pop("start_own_failed", None):
        problem("Your own ledger was not created.", reason)


def _start_own() -> None:
    try:
        if reason := process.lacking("admin", "Starting your own ledger"):
            raise QualityError(reason)
        HOME.start_own()
        filters.clear()
    except QualityError as error:
        st.session_state["start_own_failed"] = str(error)


def empty_ledger() -> None:
    """A ledger without a single run."""
    with st.container(border=True):
        st.subheader("No runs yet", anchor=False)
        st.write("This ledger is empty. Drop CI logs, reviews or tables; they show here at once:")
        st.page_link("ingest.py", label="Go to Ingest", icon=":material/upload_file:")
        st.caption("Or from the command line, also while this page is open:")
        st.code(INGEST, language=None)


def nothing_fits() -> None:
    """Filters that no run fits."""
    with st.container(border=True):
        st.subheader("Nothing fits these filters", anchor=False)
        st.write("Every stated condition must hold. Clear the filters, or take one back.")


def problem(what: str, reason: str) -> None:
    """Something was refused: what, and the reason as plain text."""
    st.error(what, icon=":material/error:")
    st.code(reason, language=None, wrap_lines=True)


def confidence(low: bool | None) -> None:
    """Whether an effective score can be leant on; a word, not only a colour."""
    if low is None:
        st.badge(NOT_SCORED, icon=":material/help:", color="gray", help=NOT_SCORED_WHY)
    elif low:
        st.badge(LOW_CONFIDENCE, icon=":material/warning:", color="orange", help=LOW_CONFIDENCE_WHY)


def caveats(names: list[str]) -> None:
    """Each caveat in a sentence."""
    for name in names:
        st.caption(f":material/info: {CAVEATS[name]}")
