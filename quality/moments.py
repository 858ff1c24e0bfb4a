"""Which instant is meant by "as of" a date or a time that somebody typed?"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo

from quality.errors import QualityError

_DATE_LENGTH = len("2026-03-01")
_TICK = timedelta(microseconds=1)


def end_of(day: date, zone: tzinfo = UTC, now: datetime | None = None) -> datetime:
    """The last instant of a day in a zone, as UTC; of a day that is not over, now.

    >>> end_of(date(2026, 3, 1)).isoformat()
    '2026-03-01T23:59:59.999999+00:00'
    """
    last = datetime.combine(day + timedelta(days=1), time.min, zone).astimezone(UTC) - _TICK
    present = now or datetime.now(UTC)
    return min(last, present) if day <= present.astimezone(zone).date() else last


def as_of(text: str) -> datetime:
    """A date is its end in UTC; a time needs its zone.

    >>> as_of("2026-03-01T10:00:00+02:00").isoformat(), as_of("2026-03-01").isoformat()
    ('2026-03-01T08:00:00+00:00', '2026-03-01T23:59:59.999999+00:00')

    Raises:
        QualityError: it is neither.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise QualityError(
            f"as of {text[:80]}: not a time: give a date (2026-03-01) or ISO 8601 with its zone (2026-03-01T10:00Z)"
        ) from error
    if len(text.strip()) <= _DATE_LENGTH:
        return end_of(found.date())
    if found.tzinfo is None:
        raise QualityError(f"as of {text[:80]}: has no time zone: add one, such as Z for UTC, or give the date alone")
    return found.astimezone(UTC)
