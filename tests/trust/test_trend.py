"""Are weeks weeks, gaps gaps, and drops called when they are drops and hardly ever otherwise?"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.trust_drops import false_alarms
from quality.trust.trend import find_drop, trends


def series(levels, each=20, seed=1, spread=1.5):
    """A model's scores, so many a week, with the week's level as their mean; `None` is a week without runs."""
    rng = np.random.default_rng(seed)
    week = np.concatenate([np.full(each, place) for place, level in enumerate(levels) if level is not None])
    score = np.clip(np.array([level or 0 for level in levels])[week] + rng.normal(0, spread, week.size), 0, 10)
    return np.zeros(week.size, int), week, score


def test_a_week_by_hand():
    """6, 7, 8: mean 7, sd 1, t of two degrees 4.303 / √3 to each side. One run has no interval."""
    (found,) = trends(np.zeros(4, int), np.array([5, 5, 5, 6]), np.array([6, 7, 8, 4.0]), 1)
    first, second = found.weeks
    assert (first.week, first.n, first.mean) == (5, 3, pytest.approx(7))
    assert (first.low, first.high) == pytest.approx((7 - 4.30265 / 3**0.5, 7 + 4.30265 / 3**0.5), abs=1e-4)
    assert (second.n, second.mean, second.low, second.high) == (1, pytest.approx(4), None, None)
    assert found.reason == "4 of 35 runs that a drop is told from"


def test_a_week_without_runs_is_a_gap():
    """Not 0, not the week before; before the first run and after the last there is nothing."""
    found, none, late = trends(np.array([0, 0, 2]), np.array([3, 5, 9]), np.array([8, 6, 7.0]), 3)
    assert [(week.week, week.n, week.mean) for week in found.weeks] == [(3, 1, 8), (4, 0, None), (5, 1, 6)]
    assert (none.weeks, none.reason) == ((), "no runs with a score and a time")
    assert [week.week for week in late.weeks] == [9]


def test_a_drop_is_found_where_it_began():
    """Ten weeks at 7, a gap, three at 5: the week after the gap, by about two points."""
    (found,) = trends(*series([7] * 10 + [None] + [5] * 3), 1)
    assert (found.drop.week, found.drop.n_before, found.drop.n_after) == (11, 200, 60)
    assert found.drop.before - found.drop.after == pytest.approx(2, abs=0.5)
    assert 0 < found.drop.surest < found.drop.before - found.drop.after


def test_a_rise_is_no_drop_and_few_runs_call_none():
    """Nor does one bad run, or a change too small to matter."""
    assert trends(*series([5] * 10 + [7] * 3), 1)[0].drop is None
    model, week, score = series([7] * 10)
    assert trends(np.r_[model, 0], np.r_[week, 10], np.r_[score, 0], 1)[0].drop is None
    assert trends(*series([7] * 10 + [6.8] * 10, each=3000, spread=0.3), 1)[0].drop is None


def test_runs_without_week_or_score_are_left_out():
    """As are models that have none."""
    (found,) = trends(np.zeros(3, int), np.array([1, -1, 1]), np.array([5, 6, np.nan]), 1)
    assert [week.n for week in found.weeks] == [1]
    assert trends(np.zeros(1, int), np.array([-1]), np.array([5.0]), 2)[1].weeks == ()


def test_a_stable_series_is_hardly_ever_called_over_52_looks():
    """Under 5 % of 400 series; `bench/trust_drops.py` takes more. Half points, clipped to 0–10, few runs a week or many."""
    assert false_alarms(each=6, series=200) < 0.05
    assert false_alarms(each=30, series=200) < 0.05


@settings(max_examples=100)
@given(st.lists(st.lists(st.floats(0, 10), max_size=8), min_size=1, max_size=20))
def test_turned_upside_down_a_drop_is_a_rise(weeks):
    """A series and its mirror are never both called."""
    n = np.array([len(week) for week in weeks])
    total = np.array([sum(week) for week in weeks])
    squares = np.array([sum(score**2 for score in week) for week in weeks])
    mirrored = 100 * n - 20 * total + squares
    assert find_drop(n, total, squares) is None or find_drop(n, 10 * n - total, mirrored) is None
