"""What is a prompt judged on, and how much does each dimension count?

One table that the judge's instructions, the scoring and the screens share.
"""

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

LOWEST, HIGHEST = 0.0, 10.0
DEFAULT_WEIGHT = 0.25
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
SHOWN_VALUE = 40
"""Characters of an unusable weight that the warning shows."""


@dataclass(frozen=True)
class Band:
    """What the scores from `low` to `high` mean on one dimension."""

    low: int
    high: int
    meaning: str


@dataclass(frozen=True)
class Dimension:
    """One quality of a prompt that a judge scores 0–10."""

    key: str
    label: str
    description: str
    variable: str
    """The environment variable that holds its weight."""
    bands: tuple[Band, ...]
    """Best first; together they cover 0–10."""


_EDGES = ((9, 10), (7, 8), (5, 6), (3, 4), (0, 2))


def _dimension(key: str, description: str, *meanings: str) -> Dimension:
    bands = tuple(Band(low, high, meaning) for (low, high), meaning in zip(_EDGES, meanings, strict=True))
    return Dimension(key, key.capitalize(), description, f"EVAL_WEIGHT_{key.upper()}", bands)


DIMENSIONS: tuple[Dimension, ...] = (
    _dimension(
        "structure",
        "How the prompt is organised: order, sections, and what belongs to what.",
        "Role, task, context, constraints and output are told apart and stand in an order that can be followed.",
        "Well organised; one part is out of place or runs into another.",
        "Some order is there, but the reader has to sort instructions from background.",
        "Instructions, background and examples are mixed.",
        "No order: a heap of words or a single fragment.",
    ),
    _dimension(
        "clarity",
        "Whether each sentence can be read in one way only.",
        "Every instruction has one meaning; terms are used alike throughout.",
        "Clear; a term or a reference is left to interpretation.",
        "The intent shows, but several instructions can be read in two ways.",
        "The reader has to guess what is wanted, or instructions contradict each other.",
        "What is wanted cannot be told.",
    ),
    _dimension(
        "completeness",
        "Whether everything that is needed to do the task is there.",
        "Context, inputs, constraints, output format and edge cases are all given.",
        "Nearly everything is given; one thing has to be assumed.",
        "The task is given, but context, constraints or output format are missing.",
        "Most of what is needed has to be assumed.",
        "The task itself is missing.",
    ),
    _dimension(
        "specificity",
        "How concrete the demands are: numbers, names, formats, examples, criteria of success.",
        "Demands are concrete and can be checked; examples or criteria of success are given.",
        "Mostly concrete; one demand cannot be checked.",
        "Concrete and vague demands are mixed.",
        "Mostly vague: words such as good, short or nice stand in for demands.",
        "Nothing concrete: it could ask for anything.",
    ),
)
KEYS = tuple(d.key for d in DIMENSIONS)

LABELS: tuple[tuple[float, str], ...] = (
    (9.0, "Exceptional"), (7.0, "Good"), (5.0, "Adequate"), (3.0, "Below Average"), (0.0, "Poor"),
)  # fmt: skip
"""Overall score from which on a label holds, best first (MODEL.md, Prompts)."""
COLOURS: tuple[tuple[float, str], ...] = ((8.0, "green"), (6.0, "yellow"), (4.0, "orange"), (0.0, "red"))
"""Overall score from which on a colour holds, best first (MODEL.md, Prompts)."""


@dataclass(frozen=True)
class Weights:
    """Weights of the dimensions, in their order and scaled to sum to 1, with what is to be said about them."""

    values: tuple[float, ...]
    warnings: tuple[str, ...] = ()

    def by_key(self) -> dict[str, float]:
        return dict(zip(KEYS, self.values))


EQUAL = tuple(1 / len(DIMENSIONS) for _ in DIMENSIONS)


def weights_in_force(environment: Mapping[str, str] | None = None) -> Weights:
    """The weights of the environment's `EVAL_WEIGHT_…`, by default of this process; 0.25 where one is not set.

    Any that is negative, not finite or not a number (an empty one included), or a sum that is not positive:
    four quarters and a warning that names the variable.

    >>> weights_in_force({"EVAL_WEIGHT_CLARITY": "0.75"}).by_key()["clarity"]
    0.5
    >>> weights_in_force({"EVAL_WEIGHT_CLARITY": "0.5x"}).values
    (0.25, 0.25, 0.25, 0.25)
    """
    found = os.environ if environment is None else environment
    given = [number(found[d.variable]) if d.variable in found else DEFAULT_WEIGHT for d in DIMENSIONS]
    warnings = [
        f"{d.variable}={_shown(found[d.variable])} is not a finite number ≥ 0: all four dimensions count a quarter"
        for d, weight in zip(DIMENSIONS, given)
        if weight is None or not math.isfinite(weight) or weight < 0
    ]
    if not warnings and not max(weight for weight in given if weight is not None) > 0:
        warnings = ["the EVAL_WEIGHT_… sum to 0: all four dimensions count a quarter"]
    if warnings:
        return Weights(EQUAL, tuple(warnings))
    return Weights(scaled(given))


def scaled(weights: "list[float | None] | tuple[float, ...]") -> tuple[float, ...]:
    """The same weights with the sum 1; they are finite, ≥ 0 and not all 0."""
    known = [float(weight or 0.0) for weight in weights]
    parts = [weight / max(known) for weight in known]
    return tuple(part / math.fsum(parts) for part in parts)


def number(text: str) -> float | None:
    """A number as JSON or a shell writes it, `None` for anything else; one beyond the range of floats is infinite.

    >>> number(" 8.5 "), number("8/10"), number("1_0"), number("nan"), number("1e400")
    (8.5, None, None, None, inf)
    """
    return float(text) if _NUMBER.fullmatch(text.strip()) else None


def label_of(overall: float) -> str:
    """The word for an overall score of 0–10.

    >>> label_of(9.0), label_of(8.9), label_of(0.0)
    ('Exceptional', 'Good', 'Poor')
    """
    return next(label for edge, label in LABELS if overall >= edge)


def colour_of(overall: float) -> str:
    """The colour for an overall score of 0–10.

    >>> colour_of(8.0), colour_of(5.9), colour_of(0.0)
    ('green', 'orange', 'red')
    """
    return next(colour for edge, colour in COLOURS if overall >= edge)


def rubric() -> str:
    """The table as the judge's instructions show it: a dimension with its bands, best first."""
    return "\n\n".join(
        "\n".join(
            [f"{d.key}: {d.description}", *(f"  {band.low}–{band.high}: {band.meaning}" for band in d.bands)],
        )
        for d in DIMENSIONS
    )


def _shown(value: str) -> str:
    return repr(value if len(value) <= SHOWN_VALUE else value[:SHOWN_VALUE] + "…")
