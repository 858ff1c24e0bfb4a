"""How is a run rated at one press? By a scale of points with a half, and by keys, which a small script listens for.

Streamlit's own shortcuts belong to a button each: eleven of them in a row would be a heap, and would show each digit twice.
They are used where there is a button. Keys count outside of text fields only.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from pages.components import drafting

TEN, MORE, HALF, SAVE = "t", "h", "half", "save"
_STATE, _PRESSED, _DONE = "rating_scale", "pressed", "rating_scale_done"


def draw(
    run_id: str,
    rating: float | None,
    on_press: Callable[[str, int, str], Any],
    shown: list[tuple[str, str]],
    leaving: str,
) -> None:
    """The scale with the rating that is given, and the keys beneath it.

    Args:
        on_press: called in a callback with the run, a number that grows, and what was pressed:
            a digit, `TEN`, `MORE`, `HALF` or `SAVE`.
        shown: key and what it does, for the line that tells them.
        leaving: the letters that lead to another run; what is pressed after one waits until that is shown.
    """
    _listener()(
        key=_STATE, height="content", on_pressed_change=lambda: _take(on_press),
        data={
            "run": run_id, "rating": rating, "shown": shown, "leaving": leaving,
            "fields": [f"st-key-{name}-{run_id}" for name in (drafting.NOTE, drafting.RATING)],
        },
    )  # fmt: skip
    if _DONE not in st.session_state:  # what a browser pressed in a session before this one is done with
        st.session_state[_DONE] = max((entry["n"] for entry in _log()), default=0)


def last_of(run_id: str) -> int:
    """The last key that was pressed for a run, 0 = none."""
    return max((entry["n"] for entry in _log() if entry["run"] == run_id and entry["key"] != SAVE), default=0)


def _take(on_press: Callable[[str, int, str], Any]) -> None:
    for entry in _log():
        if entry["n"] > st.session_state.get(_DONE, 0):
            st.session_state[_DONE] = entry["n"]
            on_press(entry["run"], entry["n"], entry["key"])


def _log() -> list[dict[str, Any]]:
    """What was pressed, the last some, each with a number that grows and the run that was shown."""
    return (st.session_state.get(_STATE) or {}).get(_PRESSED) or []


@cache
def _listener() -> Callable[..., Any]:
    """The script with its look; made at the first use, since a component belongs to a running page."""
    here = Path(__file__)
    return st.components.v2.component(
        "quality_rating_scale",
        js=here.with_suffix(".js").read_text(encoding="utf-8"),
        css=here.with_suffix(".css").read_text(encoding="utf-8"),
    )
