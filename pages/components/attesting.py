"""Which model did this run, where that is unknown or two are named? A person states it; the original stays in the history."""

from typing import Any

import streamlit as st
from pydantic import ValidationError

from pages.components import data, process, states, viewer
from quality.catalogue import UNKNOWN
from quality.command_base import new_key
from quality.commands import AttestModel
from quality.errors import QualityError
from quality.problems import first_problem

_TOLD = "attestation_told"


def ask(run: dict[str, Any]) -> None:
    """State the model of a run whose model is unknown or split, or correct what was stated."""
    open_to = run["split_model"] or run["model_version"] == UNKNOWN or run["attestations"]
    if not open_to or process.barred(AttestModel):
        return
    with st.expander("State which model did this run", icon=":material/fact_check:"):
        st.caption(
            "The original stays in the history, with your name. A split model is left out of model scores until then."
        )
        _tell()
        draft = st.session_state.setdefault(_draft_key(run["run_id"]), new_key())
        known = [model for model in data.facets().get("model_version", []) if model != UNKNOWN]
        st.selectbox(
            "Model",
            known,
            index=None,
            key=f"model-{draft}",
            accept_new_options=True,
            placeholder="Choose, or type an id",
        )
        st.button("Attest model", on_click=_attest, args=(run["story_id"], run["run_id"], draft), key=f"attest-{draft}")


def _attest(story_id: str, run_id: str, draft: str) -> None:
    name, model = viewer.reviewer(), (st.session_state[f"model-{draft}"] or "").strip()
    if not name or not model:
        st.session_state[_TOLD] = ("Not stored: give your name above, and a model.", "")
        return
    command = {"actor": name, "story_id": story_id, "run_id": run_id, "model": model, "idempotency_key": draft}
    try:
        process.execute(AttestModel(**command))
    except QualityError as error:
        st.session_state[_TOLD] = ("Not stored.", str(error))
    except ValidationError as error:
        st.session_state[_TOLD] = ("Not stored.", first_problem(error, list(AttestModel.model_fields)))
    else:
        st.session_state.pop(_draft_key(run_id))
        st.session_state[_TOLD] = None


def _tell() -> None:
    """What became of the last click, once."""
    if _TOLD not in st.session_state:
        return
    if told := st.session_state.pop(_TOLD):
        states.problem(*told)
    else:
        states.done("Stored: the model of this run.")


def _draft_key(run_id: str) -> str:
    return f"draft:attest-{run_id}"
