"""Who judges where no key is set, and when is it enough of a judge that cannot be reached? Nobody waits for nothing."""

import threading
from typing import NamedTuple

from quality.judges.choice import available, backend_of, open_judge
from quality.judges.scripted import ScriptedJudge
from quality.judging import SCRIPTED, Backend, FailureCode, Judge, JudgeFailure, JudgeReply, JudgeRequest
from quality.settings import JudgeSettings

HOPELESS: tuple[FailureCode, ...] = ("auth", "bad_request", "connection", "timeout")
"""Failures that the next question would meet as well."""
GIVE_UP_AFTER = 10
"""Such failures one after the other."""


NOTHING = JudgeRequest(system="", user="", purpose="readiness", prompt_version="")


class Opened(NamedTuple):
    """A judge, and why it is not the one that was asked for."""

    judge: Judge
    requested: Backend
    reason: str | None
    """`None` if it is."""


class PatientJudge:
    """A judge that is no longer asked once it failed ten times one after the other; its last failure stands for the rest."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.backend, self.model = judge.backend, judge.model
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._last: JudgeFailure | None = None

    def ask(self, request: JudgeRequest) -> JudgeReply | JudgeFailure:
        """As the judge answers."""
        with self._lock:
            if self._last is not None and self._in_a_row >= GIVE_UP_AFTER:
                return self._last.model_copy(update={"attempts": 0, "latency_ms": None})
        answer = self._judge.ask(request)
        hopeless = isinstance(answer, JudgeFailure) and answer.code in HOPELESS
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if hopeless else 0
            self._last = answer if hopeless else None
        return answer

    def close(self) -> None:
        """As the judge closes."""
        self._judge.close()


def open_or_scripted(name: str, settings: JudgeSettings, model: str | None = None) -> Opened:
    """The judge of that name; without its key the scripted one, with the reason.

    Raises:
        QualityError: no such backend, or the scripted judge is to be another model.
    """
    backend = backend_of(name)
    judge = open_judge(backend, settings, model=model)
    if backend == SCRIPTED:
        return Opened(judge, backend, None)
    if any(one.backend == backend and not one.ready for one in available(settings)):
        answer = judge.ask(NOTHING)  # a judge that is not ready says why, and makes no call
        if isinstance(answer, JudgeFailure) and answer.code == "no_key":
            return Opened(ScriptedJudge(), backend, answer.message)
    return Opened(PatientJudge(judge), backend, None)
