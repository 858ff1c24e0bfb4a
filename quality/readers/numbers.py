"""Which cells of a column are usable numbers, and which are rejects? A column at a time.

Types are declared, never sniffed. Each function takes a column of text (or an already typed one, from
Parquet) and gives a typed column, null where a cell is empty or bad, and which cells are bad.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

MAX_COUNT = 2**31 - 1
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_NUMBER_CELL = f"^{NUMBER}$"
_OUT_OF_TEN = rf"^(?P<rating>{NUMBER})\s*/\s*10(?:\.0*)?$"
TRUE, FALSE = ("true", "1", "yes"), ("false", "0", "no")


@dataclass(frozen=True)
class Parsed:
    """A typed column and its bad cells. n rows."""

    values: pa.Array
    """n, null where the cell is empty or bad."""
    bad: NDArray[np.bool_] | None = None
    """n, stated but not usable; `None` = none is."""


def is_text(column: pa.Array) -> bool:
    return pa.types.is_string(column.type) or pa.types.is_large_string(column.type)


def floats(column: pa.Array) -> Parsed:
    """Decimal numbers with a point. NaN and infinite ones are bad; −0 becomes 0.

    >>> parsed = floats(pa.array(["7.5", " 3 ", "NaN", "seven", "", None]))
    >>> parsed.values.to_pylist(), parsed.bad.tolist()
    ([7.5, 3.0, None, None, None, None], [False, False, True, True, False, False])
    """
    values, bad = _as_floats(column)
    number = values.fill_null(0.0).to_numpy(zero_copy_only=False)
    endless = ~np.isfinite(number)
    negative_zero = np.signbit(number) & (number == 0)
    if not endless.any() and not negative_zero.any():
        return Parsed(values, bad)
    missing = ~_valid(values) | endless
    return Parsed(pa.array(number + 0.0, mask=missing), _either(bad, endless))


def within(parsed: Parsed, low: float, high: float, *, above: bool = False, below: bool = False) -> Parsed:
    """Numbers outside low … high are bad; `above`/`below` leave the bound itself out."""
    number = parsed.values.fill_null(low if not above else high).to_numpy(zero_copy_only=False)
    with np.errstate(invalid="ignore"):
        outside = (number <= low if above else number < low) | (number >= high if below else number > high)
    outside &= _valid(parsed.values)
    if not outside.any():
        return parsed
    return Parsed(_without(parsed.values, outside), _either(parsed.bad, outside))


def shares(column: pa.Array) -> Parsed:
    """0–1."""
    return within(floats(column), 0.0, 1.0)


def probabilities(column: pa.Array) -> Parsed:
    """Above 0, up to 1."""
    return within(floats(column), 0.0, 1.0, above=True)


def ratios(column: pa.Array) -> Parsed:
    """Above 0."""
    return within(floats(column), 0.0, np.inf, above=True, below=True)


def counts(column: pa.Array, low: int = 0) -> Parsed:
    """Whole numbers ≥ `low`, at most 2³¹ − 1; `3.0` is a 3.

    >>> parsed = counts(pa.array(["3", "3.0", "2.5", "-1", None]))
    >>> parsed.values.to_pylist(), parsed.bad.tolist()
    ([3, 3, None, None, None], [False, False, True, True, False])
    """
    if pa.types.is_boolean(column.type):
        return Parsed(pa.nulls(len(column), pa.int32()), floats(column).bad)
    try:
        whole = Parsed(column.cast(pa.int32()))
    except pa.ArrowInvalid:
        parsed = within(floats(column), low, MAX_COUNT)
        number = parsed.values.fill_null(0.0).to_numpy(zero_copy_only=False)
        broken = number != np.floor(number)
        whole = Parsed(_without(parsed.values, broken).cast(pa.int32()), _either(parsed.bad, broken))
    return within(whole, low, MAX_COUNT)


def flags(column: pa.Array) -> Parsed:
    """true, false, 1, 0, yes, no, in any case.

    >>> flags(pa.array(["TRUE", "no", "1", "maybe", None])).values.to_pylist()
    [True, False, True, None, None]
    """
    if pa.types.is_boolean(column.type):
        return Parsed(column)
    if not is_text(column):
        parsed = floats(column)
        number = parsed.values.fill_null(0.0).to_numpy(zero_copy_only=False)
        other = (number != 0) & (number != 1)
        return Parsed(_without(parsed.values, other).cast(pa.bool_()), _either(parsed.bad, other))
    place = pc.index_in(column, pa.array([*TRUE, *FALSE], column.type))
    if place.null_count > column.null_count:
        tidy = pc.utf8_lower(pc.utf8_trim_whitespace(column))
        place = pc.index_in(tidy, pa.array([*TRUE, *FALSE], column.type))
        bad = _valid(column) & ~_valid(place) & (pc.fill_null(tidy, "").to_numpy(zero_copy_only=False) != "")
        return Parsed(pc.less(place, len(TRUE)), bad)
    return Parsed(pc.less(place, len(TRUE)))


@dataclass(frozen=True)
class Ratings(Parsed):
    """Ratings 0–10 with what was written where that was not the bare number (`8/10`)."""

    raw: pa.Array | None = None


def ratings(column: pa.Array) -> Ratings:
    """0–10, decimals, or `8/10` with what was written kept. Anything else is bad: never clamped, never guessed.

    >>> parsed = ratings(pa.array(["7.5", "8/10", "85", "8/5", "NaN", "-0"]))
    >>> parsed.values.to_pylist(), parsed.raw.to_pylist()
    ([7.5, 8.0, None, None, None, 0.0], [None, '8/10', None, None, None, None])
    """
    plain = floats(column)
    raw = None
    if plain.bad is not None and is_text(column):
        found = pc.extract_regex(pc.utf8_trim_whitespace(column), _OUT_OF_TEN)
        with_scale = _valid(found) & plain.bad
        if with_scale.any():
            scaled = floats(pc.if_else(pa.array(with_scale), found.field(0), pa.scalar(None, pa.string())))
            raw = pc.if_else(pa.array(with_scale), column, pa.scalar(None, column.type)).cast(pa.string())
            plain = Parsed(pc.coalesce(plain.values, scaled.values), _either(plain.bad & ~with_scale, scaled.bad))
    parsed = within(plain, 0.0, 10.0)
    return Ratings(parsed.values, parsed.bad, raw)


def _as_floats(column: pa.Array) -> tuple[pa.Array, NDArray[np.bool_] | None]:
    if pa.types.is_boolean(column.type):  # yes is no number, in Parquet as in JSON
        return pa.nulls(len(column), pa.float64()), _some(_valid(column))
    try:
        return column.cast(pa.float64()), None
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        if not is_text(column):
            return pa.nulls(len(column), pa.float64()), _some(_valid(column))
    tidy = pc.utf8_trim_whitespace(column)
    like_number = pc.match_substring_regex(tidy, _NUMBER_CELL).fill_null(False)
    values = pc.if_else(like_number, tidy, pa.scalar(None, column.type)).cast(pa.float64())
    empty = pc.equal(tidy, "").fill_null(False)
    return values, _some(_valid(column) & ~_numpy(like_number) & ~_numpy(empty))


def _valid(column: pa.Array) -> NDArray[np.bool_]:
    return _numpy(column.is_valid())


def _numpy(mask: pa.Array) -> NDArray[np.bool_]:
    return mask.to_numpy(zero_copy_only=False)


def _without(values: pa.Array, rows: NDArray[np.bool_]) -> pa.Array:
    return pc.if_else(pa.array(rows), pa.scalar(None, values.type), values)


def _either(first: NDArray[np.bool_] | None, second: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    if first is None or second is None:
        return second if first is None else first
    return first | second


def _some(mask: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    return mask if mask.any() else None
