"""How far apart are two colours, to which eyes, and how well does one stand out from the other? Formulas with their source."""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Triple = tuple[float, float, float]

D65 = (0.95047, 1.0, 1.08883)
"""White of sRGB, CIE 1931 2° (IEC 61966-2-1)."""
TO_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
"""Linear sRGB → CIE XYZ (IEC 61966-2-1, D65)."""
EYES = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is left of a colour without one kind of cone, on linear sRGB: Machado, Oliveira and Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1.0."""


def linear(colour: str) -> Triple:
    """`#rrggbb` → linear sRGB, 0–1 each."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return red, green, blue


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2): black 0, white 1."""
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear(colour)))


def contrast(one: str, other: str) -> float:
    """Contrast ratio (WCAG 2.2): 1 = the same, 21 = black on white."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def seen(colour: str, eyes: str) -> Triple:
    """The colour as these eyes see it, in CIELAB (CIE 15:2004)."""
    rgb = _times(EYES[eyes], linear(colour))
    return lab(_times(TO_XYZ, tuple(min(max(c, 0.0), 1.0) for c in rgb)))


def lab(xyz: Triple) -> Triple:
    """CIE XYZ → L* 0–100, a*, b*."""
    fx, fy, fz = (_f(c / white) for c, white in zip(xyz, D65))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def ciede2000(one: Triple, other: Triple) -> float:
    """Difference of two CIELAB colours: 0 = the same, about 1 = just noticeable, 100 = black and white.

    Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula", Color Research and Application 30(1), 2005.
    """
    (l1, a1, b1), (l2, a2, b2) = one, other
    c7 = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    stretch = 1 + 0.5 * (1 - sqrt(c7 / (c7 + 25**7)))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = degrees(atan2(b1, a1)) % 360, degrees(atan2(b2, a2)) % 360
    grey = c1 * c2 == 0
    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if grey else (h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    weight = (
        1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6)) - 0.20 * cos(radians(4 * hue - 63))
    )  # fmt: skip
    d_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    d_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    d_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    rotation = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue - 275) / 25) ** 2))))
    return sqrt(d_light**2 + d_chroma**2 + d_hue**2 + rotation * d_chroma * d_hue)


def _f(t: float) -> float:
    return t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29


def _times(matrix: tuple[Triple, ...], vector: Triple) -> Triple:
    x, y, z = (sum(weight * c for weight, c in zip(row, vector)) for row in matrix)
    return x, y, z
