"""Which judges are there, which of them can be asked now, and how is one opened?"""

from typing import TYPE_CHECKING, NamedTuple, get_args

from quality.errors import QualityError, did_you_mean
from quality.judges.endpoint import Endpoint
from quality.judges.scripted import MODEL as SCRIPTED
from quality.judges.scripted import ScriptedJudge
from quality.judging import ALIASES, Backend, Judge
from quality.settings import JudgeSettings

if TYPE_CHECKING:
    from quality.judges.spending import Budget


class Available(NamedTuple):
    """A judge to choose."""

    backend: Backend
    model: str
    ready: bool
    why_not: str | None
    """What is missing, and how to set it; `None` if it is ready."""


def backend_of(name: str) -> Backend:
    """The backend that a name or an alias means.

    Raises:
        QualityError: no such backend; the message names those that there are.
    """
    plain = name.strip().lower()
    found = ALIASES.get(plain, plain)
    if found not in get_args(Backend):
        allowed = [*get_args(Backend), *ALIASES]
        raise QualityError(f"judge '{name}': choose one of {', '.join(allowed)}.{did_you_mean(plain, allowed)}")
    return found


def available(settings: JudgeSettings) -> list[Available]:
    """Every backend with its model and whether it could be asked, by the environment alone: nothing is called."""
    listed = []
    for backend in get_args(Backend):
        why_not = None if backend == "scripted" else Endpoint.of(backend).problem
        listed.append(Available(backend, _model(backend, settings), why_not is None, why_not))
    return listed


def open_judge(
    backend: str, settings: JudgeSettings, *, model: str | None = None, budget: "Budget | None" = None
) -> Judge:
    """A judge, with a spend limit of its own unless it is given one to share. A missing key shows when it is asked.

    Raises:
        QualityError: no such backend, or the scripted judge is to be another model.
    """
    found = backend_of(backend)
    if found == "scripted":
        if model not in (None, "", SCRIPTED):
            raise QualityError(f"model '{model}': the scripted judge is no model: leave the model out")
        return ScriptedJudge()
    from quality.judges.network import NetworkJudge
    from quality.judges.spending import Budget

    return NetworkJudge(found, model or _model(found, settings), settings, budget or Budget(settings))


def _model(backend: Backend, settings: JudgeSettings) -> str:
    return SCRIPTED if backend == "scripted" else getattr(settings.models, backend)
