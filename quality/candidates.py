"""What is a candidate worth by its own data? The heuristic, the blend with evidence and judge, and the recommendation.

Columns in, columns out: one candidate and a hundred thousand are the same call. Tables and rules: MODEL.md,
Improvement candidates. What a candidate is stands in `candidate_input.py`, what is written in `candidate_output.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quality.candidate_input import Candidate
from quality.composite import weighted_composite
from quality.settings import CandidateSettings

BASE = 4.0
BONUS = {"docs": 4.0, "reference": 3.5, "guardrail": 3.5, "workflow": 1.5, "tests": 1.5, "prompt": 1.0, "other": 0.5}
RISK = {"low": 0.0, "medium": 2.0, "high": 4.5, "other": 2.0}
OTHER, NO_LEVEL = "other", "medium"
PROTECTED = 2.5
"""What a protected path adds to the risk."""
REF_POINTS, MOST_REFS = 0.5, 3
EXECUTOR_POINTS = 0.5
LOWEST, HIGHEST = 0.0, 10.0
PROTECTED_PATHS = CandidateSettings().protected_paths
KEEP = ("docs", "reference", "guardrail")
"""Categories that may be carried out without a human, where nothing else stands against it."""
STRUCTURAL = ("workflow", "prompt", "tests")
REJECT_BELOW = 4.0
ACCEPT, HOLD, REJECT = 0, 1, 2
RECOMMENDATIONS = ("accept_for_execution", "hold", "reject")
PARTS = ("heuristic", "judge", "evidence")
BLENDS = {
    (False, False): (100, 0, 0),
    (False, True): (70, 0, 30),
    (True, False): (60, 40, 0),
    (True, True): (50, 30, 20),
}
"""(judge, evidence) are there → weights of `PARTS`."""
CATEGORIES, LEVELS = tuple(BONUS), tuple(RISK)
DIGITS = 2

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int8]


@dataclass(frozen=True)
class Columns:
    """What counts of n candidates, n values each."""

    category: Codes
    """Index in `CATEGORIES`."""
    level: Codes
    """Index in `LEVELS`."""
    refs: NDArray[np.int64]
    executor: Flags
    protected: Flags

    @property
    def keep(self) -> Flags:
        """Of a category that may be carried out without a human."""
        return np.isin(self.category, [CATEGORIES.index(name) for name in KEEP])

    @property
    def low(self) -> Flags:
        return self.level == LEVELS.index("low")


@dataclass(frozen=True)
class Heuristic:
    """The parts of n scores; they sum to `score` before it is kept within 0–10."""

    bonus: Floats
    refs: Floats
    executor: Floats
    risk: Floats
    """≥ 0: what the level takes away."""
    protection: Floats
    """≥ 0: what a protected path takes away."""
    penalty: Floats
    """Both together, two decimals."""
    score: Floats
    """0–10, two decimals."""


@dataclass(frozen=True)
class Blend:
    """n scores out of `PARTS`; n × 3, NaN where a part is not there."""

    scores: Floats
    weights: Floats
    contributions: Floats
    value: Floats
    """0–10, two decimals."""


def category_of(candidate: Candidate) -> str:
    """One of `CATEGORIES`."""
    return candidate.category if candidate.category in BONUS else OTHER


def level_of(candidate: Candidate) -> str:
    """One of `LEVELS`."""
    level = NO_LEVEL if candidate.risk_level is None else candidate.risk_level
    return level if level in RISK else OTHER


def is_protected(path: str | None, patterns: Sequence[str] = PROTECTED_PATHS) -> bool:
    """Whether the path holds one of the patterns, in any case.

    >>> is_protected("skills/Trading-bot/SKILL.md"), is_protected("skills/minutes"), is_protected(None)
    (True, False, False)
    """
    lowered = (path or "").lower()
    return any(pattern.lower() in lowered for pattern in patterns)


def columns_of(candidates: Sequence[Candidate], protected_paths: Iterable[str] = PROTECTED_PATHS) -> Columns:
    """The candidates as columns, in their order."""
    patterns = tuple(protected_paths)
    paths = {one.target_path for one in candidates}
    protected = {path: is_protected(path, patterns) for path in paths}
    categories = {name: place for place, name in enumerate(CATEGORIES)}
    levels = {name: place for place, name in enumerate(LEVELS)}
    count = len(candidates)
    return Columns(
        category=np.fromiter((categories[category_of(one)] for one in candidates), np.int8, count),
        level=np.fromiter((levels[level_of(one)] for one in candidates), np.int8, count),
        refs=np.fromiter((len(one.source_refs or ()) for one in candidates), np.int64, count),
        executor=np.fromiter((one.executor_support is True for one in candidates), np.bool_, count),
        protected=np.fromiter((protected[one.target_path] for one in candidates), np.bool_, count),
    )


def heuristic(columns: Columns, bonus: Sequence[float] = tuple(BONUS.values()), sensitivity: float = 1.0) -> Heuristic:
    """clamp₀¹⁰(4.0 + category bonus + 0.5·min(refs, 3) + 0.5 if executor − risk), two decimals.

    Args:
        bonus: by `CATEGORIES`.
        sensitivity: ≥ 0, multiplies risk and protection together.

    >>> one = Candidate(id="a", category="docs", risk_level="medium", source_refs=["x"])
    >>> heuristic(columns_of([one])).score.tolist()
    [6.5]
    """
    bonuses = np.asarray(bonus, dtype=np.float64)[columns.category]
    refs = np.minimum(columns.refs, MOST_REFS) * REF_POINTS
    executor = np.where(columns.executor, EXECUTOR_POINTS, 0.0)
    risk = np.asarray(list(RISK.values()))[columns.level]
    protection = np.where(columns.protected, PROTECTED, 0.0)
    penalty = rounded((risk + protection) * sensitivity)
    total = rounded(BASE + bonuses + refs + executor - penalty)
    return Heuristic(
        bonus=bonuses, refs=refs, executor=executor, risk=risk * sensitivity, protection=protection * sensitivity,
        penalty=penalty, score=np.clip(total, LOWEST, HIGHEST),
    )  # fmt: skip


def blend(scores: Floats, judge: Floats | None = None, evidence: Floats | None = None) -> Blend:
    """The weighted composite of what is there, in the ratios of `BLENDS`.

    Args:
        scores, judge, evidence: n values 0–10; NaN where a judge gave none: its candidate is blended without it.

    >>> blend(np.array([10.0]), evidence=np.array([8.44])).value.tolist()
    [9.53]
    """
    absent = np.full(len(scores), np.nan)
    matrix = np.column_stack([scores, absent if judge is None else judge, absent if evidence is None else evidence])
    present = ~np.isnan(matrix)
    weights, contributions, value = np.zeros_like(matrix), np.zeros_like(matrix), np.zeros(len(matrix))
    for there, ratios in BLENDS.items():
        rows = (present[:, 1] == there[0]) & (present[:, 2] == there[1])
        if rows.any():
            made = weighted_composite(matrix[rows], ratios)
            weights[rows], contributions[rows], value[rows] = made.used_weights, made.contributions, made.value
    return Blend(scores=matrix, weights=weights, contributions=contributions, value=rounded(value))


def recommend(columns: Columns, score: Floats, rejected_by_evidence: Flags | None = None) -> Codes:
    """Codes of `RECOMMENDATIONS` (MODEL.md): accept what is safe to keep; else reject below 4.0, and high risk, or with
    evidence what it rejects; else hold.

    Args:
        score: n values 0–10, the blended ones.
        rejected_by_evidence: n flags; `None` without evidence.
    """
    accept = columns.keep & columns.low & columns.executor & ~columns.protected
    reject = score < REJECT_BELOW
    if rejected_by_evidence is None:
        reject |= columns.level == LEVELS.index("high")
    else:
        accept &= ~rejected_by_evidence
        reject |= rejected_by_evidence
    return np.where(accept, ACCEPT, np.where(reject, REJECT, HOLD)).astype(np.int8)


def rounded(values: Floats, digits: int = DIGITS) -> Floats:
    """Decimals by the exact binary value, as Python's own `round`; numpy's scales first and decides ties otherwise.

    >>> rounded(np.array([4.725, 3.225])).tolist(), np.round(np.array([4.725, 3.225]), 2).tolist()
    ([4.72, 3.23], [4.72, 3.22])
    """
    different, places = np.unique(values, return_inverse=True)
    shorter = np.array([round(value, digits) for value in different.tolist()], dtype=np.float64)
    return shorter[places].reshape(values.shape)
