"""The ledger that TRUST.md simulates: models, truths, a lenient and compressive verifier that favours one model."""

from dataclasses import dataclass

import numpy as np

from quality.trust.calibrated import Evidence, scores_by_model
from quality.trust.queue import draw, use_of_rating
from quality.trust.runs import QUEUE, RANDOM, Codes, Floats, Runs
from quality.trust.ties import covariance

MODELS, RUNS_EACH = 6, 60
UNIFORM_PART = 0.25
"""Of the chance of a draw; the rest goes by dispute."""
LEAST_DISPUTE = 0.05


@dataclass(frozen=True)
class Simulated:
    """All that is true of one ledger; the human column is what people would say of every run."""

    model: Codes
    truth: Floats
    auto: Floats
    verifier: Floats
    human: Floats

    @property
    def target(self) -> Floats:
        """The mean truth of each model's runs."""
        return np.bincount(self.model, self.truth) / RUNS_EACH


def simulate(rng: np.random.Generator) -> Simulated:
    """Model means N(6.5, 0.5), truth sd 1.5, verifier 3.2 + 0.65·truth + N(0, 0.8) with +0.8 for one model, auto 1.5 +
    0.75·truth + N(0, 1.3), human noise 0.5, all clipped to 0–10."""
    size = MODELS * RUNS_EACH
    model = np.repeat(np.arange(MODELS), RUNS_EACH)

    def noisy(mean: Floats, spread: float) -> Floats:
        return np.clip(mean + rng.normal(0, spread, size), 0, 10)

    truth = noisy(rng.normal(6.5, 0.5, MODELS)[model], 1.5)
    favoured = model == rng.integers(MODELS)
    return Simulated(
        model=model,
        truth=truth,
        verifier=noisy(3.2 + 0.65 * truth + 0.8 * favoured, 0.8),
        auto=noisy(1.5 + 0.75 * truth, 1.3),
        human=noisy(truth, 0.5),
    )


def reviewed_at_random(made: Simulated, each: int, rng: np.random.Generator) -> Runs:
    """`each` runs of every model, all with the same chance."""
    human = np.full(made.model.size, np.nan)
    for model in range(MODELS):
        rows = rng.choice(np.flatnonzero(made.model == model), each, replace=False)
        human[rows] = made.human[rows]
    reason = np.where(np.isnan(human), -1, RANDOM)
    return Runs.of(made.model, auto=made.auto, verifier=made.verifier, human=human, reason=reason)


def reviewed_disputed_first(made: Simulated, each: int, rng: np.random.Generator) -> Runs:
    """`each` runs of every model, one draw after the other, mostly those whose verifier and tests differ most."""
    human, chance, pool = (np.full(made.model.size, np.nan) for _ in range(3))
    dispute = np.abs(made.verifier - made.auto) + LEAST_DISPUTE
    for model in range(MODELS):
        left = np.flatnonzero(made.model == model)
        for _ in range(each):
            chances = UNIFORM_PART / left.size + (1 - UNIFORM_PART) * dispute[left] / dispute[left].sum()
            place = rng.choice(left.size, p=chances / chances.sum())
            row = left[place]
            human[row], chance[row], pool[row] = made.human[row], chances[place], left.size
            left = np.delete(left, place)
    reason = np.where(np.isnan(human), -1, QUEUE)
    return Runs.of(
        made.model,
        auto=made.auto,
        verifier=made.verifier,
        human=human,
        reason=reason,
        probability=chance,
        pool=pool,
    )


def reviewed_by_queue(made: Simulated, each: int, rng: np.random.Generator) -> Runs:
    """As many draws as `each` a model, one after the other, from all runs: each looks at the scores that are there by then."""
    human, chance, pool = (np.full(made.model.size, np.nan) for _ in range(3))

    def runs() -> Runs:
        reason = np.where(np.isnan(human), -1, QUEUE)
        columns = {"human": human, "reason": reason, "probability": chance, "pool": pool}
        return Runs.of(made.model, auto=made.auto, verifier=made.verifier, **columns)

    for _ in range(each * MODELS):
        now = runs()
        evidence = Evidence(now)
        scores = scores_by_model(evidence)
        use = use_of_rating(now, scores, covariance(evidence, scores))
        (one,) = draw(now, use, 1, seed=int(rng.integers(2**31)))
        human[one.row] = made.human[one.row]
        chance[one.row], pool[one.row] = one.model_probability, one.model_pool
    return runs()
