"""Values of the URL that belong to no widget: they survive page switches, and a link or a step back sets them.

Values of widgets are bound with `bind="query-params"` instead.
"""

import streamlit as st


def read(name: str) -> str | None:
    """The value in force: the URL's where that changed by itself, else the one that was set here."""
    state, named = st.session_state, st.query_params.get(name)
    if named is not None and named != state.get(_written(name)):
        state[_value(name)] = named
    value = state.get(_value(name))
    write(name, value)
    return value


def write(name: str, value: str | None) -> None:
    """Set the value, or with None take it out."""
    st.session_state[_value(name)] = st.session_state[_written(name)] = value
    if value is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def _value(name: str) -> str:
    return f"url:{name}"


def _written(name: str) -> str:
    return f"url-written:{name}"
