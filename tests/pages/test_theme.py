"""Can everybody read the dashboard, and does it listen to this machine only?"""

import tomllib
from itertools import combinations

import pytest

from tests.pages.conftest import PAGES

CONFIG = tomllib.loads((PAGES.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
TEXT, SHAPE = 4.5, 3.0
"""WCAG 2.2 AA: contrast of text (1.4.3), and of graphical objects (1.4.11)."""


def luminance(colour):
    """WCAG's relative luminance: black 0, white 1."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    """1 = the same, 21 = black on white."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    "name",
    ["textColor", "linkColor", "primaryColor", "grayColor", "orangeColor", "yellowColor", "redColor", "greenColor"],
)
def test_text_can_be_read_in_both_themes(mode, name):
    theme = CONFIG["theme"][mode]
    assert contrast(theme[name], theme["backgroundColor"]) >= TEXT


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_tier_colours_stand_out(mode):
    """Each against the page; black on white is the yardstick that the formula is right."""
    theme = CONFIG["theme"][mode]
    tiers = theme["chartCategoricalColors"][:3]
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert all(contrast(colour, theme["backgroundColor"]) >= SHAPE for colour in tiers)
    assert len(set(tiers)) == 3


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_tier_colours_differ_without_red_and_green(mode):
    """To a reader without the red–green axis what is left is blue against yellow, and lightness: one of both differs."""
    for one, other in combinations(CONFIG["theme"][mode]["chartCategoricalColors"][:3], 2):
        yellow_blue = [int(c[5:7], 16) - (int(c[1:3], 16) + int(c[3:5], 16)) / 2 for c in (one, other)]
        assert abs(yellow_blue[0] - yellow_blue[1]) > 80 or contrast(one, other) >= 2


def test_fonts_come_with_the_repository():
    """No font is fetched from elsewhere, and the licence lies beside the files."""
    static = PAGES / "static"
    for face in CONFIG["theme"]["fontFaces"]:
        assert (static / face["url"].removeprefix("app/static/")).is_file()
    assert "SIL Open Font License" in (static / "Inter-LICENSE.txt").read_text(encoding="utf-8")
    assert "://" not in CONFIG["theme"]["font"]


def test_the_server_listens_to_this_machine_and_tells_nobody():
    assert CONFIG["server"]["address"] == "127.0.0.1"
    assert CONFIG["browser"]["gatherUsageStats"] is False
