"""How far is a long import? The records it has read so far, told to whoever listens in its thread."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[int], None]
_listening: ContextVar[Listener | None] = ContextVar("listening to imports", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """`listener` hears of the imports inside the block. A file is stored whole or not at all: until its end it may be undone."""
    token = _listening.set(listener)
    try:
        yield
    finally:
        _listening.reset(token)


def tell(records: int) -> None:
    """That many records of the file in hand are read, and on their way into the ledger."""
    if listener := _listening.get():
        listener(records)
