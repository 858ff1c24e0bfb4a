"""How does a value look? One decimal for scores, a dash for what is unknown.

Tables take label, tooltip and format of a column from the catalogue (`quality/definitions.py`).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Literal
from unicodedata import bidirectional
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st

from quality.definitions import define

UNKNOWN = "–"
"""What stands for an unknown value."""
LEAST_DOLLARS = 0.0001
"""The least that four decimals show."""
SHAPES = {"auto": "◆", "verifier": "■", "human": "●"}
"""Tier → its shape, the same in text and charts; colours alone are not enough."""
TIER_COLUMNS = {
    "quality_auto": "auto",
    "quality_verifier": "verifier",
    "quality_human": "human",
    "mean_auto": "auto",
    "mean_verifier": "verifier",
    "mean_human": "human",
}
TURNING = {"R", "AL", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI"}
"""Bidirectional classes that change the order of what stands beside them."""
LONG_TEXT, LONG_LINES, ROOM = 2_000, 20, 320
"""Characters or lines above which a text scrolls in its place, and the pixels of that place."""
FEW_ROWS, TABLE_ROOM = 11, 420
"""Rows up to which a table shows all of them, and the pixels of one that scrolls."""
MINUTE = 60
MEGA = 1_000_000
FORMATS = {
    "score": "%.1f",
    "difference": "%+.1f",
    "count": "%,d",
    "weight": "%.2f",
    "ratio": "%.2f",
    "share": "%.1f %%",
}
TIME_FORMAT = "YYYY-MM-DD HH:mm"
WIDTHS = {
    "title": 210,
    "story_id": 120,
    "note": 220,
    "caveats": 200,
    "model": 140,
    "tier_mix": 190,
    "ts": 130,
    "given_at": 130,
    "mean_auto": 72,
    "mean_verifier": 84,
    "mean_human": 80,
    "n_with_auto": 56,
    "n_with_verifier": 56,
    "n_with_human": 56,
    "n": 56,
    "effective_mean": 80,
    "routing_score": 74,
    "low_confidence_share": 106,
    "trust_remark": 236,
    "rater": 150,
    "standing": 196,
    "attempt": 66,
    "agent": 90,
}
"""Pixels; the rest fit their content."""


def score(value: float | None) -> str:
    """A score with one decimal, halves up as in the tables.

    >>> score(8.25), score(None), score(0.0)
    ('8.3', '–', '0.0')
    """
    return UNKNOWN if value is None else str(Decimal(value).quantize(Decimal("0.1"), ROUND_HALF_UP))


def number(value: float) -> str:
    """A number as it was given, without a trailing zero.

    >>> number(7.0), number(7.25)
    ('7', '7.25')
    """
    return f"{value:.10g}"


def count(value: int | None) -> str:
    """A whole number with thousands apart.

    >>> count(5730), count(None)
    ('5,730', '–')
    """
    return UNKNOWN if value is None else f"{value:,}"


def dollars(value: float | None) -> str:
    """US dollars with four decimals; what is less than that is said to be.

    >>> dollars(0.01234), dollars(0.0), dollars(0.00001), dollars(None)
    ('$0.0123', '$0.0000', '< $0.0001', '–')
    """
    if value is None:
        return UNKNOWN
    return "< $0.0001" if 0 < value < LEAST_DOLLARS else f"${value:.4f}"


def duration(milliseconds: float | None) -> str:
    """A duration in seconds with one decimal, below one in milliseconds.

    >>> duration(12_340.0), duration(87.2), duration(0.0), duration(None)
    ('12.3 s', '87 ms', '0 ms', '–')
    """
    if milliseconds is None:
        return UNKNOWN
    return f"{milliseconds:.0f} ms" if milliseconds < 1_000 else f"{milliseconds / 1_000:.1f} s"


def difference(value: float | None, decimals: int = 1) -> str:
    """A difference with its sign; what rounds to nothing has none.

    >>> difference(1.25), difference(-0.31), difference(0.02), difference(0.02, 2), difference(None)
    ('+1.3', '−0.3', '0.0', '+0.02', '–')
    """
    if value is None:
        return UNKNOWN
    size = Decimal(abs(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return str(size) if not size else f"{'+' if value > 0 else '−'}{size}"


def seconds(value: float | None) -> str:
    """A duration in seconds, from a minute on in minutes.

    >>> seconds(12.34), seconds(468.5), seconds(0.0), seconds(None)
    ('12.3 s', '7.8 min', '0 ms', '–')
    """
    if value is not None and value >= MINUTE:
        return f"{value / MINUTE:,.1f} min"
    return duration(None if value is None else value * 1_000)


def size(count: int) -> str:
    """A file's size in megabytes of a million bytes; a small file's is not nothing.

    >>> size(151_531_520), size(12_000)
    ('151.5 MB', '< 0.1 MB')
    """
    return f"{count / MEGA:,.1f} MB" if count >= MEGA / 20 else "< 0.1 MB"


def ratio(value: float | None) -> str:
    """A ratio with two decimals.

    >>> ratio(1.5), ratio(None)
    ('1.50', '–')
    """
    return UNKNOWN if value is None else f"{value:.2f}"


def table_height(rows: int) -> int | Literal["content"]:
    """A table's height: all of a few rows, of many those of one screen, the others scroll.

    >>> table_height(3), table_height(1_000)
    ('content', 420)
    """
    return "content" if rows <= FEW_ROWS else TABLE_ROOM


def share(value: float | None) -> str:
    """A share as a percentage; a part is never shown as 0 % or 100 %.

    >>> share(0.5), share(0.001), share(0.999), share(0.0), share(None)
    ('50 %', '<1 %', '>99 %', '0 %', '–')
    """
    if value is None:
        return UNKNOWN
    if 0 < value < 0.01:
        return "<1 %"
    if 0.99 < value < 1:
        return ">99 %"
    return f"{value:.0%}".replace("%", " %")


def flag(value: bool | None) -> str:
    """yes, no, or a dash."""
    return UNKNOWN if value is None else "yes" if value else "no"


def tier_label(tier: str) -> str:
    """A tier's name behind its shape.

    >>> tier_label("human")
    '● Human'
    """
    return f"{SHAPES[tier]} {tier.capitalize()}"


def isolated(text: str) -> str:
    """Other people's text within a line of ours: a right-to-left part turns itself round and nothing else.

    An isolate more for each one that the text ends, so that it cannot break out.

    >>> isolated("plain") == "plain", isolated("\u202eabc") == "\u2068\u202eabc\u2069"
    (True, True)
    """
    depth = 1 + text.count("\u2069")
    turns = any(bidirectional(letter) in TURNING for letter in text)
    return "\u2068" * depth + text + "\u2069" * depth if turns else text


def room(text: str) -> int | Literal["content"]:
    """The height of a text's place: a very long one scrolls instead of pushing the page away.

    >>> room("a line"), room("x" * 10_000)
    ('content', 320)
    """
    return ROOM if len(text) > LONG_TEXT or text.count("\n") > LONG_LINES else "content"


def words(name: str) -> str:
    """A name of the code as words.

    >>> words("few_tests")
    'few tests'
    """
    return name.replace("_", " ")


def instant(value: datetime | None, zone: str) -> str:
    """A time in the viewer's zone.

    >>> from datetime import UTC
    >>> instant(datetime(2026, 1, 5, 23, 30, tzinfo=UTC), "Europe/Berlin")
    '2026-01-06 00:30'
    """
    return UNKNOWN if value is None else f"{value.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def label(name: str) -> str:
    """A column's label, a tier's behind its shape.

    >>> label("mean_human"), label("n_with_human"), label("n")
    ('● Human', 'n ●', 'n')
    """
    if (tier := name.removeprefix("n_with_")) in SHAPES:
        return f"n {SHAPES[tier]}"
    shape = SHAPES.get(TIER_COLUMNS.get(name, ""), "")
    return f"{shape} {define(name).label}".strip()


def columns(names: Iterable[str], zone: str, pinned: Sequence[str] = ()) -> dict[str, Any]:
    """Column name → its label, tooltip, width and format for `st.dataframe`."""
    return {name: _column(name, zone, name in pinned) for name in names}


def _column(name: str, zone: str, pinned: bool) -> Any:
    definition = define(name)
    look = {"label": label(name), "help": definition.tooltip, "pinned": pinned, "width": WIDTHS.get(name)}
    if definition.kind in FORMATS:
        return st.column_config.NumberColumn(**look, format=FORMATS[definition.kind])
    if definition.kind == "time":
        look["help"] = f"{definition.tooltip} Shown in {zone}, stored in UTC."
        return st.column_config.DatetimeColumn(**look, format=TIME_FORMAT, timezone=zone)
    return st.column_config.TextColumn(**look)


def as_table(rows: Sequence[Mapping[str, Any]], names: Sequence[str], kinds: Mapping[str, pa.DataType]) -> pa.Table:
    """Rows as columns for `shown`; those that `kinds` does not name are numbers, what a row lacks is null."""
    return pa.Table.from_pylist(list(rows), schema=pa.schema([(name, kinds.get(name, pa.float64())) for name in names]))


def shown(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """The named columns as they are shown: shares as percentages, flags and lists as words."""
    return pa.table({name: _shown(table[name], define(name).kind, name) for name in names})


def _shown(column: pa.ChunkedArray, kind: str, name: str) -> pa.ChunkedArray:
    if name in ("signal_source", "tier"):
        return pa.chunked_array([[tier and f"{SHAPES[tier]} {tier}" for tier in column.to_pylist()]], pa.string())
    if kind == "share":
        return pc.multiply(column.cast(pa.float64()), 100.0)
    if kind == "flag":
        return pa.chunked_array([[None if value is None else flag(value) for value in column.to_pylist()]], pa.string())
    if kind == "list":
        joined = [", ".join(words(item) for item in items or []) or None for items in column.to_pylist()]
        return pa.chunked_array([joined], pa.string())
    return column
