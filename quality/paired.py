"""How sure is a mean of paired differences? Student's interval, which knows how few pairs there are."""

from math import cos, pi, sin, sqrt
from statistics import NormalDist

LEVEL = 0.95
"""Share of such intervals that hold the mean, over many samples."""
EXACT_DEGREES = 60
"""Degrees of freedom from which the series for the quantile is right to 7 digits."""
HALVINGS = 200


def interval(mean: float, spread: float | None, n: int) -> tuple[float, float] | None:
    """The interval of a mean: mean ± t·spread/√n, in the units of `mean`.

    `spread` is the sample's standard deviation. `None` where it cannot be told: fewer than two pairs, or all the same.

    >>> [round(bound, 3) for bound in interval(1.0, 2.0, 4)]
    [-2.182, 4.182]
    """
    if n < 2 or not spread:
        return None
    half = t_quantile(n - 1) * spread / sqrt(n)
    return mean - half, mean + half


def t_quantile(degrees: int, level: float = LEVEL) -> float:
    """The value that Student's t stays within, both ways, with probability `level`.

    Up to `EXACT_DEGREES` the distribution (Abramowitz and Stegun 26.7.3–4) is bisected, beyond it is expanded around the
    normal quantile (26.7.5).

    >>> round(t_quantile(1), 3), round(t_quantile(10), 3), round(t_quantile(1000), 3)
    (12.706, 2.228, 1.962)
    """
    if degrees > EXACT_DEGREES:
        x = NormalDist().inv_cdf((1 + level) / 2)
        terms = (
            (x**3 + x) / 4,
            (5 * x**5 + 16 * x**3 + 3 * x) / 96,
            (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        )
        return x + sum(term / degrees**power for power, term in enumerate(terms, start=1))
    low, high = 0.0, pi / 2
    for _ in range(HALVINGS):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, degrees) < level else (low, angle)
    return sqrt(degrees) * sin(low) / cos(low)


def _within(angle: float, degrees: int) -> float:
    """P(|t| ≤ √degrees · tan angle)."""
    sine, cosine = sin(angle), cos(angle)
    if degrees == 1:
        return 2 * angle / pi
    term = total = cosine if degrees % 2 else 1.0
    for k in range(3 if degrees % 2 else 2, degrees - 1, 2):
        term *= (k - 1) / k * cosine**2
        total += term
    return 2 / pi * (angle + sine * total) if degrees % 2 else sine * total
