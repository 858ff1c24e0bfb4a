"""What would a correction of a story do, and what did it do? Its numbers, the click itself, and what came of it."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from pydantic import ValidationError

from pages.components import process, show, states, stories_data, viewer
from quality.command_base import Command
from quality.definitions import define
from quality.errors import QualityError
from quality.problems import first_problem
from quality.story_commands import RowsChanged
from quality.story_words import effects, told

_NOTE = "story_note"


def numbers(kind: type[Command], change: dict[str, Any]) -> RowsChanged | None:
    """What the runs would be like with it; `None`, and why on screen, where the ledger would refuse it."""
    try:
        rows = stories_data.supposed(kind.name, change)
    except QualityError as error:
        states.problem("This would be refused.", str(error))
        return None
    with st.grid(4, min_column_width=145, gap="small"):
        for name, n in effects(kind.name, rows):
            definition = define(name)
            st.metric(definition.label, show.count(n), help=definition.tooltip, border=True, height="stretch")
    return rows


def carry_out(
    kind: type[Command], change: dict[str, Any], said: str, then: Callable[[Any], None] | None = None
) -> None:
    """In a callback: the correction itself.

    Args:
        said: what it is called when it is done, our own words.
        then: what follows from the ledger's answer.
    """
    try:
        answer = process.execute(kind(actor=viewer.reviewer(), **change))
    except ValidationError as error:
        st.session_state[_NOTE] = (False, first_problem(error, list(kind.model_fields)))
    except QualityError as error:
        st.session_state[_NOTE] = (False, str(error))
    else:
        st.session_state[_NOTE] = (True, f"{said} {told(kind.name, answer.rows)}.")
        if then:
            then(answer)


def note() -> None:
    """What the last click came to, once."""
    if said := st.session_state.pop(_NOTE, None):
        worked, what = said
        if worked:
            states.done(what)
        else:
            states.problem("Nothing was changed.", what)


def ready(*stated: Any) -> bool:
    """Whether the button of a correction can be pressed: somebody has a name, and all is said that it takes."""
    return bool(viewer.reviewer() and all(stated))
