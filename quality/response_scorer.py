"""How does an agent's process score its responses without waiting for it? It submits them; a thread does the rest.

    scorer = ResponseScorer("data/ledger.duckdb")
    response_id = scorer.submit({"model": "claude-sonnet-4-6", "tools_ok": 3})
    scorer.feedback(response_id, "accept")
    scorer.close()

Whatever goes wrong is logged under `quality.response_scorer` and never raised to the caller. A process that is killed
loses what was still in the queue; the ledger stays whole.
"""

import asyncio
import atexit
import logging
import os
import threading
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from quality.client import open_door
from quality.problems import first_problem
from quality.response_commands import FeedbackOn
from quality.response_models import Diagnostics, MessageMetadata, ResponseRecord
from quality.response_spool import FeedbackLine, Line, ResponseLine, Spool, store_lines
from quality.settings import Settings, load_settings

PURPOSE = "response scorer"
PREFIX = "scorer-"
"""How the id of a response or an event begins for which none was stated."""
QUEUE_SIZE = 10_000
"""Responses and feedback events that may wait for the worker; what comes on top is dropped and counted."""
BATCH_SIZE = 1_000
"""At most so many are stored in one transaction."""
LINGER_SECONDS = 0.2
"""So long more of them are waited for, so that the ledger is not taken once for each."""
WAIT_SECONDS = 5.0
"""So long the ledger is waited for; then they are spooled, and so is what comes in as long a time again."""

_log = logging.getLogger(__name__)
_FLUSH, _STOP = object(), object()


@dataclass(frozen=True)
class Counts:
    """What became of what was handed over, responses and feedback events together."""

    accepted: int = 0
    """Put into the queue."""
    dropped: int = 0
    """Turned away: the queue was full, or the scorer closed."""
    stored: int = 0
    """In the ledger."""
    spooled: int = 0
    """In the spool beside the ledger, to be imported."""
    rejected: int = 0
    """No response or event: a field that does not fit; logged."""
    lost: int = 0
    """Neither ledger nor spool could be written; logged."""

    @property
    def settled(self) -> int:
        """Of those accepted, how many the worker is done with."""
        return self.stored + self.spooled + self.rejected + self.lost


