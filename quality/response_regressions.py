"""Is a response worse than those of its model before it, and how much? (MODEL.md, Responses, Regression)."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quality.composite import ROUNDING
from quality.response_settings import RegressionSettings

SEVERITIES = ("minor", "moderate", "severe")
"""Mildest first. The index in this tuple is the code in `severity_codes`; −1 = none."""


def regression_deltas(
    scores: ArrayLike, settings: RegressionSettings | None = None, *, groups: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Score − mean of the scores before it, n points; NaN where there are too few before it or the score is missing.

    Args:
        scores: n composites in the order of time, NaN = missing; those are passed over.
        groups: n names or codes; each group is compared within itself (a model's responses).

    >>> regression_deltas([80, 80, 80, 80, 80, 60, 80]).tolist()[4:]
    [nan, -20.0, 3.3333333333333286]
    """
    settings = settings or RegressionSettings()
    return _by_group(scores, groups, lambda known: known - _means_before(known, settings.window, settings.minimum))


def rolling_means(
    scores: ArrayLike, settings: RegressionSettings | None = None, *, groups: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Mean of each score and those before it, at most `window` together; NaN where the score is missing.

    >>> rolling_means([80, 60, 70]).tolist()
    [80.0, 70.0, 70.0]
    """
    settings = settings or RegressionSettings()
    return _by_group(scores, groups, lambda known: _means(known, settings.window))


def severity_codes(deltas: ArrayLike, settings: RegressionSettings | None = None) -> NDArray[np.int8]:
    """Index into `SEVERITIES` a delta, −1 = no regression: minor (−15, −5], moderate [−30, −15], severe < −30.

    >>> severity_codes([-4.99, -5, -15, -30, -30.01, float("nan")]).tolist()
    [-1, 0, 1, 1, 2, -1]
    """
    settings = settings or RegressionSettings()
    delta = np.asarray(deltas, dtype=np.float64)
    # A boundary is meant as written, not as a binary sum happens to fall beside it.
    bands = (
        delta <= settings.minor + ROUNDING,
        delta <= settings.moderate + ROUNDING,
        delta < settings.severe - ROUNDING,
    )
    return np.sum(bands, axis=0).astype(np.int8) - np.int8(1)


def regression_severity(delta: float | None, settings: RegressionSettings | None = None) -> str | None:
    """The severity of one delta, `None` = no regression, or nothing to compare with.

    >>> regression_severity(-15), regression_severity(12)
    ('moderate', None)
    """
    code = int(severity_codes([np.nan if delta is None else delta], settings)[0])
    return None if code < 0 else SEVERITIES[code]


def is_alert(severity: str | None, settings: RegressionSettings | None = None) -> bool:
    """Whether a severity is at the alert level or above it.

    >>> is_alert("minor"), is_alert("moderate"), is_alert(None)
    (False, True, False)
    """
    settings = settings or RegressionSettings()
    return severity is not None and SEVERITIES.index(severity) >= SEVERITIES.index(settings.alert_level)


def _means(known: NDArray[np.float64], window: int) -> NDArray[np.float64]:
    """Mean of the `window` values that end at each place, of fewer at the beginning."""
    total = np.zeros(len(known))
    for back in range(min(window, len(known))):
        total[back:] += known[: len(known) - back]
    return total / np.minimum(np.arange(1, len(known) + 1), window)


def _means_before(known: NDArray[np.float64], window: int, minimum: int) -> NDArray[np.float64]:
    before = np.full(len(known), np.nan)
    before[1:] = _means(known[:-1], window)
    before[:minimum] = np.nan
    return before


def _by_group(scores: ArrayLike, groups: ArrayLike | None, of) -> NDArray[np.float64]:
    """A function of each group's known scores, put back in their places."""
    score = np.asarray(scores, dtype=np.float64)
    names = np.zeros(len(score)) if groups is None else np.asarray(groups)
    if names.shape != score.shape or score.ndim != 1:
        raise ValueError(f"scores have shape {score.shape}, groups {names.shape}: give n of each")
    result = np.full(len(score), np.nan)
    known = np.flatnonzero(~np.isnan(score))
    _, codes = np.unique(names[known], return_inverse=True)
    order = known[np.argsort(codes, kind="stable")]
    for places in np.split(order, np.cumsum(np.bincount(codes))[:-1]) if len(order) else ():
        result[places] = of(score[places])
    return result
