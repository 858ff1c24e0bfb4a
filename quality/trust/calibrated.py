"""How good is a model really? Its mean human score, calibrated from the cheap tiers, with an interval that holds."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from quality.trust import ppi
from quality.trust.calibration import predict_human
from quality.trust.runs import HIGHEST, LOWEST, NOT_KNOWN, REASONS, Codes, Flags, Floats, Runs
from quality.trust.weights import review_weights

LEAST_REVIEWS = 5
"""Human rows below which there is no calibrated score."""


@dataclass(frozen=True)
class CalibratedScores:
    """g groups, a model or a model × coordinate each. Scores are 0–10; NaN = not enough evidence, see `needed`."""

    model: Codes
    coordinate: Codes
    """`NOT_KNOWN` where the group is the whole model."""
    estimate: Floats
    low: Floats
    high: Floats
    """95 % interval."""
    error: Floats
    """Standard error of the estimate, points."""
    degrees: Floats
    lam: Floats
    """λ, 0–1: how much the cheap tiers' prediction counts; that of the model in each of its coordinates."""
    n: Codes
    n_auto: Codes
    n_verifier: Codes
    n_human: Codes
    """Runs with a score of that tier; a run may have all three."""
    n_same_family: Codes
    """Runs whose verifier is of the builder's family."""
    by_reason: Codes
    """g × 3, reviewed runs by reason, in the order of `REASONS`. What was chosen has no chance: that it is typical is assumed."""
    effective_mean: Floats

    @cached_property
    def lenience(self) -> Floats:
        """Effective mean − calibrated score, points: how much kinder the cheap tiers are than people."""
        return self.effective_mean - self.estimate

    @cached_property
    def needed(self) -> Codes:
        """How many more human rows would give a calibrated score; 0 = there is one."""
        return np.maximum(LEAST_REVIEWS - self.n_human, 0)


@dataclass(frozen=True)
class Evidence:
    """Runs with what is computed once for all groupings of them."""

    runs: Runs

    @cached_property
    def prediction(self) -> Floats:
        """n, the human score expected; the effective score where nobody has rated anything."""
        found = predict_human(self.runs)
        return np.where(np.isnan(found), self.runs.effective, found)

    @cached_property
    def weight(self) -> Floats:
        """Of each reviewed run."""
        return review_weights(self.runs)

    @cached_property
    def human(self) -> Floats:
        """Of each reviewed run."""
        return self.runs.human[self.runs.reviewed_rows]

    @cached_property
    def of_models(self) -> ppi.Sums:
        return self.sums(self.runs.model, self.runs.n_models)

    @cached_property
    def tuned(self) -> tuple[Floats, Floats]:
        return ppi.tuned(self.of_models)

    def only(self, rows: Flags) -> "Evidence":
        """Some of the runs, with the predictions, weights and λ that all runs gave."""
        part = Evidence(self.runs.only(rows))
        kept = {"prediction": self.prediction[rows], "weight": self.weight[rows[self.runs.reviewed_rows]]}
        part.__dict__.update(kept, tuned=self.tuned)
        return part

    def sums(self, group: Codes, size: int) -> ppi.Sums:
        return ppi.sums(group, size, self.prediction, self.runs.reviewed_rows, self.human, self.weight)

    def means(self, group: Codes, found: ppi.Sums, model: Codes) -> ppi.Means:
        """Of groups that each lie within one model (`model`, of each group), with that model's λ."""
        lam, evidence = self.tuned
        rows = self.runs.reviewed_rows
        # A part of a model has that part of the evidence about λ, which is the model's: no less is known of it.
        return ppi.means(group, found, lam[model], evidence[model], self.prediction, rows, self.human, self.weight)


