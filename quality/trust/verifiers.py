"""Can a verifier be trusted? Its differences to people: all in all, by builder family, by week, and against auto alone."""

from dataclasses import dataclass

import numpy as np

from quality.trust.agreement import LEAST_PAIRS, SEED, Agreement, agreement
from quality.trust.ppi import quantile, ratio
from quality.trust.runs import NOT_KNOWN, Codes, Floats, Runs

MOST_POINTS = 2000
"""Points of a scatter or Bland–Altman chart; of more pairs, these are drawn by lot."""
LEAST_IN_CELL = 5
"""Pairs below which a part (a family, a week) has n alone."""
USUAL = 0.9
"""The share of errors that "usually within" speaks of."""


@dataclass(frozen=True)
class Cells:
    """g parts of the pairs. All but `n` are NaN under `LEAST_IN_CELL` pairs."""

    code: Codes
    """What the part is: a family, a week."""
    n: Codes
    bias: Floats
    """Mean of rated − human, points."""
    low: Floats
    high: Floats
    """95 % of the bias, Student's t."""
    mae: Floats


@dataclass(frozen=True)
class AgainstAuto:
    """On the runs that have all three scores: who is nearer to people, verifier or auto?"""

    n: int
    verifier_mae: float | None = None
    auto_mae: float | None = None
    gain: float | None = None
    """Auto's MAE − the verifier's, points: > 0 = the verifier is worth asking."""
    gain_low: float | None = None
    gain_high: float | None = None
    """95 %, paired."""
    reason: str | None = None


@dataclass(frozen=True)
class TrustCard:
    """One verifier model."""

    verifier: int
    n_verified: int
    """Runs it has verified, reviewed or not."""
    overall: Agreement
    by_family: Cells
    by_week: Cells
    against_auto: AgainstAuto


@dataclass(frozen=True)
class SelfPreference:
    """f builder families × f verifier families; NaN where there are too few pairs."""

    n: Codes
    bias: Floats
    """Mean of verifier − human, points."""
    low: Floats
    high: Floats
    preference: Floats
    """f, of each verifier family: its bias on its own family − on the others, points; > 0 = it favours its own."""
    preference_low: Floats
    preference_high: Floats
    """95 %, Welch's t."""


@dataclass(frozen=True)
class LowConfidence:
    """What "low confidence" costs: auto against people."""

    overall: Agreement
    usually_within: float | None
    """Points: nine in ten errors are no larger. `None` with too few pairs."""
    only_auto: bool
    """Measured on runs without a verifier, as those with low confidence are; else on all reviewed runs with auto."""


def trust_cards(runs: Runs) -> list[TrustCard]:
    """A card for each verifier model that verified anything, by code."""
    verified = (runs.verifier_model != NOT_KNOWN) & ~np.isnan(runs.verifier)
    n_verified = np.bincount(runs.verifier_model[verified])
    rows = runs.reviewed_rows
    rows = rows[verified[rows]]
    rows = rows[np.argsort(runs.verifier_model[rows], kind="stable")]
    ends = np.searchsorted(runs.verifier_model[rows], np.arange(n_verified.size + 1))
    return [
        _card(runs, int(code), int(n_verified[code]), rows[ends[code] : ends[code + 1]])
        for code in np.flatnonzero(n_verified)
    ]


def _card(runs: Runs, code: int, n_verified: int, rows: Codes) -> TrustCard:
    rated, human = runs.verifier[rows], runs.human[rows]
    return TrustCard(
        verifier=code,
        n_verified=n_verified,
        overall=agreement(rated, human),
        by_family=cells(runs.builder_family[rows], rated - human),
        by_week=cells(runs.week[rows], rated - human),
        against_auto=against_auto(rated, runs.auto[rows], human),
    )


def cells(code: Codes, difference: Floats) -> Cells:
    """The differences of m pairs by code; pairs of an unknown code are in none.

    >>> found = cells(np.array([0] * 5 + [2]), np.array([1, 2, 1, 2, 1.5, 9]))
    >>> found.n.tolist(), found.bias.tolist()
    ([5, 1], [1.5, nan])
    """
    known = code != NOT_KNOWN
    codes, place = np.unique(code[known], return_inverse=True)
    n, bias, half, mae = _spread(place, codes.size, difference[known])
    return Cells(codes, n, bias, bias - half, bias + half, mae)


