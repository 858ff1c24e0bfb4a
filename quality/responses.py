"""How good is an AI response, 0–100? Correctness, user feedback and static analysis → one composite.

MODEL.md, "Responses (0–100)". One response and a million take the same path: `score_responses` works on columns, and
`score_response` asks it for one row.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quality.composite import Composite, weighted_composite
from quality.response_models import SIGNALS, Diagnostics, FeedbackEvent, MessageMetadata, ResponseRecord, ResponseScore
from quality.response_models import signal_counts as signal_counts
from quality.response_settings import ResponseSettings, ResponseWeights

PARTS = ("correctness", "user_feedback", "static_analysis")
"""The sub-scores, in the order of their columns."""
CHANGES = ("new_errors", "new_warnings", "resolved_errors", "resolved_warnings")
"""How the diagnostics changed; all four known, or none."""
COLUMNS = ("tools_ok", "tools_failed", "tools_unknown", "response_error", *CHANGES, *SIGNALS)
"""What `score_responses` reads."""
LOWEST, HIGHEST = 0.0, 100.0
DECIMALS = 12
"""A score worth exactly 70 is stored as 70, not as the 69.99999999999999 of a binary sum."""


@dataclass(frozen=True)
class ResponseScores:
    """n responses with their scores. Shapes: n rows, 3 parts in the order of `PARTS`; NaN = missing."""

    composite: Composite
    """n × 3 sub-scores with weights, contributions and coverage."""
    value: NDArray[np.float64]
    """n, 0–100; NaN where no part that has weight is known."""

    @property
    def sub_scores(self) -> NDArray[np.float64]:
        """n × 3, 0–100."""
        return self.composite.scores

    def row(self, place: int = 0) -> ResponseScore:
        """One response's score with its explanation."""
        one, known = self.composite, ~self.composite.missing[place]

        def present(values: NDArray[np.float64]) -> dict[str, float]:
            return {name: float(v) for name, v, here in zip(PARTS, values[place], known) if here}

        return ResponseScore(
            composite=None if np.isnan(self.value[place]) else float(self.value[place]),
            sub_scores={name: present(one.scores).get(name) for name in PARTS},
            effective_weights=present(one.used_weights),
            missing=[name for name, here in zip(PARTS, known) if not here],
            coverage=float(one.coverage[place]),
            contributions=present(one.contributions),
        )


def score_response(
    metadata: MessageMetadata | Mapping[str, Any],
    lsp_before: Diagnostics | Mapping[str, Any] | None = None,
    lsp_after: Diagnostics | Mapping[str, Any] | None = None,
    *,
    feedback: Iterable[FeedbackEvent | str] = (),
    settings: ResponseSettings | None = None,
) -> ResponseScore:
    """The composite 0–100 of one response with its parts (MODEL.md, Responses).

    Args:
        metadata: the message metadata, as a model or as a mapping of its fields.
        lsp_before: all diagnostics before the response was applied; without it or `lsp_after` static analysis is
            missing, its weight is shared out, and correctness counts no new errors.
        lsp_after: all diagnostics after it.
        feedback: signals so far, in any order; none is the neutral start.
        settings: weights and points; the defaults of MODEL.md unless given.

    Raises:
        pydantic.ValidationError: a field is unknown, missing or out of range; it names field, value and what is allowed.
        ValueError: one event id stands for two different signals.

    >>> score_response({"tools_ok": 3, "tools_failed": 1}).answer()["composite"]
    72.67
    """
    record = ResponseRecord.model_validate(
        {"metadata": metadata, "lsp_before": lsp_before, "lsp_after": lsp_after, "feedback": list(feedback)}
    )
    return score_record(record, settings)


def score_record(record: ResponseRecord, settings: ResponseSettings | None = None) -> ResponseScore:
    """The score of one record; weights that it states itself take the place of the settings'."""
    columns = {name: [value] for name, value in record_columns(record).items()}
    return score_responses(columns, settings, weights=record.weights).row()


def record_columns(record: ResponseRecord) -> dict[str, float]:
    """One record as a row of `COLUMNS`; NaN = not known."""
    meta = record.metadata
    changes = diagnostic_changes(record.lsp_before, record.lsp_after)
    return {
        "tools_ok": meta.tools_ok,
        "tools_failed": meta.tools_failed,
        "tools_unknown": meta.tools_unknown,
        "response_error": float(meta.response_error),
        **(changes or dict.fromkeys(CHANGES, float("nan"))),
        **signal_counts(record.feedback),
    }


