"""What exactly was one write? Who, when and what it concerns, with its request and answer as they are kept."""

from typing import Any

import streamlit as st

from pages.components import activity_choice, imports_list, page, responses_choice, show, viewer

MOST_SHOWN = 200_000
"""Characters of a request or an answer that travel to the browser."""
PLACES = {
    "run": ("stories", "Open the run", ":material/fact_check:", lambda thing: {"run": thing}),
    "story": ("stories", "Find the story", ":material/fact_check:", lambda thing: {"q": thing, "run": ""}),
    "response": ("responses", "Open the response", ":material/forum:", lambda thing: {responses_choice.OPEN: thing}),
    "ranking": ("candidates", "Open the ranking", ":material/rule:", lambda thing: {"ranking": thing}),
    "evaluation": ("prompts", "Open the evaluation", ":material/edit_note:", lambda thing: {"evaluation": thing}),
}
"""Kind of thing → page, label, icon, and what the link says."""


def back() -> None:
    st.button(
        "All writes", on_click=activity_choice.open_one, args=(None,), icon=":material/arrow_back:", type="tertiary",
        key="all_writes",
    )  # fmt: skip


def heading(write: dict[str, Any]) -> None:
    """Who did what and when."""
    st.title(write["label"], anchor=False)
    with st.container(border=True, gap="xsmall"):
        st.text(f"{show.isolated(write['actor'] or 'Nobody')} {show.isolated(write['words'])}")
        st.caption(f"{show.instant(write['recorded_at'], viewer.zone())}, {viewer.zone()}")
        st.text(f"Id {write['command_id']}")
        if write["import_id"]:
            st.text(f"Import {write['import_id']}")
            page.link("ingest", "Open the import", ":material/upload_file:", **{imports_list.OPEN: write["import_id"]})
        if write["settings_hash"]:
            st.text(f"Since then scored with settings {write['settings_hash']}")


def concerns(write: dict[str, Any]) -> None:
    """The way to each thing that the write is about, and to what else was written about it."""
    if not write["subjects"]:
        return
    st.subheader("Concerns", anchor=False)
    for one in write["subjects"]:
        name, label, icon, query = PLACES[one["kind"]]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            page.link(name, label, icon, **query(one["id"]))
            st.button(
                "All writes about it", on_click=activity_choice.all_about, args=(one["id"],), icon=":material/history:",
                type="tertiary", key=f"about-{one['id']}",
            )  # fmt: skip
            st.text(show.isolated(one["label"]), width="stretch")


def whole(write: dict[str, Any]) -> None:
    """Request and answer as text."""
    asked, answered = st.columns(2, gap="medium")
    with asked:
        _text("Request", write["request"])
    with answered:
        _text("Answer", write["answer"])


def _text(title: str, text: str) -> None:
    st.subheader(title, anchor=False)
    st.code(text[:MOST_SHOWN], language=None, wrap_lines=True, height=show.room(text))
    if len(text) > MOST_SHOWN:
        st.caption(
            f"The first {show.count(MOST_SHOWN)} of {show.count(len(text))} characters; the command line has all."
        )
