"""Do the reviewers agree among themselves? Krippendorff's alpha, interval metric, with a bootstrap interval."""

from dataclasses import dataclass

import numpy as np

from quality.trust.agreement import NOTHING_VARIES, REPEATS, SEED, middle_of
from quality.trust.runs import Codes, Floats

LEAST_UNITS = 10
"""Runs rated by two or more reviewers below which no alpha is given."""
BLOCK = 2_000_000
"""Numbers that the bootstrap holds at a time."""


@dataclass(frozen=True)
class Alpha:
    """Numbers are `None` with a reason where they cannot be told."""

    n_runs: int
    """Runs that two or more reviewers rated."""
    n_ratings: int
    """Their ratings."""
    alpha: float | None = None
    """≤ 1: 1 = the same always, 0 = as by chance, below 0 = more apart than by chance."""
    low: float | None = None
    high: float | None = None
    """95 %, percentiles of the bootstrap over runs."""
    reason: str | None = None


def krippendorff_alpha(run: Codes, rating: Floats) -> Alpha:
    """Over m standing ratings, the code of the run and the score of each; a run rated once says nothing of agreement.

    1 − observed/expected disagreement with (x − y)² (Krippendorff 2011, "Computing Krippendorff's alpha-reliability").
    In sums: observed = Σ over runs of 2·(squares around the run's mean)·mᵤ/(mᵤ − 1), over n ratings; expected the same
    of all ratings around their mean.

    >>> krippendorff_alpha(np.array([0, 0, 1, 1, 2]), np.array([1, 2, 4, 4, 9.0])).reason
    '2 runs of 10 have two or more reviewers'
    """
    codes, place = np.unique(run, return_inverse=True)
    size = np.bincount(place, minlength=codes.size)
    paired = size[place] > 1
    places, place = np.unique(place[paired], return_inverse=True)
    rating, n_runs = rating[paired], places.size
    if n_runs < LEAST_UNITS:
        named = f"{n_runs} {'run' if n_runs == 1 else 'runs'} of {LEAST_UNITS}"
        return Alpha(n_runs, rating.size, reason=f"{named} {'has' if n_runs == 1 else 'have'} two or more reviewers")
    # A run is its number of ratings, their sum, their squares, and its part of the observed disagreement.
    count = np.bincount(place).astype(float)
    centred = rating - rating.mean()
    total = np.bincount(place, centred)
    within = np.bincount(place, (centred - (total / count)[place]) ** 2) * count / (count - 1)
    units = np.column_stack([count, total, np.bincount(place, centred**2), within])
    if not (alpha := _alphas(units.sum(axis=0)[None]))[0] <= 1:
        return Alpha(n_runs, rating.size, reason=NOTHING_VARIES)
    return Alpha(n_runs, rating.size, float(alpha[0]), *middle_of(_bootstrap(units)))


def _alphas(sums: Floats) -> Floats:
    """b × 4 sums over runs → b alphas, NaN where no rating differs."""
    n, total, squares, within = sums.T
    around = squares - total**2 / n
    expected = around * n / (n - 1)
    return 1 - np.divide(within, expected, out=np.full(len(sums), np.nan), where=expected > 1e-12)


def _bootstrap(units: Floats) -> Floats:
    """Alphas of samples of as many runs, drawn with replacement.

    Runs that count alike are drawn together: half points are few, so a million runs are a few thousand kinds, and a
    sample is how often each is drawn.
    """
    rng = np.random.default_rng(SEED)
    kinds, times = np.unique(units.round(9), axis=0, return_counts=True)
    each = max(BLOCK // kinds.shape[0], 1)
    samples = [
        rng.multinomial(times.sum(), times / times.sum(), min(each, REPEATS - start)) @ kinds
        for start in range(0, REPEATS, each)
    ]
    return _alphas(np.concatenate(samples))