def score_responses(
    columns: Mapping[str, ArrayLike],
    settings: ResponseSettings | None = None,
    *,
    weights: ResponseWeights | None = None,
) -> ResponseScores:
    """Composites of n responses (MODEL.md, Responses).

    Args:
        columns: each name of `COLUMNS` → n numbers (numpy, Arrow or a list), NaN or null = not known. The four of
            `CHANGES` are known together or not at all. A column left out is 0, or not known if it is one of `CHANGES`.
        settings: weights and points; the defaults of MODEL.md unless given.
        weights: in place of those of the settings.

    Raises:
        ValueError: a name that is no column, columns of different lengths, a count that is negative or infinite, or an
            unknown count where only a number can stand.

    >>> score_responses({"tools_ok": [4, 2], "tools_failed": [0, 2], "redo": [0, 1]}).value.round(2).tolist()
    [86.0, 52.33]
    """
    settings = settings or ResponseSettings()
    column = _columns(columns)
    parts = np.column_stack(
        [_correctness(column, settings), _user_feedback(column, settings), _static_analysis(column, settings)]
    )
    used = weights or settings.weights
    composite = weighted_composite(np.round(parts, DECIMALS), [getattr(used, name) for name in PARTS])
    return ResponseScores(composite, np.round(composite.value, DECIMALS))


def diagnostic_changes(before: Diagnostics | None, after: Diagnostics | None) -> dict[str, int] | None:
    """New and resolved errors and warnings between two snapshots; `None` if one of them is missing.

    By the findings' identity where both snapshots list them, so that one error mended and another made are two changes;
    else by the difference of the counts, which can only see what is left of both.

    >>> diagnostic_changes(Diagnostics(errors=2, warnings=0), Diagnostics(errors=0, warnings=1))
    {'new_errors': 0, 'new_warnings': 1, 'resolved_errors': 2, 'resolved_warnings': 0}
    """
    if before is None or after is None:
        return None
    changes = {}
    for level, name in (("error", "errors"), ("warning", "warnings")):
        if before.findings is not None and after.findings is not None:
            old = Counter(f.identity for f in before.findings if f.severity == level)
            now = Counter(f.identity for f in after.findings if f.severity == level)
            new, resolved = (now - old).total(), (old - now).total()
        else:
            change = getattr(after, name) - getattr(before, name)
            new, resolved = max(change, 0), max(-change, 0)
        changes |= {f"new_{name}": new, f"resolved_{name}": resolved}
    return {name: changes[name] for name in CHANGES}


def _clamp(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.clip(points, LOWEST, HIGHEST)


def _correctness(column: dict[str, NDArray[np.float64]], settings: ResponseSettings) -> NDArray[np.float64]:
    """100 · ok / (ok + failed), 100 without tools; unknown where tools ran and no call's end is recorded."""
    points, ok = settings.correctness, column["tools_ok"]
    ended = ok + column["tools_failed"]
    share = np.divide(HIGHEST * ok, ended, out=np.full(len(ok), HIGHEST), where=ended > 0)
    share = np.where((ended == 0) & (column["tools_unknown"] > 0), np.nan, share)
    new_errors = np.nan_to_num(column["new_errors"], nan=0.0)
    return _clamp(share + points.response_error * column["response_error"] + points.new_error * new_errors)


def _user_feedback(column: dict[str, NDArray[np.float64]], settings: ResponseSettings) -> NDArray[np.float64]:
    """Clamped once, after the sum: so the order of the signals does not matter."""
    points = settings.feedback
    return _clamp(points.start + sum(getattr(points, signal) * column[signal] for signal in SIGNALS))


def _static_analysis(column: dict[str, NDArray[np.float64]], settings: ResponseSettings) -> NDArray[np.float64]:
    points = settings.static_analysis
    # One change is one of the points named after it: new_errors → new_error.
    return _clamp(points.start + sum(getattr(points, name.removesuffix("s")) * column[name] for name in CHANGES))


def _columns(given: Mapping[str, ArrayLike]) -> dict[str, NDArray[np.float64]]:
    if unknown := sorted(set(given) - set(COLUMNS)):
        raise ValueError(f"no such column: {', '.join(unknown)}; allowed are {', '.join(COLUMNS)}")
    column = {name: np.asarray(values, dtype=np.float64) for name, values in given.items()}
    if len({values.shape for values in column.values()}) != 1 or next(iter(column.values())).ndim != 1:
        shapes = ", ".join(f"{name} {values.shape}" for name, values in column.items())
        raise ValueError(f"give columns of one length, at least one; these are: {shapes or 'none'}")
    rows = len(next(iter(column.values())))
    for name in COLUMNS:
        column.setdefault(name, np.full(rows, np.nan if name in CHANGES else 0.0))
    for name, values in column.items():
        wrong = values[(values < 0) | np.isinf(values) | (np.isnan(values) & (name not in CHANGES))]
        if wrong.size:
            raise ValueError(f"{name} = {wrong[0]:g} is out of range: give a finite number ≥ 0")
    unknown = np.isnan(np.column_stack([column[name] for name in CHANGES]))
    if (unknown.any(axis=1) != unknown.all(axis=1)).any():
        raise ValueError(f"{', '.join(CHANGES)} are known together or not at all: a row has only some of them")
    return column
