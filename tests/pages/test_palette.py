"""Can every reader tell the tiers apart and read what is written, in light and in dark?"""

import re
from itertools import combinations

import pytest

from pages.components.charts import SYMBOLS, THEME_COLOURS
from pages.components.charts_models import CELL_COLOURS
from pages.components.show import SHAPES
from quality.tiers import TIERS
from tests.pages.colour import EYES, ciede2000, contrast, seen
from tests.pages.conftest import PAGES
from tests.pages.test_theme import CONFIG

MODES = ("light", "dark")
TEXT, MARK = 4.5, 3.0
"""WCAG 2.2 AA: contrast of text (1.4.3), and of graphical objects (1.4.11)."""
APART = 20
"""CIEDE2000 between two tiers, to any eyes: twenty times what is just noticeable."""


def theme(mode):
    return CONFIG["theme"][mode]


def colour_of(name, mode):
    """The theme's colour that a chart's stand-in becomes: #000001 the first, #000002 the second, …"""
    return theme(mode)["chartCategoricalColors"][int(THEME_COLOURS[name][1:], 16) - 1]


def grounds(mode):
    """Everything that something is drawn on: the page, a box on it, and the sidebar."""
    return (
        theme(mode)["backgroundColor"],
        theme(mode)["secondaryBackgroundColor"],
        theme(mode)["sidebar"]["backgroundColor"],
    )


def over(tint, ground):
    """An rgba() on an opaque colour."""
    *channels, alpha = map(float, re.findall(r"[\d.]+", tint))
    below = (int(ground[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(top * alpha + under * (1 - alpha)):02x}" for top, under in zip(channels, below))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
        ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_yardstick_is_right(one, other, expected):
    """CIEDE2000 of pairs 1, 7, 9, 11, 17, 29 and 34 of Sharma, Wu and Dalal's test data, table 1."""
    assert ciede2000(one, other) == pytest.approx(expected, abs=5e-5)


def test_black_and_white_are_the_ends_of_both_yardsticks():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert ciede2000(seen("#000000", "all cones"), seen("#ffffff", "all cones")) == pytest.approx(100, abs=0.01)


def test_red_and_green_come_close_without_the_cones_that_part_them():
    """The simulation takes away what it should: pure red and green stay far apart to tritanopes only."""
    apart = {eyes: ciede2000(seen("#c04040", eyes), seen("#5a8a30", eyes)) for eyes in EYES}
    assert apart["deuteranopia"] < APART < apart["tritanopia"]
    assert apart["deuteranopia"] < apart["all cones"] / 2


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("eyes", EYES)
def test_tiers_differ_to_all_eyes(mode, eyes):
    """Any two of them, whichever cones are missing."""
    for one, other in combinations(TIERS, 2):
        apart = ciede2000(seen(colour_of(one, mode), eyes), seen(colour_of(other, mode), eyes))
        assert apart >= APART, (one, other)


@pytest.mark.parametrize("mode", MODES)
def test_what_is_taken_and_what_is_added_differ_to_all_eyes(mode):
    """The steps of a waterfall, which have their sign beside them too."""
    for eyes in EYES:
        assert ciede2000(seen(colour_of("less", mode), eyes), seen(colour_of("muted", mode), eyes)) >= APART / 2


def test_no_tier_depends_on_its_colour():
    """Each has a shape of its own, the same in text and in charts."""
    names = {"◆": "diamond", "■": "square", "●": "circle"}
    assert len(set(SHAPES.values())) == len(TIERS)
    assert {tier: names[shape] for tier, shape in SHAPES.items()} == SYMBOLS


@pytest.mark.parametrize("name", ["logo", "icon"])
def test_the_logo_is_the_three_tiers(name):
    """Each mark in its tier's own colour, on a light ground and on a dark one."""
    drawn = (PAGES / "static" / f"{name}.svg").read_text(encoding="utf-8")
    for mode, style in zip(MODES, drawn.split("@media(prefers-color-scheme:dark)")):
        assert dict(re.findall(r"\.(auto|verifier|human){fill:(#\w+)}", style)) == {
            tier: colour_of(tier, mode) for tier in TIERS
        }


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", THEME_COLOURS)
def test_a_mark_stands_out_from_whatever_it_lies_on(mode, name):
    assert min(contrast(colour_of(name, mode), ground) for ground in grounds(mode)) >= MARK


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "name",
    ["textColor", "linkColor", "primaryColor", "grayColor", "orangeColor", "yellowColor", "redColor", "greenColor",
     "blueColor", "violetColor", "codeTextColor"],
)  # fmt: skip
def test_text_can_be_read_on_whatever_it_lies_on(mode, name):
    assert min(contrast(theme(mode)[name], ground) for ground in grounds(mode)) >= TEXT


@pytest.mark.parametrize("mode", MODES)
def test_a_tables_head_can_be_read(mode):
    head = theme(mode)["dataframeHeaderTextColor"], theme(mode)["dataframeHeaderBackgroundColor"]
    assert contrast(*head) >= TEXT


@pytest.mark.parametrize("mode", MODES)
def test_a_cell_of_the_heat_map_can_be_read(mode):
    """The value is written in ink on the tint of its cell, from the palest to the deepest."""
    for _, tint in CELL_COLOURS:
        assert contrast(colour_of("human", mode), over(tint, theme(mode)["backgroundColor"])) >= TEXT
