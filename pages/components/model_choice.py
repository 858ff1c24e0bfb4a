"""Which model is looked at? The filter "Model" says it (`?model=…`), so that every screen and a link agree."""

from html import unescape
from typing import Any

import pyarrow as pa
import streamlit as st

from pages.components import filters, looking_back, selection

MODEL = "model"
"""Key of the filter, and its name in the URL."""
_GO, _LAST, _KEPT = "go_to", "last_screen", "filters_kept"
MODELS = "models.py"
SCREEN, BACK_TO = "Models", "Overview"


def current() -> str | None:
    """The model of the filter, where it names exactly one."""
    named = st.session_state.get(MODEL) or []
    models = [named] if isinstance(named, str) else named
    return (models[0].strip() or None) if len(models) == 1 else None


def open_model(model: str) -> None:
    """Look at this model from now on, on its page."""
    filters.back_to_list()
    st.session_state[MODEL] = [model]
    st.session_state[_GO] = MODELS


def all_models() -> None:
    """Look at no model in particular."""
    filters.back_to_list()
    st.session_state[MODEL] = []


def row_of(model: str, leaderboard: pa.Table) -> dict[str, Any] | None:
    """The model's row: by its canonical id, else the one of the version it names; None where it is in no model score."""
    rows = leaderboard.to_pylist()
    return next((row for row in rows if row["model"] == model), rows[0] if rows else None)


def back() -> None:
    """A button to the models, to choose another."""
    st.button("All models", on_click=all_models, icon=":material/arrow_back:", type="tertiary", key="all_models")


def follow() -> None:
    """Go to the page of the model or run that was just opened, if one was."""
    if target := st.session_state.pop(_GO, None):
        state = st.session_state
        state[_KEPT] = {key: state[key] for key in _kept_on(target) if state.get(key)}
        st.switch_page(target, query_params={})


def _kept_on(target: str) -> tuple[str, ...]:
    """The filters, and on the page of a model the day that is looked back to."""
    return (*filters.KEYS, looking_back.AS_OF) if target == MODELS else filters.KEYS


def settle(screen: str) -> None:
    """Back on the Overview from a model's page, all models are compared again; before the filters are drawn."""
    last = st.session_state.get(_LAST)
    st.session_state[_LAST] = screen
    for key, value in st.session_state.pop(_KEPT, {}).items():
        st.session_state[key] = value  # a switch by code empties the URL, and with it the filters bound to it
    if last == SCREEN and screen == BACK_TO:
        st.session_state[MODEL] = []


def clicked_row(key: str, models: list[str]) -> None:
    """A ticked row of a table opens the model in that place."""
    if rows := st.session_state[key].selection.rows:
        open_model(models[rows[0]])


def clicked_run(key: str, run_ids: list[str]) -> None:
    """A ticked row of a table opens the run in that place, on its page."""
    if rows := st.session_state[key].selection.rows:
        selection.open_run(run_ids[rows[0]])
        st.session_state[_GO] = "stories.py"


def clicked_point(key: str) -> None:
    """A clicked marker opens the model that its data names first."""
    if points := st.session_state[key].selection.points:
        open_model(unescape(points[0]["customdata"][0]))