def scores_by_model(evidence: Evidence) -> CalibratedScores:
    """A group a model, in the order of the codes; a code that no run has is a group with n = 0.

    >>> runs = Runs.of([0] * 8, verifier=[9, 8, 7, 6, 9, 8, 7, 6], human=[8, 7, 6, 5, 8, None, None, None])
    >>> found = scores_by_model(Evidence(runs))
    >>> found.estimate.round(3).tolist(), found.effective_mean.tolist(), found.needed.tolist()
    ([6.514], [6.875], [0])
    """
    runs = evidence.runs
    return _scores(evidence, runs.model, np.arange(runs.n_models), None, evidence.of_models)


def scores_by_coordinate(evidence: Evidence) -> CalibratedScores:
    """A group a model × coordinate that has runs, by model, then coordinate."""
    return scores_by_kind(evidence, evidence.runs.coordinate)


def scores_by_kind(evidence: Evidence, kind: Codes) -> CalibratedScores:
    """The same for any division of the n runs into kinds, such as by their discipline; `coordinate` is the kind's code."""
    runs = evidence.runs
    shift = kind - NOT_KNOWN
    width = int(shift.max(initial=0)) + 1
    keys, group = _groups(runs.model * width + shift)
    return _scores(evidence, group, keys // width, keys % width + NOT_KNOWN, evidence.sums(group, keys.size))


def _groups(key: Codes) -> tuple[Codes, Codes]:
    """Sorted distinct keys ≥ 0, and the place of each row's: as `np.unique`, without sorting where the keys are dense."""
    most = int(key.max(initial=0)) + 1
    if most > max(4 * key.size, 1):
        return np.unique(key, return_inverse=True)
    seen = np.bincount(key, minlength=most) > 0
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[key]


def _scores(
    evidence: Evidence, group: Codes, model: Codes, coordinate: Codes | None, found: ppi.Sums
) -> CalibratedScores:
    runs, size = evidence.runs, model.size
    means = evidence.means(group, found, model)
    enough = found.n_human >= LEAST_REVIEWS
    half = means.half_width()

    def count(rows: np.ndarray) -> Codes:
        return np.bincount(group[rows], minlength=size)

    def shown(values: Floats) -> Floats:
        return np.where(enough, np.clip(values, LOWEST, HIGHEST), np.nan)

    rows = runs.reviewed_rows
    reason = runs.reason[rows]
    return CalibratedScores(
        model=model,
        coordinate=np.full(size, NOT_KNOWN) if coordinate is None else coordinate,
        estimate=shown(means.estimate),
        low=shown(means.estimate - half),
        high=shown(means.estimate + half),
        error=np.where(enough, means.error, np.nan),
        degrees=means.degrees,
        lam=np.where(enough, means.lam, np.nan),
        n=found.n,
        n_auto=count(~np.isnan(runs.auto)),
        n_verifier=count(~np.isnan(runs.verifier)),
        n_human=found.n_human,
        n_same_family=count(runs.same_family),
        by_reason=np.column_stack([count(rows[reason == code]) for code in range(len(REASONS))]),
        effective_mean=ppi.ratio(np.bincount(group, runs.effective, size), found.n),
    )


def lenience_in_words(lenience: float, low: float, high: float, effective_mean: float, tier: str = "verifier") -> str:
    """The difference to the effective mean as a sentence's part; "" where there is no calibrated score.

    Args:
        lenience: effective mean − calibrated score, points.
        low, high: interval of the calibrated score: a difference that it holds is not called one.
        tier: who most of the effective scores without a person are from.

    >>> lenience_in_words(0.91, 5.2, 6.1, 6.6), lenience_in_words(-1.2, 7, 8, 6.3, "auto")
    ('the verifier is 0.9 lenient here', 'auto is 1.2 harsh here')
    >>> lenience_in_words(0.3, 5.2, 6.1, 6.0)
    'no difference to the effective mean can be told'
    """
    if np.isnan(lenience):
        return ""
    if low <= effective_mean <= high or abs(lenience) < 0.05:
        return "no difference to the effective mean can be told"
    who = "the verifier" if tier == "verifier" else tier
    return f"{who} is {abs(lenience):.1f} {'lenient' if lenience > 0 else 'harsh'} here"
