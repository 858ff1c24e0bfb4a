"""What is the mean human score of a group of runs, when people rated a few and a prediction exists for all? PPI++."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from quality.trust.runs import Codes, Floats

LEVEL = 0.95
"""Share of such intervals that hold the mean, over many samples."""
FINITE_SHARE = 0.05
"""From more reviewed runs than this share on, the target is the mean of these very runs, not of runs like them."""
POOLED_ROWS = 20.0
"""λ of a model counts as much as the one pooled over all models at this many reviewed runs."""
POOLED_DEGREES = 2.0
"""The pooled spread of residuals counts as much as this many degrees of freedom of a group's own."""


@dataclass(frozen=True)
class Means:
    """g groups; NaN where a group has no reviewed run, or fewer than two for a spread."""

    estimate: Floats
    error: Floats
    """Standard error, points."""
    degrees: Floats
    """Degrees of freedom of the t-interval."""
    lam: Floats
    """λ, 0–1: 0 = the reviewed runs alone, 1 = the prediction is taken at its word."""
    n: Codes
    n_human: Codes

    def half_width(self, level: float = LEVEL) -> Floats:
        """What the interval reaches to each side of the estimate."""
        return quantile(self.degrees, level) * self.error


@dataclass(frozen=True)
class Sums:
    """What the estimates need of each group; weights are those of the reviewed runs."""

    n: Codes
    n_human: Codes
    weight: Floats
    squares: Floats
    """Σ w²."""
    human: Floats
    predicted: Floats
    """Weighted means over the reviewed runs."""
    all_predicted: Floats
    spread: Floats
    """Variance of the prediction over all runs of the group, n − 1 in the denominator."""
    rest_spread: Floats
    """The same over the unreviewed runs."""
    shared: Floats
    """Weighted covariance of human score and prediction over the reviewed runs, n in the denominator."""


def sums(group: Codes, size: int, prediction: Floats, rows: Codes, human: Floats, weight: Floats) -> Sums:
    """One pass over all runs (`group`, `prediction`) and one over the reviewed ones (`rows`, `human`, `weight`)."""
    n = np.bincount(group, minlength=size)
    all_predicted = ratio(np.bincount(group, prediction, size), n)
    centred = prediction - all_predicted[group]
    here, guess = group[rows], prediction[rows]
    total = np.bincount(here, weight, size)
    mean_human = ratio(np.bincount(here, weight * human, size), total)
    mean_guess = ratio(np.bincount(here, weight * guess, size), total)
    squares = np.bincount(group, centred * centred, size)
    n_human, reviewed = np.bincount(here, minlength=size), centred[rows]
    rest = n - n_human
    # The centred predictions of all runs sum to 0, so those of the unreviewed ones to minus the reviewed ones' sum.
    shift = np.nan_to_num(ratio(np.bincount(here, reviewed, size) ** 2, rest))
    rest_squares = squares - np.bincount(here, reviewed * reviewed, size) - shift
    shared = np.bincount(here, weight * (human - mean_human[here]) * (guess - mean_guess[here]), size)
    return Sums(
        n=n,
        n_human=n_human,
        weight=total,
        squares=np.bincount(here, weight * weight, size),
        human=mean_human,
        predicted=mean_guess,
        all_predicted=all_predicted,
        spread=ratio(squares, n - 1),
        rest_spread=np.maximum(ratio(rest_squares, rest - 1), 0.0),
        shared=ratio(shared, total),
    )


