"""`python -m bench.trust_simulation [--ledgers N]`: does the calibrated score hold what TRUST.md promises of it?

Made-up ledgers with a known truth (`tests/trust/simulated.py`), reviewed at random and disputed first.
"""

import argparse
from collections.abc import Callable

import numpy as np

from quality.trust import ppi
from quality.trust.calibrated import Evidence, scores_by_model
from quality.trust.runs import Floats, Runs
from quality.trust.ties import covariance, tie_groups
from tests.trust.simulated import (
    RUNS_EACH,
    Simulated,
    reviewed_at_random,
    reviewed_by_queue,
    reviewed_disputed_first,
    simulate,
)

EACH = (5, 10, 20)
SEED = 20251203
TARGETS = {"random": "92.5–97.5 %, ±0.05, ≤ 0.65 / 0.5 / 0.4", "disputed first": "≥ 92 %, ±0.1"}


def human_only(runs: Runs) -> tuple[Floats, Floats]:
    """Mean of the reviewed runs of each model and half of its interval, as if there were no cheap tiers."""
    rows = runs.reviewed_rows
    nothing, weight = np.zeros(runs.model.size), np.ones(rows.size)
    found = ppi.sums(runs.model, runs.n_models, nothing, rows, runs.human[rows], weight)
    lam = np.zeros(runs.n_models)
    means = ppi.means(runs.model, found, lam, np.full(runs.n_models, np.inf), nothing, rows, runs.human[rows], weight)
    # Student's interval of each model alone, without what the others' spread would add to it.
    spread = np.bincount(runs.model[rows], (runs.human[rows] - means.estimate[runs.model[rows]]) ** 2, runs.n_models)
    error = np.sqrt(spread / (means.n_human - 1) / means.n_human * (1 - means.n_human / means.n))
    alone = ppi.Means(means.estimate, error, means.n_human - 1.0, lam, means.n, means.n_human)
    return alone.estimate, alone.half_width()


def report(name: str, review: Callable[[Simulated, int, np.random.Generator], Runs], each: int, ledgers: int) -> None:
    rng = np.random.default_rng(SEED)
    kept: dict[str, list] = {key: [] for key in ("calibrated", "human rows alone", "effective mean")}
    lost: dict[str, list] = {key: [] for key in kept}
    tied, size = [], []
    for _ in range(ledgers):
        made = simulate(rng)
        runs = review(made, each, rng)
        evidence = Evidence(runs)
        found = scores_by_model(evidence)
        groups = tie_groups(found, covariance(evidence, found))
        tied.append(groups[made.target.argmax()] == 1)
        size.append((groups == 1).sum())
        target = made.target
        mean, half = human_only(runs)
        spread = np.array([runs.effective[runs.model == model].std(ddof=1) for model in range(runs.n_models)])
        reach = 1.96 * spread / np.sqrt(RUNS_EACH)
        effective = found.effective_mean
        rows = (
            ("calibrated", found.estimate, found.low, found.high),
            ("human rows alone", mean, mean - half, mean + half),
            ("effective mean", effective, effective - reach, effective + reach),
        )
        for key, estimate, low, high in rows:
            holds = np.where(np.isnan(estimate), np.nan, (low <= target) & (target <= high))
            kept[key].append([holds, estimate - target, high - low])
            lost[key].append(target.max() - target[np.nanargmax(estimate)])
    for key, values in kept.items():
        holds, bias, width = np.nanmean(values, axis=(0, 2))
        share = np.mean(lost[key]) / np.mean(lost["effective mean"])
        print(
            f"| {name} | {each} | {key} | {bias:+.3f} | {100 * holds:.1f} % | {width:.2f} | {share:.2f} |", flush=True
        )
    best = f"{np.mean(tied):.1%} of the ledgers, of {np.mean(size):.1f} models on average"
    print(f"| {name} | {each} | tied-best group holds the best | | {best} | | |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ledgers", type=int, default=400)
    ledgers = parser.parse_args().ledgers
    print(f"{ledgers} ledgers, seed {SEED}; targets: {TARGETS}")
    print("| reviews | a model | estimate | bias | interval holds the truth | width | regret ÷ effective mean's |")
    print("|---|---|---|---|---|---|---|")
    for name, review in (("random", reviewed_at_random), ("disputed first", reviewed_disputed_first)):
        for each in EACH:
            report(name, review, each, ledgers)
    # Every draw looks at all scores anew, so fewer of these.
    report("the queue's own draws", reviewed_by_queue, 10, max(ledgers // 2, 1))


if __name__ == "__main__":
    main()
