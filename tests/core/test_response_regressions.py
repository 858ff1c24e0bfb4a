"""How much worse is a response than those of its model before it? (MODEL.md, Responses, Regression)"""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quality.response_regressions import is_alert, regression_deltas, regression_severity, rolling_means
from quality.response_settings import RegressionSettings

ORACLE = json.loads((Path(__file__).parents[1] / "assets" / "oracle" / "responses" / "cases.json").read_text())
SCORE = st.none() | st.floats(0, 100)


@pytest.mark.parametrize("case", ORACLE["regression_severity"], ids=lambda case: str(case["delta"]))
def test_the_bands_and_their_boundaries(case):
    assert regression_severity(case["delta"]) == case["severity"]


def test_a_boundary_that_binary_sums_miss_is_still_the_boundary():
    """64.7 − 69.7 is −5.000000000000000 on paper and a little less in binary; so is 0.1 + 0.2 − 30.3 beside −30."""
    assert regression_severity(69.7 - 74.7) == "minor"
    assert regression_severity(0.1 + 0.2 - 30.3) == "moderate"


def test_nothing_to_compare_with_is_no_regression():
    assert regression_severity(None) is None


def test_it_is_compared_with_the_mean_of_those_before_it_from_the_sixth_on():
    """80, 80, 80, 80, 80, then 50: −30. The next: 80 − (5 · 80 + 50) / 6 = 5."""
    deltas = regression_deltas([80, 80, 80, 80, 80, 50, 80])
    assert np.isnan(deltas[:5]).all()
    assert deltas[5:].tolist() == pytest.approx([-30, 5])


def test_only_the_last_twenty_count():
    """Five 0s, then twenty 90s: the twenty-sixth sees the twenty alone."""
    assert regression_deltas([0] * 5 + [90] * 20 + [90])[-1] == 0


def test_each_model_is_compared_within_itself_and_a_missing_score_is_passed_over():
    """Six of a, one of b between them, and one of a without a score."""
    scores = [80, 10, 80, 80, np.nan, 80, 80, 50]
    groups = ["a", "b", "a", "a", "a", "a", "a", "a"]
    deltas = regression_deltas(scores, groups=groups)
    assert deltas[-1] == -30
    assert np.isnan(deltas[:-1]).all()


@given(st.lists(st.tuples(SCORE, st.sampled_from("abc")), max_size=60), st.integers(1, 8), st.integers(1, 8))
def test_means_and_deltas_are_those_of_a_plain_loop(rows, window, minimum):
    settings = RegressionSettings(window=window, minimum=min(window, minimum))
    scores = [np.nan if score is None else score for score, _ in rows]
    groups = [group for _, group in rows]
    before: dict[str, list[float]] = {}
    for (score, group), mean, delta in zip(
        rows, rolling_means(scores, settings, groups=groups), regression_deltas(scores, settings, groups=groups)
    ):
        known = before.setdefault(group, [])
        if score is None:
            assert np.isnan([mean, delta]).all()
            continue
        if len(known) >= settings.minimum:
            assert delta == pytest.approx(score - np.mean(known[-window:]), abs=1e-9)
        else:
            assert np.isnan(delta)
        known.append(score)
        assert mean == pytest.approx(np.mean(known[-window:]), abs=1e-9)


@pytest.mark.parametrize(("level", "alerts"), [("minor", 3), ("moderate", 2), ("severe", 1)])
def test_the_alert_level_is_a_setting(level, alerts):
    settings = RegressionSettings(alert_level=level)
    assert sum(is_alert(severity, settings) for severity in (None, "minor", "moderate", "severe")) == alerts


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"minor": -20}, "severe < moderate < minor"),
        ({"window": 3}, "minimum is above window"),
        ({"minor": 5}, "less than 0"),
    ],
)
def test_bands_that_make_no_sense_are_refused(given, message):
    with pytest.raises(ValidationError, match=message):
        RegressionSettings(**given)


def test_scores_and_groups_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="give n of each"):
        regression_deltas([1, 2], groups=["a"])
