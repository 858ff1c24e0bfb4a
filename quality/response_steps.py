"""How does each sub-score of a response come about, step by step? (MODEL.md, Responses)"""

from collections.abc import Iterator, Mapping
from typing import Any

from quality.response_models import SIGNALS
from quality.response_settings import ResponseSettings
from quality.responses import CHANGES, COLUMNS, HIGHEST, LOWEST, PARTS, score_responses

WORDS = {
    "accept": "accepted", "revert": "reverted", "redo": "asked to redo", "edit_after_apply": "edited after it was applied",
    "new_errors": "new errors", "new_warnings": "new warnings", "resolved_errors": "resolved errors",
    "resolved_warnings": "resolved warnings",
}  # fmt: skip
"""A signal or change → how it is called."""


def score_steps(row: Mapping[str, Any], settings: ResponseSettings) -> list[dict[str, Any]]:
    """`part`, `step`, `number`, `points` (each) and `adds`, in order; the steps of a part add up to its sub-score.

    A part whose sum leaves 0–100 has a last step that brings it back. A part that is missing has no steps.

    Args:
        row: each name of `COLUMNS` → a number, `None` = not known.

    >>> row = {"tools_ok": 1, "tools_failed": 1, "tools_unknown": 0, "response_error": True}
    >>> [(s["step"], s["adds"]) for s in score_steps(row, ResponseSettings()) if s["part"] == "correctness"]
    [('tool calls that succeeded, of those that ended', 50.0), ('error of the response', -40.0)]
    """
    columns = {name: [float("nan") if row.get(name) is None else float(row[name])] for name in COLUMNS if name in row}
    scores = score_responses(columns, settings).row().sub_scores
    rows = []
    for part, steps in zip(PARTS, (_correctness(row, settings), _feedback(row, settings), _static(row, settings))):
        score = scores[part]
        if score is None:
            continue
        found = [
            {"part": part, "step": name, "number": n, "points": points, "adds": adds} for name, n, points, adds in steps
        ]
        rest = score - sum(step["adds"] for step in found)
        if abs(rest) > 1e-9:
            name = f"not below {LOWEST:g}" if rest > 0 else f"not above {HIGHEST:g}"
            found.append({"part": part, "step": name, "number": None, "points": None, "adds": rest})
        rows += found
    return rows


Step = tuple[str, int | None, float | None, float]


def _correctness(row: Mapping[str, Any], settings: ResponseSettings) -> Iterator[Step]:
    ok, failed = row.get("tools_ok") or 0, row.get("tools_failed") or 0
    if ok + failed:
        yield "tool calls that succeeded, of those that ended", ok, None, HIGHEST * ok / (ok + failed)
    else:
        yield "no tool was called", None, None, HIGHEST
    if row.get("response_error"):
        yield "error of the response", 1, settings.correctness.response_error, settings.correctness.response_error
    if new := row.get("new_errors"):
        yield WORDS["new_errors"], int(new), settings.correctness.new_error, new * settings.correctness.new_error


def _feedback(row: Mapping[str, Any], settings: ResponseSettings) -> Iterator[Step]:
    yield "neutral start", None, None, settings.feedback.start
    yield from _counted(row, SIGNALS, lambda name: getattr(settings.feedback, name))


def _static(row: Mapping[str, Any], settings: ResponseSettings) -> Iterator[Step]:
    yield "start", None, None, settings.static_analysis.start
    yield from _counted(row, CHANGES, lambda name: getattr(settings.static_analysis, name.removesuffix("s")))


def _counted(row: Mapping[str, Any], names: tuple[str, ...], points_of: Any) -> Iterator[Step]:
    for name in names:
        if number := row.get(name):
            yield WORDS[name], int(number), points_of(name), number * points_of(name)
