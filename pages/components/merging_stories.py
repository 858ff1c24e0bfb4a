"""Is it the same story as another one? Merging two, and splitting them again, each behind its numbers."""

from typing import Any

import streamlit as st

from pages.components import allowed, data, selection, show, story_change
from quality.activity_words import some
from quality.story_commands import MergeStories, SplitStory, StoriesMerged

OTHERS, THIS = "The other's", "This one's"
SUPPOSED = "supposed"
"""The reason of a merge that is only supposed: what is typed changes none of its numbers."""
MOST_STORIES = 20
"""Stories that a search lists."""


def merge(found: dict[str, Any]) -> None:
    """The other story, which id stays, why; then what is different, and the button."""
    story_id, ids = found["story_id"], (found["story_id"], *found["merged"])
    st.subheader("It is the same as another story", anchor=False)
    st.caption(
        "Runs and ratings of both are one story's from then on; the old id still finds it. It can be split again."
    )
    other = _other(ids) if allowed.to(MergeStories, "Merging stories") else None
    if other is None:
        return
    first: dict[str, Any] = {} if _key(ids, "stays") in st.session_state else {"default": OTHERS}
    stays = st.segmented_control("Whose id stays", [OTHERS, THIS], required=True, key=_key(ids, "stays"), **first)
    why = st.text_input("Why they are one", key=_key(ids, "why"), placeholder="For whoever asks later").strip()
    from_id, into_id = (story_id, other) if stays == OTHERS else (other, story_id)
    rows = story_change.numbers(MergeStories, {"from_id": from_id, "into_id": into_id, "reason": SUPPOSED})
    if rows is None:
        return
    agreed = st.checkbox(f"Merge them: {some(rows.moved, 'runs')} of {some(rows.runs, 'runs')} change story",
                         key=_key((*ids, other, stays or ""), "agreed"))  # fmt: skip
    command = {"from_id": from_id, "into_id": into_id, "reason": why}
    st.button(
        "**Merge them**", icon=":material/merge:", key="merge_stories", on_click=story_change.carry_out,
        args=(MergeStories, command, "Merged.", _follow), disabled=not story_change.ready(agreed, why),
    )  # fmt: skip
    if not (agreed and why):
        st.caption("Say why and tick the box first.")


def split(found: dict[str, Any]) -> None:
    """The ids that were merged into it, and the way back of each."""
    if not found["merged"]:
        return
    ids = (found["story_id"], *found["merged"])
    st.subheader("Split it again", anchor=False)
    st.caption(
        "An id that was merged is a story of its own again, with its runs, its ratings and what was known of it."
    )
    if not allowed.to(SplitStory, "Splitting a story"):
        return
    chosen = st.selectbox(
        "Id to split off", found["merged"], index=None, key=_key(ids, "split"), placeholder="Choose an id"
    )
    rows = story_change.numbers(SplitStory, {"story_id": chosen}) if chosen else None
    if rows is None:
        return
    agreed = st.checkbox(f"Split it off: {some(rows.moved, 'runs')} of {some(rows.runs, 'runs')} change story",
                         key=_key((*ids, chosen), "split_agreed"))  # fmt: skip
    st.button(
        "**Split it off**", icon=":material/call_split:", key="split_story", on_click=story_change.carry_out,
        args=(SplitStory, {"story_id": chosen}, "Split off."), disabled=not story_change.ready(agreed),
    )  # fmt: skip


def _other(ids: tuple[str, ...]) -> str | None:
    with st.grid(2, min_column_width=180, gap="small"):
        words = st.text_input(
            "Find the other story", key=_key(ids, "words"), type="search", placeholder="Its id, or words of its title"
        ).strip()
        known = data.find_stories(words, MOST_STORIES + len(ids) + 1) if words else []
        rows = {row["story_id"]: row for row in known if row["story_id"] not in ids}
        other = None
        if rows:
            other = st.selectbox(
                "The other story", list(rows), index=None, key=_key((*ids, words), "other"), placeholder="Choose a story",
                format_func=lambda story_id: _line(rows[story_id]),
            )  # fmt: skip
    if words and not rows:
        st.caption("No other story fits.")
    if len(rows) > MOST_STORIES:
        st.caption(f"More than {show.count(MOST_STORIES)} fit. More words find others.")
    return other


def _line(row: dict[str, Any]) -> str:
    parts = (show.isolated(row["story_id"]), show.isolated(row["title"] or ""), some(row["runs"], "runs"))
    return " · ".join(filter(None, parts))


def _follow(answer: StoriesMerged) -> None:
    """Stay on the story that is meant, under the id that stands for it."""
    selection.correct(answer.story_id)


def _key(ids: tuple[str, ...], name: str) -> str:
    """What was said of other stories, or before they were merged, is not said of this one."""
    return f"merge-{name}-{'|'.join(ids)}"
