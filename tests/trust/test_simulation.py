"""Do the intervals hold on made-up ledgers whose truth is known? Few of them here; `bench/trust_simulation.py` takes many."""

import numpy as np
import pytest

from quality.trust.calibrated import Evidence, scores_by_model
from tests.trust.simulated import reviewed_at_random, reviewed_disputed_first, simulate

LEDGERS = 120
REGRET = {5: 0.65, 10: 0.5, 20: 0.4}
"""The most that routing to the best calibrated score may lose, as a share of what the effective mean loses."""


def measure(review, each, seed=8):
    """Coverage, mean bias, and points lost by routing to the top: calibrated, effective."""
    rng = np.random.default_rng(seed)
    holds, off, lost, lost_effective = [], [], [], []
    for _ in range(LEDGERS):
        made = simulate(rng)
        found = scores_by_model(Evidence(review(made, each, rng)))
        target = made.target
        holds.append((found.low <= target) & (target <= found.high))
        off.append(found.estimate - target)
        lost.append(target.max() - target[found.estimate.argmax()])
        lost_effective.append(target.max() - target[found.effective_mean.argmax()])
    return np.mean(holds), np.mean(off), np.mean(lost), np.mean(lost_effective)


@pytest.mark.parametrize("each", [5, 10, 20])
def test_random_reviews_give_intervals_that_hold(each):
    """92.5–97.5 %, give or take three standard deviations of a count out of 720: 3·√(0.05·0.95/720) = 2.4 points.

    The bias's standard error is under 0.02 at 5 rows, so ±0.05 + 0.06 is the rule of TRUST.md with its own chance.
    """
    coverage, bias, lost, lost_effective = measure(reviewed_at_random, each)
    assert 0.925 - 0.024 <= coverage <= 0.975 + 0.024
    assert abs(bias) <= 0.11
    assert lost <= (REGRET[each] + 0.15) * lost_effective


@pytest.mark.parametrize("each", [5, 10, 20])
def test_disputed_first_reviews_are_weighted_back(each):
    """At least 92 % less the chance of 720, bias within ±0.1."""
    coverage, bias, *_ = measure(reviewed_disputed_first, each)
    assert coverage >= 0.92 - 0.03
    assert abs(bias) <= 0.1
