"""Which prompt is to be evaluated? A text that is pasted or picked, its name, its story, and the judge.

What is typed stays while other pages are looked at.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from pages.components import allowed, asking, data, judging, opened_prompt, page, process, selection, show, states, url
from quality.commands import EvaluatedPrompt, ListEvaluations, StoreEvaluations
from quality.errors import QualityError
from quality.evaluation import LONGEST_PROMPT, Evaluation
from quality.judges import open_judge
from quality.judges.choice import Available
from quality.prompts import CRITERIA, STORY_PROMPT, check_prompt, evaluate_prompt, texts_of_story
from quality.settings import JudgeSettings

PLACE = "evaluation"
"""Of the work under way."""
NAME_LENGTH = 60
_TEXT, _NAME, _STORY, _REFUSED, _FAILED = (
    "prompt_text", "prompt_name", "prompt_story", "prompt_refused", "prompt_failed",
)  # fmt: skip
_OF = "of"
"""Name in the URL of the text of a story that is to be judged."""
_FROM_HISTORY, _FROM_STORY = "prompt_from_history", "prompt_from_story"


@dataclass(frozen=True)
class Outcome:
    """What a judge said, and under which id it was stored; a judge that gave no answer leaves nothing to store."""

    evaluation: Evaluation
    evaluation_id: str | None


def fill(text: str, name: str = "", story_id: str | None = None) -> None:
    """Take a text in hand, in place of what was there."""
    st.session_state.update({_TEXT: text, _NAME: name, _STORY: story_id})
    for message in (_REFUSED, _FAILED):
        st.session_state.pop(message, None)
    opened_prompt.close()


def settle() -> bool:
    """Take in hand what a link names, open what a judge has answered since; whether one is still at work."""
    _fill_from_link()
    if job := asking.done(PLACE):
        if job.fault is None and job.result.evaluation_id:
            opened_prompt.open_one(job.result.evaluation_id)
        else:
            opened_prompt.close()
            st.session_state[_FAILED] = job.fault or job.result.evaluation.failure.message
    return asking.under_way(PLACE) is not None


def form(running: bool) -> None:
    """The text, what it is called, the judge, and the button."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.subheader("Prompt", anchor=False, width="content")
        _picker()
    # No max_chars: the browser would drop a longer paste without a word.
    st.text_area(
        "The prompt to be judged", key=_TEXT, persist_state="session", height=320, label_visibility="collapsed",
        placeholder="Paste a prompt, or pick one from the history or a story.",
    )  # fmt: skip
    text = st.session_state[_TEXT] or ""
    st.caption(f"{show.count(len(text))} of at most {show.count(LONGEST_PROMPT)} characters")
    _story()
    st.text_input(
        "Name", key=_NAME, persist_state="session", placeholder="e.g. support bot; else its first line",
        help="Versions of one prompt share its name: they are compared, and have one history.", max_chars=200,
    )  # fmt: skip
    judge = judging.choose("prompt_judge")
    may = allowed.to(StoreEvaluations, "Evaluating a prompt")
    st.button(
        "**Evaluate**", icon=":material/balance:", key="evaluate", on_click=_evaluate, args=(judge,),
        disabled=running or not may,
        shortcut="mod+enter",
    )  # fmt: skip
    if reason := st.session_state.get(_REFUSED):
        states.problem("Not evaluated.", reason)


def progress(running: bool) -> None:
    """How long the judge has been at work, or why it gave no answer."""
    asking.progress(PLACE)
    if not running and (reason := st.session_state.get(_FAILED)):
        states.problem("The judge gave no answer, so there is no score. Nothing was stored.", reason)


def link(run: dict[str, Any], name: str) -> dict[str, str]:
    """The query of a link to this screen with a text of the run's story in hand."""
    return {"run": run["run_id"], _OF: name}


def _fill_from_link() -> None:
    """What a link names is taken in hand once."""
    run_id, name = selection.current(), url.read(_OF)
    url.write(_OF, None)
    if run_id and name and (run := page.found(data.run, run_id)):
        fill(texts_of_story(run, data.story(run["story_id"])).get(name, ""), name, run["story_id"])


def _evaluate(judge: Available) -> None:
    state = st.session_state
    state.pop(_FAILED, None)
    try:
        text = check_prompt(st.session_state[_TEXT] or "")
    except QualityError as error:
        state[_REFUSED] = str(error)
        return
    state.pop(_REFUSED, None)
    name = (st.session_state[_NAME] or "").strip() or (STORY_PROMPT if state.get(_STORY) else _first_line(text))
    state[_NAME] = name
    write, settings = process.writer(), process.ledger().settings.judges
    story_id, actor = state.get(_STORY), judging.actor()
    asking.start(PLACE, "Waiting for the judge", lambda: _judged(write, settings, judge, text, name, story_id, actor))


def _judged(
    write: process.Writer,
    settings: JudgeSettings,
    judge: Available,
    text: str,
    name: str,
    story_id: str | None,
    actor: str,
) -> Outcome:
    """Ask, then store what was answered, usable or not."""
    asked = open_judge(judge.backend, settings, model=judge.model)
    try:
        found = evaluate_prompt(text, asked)
    finally:
        asked.close()
    if found.reply is None:
        return Outcome(found, None)
    kept = EvaluatedPrompt(text=text, name=name, story_id=story_id, evaluation=found, occurred_at=datetime.now(UTC))
    return Outcome(found, write(StoreEvaluations(actor=actor, evaluations=[kept])).evaluation_ids[0])


def _first_line(text: str) -> str:
    line = " ".join(next(line for line in text.splitlines() if line.strip()).split())
    return line if len(line) <= NAME_LENGTH else line[: NAME_LENGTH - 1] + "…"


def _story() -> None:
    if story_id := st.session_state.get(_STORY):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Story {show.isolated(story_id)}")
            st.button("Detach", key="detach_story", type="tertiary", on_click=_detach, icon=":material/link_off:")


def _detach() -> None:
    st.session_state[_STORY] = None


def _picker() -> None:
    prompts = {row["evaluation_id"]: row for row in data.evaluations(ListEvaluations(latest=True))["evaluations"]}
    stories = {row["story_id"]: row["title"] for row in data.stories_with_criteria()}
    with st.popover("Pick a prompt", icon=":material/list:"):
        st.selectbox(
            "From the history", list(prompts), index=None, key=_FROM_HISTORY, on_change=_pick_from_history,
            format_func=lambda key: opened_prompt.named(prompts[key]), disabled=not prompts,
            placeholder="Choose a prompt" if prompts else states.no_yet("prompts"),
        )  # fmt: skip
        st.selectbox(
            "A story's done criteria", list(stories), index=None, key=_FROM_STORY, on_change=_pick_from_story,
            format_func=lambda key: f"{key} · {stories[key]}" if stories[key] else key, disabled=not stories,
            placeholder="Choose a story" if stories else "No story has done criteria",
        )  # fmt: skip


def _pick_from_history() -> None:
    if chosen := st.session_state[_FROM_HISTORY]:
        found = data.evaluation(chosen)
        fill(found["text"], found["name"], found["story_id"])
        st.session_state[_FROM_HISTORY] = None


def _pick_from_story() -> None:
    if story_id := st.session_state[_FROM_STORY]:
        fill(data.story(story_id)["done_criteria"] or "", CRITERIA, story_id)
        st.session_state[_FROM_STORY] = None
