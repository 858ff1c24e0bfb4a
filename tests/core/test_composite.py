"""The laws of the weighted composite, one property each (MODEL.md, "The weighted composite")."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quality.composite import weighted_composite

SCORE = st.floats(0, 100, allow_nan=False)
WEIGHT = st.just(0.0) | st.floats(1e-6, 1e6)


@st.composite
def rows_and_weights(draw):
    parts = draw(st.integers(1, 7))
    weights = draw(st.lists(WEIGHT, min_size=parts, max_size=parts).filter(lambda w: max(w) > 0))
    rows = draw(st.lists(st.lists(st.none() | SCORE, min_size=parts, max_size=parts), min_size=1, max_size=6))
    return rows, weights


def as_floats(rows):
    return np.array([[np.nan if s is None else s for s in row] for row in rows], dtype=float)


@given(rows_and_weights())
def test_contributions_sum_to_the_value(case):
    rows, weights = case
    result = weighted_composite(as_floats(rows), weights)
    known = ~np.isnan(result.value)
    np.testing.assert_allclose(result.contributions.sum(axis=1)[known], result.value[known], rtol=1e-9, atol=1e-9)


@given(rows_and_weights())
def test_used_weights_sum_to_one_over_the_present_parts_and_missing_parts_have_none(case):
    rows, weights = case
    result = weighted_composite(as_floats(rows), weights)
    known = ~np.isnan(result.value)
    np.testing.assert_allclose(result.used_weights.sum(axis=1)[known], 1.0)
    assert not result.used_weights[result.missing].any()


@given(rows_and_weights())
def test_the_value_lies_between_the_lowest_and_the_highest_present_score(case):
    rows, weights = case
    result = weighted_composite(as_floats(rows), weights)
    for row, value in zip(rows, result.value):
        present = [s for s in row if s is not None]
        assert np.isnan(value) or min(present) <= value <= max(present)


@given(rows_and_weights(), st.floats(1e-3, 1e3))
def test_scaling_the_weights_changes_nothing(case, factor):
    rows, weights = case
    scaled = [w * factor for w in weights]
    assume(all((w > 0) == (s > 0) for w, s in zip(weights, scaled)))
    first, second = weighted_composite(as_floats(rows), weights), weighted_composite(as_floats(rows), scaled)
    np.testing.assert_allclose(second.value, first.value, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(second.coverage, first.coverage, rtol=1e-9, atol=1e-12)


@given(rows_and_weights(), st.data())
def test_raising_a_present_score_never_lowers_the_value(case, data):
    rows, weights = case
    present = [(i, j) for i, row in enumerate(rows) for j, s in enumerate(row) if s is not None]
    assume(present)
    i, j = data.draw(st.sampled_from(present))
    raised = as_floats(rows)
    before = weighted_composite(raised, weights).value[i]
    raised[i, j] += data.draw(st.floats(0, 50))
    after = weighted_composite(raised, weights).value[i]
    assert np.isnan(before) or after >= before - 1e-9


@given(rows_and_weights(), st.data())
def test_a_missing_part_equals_leaving_the_part_out(case, data):
    rows, weights = case
    j = data.draw(st.integers(0, len(weights) - 1))
    others = [w for k, w in enumerate(weights) if k != j]
    assume(others and max(others) > 0)
    holed = as_floats(rows)
    holed[:, j] = np.nan
    np.testing.assert_allclose(
        weighted_composite(holed, weights).value,
        weighted_composite(np.delete(holed, j, axis=1), others).value,
        rtol=1e-9, atol=1e-9,
    )  # fmt: skip


@given(rows_and_weights())
def test_a_row_alone_scores_as_it_does_among_others(case):
    rows, weights = case
    together = weighted_composite(as_floats(rows), weights).value
    alone = [weighted_composite(as_floats([row])[0], weights).value[0] for row in rows]
    np.testing.assert_array_equal(together, alone)


def test_a_worked_row():
    """tests 8 (weight 30), build missing (25), CI 4 (15): (30·8 + 15·4) / 45 = 300/45; coverage 45/70."""
    result = weighted_composite([8, None, 4], [30, 25, 15])
    assert result.value[0] == pytest.approx(300 / 45)
    assert result.coverage[0] == pytest.approx(45 / 70)
    assert result.as_dict(["tests", "build", "ci"])["contributions"] == pytest.approx(
        {"tests": 240 / 45, "ci": 60 / 45}
    )
    assert result.as_dict(["tests", "build", "ci"])["missing"] == ["build"]


def test_all_missing_is_unknown_with_coverage_zero():
    result = weighted_composite([[None, None]], [1, 2])
    assert np.isnan(result.value[0])
    assert result.coverage[0] == 0
    assert result.as_dict(["a", "b"])["value"] is None


def test_a_zero_is_a_measurement():
    assert weighted_composite([0, 10], [1, 1]).value[0] == 5


def test_present_parts_that_weigh_nothing_give_no_value():
    assert np.isnan(weighted_composite([7, None], [0, 1]).value[0])


def test_weights_at_the_edge_of_floating_point_do_not_overflow():
    assert weighted_composite([2, 4], [1e308, 1e308]).value[0] == 3


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1], r"weight -1 is not allowed: weights are finite numbers ≥ 0"),
        ([1, float("nan")], r"weight nan is not allowed"),
        ([1, float("inf")], r"weight inf is not allowed"),
        ([0, 0], r"the weights sum to 0"),
        ([], r"give one number per part"),
        ([1, 2, 3], r"there are 3 weights: give n × 3"),
    ],
)
def test_bad_weights_are_named(weights, message):
    with pytest.raises(ValueError, match=message):
        weighted_composite([1, 2], weights)


def test_an_infinite_score_is_refused():
    with pytest.raises(ValueError, match="a score is infinite"):
        weighted_composite([1, float("inf")], [1, 1])
