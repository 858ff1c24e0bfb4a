"""How well do two raters agree? Bias, error, weighted kappa and Bland–Altman of pairs of scores."""

from dataclasses import dataclass

import numpy as np

from quality.trust.ppi import LEVEL, quantile
from quality.trust.runs import HIGHEST, Floats

LEAST_PAIRS = 10
"""Pairs below which agreement is not put into a number."""
STEPS = 11
"""Categories of the kappa: whole points, 0 to 10, halves to the upper one."""
REPEATS = 1000
"""Bootstrap samples."""
SEED = 8
NOTHING_VARIES = "all ratings are the same: agreement beyond chance cannot be told"
LIMITS = 1.959963984540054
"""Standard deviations that 95 % of differences lie within (Bland and Altman 1986)."""


@dataclass(frozen=True)
class Agreement:
    """What pairs (rated, human) come to. All but `n` and `reason` are `None` where there are too few pairs."""

    n: int
    reason: str | None = None
    """Why there is no number."""
    bias: float | None = None
    """Mean of rated − human, points: > 0 is lenient."""
    bias_low: float | None = None
    bias_high: float | None = None
    """95 %, Student's t."""
    mae: float | None = None
    """Mean of |rated − human|, points ≥ 0."""
    kappa: float | None = None
    """Quadratic-weighted, −1 to 1: 1 = the same, 0 = as by chance. `None` with a reason where nothing varies."""
    kappa_low: float | None = None
    kappa_high: float | None = None
    """95 %, percentiles of the bootstrap over pairs."""
    limit_low: float | None = None
    limit_high: float | None = None
    """Bland–Altman limits of agreement: 95 % of the differences lie between them."""


def agreement(rated: Floats, human: Floats, least: int = LEAST_PAIRS) -> Agreement:
    """Of m pairs without gaps, 0–10 each.

    >>> found = agreement(np.array([7, 8, 9, 8.0]), np.array([6, 8, 7, 7.0]), least=4)
    >>> found.bias, found.mae, round(found.kappa, 3)
    (1.0, 1.0, 0.25)
    >>> agreement(np.array([7.0]), np.array([6.0])).reason
    '1 pair of 10: review 9 more'
    """
    n = rated.size
    if n < least:
        return Agreement(n, f"{n} {'pair' if n == 1 else 'pairs'} of {least}: review {least - n} more")
    difference = rated - human
    bias, spread = float(difference.mean()), float(difference.std(ddof=1))
    half = float(quantile(n - 1)) * spread / np.sqrt(n)
    kappa, low, high = kappa_interval(rated, human)
    return Agreement(
        n=n,
        reason=NOTHING_VARIES if kappa is None else None,
        bias=bias,
        bias_low=bias - half,
        bias_high=bias + half,
        mae=float(np.abs(difference).mean()),
        kappa=kappa,
        kappa_low=low,
        kappa_high=high,
        limit_low=bias - LIMITS * spread,
        limit_high=bias + LIMITS * spread,
    )


def kappa_interval(rated: Floats, human: Floats) -> tuple[float | None, float | None, float | None]:
    """Quadratic-weighted kappa (Cohen 1968) of the whole points, with its bootstrap interval.

    1 − Σ(x − y)² / Σ expected (x − y)² with independent raters of these margins. The bootstrap draws how often each of the
    11 × 11 cells is seen, which is drawing pairs, at the cost of the table and not of the pairs.
    """
    table = np.bincount(_step(rated) * STEPS + _step(human), minlength=STEPS * STEPS)
    seen = np.flatnonzero(table)
    found = _kappas(table[None, seen], seen)[0]
    if np.isnan(found):
        return None, None, None
    drawn = np.random.default_rng(SEED).multinomial(table.sum(), table[seen] / table.sum(), REPEATS)
    return float(found), *middle_of(_kappas(drawn, seen))


def middle_of(samples: Floats) -> tuple[float, float]:
    """Percentiles that the middle 95 % of bootstrap samples lie within; one in which nothing varies, NaN, is left out."""
    low, high = np.nanpercentile(samples, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
    return float(low), float(high)


def _kappas(counts: np.ndarray, cells: np.ndarray) -> Floats:
    """b kappas of b tables, given the counts of some cells (b × cells); NaN where neither rater varies and they agree.

    Expected (x − y)² of independent raters is var x + var y + (mean x − mean y)².
    """
    first, second = cells // STEPS, cells % STEPS
    total = counts.sum(axis=1)
    apart = counts @ (first - second) ** 2 / total
    mean_first, mean_second = counts @ first / total, counts @ second / total
    expected = counts @ first**2 / total + counts @ second**2 / total - 2 * mean_first * mean_second
    return 1 - np.divide(apart, expected, out=np.full(len(counts), np.nan), where=expected > 1e-12)


def _step(scores: Floats) -> np.ndarray:
    """The whole point nearest to a score, halves up."""
    return np.floor(np.clip(scores, 0, HIGHEST) + 0.5).astype(np.int64)
