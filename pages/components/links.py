"""What does a link name that is not here? It is said, in one wording, and the rest of the link holds."""

import streamlit as st

from pages.components import states
from pages.components.show import isolated

_REFUSED = "link_refused"


def refuse(name: str, value: str, instead: str) -> None:
    """Note that a link asks for something that is not here, and what is shown instead; told until something is chosen."""
    st.session_state.setdefault(_REFUSED, {})[f"{name} = {isolated(value[:80])}"] = instead


def forget() -> None:
    """Somebody chose something else: what the link said is over."""
    st.session_state.pop(_REFUSED, None)


def tell(also: dict[str, str] | None = None) -> None:
    """Say what was left out, if anything was; as text, since anybody can write a link."""
    if found := st.session_state.get(_REFUSED, {}) | (also or {}):
        states.warn("This link names something that is not in the open ledger.", ":material/link_off:")
        st.code("\n".join(f"{what}: {instead}" for what, instead in found.items()), language=None, wrap_lines=True)
