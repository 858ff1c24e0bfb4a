"""Who judges? The judges that can be asked now, to choose from; those that cannot, with the reason."""

from typing import Any

import streamlit as st

from pages.components import process, viewer
from quality.home import PURPOSE
from quality.judges import available
from quality.judges.choice import Available
from quality.judging import SCRIPTED

NAMES = {"anthropic": "Anthropic", "openai": "OpenAI", SCRIPTED: "scripted: no real judgement"}
NO_JUDGEMENT = "scripted: no real judgement"
NO_JUDGEMENT_WHY = (
    "Made up from a hash of the question, the same for the same question; it needs no key and no network."
)


def choose(key: str) -> Available:
    """The judge to ask; the first real one that is ready, else the scripted one."""
    listed = available(process.ledger().settings.judges)
    ready = {judge.backend: judge for judge in listed if judge.ready}
    chosen = st.selectbox(
        "Judge",
        list(ready),
        format_func=lambda backend: described(ready[backend]),
        key=key,
        persist_state="session",
        help="Keys and addresses come from the environment of the dashboard's process.",
    )
    for judge in listed:
        if not judge.ready:
            st.caption(f":material/key_off: {NAMES[judge.backend]} cannot be asked: {judge.why_not}.")
    return ready[chosen]


def described(judge: Available) -> str:
    """What is chosen: the service and its model."""
    return NAMES[judge.backend] if judge.backend == SCRIPTED else f"{NAMES[judge.backend]} · {judge.model}"


def no_judgement() -> None:
    """The mark on everything that the scripted judge said."""
    st.badge(NO_JUDGEMENT, icon=":material/science:", color="gray", help=NO_JUDGEMENT_WHY)


def actor() -> str:
    """Who asks, for the audit: the reviewer where one is known."""
    return viewer.reviewer() or PURPOSE


def model_of(metadata: dict[str, Any]) -> str | None:
    """The model that judged, as it is listed."""
    return NO_JUDGEMENT if metadata["scripted"] else metadata["model"]
