"""`python -m bench.trust_drops [--series N]`: how often is a stable series called a drop over 52 looks, and a real one missed?

A look a week at everything so far. Scores are half points, normal with sd 1.5 around the level, clipped to 0–10.
"""

import argparse

import numpy as np

from quality.trust.trend import find_drop

LOOKS = 52
LEVEL, SPREAD = 7.0, 1.5
SEED = 52
CHANGE = 26
"""The first week of a real drop."""


def weeks(rng: np.random.Generator, each: int, fall: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """n, Σ and Σ² of 52 weeks; n is Poisson, so some weeks are empty where runs are few."""
    n = rng.poisson(each, LOOKS)
    level = np.repeat(np.where(np.arange(LOOKS) >= CHANGE, LEVEL - fall, LEVEL), n)
    score = np.clip(np.round(2 * rng.normal(level, SPREAD)) / 2, 0, 10) - LEVEL
    week = np.repeat(np.arange(LOOKS), n)
    return n, np.bincount(week, score, LOOKS), np.bincount(week, score**2, LOOKS)


def first_call(n: np.ndarray, total: np.ndarray, squares: np.ndarray, start: int = 1) -> int | None:
    """The first look at which a drop is called."""
    looks = range(start, LOOKS + 1)
    return next((look for look in looks if find_drop(n[:look], total[:look], squares[:look]) is not None), None)


def false_alarms(each: int, series: int, seed: int = SEED) -> float:
    """Share of stable series that are called at any of the 52 looks."""
    rng = np.random.default_rng(seed)
    return float(np.mean([first_call(*weeks(rng, each)) is not None for _ in range(series)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--series", type=int, default=2000)
    count = parser.parse_args().series
    print(f"{count} series of {LOOKS} looks, seed {SEED}; target: under 5 % false alarms")
    print("| runs a week | stable: ever called | drop | found in the half year after | weeks until then, median |")
    print("|---|---|---|---|---|")
    for each in (2, 6, 30):
        stable = false_alarms(each, count)
        for fall in (0.5, 1.0, 2.0):
            rng = np.random.default_rng(SEED)
            calls = [first_call(*weeks(rng, each, fall), start=CHANGE + 1) for _ in range(count // 4)]
            found = [call - CHANGE for call in calls if call is not None]
            wait = f"{np.median(found):.0f}" if found else "–"
            print(f"| {each} | {stable:.2%} | {fall} | {len(found) / len(calls):.0%} | {wait} |", flush=True)


if __name__ == "__main__":
    main()
