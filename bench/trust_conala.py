"""`python -m bench.trust_conala`: with nine in ten human ratings of real data hidden, is the full human mean still found?"""

import argparse

import numpy as np

from bench.trust_simulation import human_only
from quality.trust.calibrated import Evidence, scores_by_model
from tests.trust.conala import read_conala, with_hidden

SEED = 20251203
KEPT = 0.1


def measure(times: int) -> dict[str, tuple[float, float, float]]:
    """Estimate → share of intervals that hold the full human mean, mean width, mean bias, over models and times."""
    rng = np.random.default_rng(SEED)
    story, model, verifier, human = read_conala()
    target = np.bincount(model, human) / np.bincount(model)
    found: dict[str, list] = {"calibrated": [], "human rows alone": [], "effective mean": []}
    for _ in range(times):
        kept = rng.choice(human.size, round(KEPT * human.size), replace=False)
        runs = with_hidden(story, model, verifier, human, kept)
        scores = scores_by_model(Evidence(runs))
        mean, half = human_only(runs)
        effective = scores.effective_mean
        each = [runs.effective[model == code] for code in range(runs.n_models)]
        reach = 1.96 * np.array([values.std(ddof=1) / np.sqrt(values.size) for values in each])
        for name, estimate, low, high in (
            ("calibrated", scores.estimate, scores.low, scores.high),
            ("human rows alone", mean, mean - half, mean + half),
            ("effective mean", effective, effective - reach, effective + reach),
        ):
            found[name].append([(low <= target) & (target <= high), high - low, estimate - target])
    return {name: tuple(np.mean(values, axis=(0, 2))) for name, values in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    times = parser.parse_args().times
    print(f"{KEPT:.0%} of the human ratings kept, {times} times, seed {SEED}")
    print("| estimate | bias | a 95 % interval holds the full human mean | width |\n|---|---|---|---|")
    found = measure(times)
    for name, (holds, width, bias) in found.items():
        print(f"| {name} | {bias:+.2f} | {100 * holds:.1f} % | {width:.2f} |")
    print(f"narrower than human rows alone by {1 - found['calibrated'][1] / found['human rows alone'][1]:.1%}")


if __name__ == "__main__":
    main()
