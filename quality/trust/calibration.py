"""What would a person have said of this run? Predicted from the cheap tiers, never by a fit that saw the answer."""

import numpy as np

from quality.trust.runs import HIGHEST, LOWEST, Flags, Floats, Runs

CENTRE = 5.0
"""Scores are fitted around the middle of the scale: better conditioned, and the same line."""
SPARE_ROWS = 2
"""A line is fitted where there are this many more reviewed runs than coefficients, else one with fewer of them."""
LEVERAGE_LIMIT = 1 - 1e-9
"""A row that decides its own fit alone has no prediction without it."""
PATTERNS = (("verifier", "auto"), ("verifier",), ("auto",), ())
"""What may be present, richest first; the last is the mean of all human scores."""


def predict_human(runs: Runs) -> Floats:
    """The human score expected from (verifier, auto), n values 0–10: a straight line pooled over all models.

    A run is predicted by the line of the tiers it has, fitted on the reviewed runs that have those tiers. A reviewed
    run's own score is taken out of its fit first (cross-fitting with one run a fold, exact by the hat matrix: the
    residual without row i is eᵢ / (1 − hᵢ), Cook and Weisberg 1982, 2.2.1). NaN everywhere where nobody has rated.

    >>> runs = Runs.of([0] * 5, verifier=[2, 4, 6, 8, 9], human=[1, 2, 3, 4, None])
    >>> predict_human(runs).round(6).tolist()
    [1.0, 2.0, 3.0, 4.0, 4.5]
    """
    predicted = np.full(runs.model.size, np.nan)
    if not runs.reviewed_rows.size:
        return predicted
    present = {name: ~np.isnan(getattr(runs, name)) for name in ("verifier", "auto")}
    for pattern in PATTERNS:
        rows = np.logical_and.reduce([present[name] if name in pattern else ~present[name] for name in present])
        if rows.any():
            _fill(predicted, runs, rows, pattern, present)
    return np.clip(predicted, LOWEST, HIGHEST, out=predicted)


def _fill(predicted: Floats, runs: Runs, rows: Flags, pattern: tuple[str, ...], present: dict[str, Flags]) -> None:
    """Write the predictions of the rows that have exactly these tiers."""
    reviewed = runs.reviewed_rows
    used = pattern
    while used:
        trained = reviewed[np.logical_and.reduce([present[name][reviewed] for name in used])]
        if trained.size >= len(used) + 1 + SPARE_ROWS:
            break
        used = used[:-1]
    else:
        trained = reviewed
    design, truth = _design(runs, trained, used), runs.human[trained]
    inverse = np.linalg.pinv(design.T @ design, hermitian=True)
    line = inverse @ (design.T @ truth)
    predicted[rows] = line[0] + sum(slope * (getattr(runs, name)[rows] - CENTRE) for slope, name in zip(line[1:], used))
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    left_out = truth - (truth - design @ line) / (1 - np.minimum(leverage, LEVERAGE_LIMIT))
    left_out = np.where(leverage < LEVERAGE_LIMIT, left_out, truth.mean() if truth.size > 1 else CENTRE)
    here = rows[trained]
    predicted[trained[here]] = left_out[here]


def _design(runs: Runs, rows: np.ndarray, names: tuple[str, ...]) -> Floats:
    """A column of ones and the scores, around the centre."""
    return np.column_stack([np.ones(rows.size), *(getattr(runs, name)[rows] - CENTRE for name in names)])