def tuned(found: Sums) -> tuple[Floats, Floats]:
    """λ of each group, and the weight of evidence behind it (Σ of squares of the prediction).

    For one group: λ = cov(human, prediction) / var(prediction), which minimises the variance of the estimate (Angelopoulos,
    Duchi and Zrnic, arXiv 2311.01453, example 6.1: their λ, which multiplies the mean over the *unreviewed* runs, is this
    one times their share). Few rows tell little about λ, so each group's is drawn to the one pooled over all groups.
    """
    known = (found.n_human > 1) & np.isfinite(found.spread)
    rows = np.where(known, found.n_human, 0)
    shared = rows * np.where(known, found.shared, 0.0)
    spread = rows * np.where(known, found.spread, 0.0)
    count = max(rows.sum(), 1)
    more = POOLED_ROWS if known.sum() > 1 else 0.0
    evidence = spread + more * spread.sum() / count
    lam = np.divide(shared + more * shared.sum() / count, evidence, out=np.zeros_like(evidence), where=evidence > 0)
    return np.clip(lam, 0.0, 1.0), evidence


def means(
    group: Codes,
    found: Sums,
    lam: Floats,
    evidence: Floats,
    prediction: Floats,
    rows: Codes,
    human: Floats,
    weight: Floats,
) -> Means:
    """λ·mean(prediction over all runs) + mean(human − λ·prediction over reviewed runs), with its standard error.

    - Up to `FINITE_SHARE` reviewed: the published variance, of the reviewed runs' residuals and of the unreviewed runs'
      predictions, as two independent samples.
    - More: only the residuals of the reviewed runs, times 1 − n/N (Cochran 1977, 7.5, the regression estimator): all
      reviewed = no error. With unequal weights n is the effective one, as in the last point.
    - λ was estimated: (mean prediction of all − of the reviewed)² · var(residual)/evidence is added.
    - The spread of residuals of a group is mixed with the pooled one, `POOLED_DEGREES` against n − 1 degrees of
      freedom, so that five equal ratings do not make an interval of no width.
    - Unequal weights count as the n of equal ones that vary as much (Kish 1965).
    """
    size, here, guess = found.n.size, group[rows], prediction[rows]
    n, total = found.n_human, found.n
    rest = total - n
    finite = n > FINITE_SHARE * total
    # The λ that multiplies the residual: the paper's where the unreviewed runs are a sample of their own.
    used = np.where(finite, lam, lam * ratio(rest, total))
    residual = human - used[here] * guess - (found.human - used * found.predicted)[here]
    own = ratio(np.bincount(here, weight * weight * residual * residual, size), found.squares) * ratio(n, n - 1)
    effective = ratio(found.weight**2, found.squares)
    degrees = np.maximum(effective - 1, 1.0)
    pooled, more = _pooled(own, n)
    variance = (degrees * own + more * pooled) / (degrees + more)
    error = variance * ratio(found.squares, found.weight**2)
    error *= np.where(finite, 1 - ratio(effective, total), 1.0)
    error += np.where(finite | (rest == 0), 0.0, used**2 * np.nan_to_num(ratio(found.rest_spread, rest)))
    shift = found.all_predicted - found.predicted
    error += np.where(rest > 0, shift**2 * ratio(variance, evidence), 0.0)
    return Means(
        estimate=found.human + lam * shift,
        error=np.sqrt(error),
        degrees=degrees + more,
        lam=lam,
        n=total,
        n_human=n,
    )


def _pooled(own: Floats, n: Codes) -> tuple[float, float]:
    """The mean spread over the groups, and the degrees of freedom that it counts for in each: none for a single group."""
    known = (n > 1) & np.isfinite(own)
    if known.sum() < 2:
        return 0.0, 0.0
    return float(np.average(own[known], weights=n[known] - 1)), POOLED_DEGREES


def quantile(degrees: Floats | Codes | int, level: float = LEVEL) -> Floats:
    """Of Student's t: how many standard errors a two-sided interval of this level reaches to each side."""
    return stdtrit(degrees, (1 + level) / 2)


def ratio(above: Floats | Codes | float, below: Floats | Codes) -> Floats:
    """above / below, NaN where below is not positive."""
    shape = np.broadcast_shapes(np.shape(above), np.shape(below))
    return np.divide(above, below, out=np.full(shape, np.nan), where=np.asarray(below) > 0)
