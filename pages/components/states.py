"""What does a page say when there is nothing, not enough, something slow or something wrong? One wording for every screen.

No other page draws a message, a bar or a placeholder of its own (tests/pages/test_states.py). Other people's text (paths,
ids, notes) is shown with `st.text` or `st.code`, never as markdown.
"""

from contextlib import AbstractContextManager

import streamlit as st

from pages.components.process import HOME
from quality.tiers import CAVEATS

NOT_SCORED = "Not scored"
NOT_SCORED_WHY = "No tier has a score for this run yet: no outcome signal, no verdict and no rating."
NONE_YET = "none yet"
"""Beside a number, of which there is nothing behind."""
LOW_CONFIDENCE = "Low confidence"
LOW_CONFIDENCE_WHY = "Only automatic signals speak for this run; nobody has verified or reviewed it."
UNFAIR_MEAN = (
    "The effective mean is not a fair comparison: it averages three instruments, so a model that people reviewed less "
    "often gets more of its number from the verifier, which tends to be more lenient. Compare models within one tier."
)
FEW_RUNS = "A model with few scored runs can top the list by chance: read each number with its n."
LINE, FIGURES, CHART, TABLE = 40, 90, 300, 420
"""Pixels of what stands in for what is still read."""


def empty(things: str, sentence: str, code: str | None = None) -> None:
    """Nothing of a kind is in the ledger: what brings it, and the commands that do."""
    with st.container(border=True):
        st.subheader(no_yet(things), anchor=False)
        st.write(sentence)
        if code:
            st.code(code, language=None, wrap_lines=True)


def no_yet(things: str) -> str:
    """The same in a word, for a heading or the inside of a widget.

    >>> no_yet("runs")
    'No runs yet'
    """
    return f"No {things} yet"


def none_yet(things: str, more: str = "") -> None:
    """The same as a line, where a table would stand."""
    st.caption(f":material/inbox: {no_yet(things)}.{f' {more}' if more else ''}")


def nothing_fits() -> None:
    """Filters that nothing fits."""
    with st.container(border=True):
        st.subheader("Nothing fits these filters", anchor=False)
        st.write("Every stated condition must hold. Clear the filters, or take one back.")


def nothing_known() -> None:
    """An earlier moment at which the ledger had no run."""
    with st.container(border=True):
        st.subheader("Nothing was known by then", anchor=False)
        st.write("Choose a later day, or take it out to see what is known now.")


def none_scored(things: str = "runs") -> None:
    """What fits is there, and none of it has a score; where a chart or a table of scores would stand."""
    st.caption(f":material/help: None of these {things} is scored.")


def missing(sentence: str) -> None:
    """Something that is not known, and so is left out."""
    st.caption(f":material/help: {sentence}")


def problem(what: str, reason: str = "") -> None:
    """Something was refused or went wrong: what, and the reason as plain text."""
    st.error(what, icon=":material/error:")
    if reason:
        st.code(reason, language=None, wrap_lines=True)


def warn(sentence: str, icon: str = ":material/warning:") -> None:
    """Something to know before going on."""
    st.warning(sentence, icon=icon)


def note(sentence: str, icon: str = ":material/info:") -> None:
    """Something that explains what is, or is not, on screen."""
    st.info(sentence, icon=icon)


def done(sentence: str, more: str = "") -> None:
    """What was asked for is done; more of it as plain text."""
    st.success(sentence, icon=":material/check_circle:")
    if more:
        st.code(more, language=None, wrap_lines=True)


def flash(sentence: str, icon: str = ":material/check_circle:") -> None:
    """The same for a moment, where the page itself shows what came of it."""
    st.toast(sentence, icon=icon)


def loading(height: int = TABLE) -> AbstractContextManager[object]:
    """What stands where something is still read, from half a second on, so that a fast page never flickers."""
    return st.skeleton(height=height)


def working(sentence: str) -> AbstractContextManager[object]:
    """Work that a person waits for, with the seconds it has taken."""
    return st.spinner(sentence, show_time=True)


def progress(share: float, sentence: str) -> None:
    """How far something is, 0–1."""
    st.progress(min(max(share, 0.0), 1.0), text=sentence)


def opening() -> None:
    """How far the opening of the ledger is; refreshes by itself."""
    st.title("Quality Tiers")
    _progress()


@st.fragment(run_every=0.5)
def _progress() -> None:
    state = HOME.state
    if state.phase in ("ready", "failed"):
        st.rerun()
    progress(state.done, f"{state.doing or 'Opening the ledger'}…")
    st.caption("This happens once, on the first start. The page goes on by itself.")


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
