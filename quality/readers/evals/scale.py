"""Which rating 0–10 is another tool's score? By the scale that the settings state for its name, else the tool's own.

MODEL.md, Tier 2: nothing is clamped and nothing guessed. A score outside its scale is a reject that says how to state
the right one.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quality.readers.document import text
from quality.settings import EvaluationSettings

SHARES = EvaluationSettings(worst=0.0, best=1.0)
"""0–1, the convention of Inspect and promptfoo."""
RATINGS = EvaluationSettings(worst=0.0, best=10.0)
DIGITS = 9
"""What the binary rounding of a conversion is undone to."""
HOW = '. If its scale is another, state it in quality.toml: [readers.evaluations."{name}"] worst = …, best = …'
HOW_LABEL = '. State what its labels are worth in quality.toml: [readers.evaluations."{name}".labels] {label} = 0 … 10'


@dataclass(frozen=True)
class Rating:
    """A rating, or the reason why there is none."""

    quality: float | None
    tier: str = "verifier"
    reason: str = ""
    raw: str | None = None


def rating(
    value: Any, name: str, scales: Mapping[str, EvaluationSettings], usual: EvaluationSettings, label: str = ""
) -> Rating:
    """A score of the evaluation `name`, `usual` being the tool's own scale.

    >>> rating(0.87, "relevance", {}, SHARES).quality, rating(4, "relevance", {}, SHARES).quality
    (8.7, None)
    >>> rating(2, "harm", {"harm": EvaluationSettings(worst=5, best=1)}, SHARES).quality
    7.5
    """
    scale = scales.get(name, usual)
    raw = text(value) or label or None
    number = _number(value)
    if number is None:
        if label in scale.labels:
            return Rating(scale.labels[label], scale.tier, raw=label)
        stated = "it states the label and no score" if label else "no score"
        how = HOW_LABEL.format(name=name, label=label or "pass") if label else ""
        return Rating(None, scale.tier, f"{name}: {stated}{how}", raw)
    if not math.isfinite(number):
        return Rating(None, scale.tier, f"{name} is not scored (NaN or infinite): no rating", raw)
    quality = round(10 * (number - scale.worst) / (scale.best - scale.worst), DIGITS) + 0.0
    if not 0 <= quality <= 10:
        between = f"{scale.worst:g} (worst) to {scale.best:g} (best)"
        return Rating(None, scale.tier, f"{name} is outside {between}{HOW.format(name=name)}", raw)
    return Rating(quality, scale.tier, raw=raw if number != quality else None)


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    if isinstance(value, str):
        try:
            return float(value.strip())
        except ValueError:
            return None
    return None
