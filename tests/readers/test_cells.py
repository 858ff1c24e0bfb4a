"""Types are declared: a cell is what its column holds, or it is a reject."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest

from quality.readers.instants import instants
from quality.readers.numbers import counts, flags, probabilities, ratings, ratios, shares


def one(parse, text):
    """(value, whether the cell is bad)"""
    parsed = parse(pa.array([text], pa.string()))
    return parsed.values[0].as_py(), bool(parsed.bad is not None and parsed.bad[0])


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7.0), ("7.5", 7.5), ("0", 0.0), ("10", 10.0), (" 3 ", 3.0), ("+4", 4.0), ("1e1", 10.0), (".5", 0.5),
     ("8/10", 8.0), ("8.5 / 10", 8.5), ("8/10.0", 8.0), ("10/10", 10.0)],
)  # fmt: skip
def test_a_rating_is_a_number_from_0_to_10_or_out_of_10(text, value):
    assert one(ratings, text) == (value, False)


@pytest.mark.parametrize(
    "text",
    ["85", "-3", "10.0001", "NaN", "nan", "inf", "-inf", "Infinity", "1e25", "9.2e+24", "1e999", "seven", "8/5", "80/100",
     "11/10", "-1/10", "7,5", "0x7", "1_0", "٣", "7 points", "true", "--"],
)  # fmt: skip
def test_anything_else_is_no_rating(text):
    assert one(ratings, text) == (None, True)


@pytest.mark.parametrize("text", ["", "   ", None])
def test_an_empty_cell_states_nothing(text):
    for parse in (ratings, shares, counts, flags, instants):
        assert one(parse, text) == (None, False)


def test_minus_zero_is_zero():
    value = ratings(pa.array(["-0", "-0.0"])).values
    assert str(value.to_pylist()) == "[0.0, 0.0]"


def test_what_was_written_is_kept_where_it_had_a_scale():
    assert ratings(pa.array(["8/10", "8"])).raw.to_pylist() == ["8/10", None]


@pytest.mark.parametrize(
    ("parse", "good", "bad"),
    [
        (shares, ["0", "1", "0.5"], ["1.01", "-0.1", "50%", "NaN"]),
        (probabilities, ["0.001", "1"], ["0", "-1", "1.5"]),
        (ratios, ["0.01", "1000"], ["0", "-1", "inf"]),
        (counts, ["0", "12", "12.0", "2147483647"], ["-1", "1.5", "2147483648", "many", "1e99"]),
        (lambda c: counts(c, 1), ["1"], ["0", "-1"]),
    ],
)
def test_numbers_have_the_range_of_their_column(parse, good, bad):
    assert [one(parse, text)[0] for text in good] == [float(text) for text in good]
    assert [one(parse, text) for text in bad] == [(None, True)] * len(bad)


def test_a_bad_cell_spoils_no_other():
    parsed = shares(pa.array(["0.5", "x", None, "1"]))
    assert parsed.values.to_pylist() == [0.5, None, None, 1.0]
    assert parsed.bad.tolist() == [False, True, False, False]


@pytest.mark.parametrize(
    ("text", "value"), [("true", True), ("YES", True), ("1", True), ("False", False), ("no", False), ("0", False)]
)
def test_flags_are_read_in_any_case(text, value):
    assert one(flags, text) == (value, False)


@pytest.mark.parametrize("text", ["maybe", "2", "unknown", "t"])
def test_other_words_are_no_flags(text):
    assert one(flags, text) == (None, True)


@pytest.mark.parametrize("parse", [ratings, shares, counts])
def test_a_typed_yes_is_no_number(parse):
    """As `true` is none in a text."""
    parsed = parse(pa.array([True, None, False]))
    assert (parsed.values.to_pylist(), parsed.bad.tolist()) == ([None] * 3, [True, False, True])


def test_typed_columns_are_taken_as_they_are():
    assert ratings(pa.array([7, 11])).values.to_pylist() == [7.0, None]
    assert flags(pa.array([1.0, 0.0, 0.5])).values.to_pylist() == [True, False, None]
    assert flags(pa.array([True, None])).values.to_pylist() == [True, None]
    assert instants(pa.array([datetime(2026, 8, 1)], pa.timestamp("ns"))).naive == 1
    assert instants(pa.array([datetime(2026, 8, 1)], pa.timestamp("s", "Europe/Berlin"))).naive == 0


NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "naive"),
    [("2026-08-01T12:00:00Z", 0), ("2026-08-01T14:00:00+02:00", 0), ("2026-08-01 17:30:00+0530", 0), ("2026-08-01T12:00Z", 0),
     ("2026-08-01T12:00:00.000000Z", 0), ("2026-08-01T12:00:00", 1), ("2026-08-01 12:00", 1), ("20260801T120000Z", 0),
     ("2026-08-01T12:00:00.000000000Z", 0)],
)  # fmt: skip
def test_a_time_of_any_zone_is_utc_and_one_without_is_taken_as_utc(text, naive):
    parsed = instants(pa.array([text, "2026-08-01T00:00:00Z"]))
    assert (parsed.values[0].as_py(), parsed.naive) == (NOON, naive)


@pytest.mark.parametrize(
    "text", ["yesterday", "1754049600", "2026-02-30", "2026-13-01T00:00:00Z", "01/08/2026", "0000-01-01T00:00:00Z"]
)
def test_what_is_not_a_time_is_bad(text):
    assert one(instants, text) == (None, True)
