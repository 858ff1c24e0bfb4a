"""Is a verifier's trust card right? By hand, beside the published examples, and with too few pairs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.trust.agreement import LEAST_PAIRS, agreement, kappa_interval
from quality.trust.alpha import LEAST_UNITS, krippendorff_alpha
from quality.trust.runs import Runs
from quality.trust.verifiers import cells, chart_points, low_confidence, self_preference, trust_cards

NAN = float("nan")
RATED = np.array([7, 8, 9, 8, 3, 5, 6, 10, 2, 4, 7, 7.0])
HUMAN = np.array([6, 8, 7, 7, 4, 5, 5, 9, 4, 4, 8, 6.0])


def test_agreement_by_hand():
    """Differences 1 0 2 1 −1 0 1 1 −2 0 −1 1: bias 3/12, mean absolute 11/12, squares 15 − 12/16 over 11."""
    found = agreement(RATED, HUMAN)
    spread = ((15 - 9 / 12) / 11) ** 0.5
    assert (found.n, found.bias, found.mae) == (12, pytest.approx(3 / 12), pytest.approx(11 / 12))
    assert found.bias_high - found.bias == pytest.approx(2.20099 * spread / 12**0.5, abs=1e-5)
    assert (found.limit_low, found.limit_high) == pytest.approx((0.25 - 1.96 * spread, 0.25 + 1.96 * spread), abs=1e-4)


def test_kappa_is_that_of_scikit_learn():
    """`cohen_kappa_score(rated, human, weights="quadratic", labels=range(11))` of version 1.8 gives 0.847457627118644."""
    kappa, low, high = kappa_interval(RATED, HUMAN)
    assert kappa == pytest.approx(0.847457627118644, abs=1e-12)
    assert low < kappa < high <= 1


def test_the_bootstrap_interval_of_kappa_is_that_of_drawing_pairs():
    """Drawn pair by pair, 4,000 times, the percentiles are the same to 0.03."""
    rng = np.random.default_rng(1)
    human = rng.integers(0, 11, 80).astype(float)
    rated = np.clip(human + rng.integers(-2, 4, 80), 0, 10)
    _, low, high = kappa_interval(rated, human)
    drawn = [kappa_of(rated[rows], human[rows]) for rows in rng.integers(0, 80, (4000, 80))]
    assert [low, high] == pytest.approx(np.percentile(drawn, [2.5, 97.5]), abs=0.03)


def kappa_of(x, y):
    """By definition: observed and expected squares over the table of all pairs."""
    return 1 - ((x - y) ** 2).mean() / ((x[:, None] - y[None, :]) ** 2).mean()


def test_two_raters_can_go_together_and_be_two_points_apart():
    """Correlation 1, bias 2, and a kappa well under 1."""
    found = agreement(HUMAN + 1 + (np.arange(12) < 12), HUMAN)
    assert found.bias == 2
    assert found.kappa < 0.75


def test_too_few_pairs_give_a_reason_instead_of_a_number():
    """As do ratings that never vary, which have a bias and no kappa."""
    few = agreement(RATED[: LEAST_PAIRS - 1], HUMAN[: LEAST_PAIRS - 1])
    assert (few.n, few.bias, few.kappa, few.reason) == (9, None, None, "9 pairs of 10: review 1 more")
    same = agreement(np.full(10, 7.0), np.full(10, 7.0))
    assert (same.bias, same.kappa) == (0, None)
    assert same.reason.startswith("all ratings are the same")


def test_alpha_is_that_of_the_published_example():
    """Krippendorff 2011, section C (four observers, twelve units, interval metric): 0.849.

    With a unit that one observer rated, which says nothing. The library krippendorff 0.8 gives 0.8491071428571428.
    """
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
    ratings = np.array(observers).ravel()
    unit = np.tile(np.arange(12), 4)
    known = ~np.isnan(ratings)
    found = krippendorff_alpha(unit[known], ratings[known])
    assert (found.n_runs, found.n_ratings) == (11, 40)
    assert found.alpha == pytest.approx(0.8491071428571428)
    assert found.low < found.alpha < found.high <= 1


def test_alpha_of_too_few_runs_and_of_equal_ratings_has_a_reason():
    """And no number."""
    one = krippendorff_alpha(np.array([0, 0, 1]), np.array([5, 6, 7.0]))
    assert (one.alpha, one.reason) == (None, "1 run of 10 has two or more reviewers")
    same = krippendorff_alpha(np.repeat(np.arange(LEAST_UNITS), 2), np.full(2 * LEAST_UNITS, 6.0))
    assert same.alpha is None
    assert same.reason.startswith("all ratings are the same")


def made_runs():
    """Verifier 0 (family 0) gives its own family 2 too much and the others 0; verifier 1 is always 1 too high."""
    rng = np.random.default_rng(4)
    size = 400
    builder, verifier = np.arange(size) % 2, (np.arange(size) // 2) % 2
    human = rng.uniform(2, 7, size)
    kind = np.where(verifier == 1, 1.0, 2.0 * (builder == 0)) + rng.normal(0, 0.2, size)
    human_known = np.where(np.arange(size) < 100, human, NAN)
    return Runs.of(
        builder,
        verifier=human + kind,
        auto=np.clip(human + rng.normal(0, 2, size), 0, 10),
        human=human_known,
        verifier_model=verifier,
        builder_family=builder,
        verifier_family=verifier,
        week=np.arange(size) // 20,
    )


def test_a_card_has_every_part():
    """25 pairs a cell, 5 weeks of 10 pairs, nearer to people than auto."""
    first, second = trust_cards(made_runs())
    assert (first.verifier, first.n_verified, first.overall.n) == (0, 200, 50)
    assert first.by_family.bias == pytest.approx([2, 0], abs=0.15)
    assert second.overall.bias == pytest.approx(1, abs=0.15)
    assert (second.by_week.code.tolist(), second.by_week.n.tolist()) == ([0, 1, 2, 3, 4], [10] * 5)
    assert second.against_auto.gain > 0
    assert second.against_auto.n == 50


def test_who_favours_its_own_family_is_told():
    """Family 0's verifier by two points; family 1's by nothing that can be told."""
    found = self_preference(made_runs())
    assert found.bias == pytest.approx(np.array([[2, 1], [0, 1]]), abs=0.15)
    assert found.n.tolist() == [[25, 25], [25, 25]]
    assert found.preference[0] == pytest.approx(2, abs=0.2)
    assert found.preference_low[0] > 1.5
    assert found.preference_low[1] < 0 < found.preference_high[1]


def test_few_pairs_in_a_cell_are_counted_and_not_averaged():
    """Four are under five."""
    found = cells(np.array([1] * 4 + [2] * 5 + [-1]), np.arange(10.0))
    assert found.n.tolist() == [4, 5]
    assert np.isnan(found.bias).tolist() == [True, False]


def test_low_confidence_is_measured_where_only_auto_speaks():
    """Ten such runs off by 1, 1, …, 3: nine of ten are within 1. With fewer, all runs with auto count, and it says so."""
    auto = np.r_[np.full(9, 6.0), 8.0, np.full(10, 5.0)]
    verifier = np.r_[np.full(10, NAN), np.full(10, 7.0)]
    runs = Runs.of([0] * 20, auto=auto, verifier=verifier, human=[5] * 20)
    found = low_confidence(runs)
    assert (found.only_auto, found.overall.n, found.overall.bias, found.usually_within) == (True, 10, 1.2, 1)
    fewer = low_confidence(Runs.of([0] * 19, auto=auto[1:], verifier=verifier[1:], human=[5] * 19))
    assert (fewer.only_auto, fewer.overall.n) == (False, 19)
    assert low_confidence(Runs.of([0], auto=[5], human=[5])).usually_within is None


def test_charts_get_no_more_points_than_they_can_show():
    """The same ones each time, pairs kept together."""
    rated, human = chart_points(np.arange(5000.0), np.arange(5000.0) + 1)
    assert rated.size == 2000
    assert (human - rated == 1).all()
    assert (chart_points(np.arange(5000.0), np.arange(5000.0))[0] == rated).all()


points = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=10, max_size=50)


@settings(max_examples=100)
@given(points)
def test_agreement_is_the_same_from_both_sides(pairs):
    """The bias turns its sign; everything else stays; swapping raters leaves kappa and alpha."""
    x, y = (np.array(side) / 2 for side in zip(*pairs))
    one, other = agreement(x, y), agreement(y, x)
    assert one.bias == pytest.approx(-other.bias)
    assert one.mae == pytest.approx(other.mae)
    assert (one.kappa is None) == (other.kappa is None)
    if one.kappa is not None:
        assert one.kappa == pytest.approx(other.kappa)
        assert -1 - 1e-9 <= one.kappa <= 1
        assert one.kappa <= one.kappa_high + 0.5
