"""Who is looking, and in which time zone? A name is asked for once; times are stored in UTC."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

_NAME, _ASKED = "reviewer_name", "reviewer_asked"


def zone() -> str:
    """The browser's time zone, UTC where it names none that we know."""
    try:
        return ZoneInfo(st.context.timezone or "UTC").key
    except (ZoneInfoNotFoundError, ValueError):
        return "UTC"


def start_of(day: date) -> datetime:
    """Midnight of a day in the viewer's zone, as a UTC instant."""
    return datetime.combine(day, time.min, ZoneInfo(zone())).astimezone(UTC)


def reviewer() -> str:
    """The name ratings are stored under: the login's, else the one that was given; "" while there is none."""
    if st.user.get("is_logged_in"):
        return str(st.user.get("name") or st.user.get("email") or "")
    return st.session_state.get(_NAME, "")


def ask_name() -> None:
    """Ask for the reviewer's name, unless it is known."""
    if not reviewer():
        st.text_input(
            "Your name",
            key=_ASKED,
            max_chars=80,
            placeholder="Asked once, shown beside Save",
            on_change=_keep_name,
            help="What you store is recorded under this name.",
        )


def forget_name() -> None:
    """Ask again."""
    st.session_state.pop(_NAME, None)


def may_enter() -> bool:
    """Whether this person may see the ledger: logged in, where a login is configured."""
    return "is_logged_in" not in st.user or bool(st.user["is_logged_in"])


def logged_in() -> bool:
    """Whether the name comes from a login and cannot be changed here."""
    return bool(st.user.get("is_logged_in"))


def _keep_name() -> None:
    st.session_state[_NAME] = st.session_state[_ASKED].strip()
