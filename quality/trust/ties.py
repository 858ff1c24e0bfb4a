"""Which models can be told apart? Errors of their differences, paired on shared stories, and groups of ties."""

import numpy as np
from scipy.sparse import csr_array
from scipy.special import stdtrit

from quality.trust.calibrated import CalibratedScores, Evidence
from quality.trust.ppi import LEVEL, ratio
from quality.trust.runs import Codes, Floats

LEAST_PAIRS = 5
"""Stories on which both models were reviewed, from which on what they share is measured."""
UNRANKED = 0
"""The tie group of a model without a calibrated score."""


def covariance(evidence: Evidence, scores: CalibratedScores) -> Floats:
    """k × k, points²: how the errors of the k models' scores go together; NaN for models without a score.

    The diagonal is error². Beside it, two models reviewed on the same stories err together, as those stories are harder
    or easier than predicted: s·(n/(nₐ·n_b) − 1/N) with s the covariance of their residuals over the n stories
    reviewed for both, N the stories both have. That is 0 for reviews drawn independently and s·(1 − n/N)/n for the
    same stories (Cochran 1977, 2.4 and 5A.2); under `LEAST_PAIRS` stories it is taken as 0.
    """
    runs, size = evidence.runs, scores.model.size
    result = np.diag(scores.error**2)
    rows = runs.reviewed_rows
    model = runs.model[rows]
    residual = evidence.human - evidence.tuned[0][model] * evidence.prediction[rows]
    weight = evidence.weight
    total = np.bincount(model, weight, size)
    residual = residual - ratio(np.bincount(model, weight * residual, size), total)[model]
    # Stories without a reviewed run cannot be pairs: their codes would only make the table wide.
    stories, place = np.unique(runs.story[rows], return_inverse=True)
    shape = (size, stories.size)
    seen = csr_array((np.ones(rows.size), (model, place)), shape)
    seen.data = np.ones_like(seen.data)
    pairs = (seen @ seen.T).toarray()
    np.fill_diagonal(pairs, 0)
    if pairs.max(initial=0) >= LEAST_PAIRS:
        weighted = csr_array((weight * residual, (model, place)), shape)
        together = (weighted @ weighted.T).toarray() * ratio(1.0, np.outer(total, total))
        human = scores.n_human
        both = _shared_stories(runs.story, runs.model, size)
        drawn_together = np.clip(1 - ratio(np.outer(human, human), pairs * both), 0, 1)
        shared = np.where(pairs >= LEAST_PAIRS, together * drawn_together, 0.0)
        # No pair errs more alike than the two errors allow.
        most = 0.95 * np.sqrt(np.outer(result.diagonal(), result.diagonal()))
        result += np.where(np.isfinite(most) & np.isfinite(shared), np.clip(shared, -most, most), 0.0)
    result[np.isnan(scores.error), :] = np.nan
    result[:, np.isnan(scores.error)] = np.nan
    return result


def tie_groups(scores: CalibratedScores, errors: Floats) -> Codes:
    """k numbers: 1 = the best model and all that cannot be told from it, 2 = the best of the rest and its ties, …

    A group is led by the best score that is left; a model belongs to it where the leader's lead is not surely above 0.
    One-sided, as the leader is the higher one, and together with probability `LEVEL` (Bonferroni over its comparisons), by
    Student's t with the fewer degrees of freedom of the two. `UNRANKED` without a calibrated score. A model with
    few reviews may be tied with the best although one with many, above it, is not: that is what is known.
    """
    group = np.full(scores.model.size, UNRANKED)
    left = np.flatnonzero(~np.isnan(scores.estimate))
    left = left[np.argsort(-scores.estimate[left], kind="stable")]
    number = 1
    while left.size:
        tied = ~apart(scores, errors, left[0], left)
        group[left[tied]] = number
        left, number = left[~tied], number + 1
    return group


def apart(scores: CalibratedScores, errors: Floats, leader: int, others: Codes) -> np.ndarray:
    """Which of the others can be told from the leader; itself never."""
    error = difference_error(errors, leader, others)
    degrees = np.minimum(scores.degrees[leader], scores.degrees[others])
    comparisons = max(others.size - 1, 1)
    reach = stdtrit(degrees, 1 - (1 - LEVEL) / comparisons) * error
    found = np.abs(scores.estimate[leader] - scores.estimate[others]) > reach
    return found & (others != leader)


def difference_error(errors: Floats, leader: int, others: Codes) -> Floats:
    """Standard error of the leader's score minus each other's."""
    squared = errors[leader, leader] + errors[others, others] - 2 * errors[leader, others]
    return np.sqrt(np.maximum(squared, 0))


def _shared_stories(story: Codes, model: Codes, size: int) -> Floats:
    """k × k, stories that both models have a run of."""
    stories = int(story.max(initial=0)) + 1
    if stories > 4 * story.size:
        stories, story = np.unique(story).size, np.unique(story, return_inverse=True)[1]
    table = csr_array((np.ones(story.size, np.float32), (model, story)), (size, stories))
    table.data = np.ones_like(table.data)
    return (table @ table.T).toarray().astype(float)
