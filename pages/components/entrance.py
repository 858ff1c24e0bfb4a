"""Who is let in, and how does a person see as whom? The login page, the name and role in the sidebar, the open-door banner.

Names and e-mails are the provider's words: shown as text.
"""

from collections.abc import Mapping

import streamlit as st

from pages.components import show, viewer
from quality.roles import Role

ROLE_ICONS: dict[Role, str] = {
    "viewer": ":material/visibility:",
    "reviewer": ":material/rate_review:",
    "admin": ":material/shield_person:",
}
MAY: dict[Role, str] = {
    "viewer": "Looks at everything, stores nothing.",
    "reviewer": "Looks, rates, ingests and asks judges.",
    "admin": "Everything, corrections and restoring included.",
}
WHAT = (
    "How good is the work of AI agents? Automatic, verifier and human scores in one ledger, each traced to its source."
)
DOOR_WIDTH = 460
"""Pixels; narrower where the screen is."""
OPEN = (
    "Anybody who reaches this address can look, without a login: server.allow_anonymous_ui is set. "
    "Whoever comes in so is a {role} here."
)


def door() -> None:
    """Nobody is logged in, or whoever is may not look: what to do about it."""
    found = viewer.person()
    with st.container(horizontal_alignment="center"), st.container(border=True, width=DOOR_WIDTH, key="door"):
        st.title("Quality Tiers", anchor=False)
        st.caption(WHAT)
        if found is None:
            st.write("Log in to see the ledger.")
        else:
            st.subheader("Log in again" if found.ended else "You are logged in, and may not look yet", anchor=False)
            st.text(found.reason)
            if found.shown:
                st.text(f"Logged in as {show.isolated(found.shown)}")
        if found is None or found.ended:
            _log_in_buttons()
        else:
            st.button("Log out", on_click=st.logout, icon=":material/logout:", key="log_out")


def identity() -> None:
    """In the sidebar: name, role, and the way in or out; nothing where a person alone at a machine has no name yet."""
    who, found = viewer.who(), viewer.person()
    if who is None:
        return
    logged_in = viewer.logged_in()
    if not (logged_in or viewer.has_login() or viewer.others_reach_it() or viewer.reviewer()):
        return
    with st.container(key="identity", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            name = found.shown if found and logged_in else viewer.reviewer()
            st.text(show.isolated(name) if name else "Not logged in" if viewer.has_login() else "Guest")
            st.badge(who.role, icon=ROLE_ICONS[who.role], color="gray", help=MAY[who.role])
        if logged_in and found and who.name != found.shown:
            st.caption("What you store is recorded under:")
            st.text(show.isolated(who.name or ""))
        if logged_in:
            st.button("Log out", on_click=st.logout, icon=":material/logout:", key="log_out", type="tertiary")
        elif viewer.has_login():
            _log_in_buttons()
        elif viewer.reviewer():
            st.button("Change name", on_click=viewer.forget_name, key="change_my_name", type="tertiary")


def open_door_banner() -> None:
    """On every page where others reach the dashboard without a login."""
    if not viewer.is_open():
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="open_door"):
        st.badge("Open to anybody", icon=":material/lock_open:", color="orange")
        st.caption(OPEN.format(role=viewer.anonymous_role()), width="stretch")


def _log_in_buttons() -> None:
    """One a provider; the only one has no name to choose by."""
    named = providers()
    if not named:
        st.button("**Log in**", on_click=st.login, icon=":material/login:", key="log_in")
    for name in named:
        st.button(
            f"**Log in with {name}**", on_click=st.login, args=(name,), icon=":material/login:", key=f"log_in_{name}"
        )


def providers() -> list[str]:
    """The providers that have a section of their own (`[auth.NAME]`); none where `[auth]` is the only one."""
    auth = st.secrets.get("auth", {})
    return [] if "client_id" in auth else [name for name, value in auth.items() if isinstance(value, Mapping)]
