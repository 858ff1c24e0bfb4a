"""Which run do files without ids of their own belong to? Asked for only where some file needs it; kept over page switches."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from pages.components import data, show, viewer
from quality.commands import StoryDetails
from quality.definitions import define
from quality.observations import COORDINATE
from quality.readers.base import Target

KNOWN, NEW = "A known story", "A new story"
MOST_STORIES = 20
"""Stories that a search lists."""
_DRAFT = "ingest_draft"
_KEYS = (
    "story_kind",
    "story_words",
    "story",
    "new_id",
    "new_title",
    *COORDINATE,
    "agent",
    "model",
    "attempt",
    "started",
)


@dataclass(frozen=True)
class Choice:
    """What was stated, as far as it was."""

    target: Target
    story: StoryDetails
    started_at: datetime | None


def chosen() -> Choice:
    """The choice as it stands, whether or not its widgets are drawn."""
    _restore()
    state = st.session_state.get
    is_new = state(_key("story_kind")) == NEW
    story_id = _text("new_id") if is_new else _text("story")
    named = {"title": _text("new_title"), **{name: _text(name) for name in COORDINATE}} if is_new else {}
    started = state(_key("started"))
    return Choice(
        Target(story_id, _text("agent"), _text("model"), state(_key("attempt"))),
        StoryDetails(**named),
        started.replace(tzinfo=ZoneInfo(viewer.zone())) if started else None,
    )


def ask(files: int) -> None:
    """The story, then what is known of the run."""
    _restore()
    with st.container(border=True):
        st.subheader("Which run are they of?", anchor=False)
        st.caption(f"Files that do not say which story they are about: {show.count(files)}. They go to this run.")
        first = {} if _key("story_kind") in st.session_state else {"default": KNOWN}
        st.segmented_control("Story", [KNOWN, NEW], required=True, key=_key("story_kind"), **first)
        if st.session_state.get(_key("story_kind")) == NEW:
            _new_story()
        else:
            _known_story()
        facets = data.facets()
        with st.grid(4, min_column_width=150, gap="small"):
            _pick("agent", "Agent", facets.get("agent", []))
            _pick("model", "Model", facets.get("model_version", []))
            st.number_input(
                "Attempt", 1, None, None, 1, key=_key("attempt"), placeholder="Latest", help=define("attempt").tooltip
            )
            st.datetime_input(
                "Run began",
                value=None,
                key=_key("started"),
                help="A report from over an hour before is not of this run.",
            )
        st.caption("What you leave open is the story's latest run that fits; where it has none, a new run is started.")
    st.session_state[_DRAFT] = {name: st.session_state.get(_key(name)) for name in _KEYS}


def _known_story() -> None:
    with st.grid(2, min_column_width=220, gap="small"):
        words = st.text_input(
            "Find a story", key=_key("story_words"), type="search", placeholder="Words of its title, or its id"
        )
        found = {row["story_id"]: row for row in data.find_stories(words or "", MOST_STORIES)}
        kept = st.session_state.get(_key("story"))
        ids = [*found, *([kept] if kept and kept not in found else [])]
        st.selectbox(
            "Story id",
            ids,
            index=None,
            key=_key("story"),
            placeholder="Choose a story" if ids else "No story fits",
            format_func=lambda story_id: _story_line(found.get(story_id, {"story_id": story_id})),
        )
    if len(found) == MOST_STORIES:
        st.caption(f"The latest {show.count(MOST_STORIES)} that fit. More words find others.")


def _new_story() -> None:
    facets = data.facets()
    with st.grid(2, min_column_width=220, gap="small"):
        st.text_input("Id of the story", key=_key("new_id"), placeholder="e.g. STORY-7")
        st.text_input("Title", key=_key("new_title"))
    with st.grid(4, min_column_width=150, gap="small"):
        for name in COORDINATE:
            _pick(name, define(name).label, facets.get(name, []))
    story_id = _text("new_id")
    if story_id and any(row["story_id"] == data.story(story_id)["story_id"] for row in data.find_stories(story_id, 1)):
        st.caption(
            ":material/info: A story of this id is there already: the files go to it, and what you state is added."
        )


def _pick(name: str, label: str, values: list[str]) -> None:
    st.selectbox(
        label, values, index=None, key=_key(name), accept_new_options=True, placeholder="Not stated", help=None
    )


def _story_line(story: dict[str, Any]) -> str:
    return " · ".join(show.isolated(part) for part in (story["story_id"], story.get("title")) if part)


def _text(name: str) -> str | None:
    return (st.session_state.get(_key(name)) or "").strip() or None


def _restore() -> None:
    """Streamlit forgets a widget that is not drawn; the draft does not."""
    for name, value in st.session_state.get(_DRAFT, {}).items():
        if value is not None and _key(name) not in st.session_state:
            st.session_state[_key(name)] = value


def _key(name: str) -> str:
    return f"ingest_{name}"
