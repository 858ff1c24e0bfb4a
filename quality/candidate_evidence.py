"""How strong is the evidence for a candidate? Six dimensions 0–1 from its data and from how its target's folder is built.

Columns in, columns out. The numbers are those of MODEL.md, Improvement candidates; the folder itself is looked at in
`candidate_folders.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quality.candidate_input import Candidate
from quality.candidates import (
    CATEGORIES,
    LEVELS,
    MOST_REFS,
    STRUCTURAL,
    Codes,
    Columns,
    Flags,
    Floats,
    rounded,
)
from quality.composite import weighted_composite

STRUCTURE = ("skill_md", "readme", "scripts", "evals", "tests")
"""What is looked for in a target's folder."""
SKILL_MD, README, SCRIPTS, EVALS, TESTS = range(len(STRUCTURE))
SKILL_LEVELS = ("unrated", "Level 1", "Level 2", "Level 3")
DIMENSIONS = ("accuracy", "reliability", "efficiency", "cost", "coverage", "security", "user_satisfaction")
"""The last is never measured."""
APPEND = "append_markdown_section"
VERDICTS = ("approve", "conditional", "reject")
APPROVE, CONDITIONAL, REJECT = range(3)
APPROVE_FROM, CONDITIONAL_FROM = 0.80, 0.60
DIGITS = 3
TEN = 10.0
"""Evidence counts 0–1, scores 0–10."""

ACCURACY = {"base": 0.55, "ref": 0.08, "summary": 0.07}
ACCURACY_LEVEL = {"unrated": 0.0, "Level 1": 0.03, "Level 2": 0.10, "Level 3": 0.15}
RELIABILITY = {"base": 0.42, "scripts": 0.08, "protected": 0.25}
RELIABILITY_RISK = {"low": 0.16, "medium": 0.02, "high": -0.20, "other": 0.0}
RELIABILITY_EXECUTOR, RELIABILITY_KEEP = (0.18, -0.12), (0.10, -0.06)
"""(yes, no)."""
EFFICIENCY = {"base": 0.50, "protected": 0.05}
EFFICIENCY_EXECUTOR, EFFICIENCY_APPEND = (0.20, -0.08), (0.15, -0.05)
COST_APPEND, COST_HIGH = (0.88, 0.62), 0.10
COVERAGE = {"base": 0.34, "ref": 0.09, "tests": 0.12, "evals": 0.10, "tests_category": 0.05}
SECURITY = {"base": 0.84, "guardrail": 0.06, "protected": 0.20}
SECURITY_RISK = {"low": 0.0, "medium": 0.18, "high": 0.35, "other": 0.18}

WEIGHTS = {
    "process": (0.25, 0.30, 0.20, 0.15, 0.10, 0.0, 0.0),
    "creation": (0.30, 0.20, 0.20, 0.10, 0.10, 0.0, 0.10),
    "evaluation": (0.45, 0.20, 0.15, 0.10, 0.10, 0.10, 0.0),
}
"""By kind of category, in the order of `DIMENSIONS`; as decimals, since ties at the fourth are decided in binary."""
KINDS = {"prompt": "creation", "tests": "evaluation"}
"""Every other category is a process."""


@dataclass(frozen=True)
class EvidenceScores:
    """The evidence for n candidates."""

    structure: Flags
    """n × 5, `STRUCTURE`."""
    level: Codes
    """Index in `SKILL_LEVELS`."""
    dims: Floats
    """n × 7, 0–1, three decimals; NaN for what is not measured."""
    weights: Floats
    """n × 7, as used: they sum to 1."""
    overall: Floats
    """n, 0–1, three decimals."""
    score: Floats
    """n, 0–10, two decimals: what is blended."""
    verdict: Codes
    """Index in `VERDICTS`."""

    @property
    def rejected(self) -> Flags:
        return self.verdict == REJECT

    def level_too_low(self, columns: Columns) -> Flags:
        """The skill is at level 1 and the change is to its workflow, its prompt or its tests."""
        structural = np.isin(columns.category, [CATEGORIES.index(name) for name in STRUCTURAL])
        return structural & (self.level == SKILL_LEVELS.index("Level 1"))