def _spread(place: Codes, size: int, difference: Floats) -> tuple[Codes, Floats, Floats, Floats]:
    """n, mean, half of its interval and mean absolute value, by place; NaN under `LEAST_IN_CELL`."""
    n = np.bincount(place, minlength=size)
    enough = np.where(n >= LEAST_IN_CELL, n, 0)
    bias = ratio(np.bincount(place, difference, size), enough)
    squares = np.bincount(place, (difference - bias[place]) ** 2, size)
    error = np.sqrt(ratio(squares, (enough - 1) * enough))
    half = quantile(np.maximum(n - 1, 1)) * error
    return n, bias, half, ratio(np.bincount(place, np.abs(difference), size), enough)


def against_auto(rated: Floats, auto: Floats, human: Floats) -> AgainstAuto:
    """Paired on the runs where auto is known.

    >>> found = against_auto(np.arange(10.0), np.arange(10.0)[::-1], np.arange(10.0), )
    >>> found.verifier_mae, found.auto_mae, found.gain
    (0.0, 5.0, 5.0)
    """
    both = ~np.isnan(auto)
    n = int(both.sum())
    if n < LEAST_PAIRS:
        return AgainstAuto(
            n, reason=f"{n} of {LEAST_PAIRS} reviewed runs have both a verifier's and an automatic score"
        )
    ours, theirs = np.abs(rated[both] - human[both]), np.abs(auto[both] - human[both])
    gain = theirs - ours
    half = float(quantile(n - 1) * gain.std(ddof=1) / np.sqrt(n))
    mean = float(gain.mean())
    return AgainstAuto(n, float(ours.mean()), float(theirs.mean()), mean, mean - half, mean + half)


def self_preference(runs: Runs) -> SelfPreference:
    """verifier − human by builder family × verifier family, and whether a family is kinder to its own."""
    families = int(max(runs.builder_family.max(initial=0), runs.verifier_family.max(initial=0))) + 1
    rows = runs.reviewed_rows
    known = (runs.builder_family[rows] != NOT_KNOWN) & (runs.verifier_family[rows] != NOT_KNOWN)
    rows = rows[known & ~np.isnan(runs.verifier[rows])]
    builder, verifier = runs.builder_family[rows], runs.verifier_family[rows]
    difference = runs.verifier[rows] - runs.human[rows]
    n, bias, half, _ = _spread(builder * families + verifier, families**2, difference)
    shape = (families, families)
    # Each verifier family twice: on its own builders, and on all others.
    own_n, own_bias, own_half, _ = _spread(verifier * 2 + (builder != verifier), families * 2, difference)
    count, mean = own_n.reshape(-1, 2), own_bias.reshape(-1, 2)
    freedom = np.maximum(count - 1, 1)
    error = (own_half.reshape(-1, 2) / quantile(freedom)) ** 2
    degrees = ratio(error.sum(axis=1) ** 2, (error**2 / freedom).sum(axis=1))
    preference = mean[:, 0] - mean[:, 1]
    reach = quantile(np.maximum(np.nan_to_num(degrees, nan=1), 1)) * np.sqrt(error.sum(axis=1))
    return SelfPreference(
        n=n.reshape(shape),
        bias=bias.reshape(shape),
        low=(bias - half).reshape(shape),
        high=(bias + half).reshape(shape),
        preference=preference,
        preference_low=preference - reach,
        preference_high=preference + reach,
    )


def low_confidence(runs: Runs) -> LowConfidence:
    """Auto − human on reviewed runs that only auto speaks for, else on all reviewed runs with an automatic score."""
    rows = runs.reviewed_rows
    rows = rows[~np.isnan(runs.auto[rows])]
    alone = rows[np.isnan(runs.verifier[rows])]
    only_auto = alone.size >= LEAST_PAIRS
    rows = alone if only_auto else rows
    found = agreement(runs.auto[rows], runs.human[rows])
    if found.bias is None:
        return LowConfidence(found, None, only_auto)
    within = float(np.quantile(np.abs(runs.auto[rows] - runs.human[rows]), USUAL, method="inverted_cdf"))
    return LowConfidence(found, within, only_auto)


def chart_points(rated: Floats, human: Floats, most: int = MOST_POINTS, seed: int = SEED) -> tuple[Floats, Floats]:
    """Pairs (rated, human) for a scatter; for Bland–Altman take their means and differences. At most `most`, by lot."""
    if rated.size <= most:
        return rated, human
    rows = np.sort(np.random.default_rng(seed).choice(rated.size, most, replace=False))
    return rated[rows], human[rows]
