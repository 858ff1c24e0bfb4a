"""How do the reviewers of a panel agree? From how often they voted how: labels, and what changes without one of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quality.candidates import RECOMMENDATIONS, Codes
from quality.panel import LABELS, outcome

Z = 1.959963984540054
"""97.5 % quantile of the normal distribution: intervals hold 95 %."""


@dataclass(frozen=True)
class Share:
    """A part of a whole, 0–1, with its 95 % interval; all `None` of nothing."""

    n: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ReviewerShare:
    """One reviewer among the others."""

    reviewer: str
    agrees: Share
    """Candidates where it recommends what the panel decided."""
    without: Share
    """Candidates whose recommendation would be another if it were not asked."""


@dataclass(frozen=True)
class PanelAgreement:
    """What all votes come to."""

    candidates: int
    labels: dict[str, Share]
    """Label of `LABELS` → its candidates."""
    reviewers: tuple[ReviewerShare, ...]


def panel_agreement(votes: Sequence[Sequence[str]], counts: Sequence[int], reviewers: Sequence[str]) -> PanelAgreement:
    """How k reviewers agree over candidates that are given as combinations of votes.

    Args:
        votes: m combinations of k recommendations, in the order of the reviewers.
        counts: how many candidates have each combination.

    >>> found = panel_agreement([("hold", "hold", "hold", "hold"), ("hold", "reject", "hold", "reject")], [3, 1], "abcd")
    >>> found.labels["CONSENSUS"].share, [one.without.n for one in found.reviewers]
    (0.75, [1, 0, 1, 0])
    """
    codes = np.array([[RECOMMENDATIONS.index(vote) for vote in row] for row in votes], np.int8).reshape(
        -1, len(reviewers)
    )
    times = np.asarray(counts, np.int64)
    total = int(times.sum())
    label, decided = outcome(codes) if len(codes) else (codes[:, 0], codes[:, 0])
    return PanelAgreement(
        candidates=total,
        labels={name: wilson(_count(times, label == code), total) for code, name in enumerate(LABELS)},
        reviewers=tuple(
            ReviewerShare(
                name,
                agrees=wilson(_count(times, codes[:, place] == decided), total),
                without=wilson(_count(times, _without(codes, place) != decided), total),
            )
            for place, name in enumerate(reviewers)
        ),
    )


def wilson(n: int, total: int) -> Share:
    """A share with its 95 % Wilson score interval (Wilson 1927): within 0–1, and of some width at 0 and at 1.

    >>> found = wilson(1, 4)
    >>> found.share, round(found.low, 3), round(found.high, 3), wilson(0, 0).share
    (0.25, 0.046, 0.699, None)
    """
    if not total:
        return Share(n, None, None, None)
    share, square = n / total, Z * Z
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = Z * math.sqrt(share * (1 - share) / total + square / (4 * total**2)) / (1 + square / total)
    return Share(n, share, max(0.0, middle - half), min(1.0, middle + half))


def _without(codes: Codes, place: int) -> Codes:
    """What the votes come to when this reviewer is not asked."""
    return outcome(np.delete(codes, place, axis=1))[1] if len(codes) else codes[:, place]


def _count(times: NDArray[np.int64], where: NDArray[np.bool_]) -> int:
    return int(times[where].sum())
