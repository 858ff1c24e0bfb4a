"""Which cells of a column are times? ISO 8601 with any offset → UTC; a time without one is taken as UTC.

MODEL.md, Words: times are UTC instants, a naive time is taken as UTC and said so.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quality.readers.numbers import Parsed, is_text

INSTANT = pa.timestamp("us", tz="UTC")
CLOCKS_DIFFER = timedelta(minutes=5)
"""How far ahead the clock of whoever states a time may be."""
LONGEST = 100
"""Characters of a time that are shown."""
NEVER = "0001-01-01T00:00:00"
"""How programs in Go and C# write a time that was not set."""
_LOOKS_ISO = r"^\d{4}-?\d\d-?\d\d([Tt ].*)?$"
_EARLIEST, _LATEST = (int(datetime(year, 1, 2, tzinfo=UTC).timestamp()) * 1_000_000 for year in (1, 9999))
"""Microseconds since 1970 between which a time can be shown in any zone."""


@dataclass(frozen=True)
class Instants(Parsed):
    """Times, how many of them stated no zone, and how many lie in the future."""

    naive: int = 0
    future: int = 0


def instants(column: pa.Array) -> Instants:
    """A column of text, dates or timestamps → UTC instants.

    >>> parsed = instants(pa.array(["2026-08-01T10:00:00+02:00", "2026-08-01 10:00", "soon", None]))
    >>> [t and t.isoformat() for t in parsed.values.to_pylist()], parsed.bad.tolist(), parsed.naive
    (['2026-08-01T08:00:00+00:00', '2026-08-01T10:00:00+00:00', None, None], [False, False, True, False], 1)
    """
    if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        return _bounded(*_typed(column))
    if not is_text(column):
        bad = column.is_valid().to_numpy(zero_copy_only=False)
        return Instants(pa.nulls(len(column), INSTANT), bad if bad.any() else None)
    try:
        return _bounded(column.cast(INSTANT), 0)
    except pa.ArrowInvalid:
        return _one_by_one(column)


def instant(text: str) -> tuple[datetime, bool] | None:
    """One time in UTC and whether it stated no zone; `None` for what is not a time."""
    try:
        time = datetime.fromisoformat(text)
        naive = time.tzinfo is None
        return (time.replace(tzinfo=UTC) if naive else time.astimezone(UTC)), naive
    except (ValueError, OverflowError):
        return None


@dataclass
class Clock:
    """The latest of the times that a report states of itself, and what is wrong with the others.

    >>> clock = Clock()
    >>> clock.note("2026-08-01T10:00:00+02:00"), clock.note("2026-08-01T12:00:00"), clock.latest.hour
    (None, None, 8)
    >>> clock.warnings
    ["the time '2026-08-01T12:00:00' names no zone: not used"]
    """

    latest: datetime | None = None
    faults: dict[str, str] = field(default_factory=dict)
    """What is wrong → the first time of which that is so."""

    def note(self, text: str | None) -> None:
        """A time as written; empty = not stated."""
        text = (text or "").strip()
        if not text or text.startswith(NEVER):
            return
        found = instant(text)
        if found is None:
            self.faults.setdefault("is none that can be read (ISO 8601): not used", text)
        elif found[1]:
            self.faults.setdefault("names no zone: not used", text)
        else:
            self.at(found[0], text)

    def at(self, time: datetime, text: str = "") -> None:
        """A time in UTC."""
        if time > datetime.now(UTC) + CLOCKS_DIFFER:
            self.faults.setdefault("lies in the future: not used", text or time.isoformat())
        elif self.latest is None or time > self.latest:
            self.latest = time

    def seconds(self, number: object) -> None:
        """A time as seconds since 1970; anything else is not stated."""
        if not isinstance(number, int | float) or isinstance(number, bool):
            return
        try:
            self.at(datetime.fromtimestamp(number, UTC))
        except (ValueError, OverflowError, OSError):
            self.faults.setdefault("is none that can be read: not used", str(number)[:LONGEST])

    @property
    def warnings(self) -> list[str]:
        return [f"the time {text[:LONGEST]!r} {what}" for what, text in self.faults.items()]


def _typed(column: pa.Array) -> tuple[pa.Array, int]:
    naive = not (pa.types.is_timestamp(column.type) and column.type.tz)
    if pa.types.is_date(column.type):
        column = column.cast(pa.timestamp("ms"))
    whole = column.cast(pa.timestamp("us", tz=column.type.tz), safe=False)
    return whole.cast(pa.int64()).cast(INSTANT), (len(column) - column.null_count) if naive else 0


def _one_by_one(column: pa.Array) -> Instants:
    """Each distinct text once; for columns that hold more than zoned times."""
    encoded = pc.utf8_trim_whitespace(column).dictionary_encode()
    iso = pc.match_substring_regex(encoded.dictionary, _LOOKS_ISO).to_pylist()
    times = [instant(text) if fits else None for text, fits in zip(encoded.dictionary.to_pylist(), iso)]
    place = encoded.indices
    known = pa.array([t and t[0] for t in times], INSTANT).take(place)
    naive = pc.sum(pa.array([bool(t and t[1]) for t in times], pa.bool_()).take(place)).as_py() or 0
    stated = pc.not_equal(encoded.dictionary, "").take(place).fill_null(False)
    bad = pc.and_(stated, known.is_null()).to_numpy(zero_copy_only=False)
    whole = _bounded(known, naive)
    both = bad if whole.bad is None else bad | whole.bad
    return Instants(whole.values, both if both.any() else None, naive, whole.future)


def _bounded(times: pa.Array, naive: int) -> Instants:
    number = times.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    outside = (number < _EARLIEST) | (number > _LATEST)
    soon = int((datetime.now(UTC) + CLOCKS_DIFFER).timestamp() * 1_000_000)
    future = int(np.count_nonzero((number > soon) & ~outside))
    if not outside.any():
        return Instants(times, None, naive, future)
    return Instants(pc.if_else(pa.array(outside), pa.scalar(None, INSTANT), times), np.asarray(outside), naive, future)
