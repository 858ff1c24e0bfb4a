"""Which writes are listed, and which one is open? In the URL, so that a link shows the same view."""

from datetime import date, timedelta
from typing import Any

import streamlit as st

from pages.components import process, url, viewer
from quality.activity_commands import ListActivity
from quality.activity_words import label_of

OPEN, BEFORE, AFTER = "write", "before", "after"
BY, KINDS, ABOUT, FROM, UNTIL = "by", "did", "about", "wrote_from", "wrote_until"
FILTERS = (BY, KINDS, ABOUT, FROM, UNTIL)


def opened() -> str | None:
    """Id of the open write."""
    return url.read(OPEN) or None


def open_one(command_id: str | None) -> None:
    """`None` closes it; the list is as it was left."""
    url.write(OPEN, command_id)


def all_about(thing: str) -> None:
    """List what was written about one thing, and nothing else."""
    for name, value in about(thing).items():
        url.write(name, value or None)


def about(thing: str) -> dict[str, str]:
    """What a link to the writes about a story, run or response says: those, no other filter, none open."""
    return {ABOUT: thing, **dict.fromkeys((BY, KINDS, FROM, UNTIL, BEFORE, AFTER, OPEN), "")}


def chosen() -> ListActivity:
    """The question that the URL asks."""
    since, until = _day(FROM), _day(UNTIL)
    return ListActivity(
        by=url.read(BY) or None, kinds=_kinds() or None, about=url.read(ABOUT) or None,
        since=viewer.start_of(since) if since else None,
        until=viewer.start_of(until + timedelta(days=1)) if until else None,
        before=url.read(BEFORE) or None, after=url.read(AFTER) or None,
        limit=process.ledger().settings.limits.page_rows,
    )  # fmt: skip


def active() -> bool:
    """Whether a filter is set."""
    return any(url.read(name) for name in FILTERS)


def clear() -> None:
    for name in (*FILTERS, BEFORE, AFTER):
        url.write(name, None)


def turn(name: str | None, command_id: str | None) -> None:
    """The page that ends `BEFORE` a write, begins `AFTER` one, or the newest."""
    for cursor in (BEFORE, AFTER):
        url.write(cursor, command_id if cursor == name else None)


def row(facets: dict[str, list[str]]) -> None:
    """The filters side by side."""
    for name in (*FILTERS, BEFORE, AFTER, OPEN):
        if url.read(name) == "":
            url.write(name, None)  # what a link states as empty
    by = url.read(BY)
    actors = facets["actors"] if by is None or by in facets["actors"] else [by, *facets["actors"]]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(
            "Who", actors, index=None, placeholder="Anybody", width=190, accept_new_options=True,
            **_bound(BY, by),
        )  # fmt: skip
        st.multiselect(
            "What", facets["kinds"], placeholder="Anything", width=260, format_func=label_of,
            **_bound(KINDS, [kind for kind in _kinds() if kind in facets["kinds"]]),
        )  # fmt: skip
        st.text_input(
            "About", placeholder="Id of a story, run, …", width=190, **_bound(ABOUT, url.read(ABOUT) or ""),
            help="Id of a story, run, response, ranking or evaluation.",
        )  # fmt: skip
        st.date_input("From", format="YYYY-MM-DD", width=140, **_bound(FROM, _day(FROM)))
        st.date_input("Until", format="YYYY-MM-DD", width=140, **_bound(UNTIL, _day(UNTIL)))
        if active():
            st.button("Clear", on_click=clear, icon=":material/filter_alt_off:", type="tertiary", key="clear_activity")


def _kinds() -> list[str]:
    return [kind for kind in (url.read(KINDS) or "").split(",") if kind]


def _day(name: str) -> date | None:
    try:
        return date.fromisoformat(url.read(name) or "")
    except ValueError:
        return None


def _bound(name: str, value: Any) -> dict[str, Any]:
    """A widget that shows what the URL says and writes there what is entered."""
    key = f"activity-{name}"
    st.session_state[key] = value
    return {"key": key, "on_change": lambda: _set(name, st.session_state[key])}


def _set(name: str, value: Any) -> None:
    """Another filter asks for other writes: their list starts at the newest."""
    text = ",".join(value) if isinstance(value, list) else value.isoformat() if isinstance(value, date) else value
    url.write(name, (text or "").strip() or None)
    turn(None, None)
