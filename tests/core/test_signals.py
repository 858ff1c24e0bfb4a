"""Six signals → points → `quality_auto` (MODEL.md, Tier 1). Expected values are worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.settings import AutoSettings, AutoWeights
from quality.signals import SIGNALS, auto_score, explain_auto, signal_points

DEFAULTS = AutoSettings()
NAN = float("nan")


def one(**signals):
    return {name: [signals.get(name, NAN)] for name in SIGNALS}


def auto(tests_total=NAN, settings=DEFAULTS, **signals):
    return auto_score(one(**signals), [tests_total], settings)


@pytest.mark.parametrize(
    ("signal", "raw", "points"),
    [
        ("test_pass_rate", 0.75, 7.5),
        ("test_pass_rate", 0, 0),
        ("build_success", 1, 10),
        ("build_success", 0, 0),
        ("verified_by_ci", 0, 0),
        ("rework_count", 0, 10),
        ("rework_count", 2, 6),
        ("rework_count", 9, 0),
        ("pr_review_cycles", 1, 8),
        ("pr_review_cycles", 5, 0),
        ("duration_vs_estimate", 0.5, 10),
        ("duration_vs_estimate", 1, 10),
        ("duration_vs_estimate", 4, 2.5),
    ],
)
def test_points_of_each_signal(signal, raw, points):
    found = signal_points(one(**{signal: raw}), DEFAULTS)[0]
    assert found[list(SIGNALS).index(signal)] == points
    assert np.isnan(np.delete(found, list(SIGNALS).index(signal))).all()


def test_the_weights_of_the_first_five_are_synlynks():
    """synlynk, story-692bd33a: 20 of 21 tests, build failed, 2 re-dispatches:
    (30·200/21 + 25·0 + 15·6) / 70 = (285.714… + 90) / 70 = 5.367346938775509."""
    score = auto(tests_total=21, test_pass_rate=20 / 21, build_success=0, rework_count=2)
    assert score.value[0] == pytest.approx(5.367346938775509, abs=1e-12)
    assert score.coverage[0] == pytest.approx(70 / 110)


def test_no_rework_and_nothing_else_is_not_a_ten():
    score = auto(rework_count=0, duration_vs_estimate=0.5)
    assert np.isnan(score.value[0])
    assert score.coverage[0] == pytest.approx(25 / 110)
    assert not score.low_coverage[0]


@pytest.mark.parametrize("outcome", ["test_pass_rate", "build_success", "verified_by_ci", "pr_review_cycles"])
def test_any_outcome_signal_makes_a_score(outcome):
    assert not np.isnan(auto(**{outcome: 1}).value[0])


@pytest.mark.parametrize(
    ("total", "rate", "value", "capped"),
    [(2, 1, 5, True), (1, 1, 5, True), (3, 1, 10, False), (2, 0.5, 5, False), (NAN, 1, 10, False)],
)
def test_fewer_than_three_tests_all_passed_cap_at_five(total, rate, value, capped):
    score = auto(tests_total=total, test_pass_rate=rate)
    assert (score.value[0], bool(score.few_tests[0])) == (value, capped)


def test_the_cap_never_raises_a_lower_score():
    """1 of 1 test, build failed: (30·10 + 25·0) / 55 = 5.45… → 5.0; with rework 5: 300 / 70 = 4.28… stays."""
    assert auto(tests_total=1, test_pass_rate=1, build_success=0).value[0] == 5.0
    assert auto(tests_total=1, test_pass_rate=1, build_success=0, rework_count=5).value[0] == pytest.approx(300 / 70)


def test_low_coverage_is_under_half_of_the_auto_weight():
    """tests alone: 30/110; tests and build: 55/110, exactly half, is not under it."""
    assert auto(test_pass_rate=0.5).low_coverage[0]
    assert not auto(test_pass_rate=0.5, build_success=1).low_coverage[0]
    assert not auto(build_success=1, verified_by_ci=1, rework_count=0).low_coverage[0]


@given(
    st.fixed_dictionaries({
        "test_pass_rate": st.none() | st.floats(0, 1),
        "build_success": st.none() | st.booleans(),
        "verified_by_ci": st.none() | st.booleans(),
        "rework_count": st.none() | st.integers(0, 20),
        "pr_review_cycles": st.none() | st.integers(0, 20),
        "duration_vs_estimate": st.none() | st.floats(0.01, 100),
        "tests_total": st.none() | st.integers(1, 50),
    })
)  # fmt: skip
def test_the_explanation_of_a_row_adds_up_to_its_score(row):
    explained = explain_auto(row, DEFAULTS)
    contributions = sum(part["contribution"] or 0 for part in explained["parts"])
    if explained["quality_auto"] is None:
        assert contributions == 0
        assert explained["reason"]
    else:
        assert contributions + explained["cap"] == pytest.approx(explained["quality_auto"])
        assert 0 <= explained["quality_auto"] <= 10


def test_curves_and_weights_are_configuration():
    """rework costs 5 a time and weighs as much as the build: (10·1 + 5·1) / 2 = 7.5."""
    weights = AutoWeights(
        test_pass_rate=0, build_success=1, verified_by_ci=0, rework_count=1, pr_review_cycles=0, duration_vs_estimate=0
    )
    assert auto(settings=AutoSettings(weights=weights, rework_step=5), build_success=1, rework_count=1).value[0] == 7.5


@pytest.mark.parametrize(
    ("signal", "raw", "allowed"),
    [
        ("test_pass_rate", 1.2, "0–1"),
        ("rework_count", -1, "≥ 0"),
        ("duration_vs_estimate", 0, "> 0"),
        ("build_success", 2, "0 or 1"),
    ],
)
def test_a_raw_value_out_of_range_is_the_callers_mistake(signal, raw, allowed):
    with pytest.raises(ValueError, match=rf"{signal} = {raw:g} is out of range: allowed is {allowed}"):
        auto(**{signal: raw})


def test_a_score_worth_exactly_seven_is_seven():
    """tests 0.7 → 7 points at 30, duration 10/7 → 7 points at 10: the binary sum is 7.000000000000001 or less."""
    assert auto(test_pass_rate=0.7, duration_vs_estimate=10 / 7).value[0] == 7.0
