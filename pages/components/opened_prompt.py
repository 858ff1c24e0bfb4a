"""Which evaluation is open, and which one is it compared with? Both stand in the URL and survive page switches."""

from typing import Any

from pages.components import url

_OPEN, _AGAINST = "evaluation", "against"


def current() -> str | None:
    """Id of the open evaluation."""
    return url.read(_OPEN)


def against() -> str | None:
    """Id of the evaluation that it is compared with."""
    return url.read(_AGAINST)


def open_one(evaluation_id: str) -> None:
    """Open it; nothing is compared any more."""
    url.write(_OPEN, evaluation_id)
    url.write(_AGAINST, None)


def compare_with(evaluation_id: str | None) -> None:
    url.write(_AGAINST, evaluation_id)


def close() -> None:
    url.write(_OPEN, None)
    url.write(_AGAINST, None)


def named(row: dict[str, Any]) -> str:
    """A prompt's name, with its story where it has one.

    >>> named({"name": "support bot", "story_id": None}), named({"name": "done_criteria", "story_id": "S-1"})
    ('support bot', 'S-1 · done criteria')
    """
    name = row["name"]
    if row["story_id"] is None:
        return name
    return f"{row['story_id']} · {'done criteria' if name == 'done_criteria' else name}"
