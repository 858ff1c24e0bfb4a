"""Which run should a person look at next? Drawn by lot, likelier where a rating would decide more (TRUST.md)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtr

from quality.trust.calibrated import CalibratedScores
from quality.trust.ppi import ratio
from quality.trust.runs import Flags, Floats, Runs
from quality.trust.ties import difference_error

UNIFORM_PART = 0.25
"""Of every chance, so that each run can come and no weight exceeds four."""
LEAST_CLOSENESS = 0.02
"""A model that is clearly not the best is still looked at now and then."""
LEAST_DISPUTE = 0.5
"""Points added to the tiers' disagreement: where they agree they may both be wrong."""
UNKNOWN_WIDTH = 5.0
"""Points: the interval of a model without a calibrated score is taken as this wide, or as the widest there is."""


@dataclass(frozen=True)
class Use:
    """Why a rating of a run would help, and how much: n runs each; `value` is the product of the other three."""

    width: Floats
    """Points: the whole interval of the run's model."""
    closeness: Floats
    """0–1: 1 = its model is level with the best of the others, 0 = far from it."""
    dispute: Floats
    """Points, ≥ `LEAST_DISPUTE`: |verifier − auto| and that; the mean of the others' where one is missing."""

    @cached_property
    def value(self) -> Floats:
        return self.width * self.closeness * self.dispute


@dataclass(frozen=True)
class Draw:
    """One run, with what must be stored before anybody rates it."""

    row: int
    """Its place in the runs."""
    probability: float
    """π: its chance among the `pool` runs."""
    pool: int
    """N: unreviewed runs that could have been drawn, itself included."""
    model_probability: float
    """Its chance given that a run of its model was drawn: what `review_weights` needs."""
    model_pool: int
    """Unreviewed runs of its model that could have been drawn, itself included."""


def use_of_rating(runs: Runs, scores: CalibratedScores, errors: Floats) -> Use:
    """How much a human rating of each run would narrow the routing decision.

    Args:
        scores: by model, of the same runs (`scores_by_model`).
        errors: `ties.covariance` of them.
    """
    width = scores.high - scores.low
    widest = np.nanmax(width) if np.isfinite(width).any() else UNKNOWN_WIDTH
    width = np.where(np.isnan(width), max(widest, UNKNOWN_WIDTH), width)
    dispute = np.abs(runs.verifier - runs.auto)
    both = ~np.isnan(dispute)
    dispute = np.where(both, dispute, dispute[both].mean() if both.any() else 0.0) + LEAST_DISPUTE
    return Use(width[runs.model], closeness(scores, errors)[runs.model], dispute)


def closeness(scores: CalibratedScores, errors: Floats) -> Floats:
    """k, 0–1: the chance of a difference to the best of the other models as large as seen, were they equal.

    1 for a model without a score: nothing is known against it.
    """
    found = np.ones(scores.model.size)
    known = np.flatnonzero(~np.isnan(scores.estimate))
    if known.size < 2:
        return found
    first, second = known[np.argsort(-scores.estimate[known], kind="stable")[:2]]
    for leader, others in ((first, known[known != first]), (second, np.array([first]))):
        apart = np.abs(scores.estimate[others] - scores.estimate[leader])
        error = difference_error(errors, leader, others)
        z = np.divide(apart, error, out=np.where(apart > 0, np.inf, 0.0), where=error > 0)
        found[others] = np.maximum(2 * ndtr(-z), LEAST_CLOSENESS)
    return found


def chances(value: Floats) -> Floats:
    """π of each of N runs: 0.25/N + 0.75·u/Σu, equal where no u is above 0. They sum to 1.

    >>> chances(np.array([0.0, 1.0, 3.0])).round(4).tolist()
    [0.0833, 0.2708, 0.6458]
    """
    most = value.max(initial=0)
    if not most > 0:
        return np.full(value.size, 1 / max(value.size, 1))
    share = value / most
    return UNIFORM_PART / value.size + (1 - UNIFORM_PART) * share / share.sum()


def draw(runs: Runs, use: Use, count: int, seed: int, eligible: Flags | None = None) -> list[Draw]:
    """Up to `count` different runs, one after the other, each from what the ones before it left.

    Args:
        seed: the same seed and runs give the same draws.
        eligible: runs that may come; reviewed ones never do. Leave out what is reserved and what does not fit a filter.
    """
    rng = np.random.default_rng(seed)
    left = ~runs.reviewed if eligible is None else eligible & ~runs.reviewed
    rows = np.flatnonzero(left)
    drawn: list[Draw] = []
    while rows.size and len(drawn) < count:
        chance = chances(use.value[rows])
        edge = np.cumsum(chance)
        place = min(int(np.searchsorted(edge, rng.random() * edge[-1], side="right")), rows.size - 1)
        mates = runs.model[rows] == runs.model[rows[place]]
        drawn.append(
            Draw(
                row=int(rows[place]),
                probability=float(chance[place]),
                pool=int(rows.size),
                model_probability=min(float(ratio(chance[place], chance[mates].sum())), 1.0),
                model_pool=int(mates.sum()),
            )
        )
        rows = np.delete(rows, place)
    return drawn


def why(model: str, use: Use, row: int, scored: bool, chance: float, pool: int, both: bool = True) -> str:
    """Why this one, in a sentence.

    Args:
        scored: its model has a calibrated score.
        both: the run has a verifier's and an automatic score, so that they lie so far apart.

    >>> use = Use(np.array([1.9]), np.array([0.8]), np.array([3.5]))
    >>> why("m-2", use, 0, True, 0.004, 1000)
    'm-2 is 1.9 points wide and close to the best; its tiers are 3.0 apart; drawn 4.0 × as likely as by plain lot'
    """
    known = (
        f"{model} is {use.width[row]:.1f} points wide" if scored else f"{model} has too few human ratings for a score"
    )
    race = "close to the best" if use.closeness[row] >= 0.1 else "behind the best"
    apart = f"its tiers are {use.dispute[row] - LEAST_DISPUTE:.1f} apart" if both else "one tier alone has scored it"
    race = f" and {race}" if scored else ""
    return f"{known}{race}; {apart}; drawn {chance * pool:.1f} × as likely as by plain lot"


def skipped_share(n_drawn: int, n_skipped: int) -> float | None:
    """Part of the draws that nobody rated, 0–1: non-response, which no weight makes good. `None` before any draw."""
    return n_skipped / n_drawn if n_drawn else None


def with_draws(runs: Runs, draws: list[Draw]) -> tuple[Floats, Floats]:
    """The columns `probability` and `pool` of the runs after these draws, for `Runs.of`; what is stored wins over these."""
    chance, pool = runs.probability.copy(), runs.pool.copy()
    for one in draws:
        chance[one.row], pool[one.row] = one.model_probability, one.model_pool
    return chance, pool
