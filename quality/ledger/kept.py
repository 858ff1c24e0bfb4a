"""Which states of the ledger stay at hand, once something dear was derived of them? The present one, and few earlier instants."""

from collections.abc import Callable
from datetime import UTC, datetime
from threading import Lock
from typing import Generic, TypeVar

from quality.errors import QualityError

KEPT = 2
"""Earlier instants that are kept, besides the present state."""

T = TypeVar("T")


class KeptStates(Generic[T]):
    """What was derived at the latest version of the ledger; the instant `None` is the present."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[tuple[int, datetime | None], T] = {}

    def has(self, version: int, instant: datetime | None) -> bool:
        """Whether an answer takes no derivation."""
        return (version, instant) in self._kept

    def at(self, version: int, instant: datetime | None, derive: Callable[[], T]) -> T:
        """What was derived of the instant at this version, else derived now.

        Raises:
            QualityError: the instant is yet to come; what `derive` refuses.
        """
        if instant is not None and instant > datetime.now(UTC):
            raise QualityError(f"as of {instant.isoformat()}: is yet to come: name a time that has passed")
        with self._lock:  # two who ask at once wait for one derivation
            if (version, instant) not in self._kept:
                self._make_room(version)
                self._kept[version, instant] = derive()
            return self._kept[version, instant]

    def _make_room(self, version: int) -> None:
        """Let go of other versions, and of the instants asked first."""
        past = [key for key in self._kept if key[0] == version and key[1] is not None]
        for key in {key for key in self._kept if key[0] != version} | set(past[: max(0, len(past) - KEPT + 1)]):
            del self._kept[key]
