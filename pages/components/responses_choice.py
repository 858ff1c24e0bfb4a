"""Which responses are looked at, and which one is open? In the URL, so that a link shows the same view."""

from typing import Any

import streamlit as st

from pages.components import url
from quality.response_commands import ResponseFilters
from quality.response_regressions import SEVERITIES

OPEN, PAGE = "response", "rp"
MODEL, STORY, SESSION, SEVERITY = "of_model", "of_story", "of_session", "regressions"
FIELDS = {MODEL: "model", STORY: "story_id", SESSION: "session_id", SEVERITY: "severity"}
"""Name in the URL → field of `ResponseFilters`."""
ANY = "any"
AT_LEAST = {
    ANY: None,
    **{f"{severity} or worse": severity for severity in SEVERITIES[:-1]},
    SEVERITIES[-1]: SEVERITIES[-1],
}


def opened() -> str | None:
    """Id of the open response. What a link states as empty is in force first, then leaves the URL."""
    for name in (*FIELDS, OPEN, PAGE):
        if url.read(name) == "":
            url.write(name, None)
    return url.read(OPEN) or None


def open_one(response_id: str) -> None:
    url.write(OPEN, response_id)


def close() -> None:
    url.write(OPEN, None)


def of_story(story_id: str) -> dict[str, str]:
    """What a link to the responses of a story says: that story, nothing else, none open."""
    return {STORY: story_id, MODEL: "", SESSION: "", SEVERITY: "", OPEN: "", PAGE: ""}


def chosen() -> ResponseFilters:
    """The filters as the queries take them."""
    stated = {field: url.read(name) or None for name, field in FIELDS.items()}
    return ResponseFilters(**stated | {"severity": stated["severity"] if stated["severity"] in SEVERITIES else None})


def active() -> bool:
    """Whether a filter is set."""
    return any(url.read(name) for name in FIELDS)


def clear() -> None:
    for name in (*FIELDS, PAGE):
        url.write(name, None)


def row(models: list[str]) -> None:
    """The filters side by side; `models` are offered."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Model", models, index=None, placeholder="Any", width=220, accept_new_options=True, **_bound(MODEL, None)
        )
        st.text_input("Story", placeholder="Id of a story", width=160, **_bound(STORY, ""))
        st.text_input("Session", placeholder="Id of a session", width=160, **_bound(SESSION, ""))
        if active():
            st.button("Clear", on_click=clear, icon=":material/filter_alt_off:", type="tertiary", key="clear_responses")


def severities() -> None:
    """Which regressions are listed."""
    key = f"responses-{SEVERITY}"
    named = url.read(SEVERITY)
    st.session_state[key] = next((word for word, severity in AT_LEAST.items() if severity == (named or None)), ANY)
    st.segmented_control(
        "Regressions",
        list(AT_LEAST),
        key=key,
        required=True,
        on_change=lambda: _set(SEVERITY, AT_LEAST[st.session_state[key]]),
    )


def choose_model(model: str) -> None:
    """Look at this model's responses alone."""
    _set(MODEL, model)


def _bound(name: str, nothing: str | None) -> dict[str, Any]:
    """A widget that shows what the URL says and writes there what is entered."""
    key = f"responses-{name}"
    st.session_state[key] = url.read(name) or nothing
    return {"key": key, "on_change": lambda: _set(name, (st.session_state[key] or "").strip() or None)}


def _set(name: str, value: str | None) -> None:
    """Another filter asks for other responses: their list starts at its first page."""
    url.write(name, value)
    url.write(PAGE, None)
