"""Which run is open? It stands in the URL (`?run=ID`) and survives page switches."""

import streamlit as st

_PARAM, _OPEN, _WRITTEN = "run", "open_run", "run_in_url"


def current() -> str | None:
    """The open run's id. A link, or a step back in the browser, that names another run opens that one."""
    state, named = st.session_state, st.query_params.get(_PARAM)
    if named and named != state.get(_WRITTEN):
        state[_OPEN] = named
    run = state.get(_OPEN)
    if run and named != run:
        st.query_params[_PARAM] = run
    elif named and not run:
        del st.query_params[_PARAM]
    state[_WRITTEN] = run
    return run


def open_run(run_id: str) -> None:
    st.session_state[_OPEN] = run_id
    st.session_state[_WRITTEN] = st.query_params.get(_PARAM)


def close_run() -> None:
    st.session_state.pop(_OPEN, None)
    st.session_state[_WRITTEN] = st.query_params.get(_PARAM)
