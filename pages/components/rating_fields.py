"""What can a reviewer say of a run? A rating by scale, key or number, whether it needs rework, and a note."""

from typing import Any

import streamlit as st

from pages.components import drafting, rating_scale
from quality.signals import TOP

STEP = 0.5


def draw(run_id: str) -> None:
    """The fields under the scale."""
    given = drafting.given(run_id)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Rating, 0–10", 0.0, TOP, step=STEP, format="%.2f", placeholder="e.g. 7.5", width=150,
            help="Any decimals, by typing. The scale above gives points and halves.",
            **_field(run_id, drafting.RATING, value=given.rating),
        )  # fmt: skip
        st.segmented_control(
            "Rework needed", drafting.REWORK_CHOICES, help="No choice = not stated.",
            **_field(run_id, drafting.REWORK, default=drafting.rework_word(given.rework)),
        )  # fmt: skip
    # No max_chars: the browser would drop a longer paste without a word. Saving refuses it and keeps the text.
    st.text_area(
        "Note", placeholder="What did you see? Plain text.", height=110,
        **_field(run_id, drafting.NOTE, value=given.note or ""),
    )  # fmt: skip


def press(run_id: str, number: int, pressed: str) -> None:
    """What a point of the scale or its key does to the rating. In a callback."""
    drafting.press(run_id, number, lambda rating: pressed_on(rating, pressed))


def _field(run_id: str, name: str, **begin: Any) -> dict[str, Any]:
    """A field's key and what becomes of a change; what it begins with only where it is new, since afterwards it has a value."""
    key = drafting.key(name, run_id)
    empty = {"value": "" if name == drafting.NOTE else None} if "value" in begin else {}
    return {
        "key": key, "on_change": drafting.keep, "args": (run_id,), **(empty if key in st.session_state else begin),
    }  # fmt: skip


def pressed_on(rating: float | None, pressed: str) -> float:
    """The rating after a digit, `TEN`, `MORE` (half a point more) or `HALF` (the half on the point, on or off).

    >>> pressed_on(None, "7"), pressed_on(7.0, "h"), pressed_on(7.5, "h"), pressed_on(9.8, "h"), pressed_on(7.5, "t")
    (7.0, 7.5, 8.0, 10.0, 10.0)
    >>> pressed_on(7.0, "half"), pressed_on(7.5, "half"), pressed_on(7.25, "half"), pressed_on(None, "half")
    (7.5, 7.0, 7.5, 0.5)
    """
    now = rating or 0.0
    if pressed == rating_scale.MORE:
        return min(TOP, now + STEP)
    if pressed == rating_scale.HALF:
        point = float(int(now))
        return point if now == point + STEP else min(TOP, point + STEP)
    return TOP if pressed == rating_scale.TEN else float(pressed)