class ResponseScorer:
    """A queue that never blocks, and the thread that empties it into the ledger. Use it as a context manager, or `close()`.

    Args:
        ledger: the ledger's file; whoever holds it is found through the owner file beside it. Its folder must exist.
        settings: by default those in force for the ledger.
        actor: who is said to have stored the responses.
    """

    def __init__(
        self,
        ledger: Path | str,
        settings: Settings | None = None,
        *,
        actor: str = PURPOSE,
        queue_size: int = QUEUE_SIZE,
        batch_size: int = BATCH_SIZE,
        linger_seconds: float = LINGER_SECONDS,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._path = Path(ledger)
        self._settings = settings
        self._actor = actor
        self._size, self._batch = queue_size, batch_size
        self._linger, self._wait = linger_seconds, wait_seconds
        self._spool = Spool(self._path)
        self._closed = False
        self._begin()
        atexit.register(self.close)

    def submit(
        self,
        metadata: MessageMetadata | Mapping[str, Any],
        lsp_before: Diagnostics | Mapping[str, Any] | None = None,
        lsp_after: Diagnostics | Mapping[str, Any] | None = None,
    ) -> str | None:
        """Hand over a response; returns at once. What is handed over must not be changed afterwards.

        Returns:
            The response's id, made up unless the metadata states one: what `feedback` is given on. `None`: it was dropped.
        """
        mapped = isinstance(metadata, (dict, Mapping))  # a dict is told sooner than a Mapping
        stated = metadata.get("response_id") if mapped else getattr(metadata, "response_id", None)
        response_id = stated or self._made_up()
        kept = self._put((_response, response_id, time.time(), metadata, lsp_before, lsp_after))
        return response_id if kept else None

    def feedback(self, response_id: str, signal: str, event_id: str | None = None) -> bool:
        """Hand over what a person did with a response; the same `event_id` counts once. `False`: it was dropped."""
        return self._put((_feedback, response_id, time.time(), signal, event_id or self._made_up()))

    @property
    def counts(self) -> Counts:
        with self._changed:
            return replace(self._counts, accepted=self._accepted, dropped=self._dropped)

    def drain(self, timeout: float | None = None) -> bool:
        """Wait until all that was accepted so far is stored, spooled or given up; `False` if that takes longer (seconds)."""
        self._ensure_worker()
        target = self._accepted
        self._queue.put(_FLUSH)
        with self._changed:
            return self._changed.wait_for(
                lambda: self._counts.settled >= target or not self._worker.is_alive(), timeout
            ) and (self._counts.settled >= target)

    def __await__(self) -> Generator[Any, None, bool]:
        """`await scorer` is `drain()` for a coroutine."""
        return asyncio.to_thread(self.drain).__await__()

    def close(self) -> None:
        """Accept nothing more and put away all that was accepted. Also done when the interpreter ends normally."""
        with self._accepting:
            first, self._closed = not self._closed, True
        if first and self._pid == os.getpid():
            self._queue.put(_STOP)
            self._worker.join()
        atexit.unregister(self.close)

    def __enter__(self) -> "ResponseScorer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> "ResponseScorer":
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)

    def _begin(self) -> None:
        """A queue and a worker of this process: a forked child has neither, and what waited is its parent's."""
        self._pid = os.getpid()
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._accepting = threading.Lock()
        self._changed = threading.Condition()
        self._accepted = self._dropped = self._settled = 0
        self._counts = Counts()
        self._ids = (f"{PREFIX}{uuid4().hex}-", count(1))
        self._spool_until = 0.0
        self._worker = threading.Thread(target=self._work, name=PURPOSE, daemon=True)
        self._worker.start()

    def _ensure_worker(self) -> None:
        if self._pid != os.getpid():
            self._begin()

    def _made_up(self) -> str:
        """An id of this scorer's own; a UUID each would be a system call, at which the worker takes over for a while."""
        if self._pid != os.getpid():
            self._begin()
        head, numbers = self._ids
        return f"{head}{next(numbers)}"

    def _put(self, item: tuple) -> bool:
        if self._pid != os.getpid():
            self._begin()
        with self._accepting:
            if self._closed or self._accepted - self._settled >= self._size:
                self._dropped += 1
                if self._dropped & (self._dropped - 1):
                    return False  # said at the 1st, 2nd, 4th, 8th …
                dropped = self._dropped
            else:
                self._accepted += 1
                self._queue.put(item)
                return True
        _log.warning(
            "%d dropped so far: %s", dropped, "closed" if self._closed else f"{self._size} are waiting already"
        )
        return False

    def _work(self) -> None:
        stop = False
        while not stop:
            batch, stop = self._gathered()
            if not batch:
                continue
            before = self._counts.settled
            try:
                self._put_away(batch)
            except Exception:
                _log.exception("%d responses or events could not be put away", len(batch))
            finally:
                self._count(lost=len(batch) - (self._counts.settled - before))

    def _gathered(self) -> tuple[list[tuple], bool]:
        """What is there, and what comes within the linger time; whether it is the end."""
        batch: list[tuple] = []
        item = self._queue.get()
        until = time.monotonic() + self._linger
        while item is not _STOP:
            if item is not _FLUSH:
                batch.append(item)
            if len(batch) >= self._batch:
                return batch, False
            try:
                item = self._queue.get(timeout=0 if item is _FLUSH else max(until - time.monotonic(), 0))
            except Empty:
                return batch, False
        return batch, True

    def _put_away(self, batch: list[tuple]) -> None:
        lines = [line for line in map(self._line, batch) if line is not None]
        self._count(rejected=len(batch) - len(lines))
        if not lines:
            return
        if time.monotonic() >= self._spool_until:
            try:
                self._store(lines)
                self._count(stored=len(lines))
                return
            except Exception as error:
                self._spool_until = time.monotonic() + self._wait
                _log.warning("%s; spooled meanwhile in %s", error, self._spool.path)
        self._spool.append(lines)
        self._count(spooled=len(lines))

    def _store(self, lines: list[Line]) -> None:
        settings = self._settings or load_settings(self._path).values
        limits = settings.limits.model_copy(update={"lock_seconds": self._wait})
        settings = settings.model_copy(update={"limits": limits})
        with open_door(self._path, settings, purpose=PURPOSE, create=True) as door:
            for conflict in store_lines(lines, door, self._actor).conflicts:
                _log.warning("feedback left out: %s", conflict)
            try:
                self._spool.import_waiting(door, self._actor)
            except Exception:
                _log.exception("%s could not be imported", self._spool.path)

    def _line(self, item: tuple) -> Line | None:
        """What was handed over, checked; `None`, and logged, where it does not fit."""
        build, response_id, at, *rest = item
        kind = build.__name__.removeprefix("_")
        try:
            return build(response_id, datetime.fromtimestamp(at, UTC), *rest)
        except ValidationError as error:
            _log.warning("%s %s rejected: %s", kind, response_id, first_problem(error))
        except Exception as error:
            _log.warning("%s %s rejected: %s", kind, response_id, error)
        return None

    def _count(self, **more: int) -> None:
        with self._changed:
            self._counts = replace(self._counts, **{n: getattr(self._counts, n) + more[n] for n in more})
            self._settled = self._counts.settled
            self._changed.notify_all()


def _response(response_id: str, at: datetime, metadata: Any, before: Any, after: Any) -> ResponseLine:
    record = ResponseRecord(metadata=metadata, lsp_before=before, lsp_after=after)
    stated = record.metadata
    filled = {"response_id": response_id, "occurred_at": stated.occurred_at or at}
    return ResponseLine(record=record.model_copy(update={"metadata": stated.model_copy(update=filled)}))


def _feedback(response_id: str, at: datetime, signal: Any, event_id: Any) -> FeedbackLine:
    return FeedbackLine(event=FeedbackOn(response_id=response_id, signal=signal, event_id=event_id, occurred_at=at))
