"""What do four reviewers make of a candidate, and do they agree? Each scores it blind, by weights of its own.

Blind: a review is made from the candidate, the evidence and that reviewer's own answer of the judge; nothing of another
review goes in. Tables and labels: MODEL.md, Improvement candidates.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quality.candidates import (
    CATEGORIES,
    HOLD,
    RECOMMENDATIONS,
    Blend,
    Codes,
    Columns,
    Flags,
    Floats,
    Heuristic,
    blend,
    heuristic,
    recommend,
    rounded,
)
from quality.composite import weighted_composite


@dataclass(frozen=True)
class Reviewer:
    """What one of them looks at."""

    name: str
    bonus: dict[str, float]
    """By category, in the order of `CATEGORIES`."""
    sensitivity: float
    """Multiplies risk and protection."""


def _reviewer(name: str, sensitivity: float, *bonus: float) -> Reviewer:
    return Reviewer(name, dict(zip(CATEGORIES, bonus, strict=True)), sensitivity)


REVIEWERS = (
    #         name, sensitivity,     docs, reference, guardrail, workflow, tests, prompt, other
    _reviewer("structural", 1.0,       5.0, 4.0, 4.0, 2.0, 2.0, 1.5, 0.5),
    _reviewer("conservative", 1.5,     3.0, 3.0, 5.0, 1.0, 1.0, 0.5, 0.5),
    _reviewer("user_advocate", 0.8,    4.0, 2.0, 2.0, 4.0, 1.0, 3.0, 0.5),
    _reviewer("security_auditor", 2.0, 2.0, 2.0, 5.0, 0.5, 3.0, 0.5, 0.5),
)  # fmt: skip
LABELS = ("CONSENSUS", "VERIFIED", "DISPUTED")
CONSENSUS, VERIFIED, DISPUTED = range(3)
FEWEST_VOTES = 2
"""That a recommendation needs to decide where not all agree."""


@dataclass(frozen=True)
class Scored:
    """n candidates by one set of weights."""

    heuristic: Heuristic
    blend: Blend
    recommendation: Codes


@dataclass(frozen=True)
class PanelScores:
    """n candidates by k reviewers."""

    reviews: tuple[Scored, ...]
    """k, in the order of the reviewers."""
    label: Codes
    """Index in `LABELS`."""
    recommendation: Codes
    aggregated: Floats
    """n, 0–10: mean of the k scores, two decimals."""


def score(
    columns: Columns, judge: Floats | None = None, evidence: Floats | None = None, rejected: Flags | None = None,
    reviewer: Reviewer | None = None,
) -> Scored:  # fmt: skip
    """n candidates by this reviewer's weights; without one by the plain heuristic's.

    Args:
        judge, evidence: n values 0–10, NaN where a judge gave none; `None` where it was not asked.
        rejected: what the evidence rejects; `None` without evidence.
    """
    found = heuristic(columns, tuple(reviewer.bonus.values()), reviewer.sensitivity) if reviewer else heuristic(columns)
    blended = blend(found.score, judge, evidence)
    return Scored(found, blended, recommend(columns, blended.value, rejected))


def panel(
    columns: Columns, judge: Floats | None = None, evidence: Floats | None = None, rejected: Flags | None = None,
    reviewers: Sequence[Reviewer] = REVIEWERS,
) -> PanelScores:  # fmt: skip
    """The reviews and what they come to.

    Args:
        judge: n × k values 0–10, a column a reviewer, NaN where its call gave none.
        evidence, rejected: as `score`; the same for every reviewer.
    """
    reviews = tuple(
        score(columns, None if judge is None else judge[:, place], evidence, rejected, reviewer)
        for place, reviewer in enumerate(reviewers)
    )
    label, decided = outcome(np.column_stack([review.recommendation for review in reviews]))
    scores = np.column_stack([review.blend.value for review in reviews])
    mean = weighted_composite(scores, np.ones(len(reviews))).value
    return PanelScores(reviews, label, decided, rounded(mean))


def outcome(votes: Codes) -> tuple[Codes, Codes]:
    """The label and the recommendation that votes come to.

    All agree → CONSENSUS. One has more votes than any other, and at least two → VERIFIED, it decides. Otherwise, 2–2
    included → DISPUTED, hold.

    Args:
        votes: n × k codes of `RECOMMENDATIONS`.

    >>> label, decided = outcome(np.array([[2, 2, 1, 1], [1, 1, 1, 2], [0, 0, 0, 0]], np.int8))
    >>> [LABELS[code] for code in label], [RECOMMENDATIONS[code] for code in decided]
    (['DISPUTED', 'VERIFIED', 'CONSENSUS'], ['hold', 'hold', 'accept_for_execution'])
    """
    counts = np.stack([(votes == code).sum(axis=1) for code in range(len(RECOMMENDATIONS))], axis=1)
    most = counts.max(axis=1)
    alone = (counts == most[:, None]).sum(axis=1) == 1
    label = np.where(most == votes.shape[1], CONSENSUS, np.where(alone & (most >= FEWEST_VOTES), VERIFIED, DISPUTED))
    decided = np.where(label == DISPUTED, HOLD, counts.argmax(axis=1))
    return label.astype(np.int8), decided.astype(np.int8)
