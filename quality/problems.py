"""What is wrong with a request, in one line? pydantic's report → the field, the value and what is allowed."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from quality.errors import did_you_mean

SHOWN_VALUE = 80
"""Characters of an offending value that are shown."""


def first_problem(error: ValidationError, known: list[str] | None = None) -> str:
    """The first problem of a validation, as one line.

    >>> from quality.commands import ShowStory
    >>> try: ShowStory(story_id="")
    ... except ValidationError as error: first_problem(error)
    "story_id = '': empty or blank: give a name"
    """
    return in_words(error.errors(include_url=False, include_context=False)[0], known)


def in_words(problem: ErrorDetails, known: list[str] | None = None, beginning: int = 0) -> str:
    """One problem of pydantic's report as one line; the first `beginning` parts of its place are left out."""
    parts = problem["loc"][beginning:]
    if problem["type"] == "literal_error" and parts and isinstance(parts[-1], int):
        parts = parts[:-1]  # which of several values it is, the value says
    place = ".".join(str(part) for part in parts)
    reason = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        return f"{place}: no such field.{did_you_mean(place, known or [])}"
    if problem["type"] == "missing":
        return f"{place}: missing: give it"
    if problem["type"] in ("model_type", "dict_type"):
        reason = "give an object"
    if problem["type"] == "json_invalid":
        return one_line(f"not JSON: {reason}")
    shown = repr(problem["input"])
    shown = shown if len(shown) <= SHOWN_VALUE else shown[:SHOWN_VALUE] + "…"
    return one_line(f"{place} = {shown}: {reason}" if place else reason)


def one_line(text: str) -> str:
    """The text without line breaks and control codes, for a terminal or a log.

    >>> one_line("a\\nb\\x1b[31m")
    'a b [31m'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
