"""How long does each question to the ledger take? Noted for whoever listens in this thread, named by the function that asks."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_NOT_ASKING = ("quality.ledger.store", "contextlib")


@dataclass(frozen=True)
class Asked:
    """One question that was answered, or several that see one state."""

    by: str
    """Module and function of `quality.ledger` that asked, such as `queries.leaderboard`."""
    seconds: float
    rows: int


_listening: ContextVar[list[Asked] | None] = ContextVar("listening", default=None)


@contextmanager
def listening() -> Iterator[list[Asked]]:
    """What is asked inside the block in this thread, in order."""
    heard: list[Asked] = []
    token = _listening.set(heard)
    try:
        yield heard
    finally:
        _listening.reset(token)


def start() -> float | None:
    """The clock's reading, or `None` where nobody listens."""
    return None if _listening.get() is None else time.perf_counter()


def note(began: float | None, rows: int) -> None:
    """The question that began then is answered."""
    heard = _listening.get()
    if began is not None and heard is not None:
        heard.append(Asked(_caller(), time.perf_counter() - began, rows))


def _caller() -> str:
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__") in _NOT_ASKING:
        frame = frame.f_back
    module = str(frame.f_globals.get("__name__", "")).rpartition(".")[2]
    return f"{module}.{frame.f_code.co_name}"
