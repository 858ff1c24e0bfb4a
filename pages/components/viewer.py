"""Who is looking, what may they do, and in which time zone? Times are stored in UTC.

With a login (`st.login`) name and role come from the provider's word; without one a name is asked for once. A login's end
and the settings are looked at with every question, so that a page that stays open does not outlive them.
"""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.components.hosting import HOME
from quality.api import reaches_others
from quality.api.entered import ENTERED
from quality.errors import QualityError
from quality.home import PURPOSE
from quality.logins import Person, person_of
from quality.roles import Role, Who
from quality.settings import Settings

GUEST = " (guest)"
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


def who() -> Who | None:
    """The person in front of the page, as the ledger is told; `None` = may not look.

    Where nobody can log in and only this machine reaches the dashboard, that is the person at the machine: an admin.
    """
    settings = _settings()
    if (found := _person(settings)) and found.who:
        return found.who
    name = _typed() or PURPOSE
    if is_open():
        return Who(name, anonymous_role())
    return None if has_login() or others_reach_it() else Who(name, "admin")


def person() -> Person | None:
    """The person of the login; `None` while nobody is logged in."""
    return _person(_settings())


def has_login() -> bool:
    """Whether people can log in here."""
    return "is_logged_in" in st.user


def others_reach_it() -> bool:
    """Whether more than this machine reaches the dashboard."""
    return reaches_others(_settings(), st.get_option("server.address"))


def is_open() -> bool:
    """Whether people are let in without a login, where there is one or where others reach the dashboard."""
    return _settings().server.allow_anonymous_ui and (has_login() or others_reach_it())


def anonymous_role() -> Role:
    """What whoever is let in so may do."""
    return _settings().roles.anonymous


def reviewer() -> str:
    """The name ratings are stored under: the login's, else the one that was given; "" while there is none."""
    found = person()
    return (found.who.name or "") if found and found.who else _typed()


def ask_name() -> None:
    """Ask for the reviewer's name, unless it is known, or whoever it is may store nothing anyway."""
    asking = who()
    if not reviewer() and asking and asking.has("reviewer"):
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
    """Whether this person may see the ledger; from now on, or no more, they may also send files."""
    may = who() is not None
    if context := get_script_run_ctx():
        ENTERED.note(context.session_id, may)
    return may


def logged_in() -> bool:
    """Whether the name comes from a login and cannot be changed here."""
    found = person()
    return bool(found and found.who)


def _person(settings: Settings) -> Person | None:
    return person_of(st.user.to_dict(), settings.roles) if st.user.get("is_logged_in") is True else None


def _settings() -> Settings:
    """Those of the open ledger, else those that it will be opened with; where they cannot be read, the defaults."""
    if opened := HOME.state.ledger:
        return opened.settings
    try:
        return HOME.settings()
    except QualityError:
        return Settings.model_construct()


def _typed() -> str:
    """The name that was given; where anybody may come in it is marked, so that nobody passes for a person of the login."""
    name = st.session_state.get(_NAME, "")
    return f"{name}{GUEST}" if name and is_open() else name


def _keep_name() -> None:
    st.session_state[_NAME] = st.session_state[_ASKED].strip()