def evidence_for(columns: Columns, candidates: Sequence[Candidate], structure: NDArray[np.bool_]) -> EvidenceScores:
    """The evidence for candidates, given what is in the folders of their targets.

    Args:
        columns: `columns_of(candidates)`.
        structure: n × 5, in the order of `STRUCTURE`.

    Returns:
        The overall is the weighted composite by category, user satisfaction being unmeasured; approve from 0.80,
        conditional from 0.60, else reject.
    """
    count = len(candidates)
    summary = np.fromiter((bool(one.proposed_change_summary) for one in candidates), np.bool_, count)
    append = np.fromiter((one.execution_plan is not None and one.execution_plan.action == APPEND for one in candidates),
                         np.bool_, count)  # fmt: skip
    level = skill_level(structure)
    dims = _dims(columns, structure, level, summary, append)
    overall, weights = np.zeros(count), np.zeros_like(dims)
    kinds = np.array([list(WEIGHTS).index(KINDS.get(name, "process")) for name in CATEGORIES])[columns.category]
    for place, kind in enumerate(WEIGHTS.values()):
        if (rows := kinds == place).any():
            made = weighted_composite(dims[rows], kind)
            overall[rows], weights[rows] = made.value, made.used_weights
    overall = rounded(overall, DIGITS)
    verdict = np.where(overall >= APPROVE_FROM, APPROVE, np.where(overall >= CONDITIONAL_FROM, CONDITIONAL, REJECT))
    return EvidenceScores(structure, level, dims, weights, overall, rounded(overall * TEN), verdict.astype(np.int8))


def skill_level(structure: NDArray[np.bool_]) -> Codes:
    """Level 3 = all five; 2 = SKILL.md, scripts and evals; 1 = SKILL.md; else unrated.

    >>> [SKILL_LEVELS[code] for code in skill_level(np.array([[1, 0, 1, 1, 0], [1, 1, 0, 1, 1], [0, 1, 1, 1, 1]], bool))]
    ['Level 2', 'Level 1', 'unrated']
    """
    second = structure[:, [SKILL_MD, SCRIPTS, EVALS]].all(axis=1)
    return np.select([structure.all(axis=1), second, structure[:, SKILL_MD]], [3, 2, 1], 0).astype(np.int8)


def _dims(columns: Columns, structure: Flags, level: Codes, summary: Flags, append: Flags) -> Floats:
    refs = np.minimum(columns.refs, MOST_REFS)
    executor, protected = columns.executor, columns.protected
    category = {name: columns.category == place for place, name in enumerate(CATEGORIES)}
    by_level = np.array(list(ACCURACY_LEVEL.values()))[level]
    accuracy = ACCURACY["base"] + refs * ACCURACY["ref"] + summary * ACCURACY["summary"] + by_level
    reliability = (
        RELIABILITY["base"] + _by_risk(RELIABILITY_RISK, columns) + np.where(executor, *RELIABILITY_EXECUTOR)
        + np.where(columns.keep, *RELIABILITY_KEEP) + structure[:, SCRIPTS] * RELIABILITY["scripts"]
        - protected * RELIABILITY["protected"]
    )  # fmt: skip
    efficiency = (
        EFFICIENCY["base"] + np.where(executor, *EFFICIENCY_EXECUTOR) + np.where(append, *EFFICIENCY_APPEND)
        - protected * EFFICIENCY["protected"]
    )  # fmt: skip
    cost = np.where(append, *COST_APPEND) - (columns.level == LEVELS.index("high")) * COST_HIGH
    coverage = (
        COVERAGE["base"] + refs * COVERAGE["ref"] + structure[:, TESTS] * COVERAGE["tests"]
        + structure[:, EVALS] * COVERAGE["evals"] + category["tests"] * COVERAGE["tests_category"]
    )  # fmt: skip
    security = (
        SECURITY["base"] + category["guardrail"] * SECURITY["guardrail"] - _by_risk(SECURITY_RISK, columns)
        - protected * SECURITY["protected"]
    )  # fmt: skip
    measured = np.column_stack([accuracy, reliability, efficiency, cost, coverage, security])
    return np.column_stack([rounded(np.clip(measured, 0.0, 1.0), DIGITS), np.full(len(measured), np.nan)])


def _by_risk(table: dict[str, float], columns: Columns) -> Floats:
    return np.array([table[name] for name in LEVELS])[columns.level]
