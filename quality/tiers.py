"""Which tier's score counts for a run, and what should a reader know besides?

MODEL.md, "Resolution": human if present, else verifier, else auto.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quality.composite import ROUNDING
from quality.settings import TierSettings

TIERS = ("auto", "verifier", "human")
"""Lowest to highest. The index in this tuple is the code in `Resolution.source`."""

CAVEATS: dict[str, str] = {
    "few_tests": "Fewer than 3 tests ran and all passed, so the automatic score is capped at 5.",
    "low_coverage": "Under half of the automatic evidence was measured.",
    "conflicting_verdicts": "The review held several different verdicts; the last unquoted one counts.",
    "raters_disagree": "Two raters of one tier are 3 points or more apart.",
    "tiers_disagree": "Two tiers are 3 points or more apart.",
    "same_family_verifier": "Verifier and builder belong to one model family.",
    "split_model": "The model changed between dispatch and completion: left out of model scores.",
    "unknown_model": "Which model did this is not recorded.",
    "synthetic": "Not a real story: left out of model scores.",
    "results_disagree": "Artifacts of this run contradict each other about its tests, its build or its CI.",
    "older_report": "A report from before the run began waits to be confirmed; it is not scored.",
}
"""Caveat → what it means, in the order they are listed on a row."""


@dataclass(frozen=True)
class Resolution:
    """The effective score of n runs."""

    value: NDArray[np.float64]
    """n, 0–10; NaN = not scored."""
    source: NDArray[np.int8]
    """n, index into `TIERS`; −1 = not scored."""
    weight: NDArray[np.float64]
    """n, the tier's weight; NaN = not scored."""
    low_confidence: NDArray[np.float64]
    """n, 1 when the effective tier is auto, 0 for verifier or human, NaN = not scored."""
    tiers_disagree: NDArray[np.bool_]


def resolve(auto: ArrayLike, verifier: ArrayLike, human: ArrayLike, settings: TierSettings) -> Resolution:
    """Effective = human if present, else verifier, else auto; n scores each, NaN = none.

    >>> resolve([9.0, 9.0], [8.0, np.nan], [3.0, np.nan], TierSettings()).value.tolist()
    [3.0, 9.0]
    """
    scores = np.column_stack([np.asarray(tier, dtype=np.float64) for tier in (auto, verifier, human)])
    present = ~np.isnan(scores)
    highest = np.where(present.any(axis=1), scores.shape[1] - 1 - present[:, ::-1].argmax(axis=1), -1).astype(np.int8)
    scored = highest >= 0
    weights = np.array([getattr(settings, tier) for tier in TIERS])
    value = np.where(scored, scores[np.arange(len(scores)), highest], np.nan)
    low = np.where(present, scores, np.inf).min(axis=1)
    high = np.where(present, scores, -np.inf).max(axis=1)
    return Resolution(
        value=value,
        source=highest,
        weight=np.where(scored, weights[highest], np.nan),
        low_confidence=np.where(scored, (highest == 0).astype(float), np.nan),
        tiers_disagree=scored & (high - low >= settings.disagree_points - ROUNDING),
    )


def caveat_mask(flags: Mapping[str, ArrayLike]) -> NDArray[np.int32]:
    """Boolean flags by caveat name → one bit mask a run, bit i = the i-th name of `CAVEATS`.

    Raises:
        KeyError: a caveat's flag is not given.
    """
    columns = [np.asarray(flags[name], dtype=bool) for name in CAVEATS]
    return sum((column.astype(np.int32) << bit for bit, column in enumerate(columns)), start=np.int32(0))


def caveats_of(mask: int) -> list[str]:
    """The names in one mask.

    >>> caveats_of(0b1000001)
    ['few_tests', 'split_model']
    """
    return [name for bit, name in enumerate(CAVEATS) if mask >> bit & 1]
