"""`python -m bench.trust [--runs N]`: how long does all of the trust statistics take, part by part? 60 models, 15 % human."""

import argparse
import time
from collections.abc import Callable

import numpy as np

from quality.trust.agreement import agreement
from quality.trust.alpha import krippendorff_alpha
from quality.trust.calibrated import Evidence, scores_by_coordinate, scores_by_model
from quality.trust.queue import draw, use_of_rating
from quality.trust.routing import route
from quality.trust.runs import NOT_KNOWN, QUEUE, RANDOM, Runs
from quality.trust.ties import covariance, tie_groups
from quality.trust.trend import trends
from quality.trust.verifiers import low_confidence, self_preference, trust_cards

MODELS, FAMILIES, VERIFIERS, WEEKS = 60, 8, 6, 30
PARTS = {"discipline": 5, "org_domain": 3, "industry": 3, "phase": 3}
HUMAN, VERIFIED, AUTO = 0.15, 0.8, 0.95
SEED = 1


def made(size: int) -> tuple[dict, dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Columns of `Runs.of`, the coordinate's parts, cost and acceptance; three models to a story."""
    rng = np.random.default_rng(SEED)
    model = rng.integers(0, MODELS, size)
    truth = np.clip(rng.normal(6.5, 0.5, MODELS)[model] + rng.normal(0, 1.5, size), 0, 10)
    verifier = np.clip(3.2 + 0.65 * truth + rng.normal(0, 0.8, size), 0, 10)
    auto = np.clip(1.5 + 0.75 * truth + rng.normal(0, 1.3, size), 0, 10)
    human = np.round(np.clip(truth + rng.normal(0, 0.5, size), 0, 10) * 2) / 2
    verifier[rng.random(size) > VERIFIED], auto[rng.random(size) > AUTO] = np.nan, np.nan
    seen = (rng.random(size) < HUMAN) | (np.isnan(verifier) & np.isnan(auto))
    human[~seen] = np.nan
    queued = seen & (rng.random(size) < 0.5)
    parts = {name: rng.integers(0, count, size) for name, count in PARTS.items()}
    coordinate = np.zeros(size, np.int64)
    for name, count in PARTS.items():
        coordinate = coordinate * count + parts[name]
    verifier_model = np.where(np.isnan(verifier), NOT_KNOWN, rng.integers(0, VERIFIERS, size))
    columns = {
        "model": model,
        "auto": auto,
        "verifier": verifier,
        "human": human,
        "story": np.arange(size) // 3,
        "coordinate": coordinate,
        "reason": np.where(seen, np.where(queued, QUEUE, RANDOM), NOT_KNOWN),
        "probability": np.where(queued, rng.uniform(0.5, 2, size) / 5000, np.nan),
        "pool": np.where(queued, 5000.0, np.nan),
        "verifier_model": verifier_model,
        "builder_family": model % FAMILIES,
        "verifier_family": np.where(verifier_model == NOT_KNOWN, NOT_KNOWN, verifier_model % FAMILIES),
        "week": np.arange(size) * WEEKS // max(size, 1),
    }
    return columns, parts, rng.exponential(1, size), truth >= 7


def measure(size: int, lap: Callable[[str], None]) -> None:
    """All parts once; `lap` is told the name of each when it is done."""
    columns, parts, cost, accepted = made(size)
    rater = np.repeat(np.flatnonzero(~np.isnan(columns["human"])), 2)
    second = np.clip(columns["human"][rater] + np.random.default_rng(2).integers(-2, 3, rater.size) / 2, 0, 10)
    lap("")
    runs = Runs.of(columns.pop("model"), **columns)
    lap("check the columns")
    evidence = Evidence(runs)
    evidence.prediction, evidence.weight, evidence.tuned  # noqa: B018  computed at first use
    lap("prediction, weights, λ")
    scores = scores_by_model(evidence)
    lap("calibrated, by model")
    groups = scores_by_coordinate(evidence)
    lap(f"calibrated, by model × coordinate ({groups.n.size:,})")
    errors = covariance(evidence, scores)
    tie_groups(scores, errors)
    lap("tie groups, paired")
    trust_cards(runs)
    lap(f"trust cards of {VERIFIERS} verifiers")
    self_preference(runs)
    lap("self-preference")
    low_confidence(runs)
    lap("low confidence")
    krippendorff_alpha(rater, second)
    lap(f"agreement of reviewers ({rater.size:,} ratings)")
    use = use_of_rating(runs, scores, errors)
    draw(runs, use, 1, seed=1)
    lap("next to review")
    route(evidence, parts, {"discipline": 1, "org_domain": 1}, cost, accepted)
    lap("route, one kind of work")
    trends(runs.model, runs.week, evidence.prediction, MODELS)
    lap("trend")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    agreement(np.arange(20.0) / 2, np.arange(20.0) / 2)
    taken: dict[str, list[float]] = {}
    for _ in range(asked.repeats):
        clock = [time.perf_counter()]

        def lap(name: str, clock: list[float] = clock) -> None:
            now = time.perf_counter()
            taken.setdefault(name, []).append(now - clock[0])
            clock[0] = time.perf_counter()

        measure(asked.runs, lap)
    del taken[""]
    print(f"{asked.runs:,} runs, {MODELS} models, {HUMAN:.0%} human; median of {asked.repeats}; target ≤ 2 s in all")
    print("| part | ms |\n|---|---|")
    for name, seconds in taken.items():
        print(f"| {name} | {1000 * np.median(seconds):.0f} |")
    total = np.median(np.sum(list(taken.values()), axis=0))
    print(f"| **all** | **{1000 * total:.0f}** |")


if __name__ == "__main__":
    main()
