"""CoNaLa's grades as runs: 500 tasks × 5 models, the mean of the human graders, a judge without reference (data/README.md)."""

import csv
from pathlib import Path

import numpy as np

from quality.trust.runs import NOT_KNOWN, RANDOM, Codes, Floats, Runs

RATINGS = Path(__file__).parents[2] / "data" / "sample" / "conala-ratings.csv"


def read_conala() -> tuple[Codes, Codes, Floats, Floats]:
    """Story, model, verifier and human score of the 2,500 runs."""
    given: dict[tuple[str, str], dict[str, list[float]]] = {}
    with RATINGS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            tiers = given.setdefault((row["story_id"], row["model"]), {"human": [], "verifier": []})
            tiers[row["source"]].append(float(row["quality"]))
    keys = sorted(given)
    story = np.unique([story for story, _ in keys], return_inverse=True)[1]
    model = np.unique([model for _, model in keys], return_inverse=True)[1]
    verifier, human = (np.array([np.mean(given[key][tier]) for key in keys]) for tier in ("verifier", "human"))
    return story, model, verifier, human


def with_hidden(story: Codes, model: Codes, verifier: Floats, human: Floats, kept: Codes) -> Runs:
    """The runs with the human scores of `kept` alone."""
    seen = np.full(human.size, np.nan)
    seen[kept] = human[kept]
    reason = np.where(np.isnan(seen), NOT_KNOWN, RANDOM)
    return Runs.of(model, story=story, verifier=verifier, human=seen, reason=reason)
