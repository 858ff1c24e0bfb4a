"""Does the queue draw by its chances, say them truly, and let the weights take them back?"""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.trust.calibrated import Evidence, scores_by_model
from quality.trust.queue import Use, chances, closeness, draw, skipped_share, use_of_rating, with_draws
from quality.trust.runs import Runs
from quality.trust.ties import covariance
from quality.trust.weights import review_weights

NAN = float("nan")


def plain(size, model=None, human=None):
    return Runs.of(np.zeros(size, int) if model is None else model, auto=np.full(size, 5.0), human=human)


def use(values):
    return Use(np.asarray(values, float), np.ones(len(values)), np.ones(len(values)))


def test_a_draw_says_its_chances():
    """u = 1, 3 of model 0 and 4 of model 1: π = 0.25/3 + 0.75·u/8; within model 0 the first has 0.177/(0.177 + 0.365)."""
    runs = plain(3, model=[0, 0, 1])
    found = {one.row: one for seed in range(40) for one in draw(runs, use([1, 3, 4]), 1, seed)}
    pi = [0.25 / 3 + 0.75 * u / 8 for u in (1, 3, 4)]
    assert [found[row].probability for row in range(3)] == pytest.approx(pi)
    assert found[0].model_probability == pytest.approx(pi[0] / (pi[0] + pi[1]))
    assert [(found[row].pool, found[row].model_pool) for row in range(3)] == [(3, 2), (3, 2), (3, 1)]
    assert found[2].model_probability == 1


def test_runs_come_as_often_as_their_chances_say():
    """Over 4,000 seeds, to three standard deviations (0.024)."""
    first = [draw(plain(3), use([1, 3, 4]), 1, seed)[0].row for seed in range(4000)]
    assert np.bincount(first) / 4000 == pytest.approx(chances(np.array([1.0, 3, 4])), abs=0.024)


def test_nobody_is_asked_twice_and_only_for_what_may_come():
    """Reviewed runs and ineligible ones never; the same seed gives the same; an empty pool gives nothing."""
    runs = plain(6, human=[5, NAN, NAN, NAN, NAN, NAN])
    eligible = np.array([True, True, True, True, True, False])
    found = draw(runs, use([1] * 6), 10, seed=1, eligible=eligible)
    assert sorted(one.row for one in found) == [1, 2, 3, 4]
    assert [one.pool for one in found] == [4, 3, 2, 1]
    assert draw(runs, use([1] * 6), 10, seed=1, eligible=eligible) == found
    assert draw(runs, use([1] * 6), 3, seed=1, eligible=np.zeros(6, bool)) == []


def test_the_weights_of_draws_give_the_mean_exactly_on_average():
    """All 12 ways to draw two of four, each with its probability: Σ P · mean(weight · y) is the mean of all four."""
    truth, value = np.array([2.0, 9, 4, 7]), np.array([0.0, 5, 1, 2])
    expected = 0.0
    for first, second in permutations(range(4), 2):
        left = [row for row in range(4) if row != first]
        q = [chances(value)[first], chances(value[left])[left.index(second)]]
        human, chance, pool = (np.full(4, NAN) for _ in range(3))
        for row, one, size in zip((first, second), q, (4, 3)):
            human[row], chance[row], pool[row] = truth[row], one, size
        runs = Runs.of([0] * 4, auto=[5] * 4, human=human, probability=chance, pool=pool)
        expected += q[0] * q[1] * (review_weights(runs) * truth[runs.reviewed_rows]).mean()
    assert expected == pytest.approx(truth.mean())


def reviewed_models():
    """Models 0 and 1 level, 2 far behind, 3 with two ratings; the verifier is 4 above auto on every other run."""
    rng = np.random.default_rng(2)
    model = np.repeat(np.arange(4), 40)
    human = np.clip(np.array([7, 7, 2, 7])[model] + rng.normal(0, 0.7, 160), 0, 10)
    auto = np.clip(human + rng.normal(0, 1, 160), 0, 6)
    keep = np.arange(160) % 40 < np.array([10, 10, 10, 2])[model]
    return Runs.of(model, auto=auto, verifier=auto + 4 * (np.arange(160) % 2), human=np.where(keep, human, NAN))


def test_a_rating_is_worth_more_where_it_decides_more():
    """A close race before one that is lost, disputed runs before agreed ones, and models without a score first."""
    runs = reviewed_models()
    scores = scores_by_model(Evidence(runs))
    found = use_of_rating(runs, scores, covariance(Evidence(runs), scores))
    close = closeness(scores, covariance(Evidence(runs), scores))
    assert close[3] == 1
    assert close[2] < 0.05 < close[:2].min()
    assert found.value[41] > found.value[40]
    assert found.dispute[:2] == pytest.approx([0.5, 4.5])
    assert found.width[120] >= found.width[0]


def test_a_run_without_a_verifier_is_as_disputed_as_the_mean():
    """Two disputes of 1 and 3 points: 2, and half a point for all."""
    runs = Runs.of([0] * 3, auto=[5, 5, 5], verifier=[6, 8, NAN])
    scores = scores_by_model(Evidence(runs))
    assert use_of_rating(runs, scores, covariance(Evidence(runs), scores)).dispute.tolist() == [1.5, 3.5, 2.5]


def test_draws_go_back_into_the_columns_of_the_runs():
    """What `review_weights` reads is the chance within the model."""
    runs = plain(4, model=[0, 0, 0, 1])
    one = next(one for seed in range(40) for one in draw(runs, use([0, 0, 0, 1]), 1, seed) if one.row == 3)
    chance, pool = with_draws(runs, [one])
    assert (one.row, chance[3], pool[3]) == (3, 1.0, 1.0)
    assert np.isnan(chance[:3]).all()


def test_skips_are_a_share_of_the_draws():
    """Of none nothing is known."""
    assert (skipped_share(0, 0), skipped_share(8, 2)) == (None, 0.25)


@settings(max_examples=100)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50))
def test_chances_sum_to_one_and_none_is_under_a_quarter_of_plain_lot(values):
    """So no weight of a first draw exceeds four."""
    found = chances(np.array(values))
    assert found.sum() == pytest.approx(1)
    assert (found >= 0.25 / len(values) - 1e-12).all()
