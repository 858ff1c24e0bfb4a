"""How long is waited before a call is made again? Exponentially longer, with jitter, or as long as the server asks."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from quality.settings import JudgeSettings


def wait_before(retry: int, asked: float | None, settings: JudgeSettings, draw: Callable[[], float]) -> float | None:
    """Seconds before retry 1, 2, …; `None` if the server asks for more than the longest wait.

    `draw` gives 0 ≤ u < 1: the wait is spread over the upper half of its span, so that callers who failed together do
    not come back together. What the server asks for is a least: the spread comes on top, up to the longest wait.

    >>> settings = JudgeSettings(first_wait_seconds=1, longest_wait_seconds=30)
    >>> [wait_before(retry, None, settings, lambda: 0.5) for retry in (1, 2, 3)]
    [0.75, 1.5, 3.0]
    >>> wait_before(1, 10, settings, lambda: 0.0), wait_before(1, 31, settings, lambda: 0.0)
    (10.5, None)
    """
    longest = settings.longest_wait_seconds
    span = min(settings.first_wait_seconds * 2 ** (retry - 1), longest)
    wait = span * (1 + draw()) / 2
    if asked is None:
        return wait
    return None if asked > longest else min(asked + wait, longest)


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds of a Retry-After header, given in seconds or as a date; `None` where it says nothing usable.

    >>> retry_after("3"), retry_after("soon"), retry_after("-1"), retry_after("nan")
    (3.0, None, None, None)
    >>> retry_after("Wed, 01 Jul 2026 10:00:05 GMT", datetime(2026, 7, 1, 10, tzinfo=UTC))
    5.0
    """
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            then = parsedate_to_datetime(value)
        except ValueError:
            return None
        then = then if then.tzinfo else then.replace(tzinfo=UTC)
        return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())
    return seconds if seconds >= 0 else None
