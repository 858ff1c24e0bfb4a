"""Which run is open? It stands in the URL (`?run=ID`) and survives page switches.

Beside it whether a story is being corrected (`?correct=ID`), which does not: who comes back finds the run.
"""

import streamlit as st

from pages.components import url

_PARAM, _CORRECT = "run", "correct"


def current() -> str | None:
    """The open run's id."""
    return url.read(_PARAM)


def open_run(run_id: str) -> None:
    url.write(_PARAM, run_id)
    correct(None)


def close_run() -> None:
    url.write(_PARAM, None)
    correct(None)


def corrected() -> str | None:
    """Id of the story that is being corrected."""
    return st.query_params.get(_CORRECT) or None


def correct(story_id: str | None) -> None:
    """Correct a story; with `None` be done with it, the run that was open is open still."""
    if story_id is None:
        st.query_params.pop(_CORRECT, None)
    else:
        st.query_params[_CORRECT] = story_id
