"""When may the file under the readers be exchanged? When none of them reads: new ones wait at the gate meanwhile."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Many read at once; whoever closes it waits until they are through, and is alone then."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._reading = 0
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Wait while the gate is closed. It may be left in another thread than the one that came in."""
        with self._changed:
            while self._closed:
                self._changed.wait()
            self._reading += 1
        try:
            yield
        finally:
            with self._changed:
                self._reading -= 1
                self._changed.notify_all()

    @contextmanager
    def closed(self, patience: float) -> Iterator[None]:
        """Let nobody in, and wait at most `patience` seconds for those who are; whoever is in still then is ignored.

        One at a time, which the caller sees to.
        """
        deadline = time.monotonic() + patience
        with self._changed:
            self._closed = True
            while self._reading and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(left)
        try:
            yield
        finally:
            with self._changed:
                self._closed = False
                self._changed.notify_all()
