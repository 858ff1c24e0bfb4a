"""Has a model become worse? Its weeks, with gaps as gaps, and drops called by a rule that may be looked at every day."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from quality.trust.ppi import quantile, ratio
from quality.trust.runs import NOT_KNOWN, Codes, Floats

FALSE_ALARMS = 0.05
"""The chance that a series that never changes is ever called a drop, however often it is looked at."""
LOOKS_A_WEEK = 7
"""The rule is true for one who looks every day at the week as far as it has come."""
LEAST_REFERENCE = 30
"""Runs before a week below which no drop from them is called."""
LEAST_AFTER = 5
"""Runs since then below which no drop is called."""
SMALLEST_DROP = 0.3
"""Points: a smaller drop is not worth a call, however sure it is."""


@dataclass(frozen=True)
class Week:
    """One week of a model. A week without runs has n = 0 and no mean: a gap, neither 0 nor the week before."""

    week: int
    n: int
    mean: float | None
    low: float | None
    high: float | None
    """95 % of the mean, Student's t; `None` under two runs or without spread."""


@dataclass(frozen=True)
class Drop:
    """The clearest change for the worse that stands at the end of the series."""

    week: int
    """The first week of the lower level."""
    before: float
    after: float
    """Means of the runs before that week and from it on, points."""
    n_before: int
    n_after: int
    surest: float
    """Points: at least so large with 95 %, all looks together."""


@dataclass(frozen=True)
class Trend:
    """One model's."""

    weeks: tuple[Week, ...]
    drop: Drop | None
    reason: str | None = None
    """Why nothing can be said of a drop; `None` where the rule was applied."""


def trends(model: Codes, week: Codes, score: Floats, size: int) -> list[Trend]:
    """Of `size` models, from the runs' scores by week; a run without week or score is left out.

    Feed it one instrument: the effective score changes when reviewers come in, though nothing became worse. The
    calibrated prediction (`Evidence.prediction`) is on one scale for all runs.
    """
    known = (week != NOT_KNOWN) & ~np.isnan(score)
    if not known.any():
        return [Trend((), None, "no runs with a score and a time")] * size
    model, week, score = model[known], week[known], score[known]
    first, width = int(week.min()), int(week.max() - week.min()) + 1
    cell = model * width + (week - first)
    # Around the mean, so that squares of nearly equal scores keep their digits.
    centre = float(score.mean())
    shifted = score - centre
    tables = [np.bincount(cell, values, size * width).reshape(size, width) for values in (None, shifted, shifted**2)]
    return [_trend(first, centre, *(table[row] for table in tables)) for row in range(size)]


def _trend(first: int, centre: float, n: Codes, total: Floats, squares: Floats) -> Trend:
    """Of one model, from n, Σ and Σ² of each week; weeks before its first and after its last run are no gaps."""
    seen = np.flatnonzero(n)
    if not seen.size:
        return Trend((), None, "no runs with a score and a time")
    span = slice(int(seen[0]), int(seen[-1]) + 1)
    n, total, squares = n[span].astype(int), total[span], squares[span]
    mean = ratio(total, n)
    spread = np.maximum(ratio(squares - total * np.nan_to_num(mean), n - 1), 0)
    half = quantile(np.maximum(n - 1, 1)) * np.sqrt(ratio(spread, n))
    half[~(half > 0)] = np.nan
    weeks = tuple(
        Week(
            week=first + span.start + place,
            n=int(n[place]),
            mean=_known(mean[place] + centre),
            low=_known(mean[place] + centre - half[place]),
            high=_known(mean[place] + centre + half[place]),
        )
        for place in range(n.size)
    )
    if n.sum() < LEAST_REFERENCE + LEAST_AFTER:
        return Trend(weeks, None, f"{n.sum()} of {LEAST_REFERENCE + LEAST_AFTER} runs that a drop is told from")
    place = find_drop(n, total, squares)
    return Trend(weeks, None if place is None else _drop(weeks, centre, n, total, squares, place))


def find_drop(n: Codes, total: Floats, squares: Floats) -> int | None:
    """The first week of a drop that stands today, or `None`: place in w weeks given as n, Σ and Σ².

    Today's look is one of many: in week t (of weeks with runs so far) every change point leaves a mean before it and one
    from it on. A drop is called where the difference exceeds `reach`, whose chance of error is shared out over all looks
    and change points: 6/π² · 0.05 / t² for week t, in equal parts for its 7 days and t − 1 change points. The shares sum
    to 0.05 over any number of weeks (a union bound; Darling and Robbins 1967 share out in the same way), so a stable
    series is ever called with 5 % at most, for scores near enough to normal for t. Few runs make a wide reach.
    """
    reached = np.flatnonzero(n)
    looks = reached.size
    if looks < 2:
        return None
    change = reached[1:]
    n_before, n_after = np.cumsum(n)[change - 1], n.sum() - np.cumsum(n)[change - 1]
    enough = (n_before >= LEAST_REFERENCE) & (n_after >= LEAST_AFTER)
    if not enough.any():
        return None
    drop = _means(total, n, change, n_before, n_after)
    sure = drop - reach(n, total, squares, change, n_before, n_after, looks)
    sure = np.where(enough & (drop >= SMALLEST_DROP), sure, -np.inf)
    best = int(np.argmax(sure))
    return int(change[best]) if sure[best] > 0 else None


def reach(
    n: Codes, total: Floats, squares: Floats, change: Codes, n_before: Codes, n_after: Codes, looks: int
) -> Floats:
    """Points that a difference must exceed to be a drop at this look, for each change point; by the spread within both."""
    share = 6 / np.pi**2 * FALSE_ALARMS / looks**2 / LOOKS_A_WEEK / max(looks - 1, 1)
    sum_before, squares_before = np.cumsum(total)[change - 1], np.cumsum(squares)[change - 1]
    sum_after, squares_after = total.sum() - sum_before, squares.sum() - squares_before
    within = squares_before - sum_before**2 / n_before + squares_after - sum_after**2 / n_after
    degrees = np.maximum(n_before + n_after - 2, 1)
    error = np.sqrt(np.maximum(within, 0) / degrees * (1 / n_before + 1 / n_after))
    return stdtrit(degrees.astype(float), 1 - share) * error


def _means(total: Floats, n: Codes, change: Codes, n_before: Codes, n_after: Codes) -> Floats:
    """Mean before − mean from the change on, points; > 0 = worse since."""
    before = np.cumsum(total)[change - 1]
    return before / n_before - (total.sum() - before) / n_after


def _drop(weeks: tuple[Week, ...], centre: float, n: Codes, total: Floats, squares: Floats, place: int) -> Drop:
    n_before = int(n[:place].sum())
    n_after = int(n[place:].sum())
    before, after = total[:place].sum() / n_before + centre, total[place:].sum() / n_after + centre
    change = np.array([place])
    sizes = np.array([n_before]), np.array([n_after])
    margin = reach(n, total, squares, change, *sizes, looks=int((n > 0).sum()))[0]
    return Drop(weeks[place].week, float(before), float(after), n_before, n_after, float(before - after - margin))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
