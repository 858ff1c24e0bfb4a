"""Should words be forgotten? What can be redacted of what is open, what that would take out, and a word typed to do it."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.components import data, process, show, states, viewer
from pages.components.data import ENTRIES, Version, version
from quality.activity_words import some
from quality.definitions import define
from quality.errors import QualityError
from quality.redaction import MARK
from quality.redaction_commands import (
    LEAST_TEXT,
    LONGEST_TEXT,
    WHAT,
    Forgettable,
    ListRedactions,
    Redact,
    SupposeRedaction,
)

WORD = "redact"
"""What is typed to agree."""
NOTE = "redaction_note"
NEVER = "This cannot be undone. Scores and numbers stay as they are; that it was done, by whom and why, is kept."
OLDER = "These files are from before and may hold the words. Delete those that are not needed:"


@dataclass(frozen=True)
class Choice:
    """Something that can be redacted."""

    kind: Forgettable
    id: str
    label: str

    @property
    def named(self) -> dict[str, str]:
        """As a redaction names it."""
        return {"text" if self.kind == "text" else "id": self.id}


def of_run(run: dict[str, Any]) -> None:
    """What was forgotten of the run, and for whoever may the way to forget more."""
    note()
    left(run["run_id"], None)
    left(None, run["story_id"])
    if process.barred(Redact):
        return
    with st.expander("Redact words of this run", icon=":material/visibility_off:"):
        choices = _of_run(run)
        if not choices:
            st.caption("There are no notes, verdicts, kept lines or titles here.")
            return
        chosen = st.selectbox(
            "What", choices, index=None, format_func=lambda one: one.label, placeholder="Choose what is to be forgotten",
            key=f"redact-what-{run['run_id']}",
        )  # fmt: skip
        if chosen:
            form(chosen)


def of_rejects(found: dict[str, Any]) -> None:
    """The same of the values that an import could not use."""
    note()
    if process.barred(Redact) or not found["brought"]["rejects"]:
        return
    with st.expander("Redact the values that were rejected", icon=":material/visibility_off:"):
        st.caption("Line and reason of each reject stay.")
        form(Choice("rejects", found["import_id"], ""))


def of_text() -> None:
    """A text wherever it stands, in whatever was written."""
    note()
    if process.barred(Redact):
        return
    with st.expander("Redact a text wherever it stands", icon=":material/visibility_off:"):
        st.caption("Such as a key or a name: it is looked for in every note, excerpt, title, reply and write.")
        text = st.text_area("The text", key="redact-text", max_chars=LONGEST_TEXT, height=80).strip("\r\n")
        viewer.ask_name()
        if len(text) >= LEAST_TEXT:
            form(Choice("text", text, ""))
        elif text:
            st.caption(f"At least {show.count(LEAST_TEXT)} characters: a shorter text stands within other words.")


def form(choice: Choice) -> None:
    """What goes, why, and the word that agrees to it."""
    try:
        with states.working("Looking where it stands…"):
            found = _supposed(version(), process.who().role, choice)
    except QualityError as error:
        states.problem("There is nothing to redact.", str(error))
        return
    if choice.kind != "text":
        for text in found["shown"]:
            st.code(text, language=None, wrap_lines=True, height=show.room(text))
    with st.container(horizontal=True, gap="medium"):
        for name, part in (("redacted_places", "places"), ("redacted_characters", "characters")):
            st.metric(define(name).label, show.count(found[part]), help=define(name).tooltip, width="content")
    _older(found["older_files"])
    st.caption(f":material/warning: {NEVER}")
    key = f"{choice.kind}-{choice.id}"
    why = st.text_input(
        "Why it must go", key=f"redact-why-{key}", max_chars=2_000, placeholder="In other words than those that go"
    )
    typed = st.text_input(f"Type {WORD} to agree", key=f"redact-word-{key}", max_chars=20)
    if not viewer.reviewer():
        st.caption("Give your name first: it is asked for on this page.")
    agreed = typed.strip().lower() == WORD and bool(why.strip()) and bool(viewer.reviewer())
    st.button(
        "**Redact for good**", on_click=_redact, args=(choice, why.strip()), disabled=not agreed,
        icon=":material/visibility_off:", key=f"redact-{key}", help="The words are gone from the next click on.",
    )  # fmt: skip


def left(run_id: str | None, story_id: str | None) -> None:
    """What is left of what was forgotten: when, by whom, what and why."""
    for one in _redactions(version(), run_id, story_id):
        at = show.instant(one["recorded_at"], viewer.zone())
        who = show.isolated(one["actor"] or show.UNKNOWN)
        st.text(f"Redacted {at} by {who}: {WHAT.get(one['kind'], one['kind'])}. {show.isolated(one['reason'])}")


def note() -> None:
    """What the last redaction came to."""
    if said := st.session_state.pop(NOTE, None):
        worked, what, more, remains = said
        if not worked:
            states.problem(what, more)
            return
        states.done(what)
        if remains:
            states.warn("It stands on where it is part of a name, which nobody can take out:")
            st.code("\n".join(remains), language=None)
        _older(more)


def _older(files: list[str]) -> None:
    if files:
        states.warn(OLDER, ":material/backup:")
        st.code("\n".join(files), language=None, wrap_lines=True)


def _of_run(run: dict[str, Any]) -> list[Choice]:
    zone = viewer.zone()
    found = [
        Choice(
            "rating",
            one["override_id"],
            f"Note by {one['reviewer'] or show.UNKNOWN}, {show.instant(one['given_at'], zone)}",
        )
        for one in run["overrides"]
        if _is_open(one["note"])
    ]
    found += [
        Choice("verdict", one["verdict_id"], f"Verdict by {_verifier(one)}, {show.instant(one['given_at'], zone)}")
        for one in run["verdicts"]
        if _is_open(one["note"])
    ]
    found += [
        Choice(
            "evidence",
            one["evidence_id"],
            f"Lines of {one['artifact'] or show.UNKNOWN} for {show.words(one['signal'])}",
        )
        for one in run["evidence"]
        if _is_open(one["text"])
    ]
    story = data.story(run["story_id"])
    names = {"title": ("title", "Title of the story"), "criteria": ("done_criteria", "Done criteria of the story")}
    for kind, (column, label) in names.items():
        if _is_open(story.get(column)):
            found.append(Choice(kind, run["story_id"], label))  # type: ignore[arg-type]
    return found


def _verifier(one: dict[str, Any]) -> str:
    return one["verifier_model"] or one["verifier_agent"] or show.UNKNOWN


def _is_open(text: str | None) -> bool:
    return bool(text) and text != MARK


def _redact(choice: Choice, why: str) -> None:
    try:
        done = process.execute(Redact(actor=viewer.reviewer(), kind=choice.kind, reason=why, **choice.named))
    except (QualityError, ValueError) as error:
        reason = str(error) if isinstance(error, QualityError) else "The reason repeats the words: say it in others."
        st.session_state[NOTE] = (False, "Nothing was redacted.", reason, [])
        return
    st.cache_data.clear()  # what was read before holds the words
    said = f"Redacted {WHAT[done.kind]}: {some(done.characters, 'characters')} in {some(done.places, 'places')}."
    st.session_state[NOTE] = (True, said, done.older_files, done.remains)
    if choice.kind == "text":
        st.session_state["redact-text"] = ""


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _supposed(at: Version, role: str, choice: Choice) -> dict[str, Any]:
    return process.ask(SupposeRedaction(kind=choice.kind, **choice.named))


@st.cache_data(max_entries=ENTRIES, show_spinner=False)
def _redactions(at: Version, run_id: str | None, story_id: str | None) -> list[dict[str, Any]]:
    return process.ledger().ask(ListRedactions(run_id=run_id, story_id=story_id))["redactions"]
