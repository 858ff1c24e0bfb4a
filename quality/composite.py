"""How are several scores put together, when some of them are missing?

One vectorised function serves every scorer of this package: a single response and ten million ledger
rows take the same path.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

ROUNDING = 1e-9
"""Scores that are 7 or 3 points apart on paper stay so after binary rounding: 7.3 − 4.3, or 770 / 110."""


@dataclass(frozen=True)
class Composite:
    """A weighted composite with its explanation. Shapes: n rows, k parts.

    A missing number is NaN in the arrays; `None` stands for it at the edges (`as_dict`).
    """

    scores: NDArray[np.float64]
    """n × k, as given; NaN where missing."""
    weights: NDArray[np.float64]
    """k, scaled to sum to 1."""
    value: NDArray[np.float64]
    """n, in the unit of the scores; NaN where no part with weight is present."""
    coverage: NDArray[np.float64]
    """n, 0–1: the share of the whole weight whose parts are present. 1 = all, 0 = none."""

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """n × k, true where a part is missing."""
        return np.isnan(self.scores)

    @cached_property
    def used_weights(self) -> NDArray[np.float64]:
        """n × k, the weight each part really had: they sum to 1 over the present parts, missing ones have 0."""
        kept = np.where(self.missing, 0.0, self.weights)
        total = self.coverage[:, None]
        return np.divide(kept, total, out=np.zeros_like(kept), where=total > 0)

    @cached_property
    def contributions(self) -> NDArray[np.float64]:
        """n × k, what each part adds to `value`: they sum to it. 0 for a missing part."""
        return np.where(self.missing, 0.0, self.scores) * self.used_weights

    def as_dict(self, names: list[str], row: int = 0) -> dict:
        """One row as JSON-ready values, parts by name, `None` where missing.

        >>> weighted_composite([10, None], [1, 3]).as_dict(["build", "tests"])["coverage"]
        0.25
        """
        known = ~self.missing[row]
        value = self.value[row]
        return {
            "value": None if np.isnan(value) else float(value),
            "contributions": {n: float(c) for n, c, p in zip(names, self.contributions[row], known) if p},
            "used_weights": {n: float(w) for n, w, p in zip(names, self.used_weights[row], known) if p},
            "missing": [n for n, p in zip(names, known) if not p],
            "coverage": float(self.coverage[row]),
        }


def weighted_composite(scores: ArrayLike, weights: ArrayLike) -> Composite:
    """The weighted mean of the parts that are present; a missing part's weight is shared out in proportion.

    value = Σ wⱼ·sⱼ / Σ wⱼ over the present parts; coverage = Σ w of present parts / Σ w (MODEL.md, "The
    weighted composite").

    Args:
        scores: k numbers or n × k, any finite unit; `None` or NaN = missing.
        weights: k numbers ≥ 0, finite, with a sum > 0; only their ratio matters (below about 1e-308 of the largest: 0).

    Returns:
        A `Composite`; one row where `scores` is one-dimensional. All parts missing (or present with
        weight 0 only): value unknown (NaN), coverage 0.

    Raises:
        ValueError: a weight that is negative or not finite, weights that sum to 0, a score that is
            infinite, or shapes that do not fit; the message names the value and what is allowed.

    >>> weighted_composite([[8.0, None, 4.0]], [30, 25, 15]).value.round(2).tolist()
    [6.67]
    """
    weight = _checked_weights(weights)
    matrix = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    if matrix.ndim != 2 or matrix.shape[1] != weight.size:
        raise ValueError(
            f"scores have shape {matrix.shape}, but there are {weight.size} weights: give n × {weight.size}"
        )
    if np.isinf(matrix).any():
        raise ValueError("a score is infinite: give finite numbers, None or NaN where missing")

    present = ~np.isnan(matrix)
    coverage, value = np.zeros(len(matrix)), np.zeros(len(matrix))
    low, high = np.full(len(matrix), np.inf), np.full(len(matrix), -np.inf)
    # Part by part, in order: a row alone then sums exactly as it does among millions, which a matrix
    # product does not promise, and rounding is kept inside the range of the weighted scores.
    for part, part_weight in enumerate(weight):
        counts = present[:, part] & (part_weight > 0)
        score = matrix[:, part]
        coverage += np.where(counts, part_weight, 0.0)
        value += np.where(counts, score, 0.0) * part_weight
        low, high = np.where(counts, np.minimum(low, score), low), np.where(counts, np.maximum(high, score), high)
    known = coverage > 0
    value = np.divide(value, coverage, out=np.full(len(matrix), np.nan), where=known)
    value[known] = np.clip(value[known], low[known], high[known])
    coverage[present.all(axis=1)] = 1.0
    return Composite(scores=matrix, weights=weight, value=value, coverage=np.minimum(coverage, 1.0))


def _checked_weights(weights: ArrayLike) -> NDArray[np.float64]:
    weight = np.asarray(weights, dtype=np.float64)
    if weight.ndim != 1 or weight.size == 0:
        raise ValueError(f"weights have shape {weight.shape}: give one number per part")
    bad = weight[~(np.isfinite(weight) & (weight >= 0))]
    if bad.size:
        raise ValueError(f"weight {bad[0]:g} is not allowed: weights are finite numbers ≥ 0")
    if not weight.max() > 0:
        raise ValueError("the weights sum to 0: at least one must be > 0")
    scaled = weight / weight.max()
    return scaled / scaled.sum()
