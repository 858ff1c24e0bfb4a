"""How does text from a command line become a request? A wrong value is one line that names it and what is allowed."""

import inspect
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Annotated, Any, TypeVar

import typer
from pydantic import BaseModel, ValidationError
from typer.core import TyperCommand

from quality.cli.output import tell
from quality.commands import Filters
from quality.errors import QualityError
from quality.problems import first_problem

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_LOOKS_NEGATIVE = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)
HIGHEST, LOWEST = 10.0, 0.0

M = TypeVar("M", bound=BaseModel)


class NumberFriendly(TyperCommand):
    """A command that takes -3 for a number, so that our own check can say what is allowed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if any(_LOOKS_NEGATIVE.match(argument) for argument in args):
            ctx.ignore_unknown_options = True
        return super().parse_args(ctx, args)


def rating(text: str) -> float:
    """A rating as typed.

    >>> rating("8.5")
    8.5
    """
    shown = text if len(text) <= 80 else text[:80] + "…"
    if not _NUMBER.fullmatch(text.strip()):
        hint = f" Write {text.replace(',', '.')}" if _NUMBER.fullmatch(text.replace(",", ".")) else ""
        raise QualityError(f"rating {shown}: not a number: give a number from 0 to 10, decimals allowed.{hint}")
    value = float(text)
    if not LOWEST <= value <= HIGHEST:
        raise QualityError(f"rating {shown}: out of range: give a number from 0 to 10, decimals allowed")
    return value + 0.0


def moment(option: str, text: str | None) -> datetime | None:
    """A time as typed: ISO 8601, a bare date is its midnight; without a zone it is UTC, and that is said.

    >>> moment("--since", "2026-03-01T10:00:00+02:00").isoformat()
    '2026-03-01T08:00:00+00:00'
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise QualityError(f"{option} {text}: not a time: give ISO 8601, such as 2026-03-01T10:00Z") from error
    if found.tzinfo is None:
        tell(f"note: {option} {text} has no time zone: taken as UTC")
        return found.replace(tzinfo=UTC)
    return found.astimezone(UTC)


def build(kind: type[M], /, **fields: Any) -> M:
    """The request, or one line on the first field that does not fit."""
    try:
        return kind(**fields)
    except ValidationError as error:
        raise QualityError(first_problem(error, list(kind.model_fields))) from error


def _option(kind: Any, *names: str, help: str) -> Any:
    return Annotated[kind | None, typer.Option(*names, help=help, show_default=False)]


def _options(name: str, help: str) -> Any:
    return _option(list[str], name, help=f"{help} Again for another that will do as well.")


FILTER_OPTIONS: dict[str, Any] = {
    "text": _option(str, "--text", help="Words that title, story id or note contain."),
    "story_id": _option(str, "--story", help="One story."),
    "agent": _options("--agent", "Runs of one agent."),
    "model_version": _options("--model", "Runs of one model."),
    "discipline": _options("--discipline", "The kind of work: discipline."),
    "org_domain": _options("--org-domain", "The kind of work: domain of the organisation."),
    "industry": _options("--industry", "The kind of work: industry."),
    "phase": _options("--phase", "The kind of work: phase."),
    "tier": _options("--tier", "Who the score comes from: auto, verifier or human."),
    "low_confidence": _option(bool, "--low-confidence/--no-low-confidence", help="Scored by auto alone, or not."),
    "caveat": _options("--caveat", "Rows with this caveat, such as few_tests."),
    "reviewer": _options("--reviewer", "Rated by this reviewer."),
    "has_note": _option(bool, "--has-note/--no-note", help="Rated with a note, or not."),
    "on_review_list": _option(bool, "--on-review-list/--off-review-list", help="Waiting on the review list, or not."),
    "since": _option(str, "--since", help="Scored at or after this time (ISO 8601)."),
    "until": _option(str, "--until", help="Scored before this time (ISO 8601)."),
}
"""Field of `Filters` → the option that states it."""


def with_filters(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for every filter; it gets them as one `Filters`."""
    signature = inspect.signature(command)
    own = [p for p in signature.parameters.values() if p.name != "filters"]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        for name, kind in FILTER_OPTIONS.items()
    ]

    @wraps(command)
    def with_options(**given: Any) -> None:
        stated = {name: given.pop(name) for name in FILTER_OPTIONS}
        times = {name: moment(f"--{name}", stated[name]) for name in ("since", "until")}
        command(**given, filters=build(Filters, **(stated | times)))

    keyword_only = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    with_options.__signature__ = signature.replace(parameters=[*keyword_only, *added])
    with_options.__annotations__ = {p.name: p.annotation for p in [*own, *added]}
    del with_options.__wrapped__
    return with_options
