"""How good does the objective evidence say a run is? Six signals → points → `quality_auto`.

MODEL.md, "Tier 1: auto". Points are 0–10; 10 is the best that the signal can say. A signal that was not
measured is missing (NaN) and its weight is shared out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quality.composite import ROUNDING, Composite, weighted_composite
from quality.settings import AutoSettings

DECIMALS = 12
"""A score worth exactly 7 is stored and exported as 7, not as the 6.999999999999999 of a binary sum."""
TOP = 10.0
"""The best score of a tier; the lowest is 0."""

SIGNALS: dict[str, str] = {
    "test_pass_rate": "passed / (passed + failed + errors), 0–1",
    "build_success": "the build or lint outcome",
    "verified_by_ci": "the CI outcome after the merge",
    "rework_count": "re-dispatches before done, a count",
    "pr_review_cycles": "review rounds that asked for changes, a count",
    "duration_vs_estimate": "actual ÷ estimated (tokens, cost or time), > 0",
}
"""The signals in the order of their columns: name → raw value."""

OUTCOMES = ("test_pass_rate", "build_success", "verified_by_ci", "pr_review_cycles")
"""At least one of these must be known: no rework and nothing else is not a 10."""


@dataclass(frozen=True)
class AutoScore:
    """`quality_auto` of n runs with its explanation."""

    composite: Composite
    """n × 6 points, weights and contributions, before the cap."""
    value: NDArray[np.float64]
    """n, 0–10; NaN = unknown (no outcome signal is known)."""
    cap: NDArray[np.float64]
    """n, ≤ 0: what the cap for few tests takes away. Contributions + cap = value."""
    coverage: NDArray[np.float64]
    """n, 0–1: share of the auto weight that was measured."""
    few_tests: NDArray[np.bool_]
    low_coverage: NDArray[np.bool_]


def signal_points(raw: Mapping[str, ArrayLike], settings: AutoSettings) -> NDArray[np.float64]:
    """Raw signals → n × 6 points 0–10, NaN where a signal is missing.

    Args:
        raw: each name of `SIGNALS` → n values (float, NaN = unknown). Out-of-range values are the
            caller's fault: readers reject them first.

    Raises:
        ValueError: a pass rate outside 0–1, a negative count, or a duration ratio ≤ 0.
    """
    column = {name: np.asarray(raw[name], dtype=np.float64) for name in SIGNALS}
    _refuse_out_of_range(column)
    with np.errstate(invalid="ignore"):
        points = [
            TOP * column["test_pass_rate"],
            TOP * column["build_success"],
            TOP * column["verified_by_ci"],
            np.maximum(0.0, TOP - settings.rework_step * column["rework_count"]),
            np.maximum(0.0, TOP - settings.review_cycle_step * column["pr_review_cycles"]),
            TOP * (1.0 / np.maximum(1.0, column["duration_vs_estimate"])),
        ]
    return np.column_stack(points)


def auto_score(raw: Mapping[str, ArrayLike], tests_total: ArrayLike, settings: AutoSettings) -> AutoScore:
    """`quality_auto` with coverage, cap and caveats for n runs (MODEL.md, Tier 1).

    Args:
        raw: each name of `SIGNALS` → n values, NaN = unknown.
        tests_total: n, passed + failed + errors; NaN where the count is not known (then no cap).

    >>> one = {name: [float("nan")] for name in SIGNALS} | {"test_pass_rate": [1.0], "build_success": [1.0]}
    >>> auto_score(one, [2], AutoSettings()).value.tolist()
    [5.0]
    """
    points = signal_points(raw, settings)
    weights = [getattr(settings.weights, name) for name in SIGNALS]
    composite = weighted_composite(points, weights)
    names = list(SIGNALS)
    outcome = ~np.isnan(points[:, [names.index(name) for name in OUTCOMES]]).all(axis=1)
    value = np.round(np.where(outcome, composite.value, np.nan), DECIMALS)

    total = np.asarray(tests_total, dtype=np.float64)
    all_passed = points[:, names.index("test_pass_rate")] == TOP
    few_tests = all_passed & (total < settings.few_tests) & ~np.isnan(value)
    capped = np.where(few_tests, np.minimum(value, settings.few_tests_cap), value)
    known = ~np.isnan(capped)
    return AutoScore(
        composite=composite,
        value=capped,
        cap=np.where(known, capped - value, 0.0),
        coverage=composite.coverage,
        few_tests=few_tests,
        low_coverage=known & (composite.coverage < settings.low_coverage - ROUNDING),
    )


def explain_auto(row: Mapping[str, object], settings: AutoSettings) -> dict:
    """One ledger row → its parts: raw, points, weight, used weight, contribution a signal, and the cap.

    The contributions and the cap sum to `quality_auto`.
    """
    raw = {name: [_number(row.get(name))] for name in SIGNALS}
    score = auto_score(raw, [_number(row.get("tests_total"))], settings)
    composite = score.composite
    weights = [getattr(settings.weights, name) for name in SIGNALS]
    known = not np.isnan(score.value[0])
    parts = [
        {
            "signal": name,
            "raw": row.get(name),
            "points": None if composite.missing[0, j] else float(composite.scores[0, j]),
            "weight": weights[j],
            "used_weight": float(composite.used_weights[0, j]) if known else 0.0,
            "contribution": None if composite.missing[0, j] or not known else float(composite.contributions[0, j]),
        }
        for j, name in enumerate(SIGNALS)
    ]
    return {
        "quality_auto": float(score.value[0]) if known else None,
        "coverage": float(score.coverage[0]),
        "cap": float(score.cap[0]),
        "parts": parts,
        "reason": None if known else "no outcome signal (tests, build, CI or review cycles) is known",
    }


def _number(value: object) -> float:
    return float("nan") if value is None else float(value)  # type: ignore[arg-type]


def _refuse_out_of_range(column: dict[str, NDArray[np.float64]]) -> None:
    checks = {
        "test_pass_rate": (lambda v: (v < 0) | (v > 1), "0–1"),
        "build_success": (lambda v: (v != 0) & (v != 1) & ~np.isnan(v), "0 or 1"),
        "verified_by_ci": (lambda v: (v != 0) & (v != 1) & ~np.isnan(v), "0 or 1"),
        "rework_count": (lambda v: v < 0, "≥ 0"),
        "pr_review_cycles": (lambda v: v < 0, "≥ 0"),
        "duration_vs_estimate": (lambda v: v <= 0, "> 0"),
    }
    for name, (bad, allowed) in checks.items():
        wrong = column[name][bad(column[name]) | np.isinf(column[name])]
        if wrong.size:
            raise ValueError(f"{name} = {wrong[0]:g} is out of range: allowed is {allowed}")
