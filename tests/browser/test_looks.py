"""Does every screen look right in light and dark, on a desk, a small laptop and a phone, and to who cannot see it?

Each is kept as a picture in artifacts/screens/, to be looked at; what a machine can judge is asserted.
"""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.axe import THEIRS, Fault, faults_on
from tests.browser.furnished import Furnished
from tests.browser.looks import LOOKS, Look
from tests.browser.screens import MODES, SCREENS, Screen, drawn, visit
from tests.serving import ROOT, WAIT_SECONDS, wait_until

pytestmark = pytest.mark.browser

PICTURES = ROOT / "artifacts" / "screens"
WIDTHS = (1440, 1024, 390)
SEEN = {"light": (1440, 390), "dark": (1024,)}
"""Mode → widths it is looked at in: a layout is the same in both."""
MODE_AT = {width: mode for mode, widths in SEEN.items() for width in widths}
HEIGHT, TALLEST = 900, 6_000
LEAST_TEXT = 10
"""Pixels of the smallest text in a chart."""
LEAST_CONTRAST = 4.5
"""WCAG 2.2 AA 1.4.3, of a chart's text on the page."""
OURS = "Quality Tiers"


class Looks:
    """(screen, mode, width) → what is seen of it, looked at when first asked for; its picture is kept."""

    def __init__(self, furnished: Furnished, chromium: Browser) -> None:
        self.furnished = furnished
        self.pages = {mode: chromium.new_page(color_scheme=mode) for mode in MODES}
        self.found: dict[tuple[str, str, int], Look] = {}
        self.faults: dict[tuple[str, str], list[Fault]] = {}
        for page in self.pages.values():
            page.set_default_timeout(WAIT_SECONDS * 1000)
        PICTURES.mkdir(parents=True, exist_ok=True)

    def of(self, screen: Screen, mode: str, width: int) -> Look:
        if (screen.name, mode, width) not in self.found:
            self._look_at(screen, mode)
        return self.found[screen.name, mode, width]

    def faults_of(self, screen: Screen, mode: str) -> list[Fault]:
        """What axe says of it in the mode's first width."""
        self.of(screen, mode, SEEN[mode][0])
        return self.faults[screen.name, mode]

    def _look_at(self, screen: Screen, mode: str) -> None:
        page = self.pages[mode]
        page.set_viewport_size({"width": SEEN[mode][0], "height": HEIGHT})
        visit(page, self.furnished.address, screen, self.furnished.ids)
        for width in SEEN[mode]:
            unroll(page, width)
            self.found[screen.name, mode, width] = Look(**page.evaluate(LOOKS))
            page.screenshot(path=PICTURES / f"{screen.name}-{width}-{mode}.png")
            if width == SEEN[mode][0]:
                self.faults[screen.name, mode] = faults_on(page, mode)


@pytest.fixture(scope="module")
def looks(furnished: Furnished, chromium: Browser) -> Looks:
    """One for all tests of this file."""
    return Looks(furnished, chromium)


def faint(look: Look) -> list[str]:
    """Texts of charts that do not stand out from the page."""
    return [text for text, ratio in look.chart_contrast if ratio < LEAST_CONTRAST]


def unroll(page: Page, width: int) -> None:
    """Make the window as wide as asked for, and as high as all there is to see."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    drawn(page)
    height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(height, HEIGHT), TALLEST)})
    drawn(page)


@pytest.fixture(params=WIDTHS)
def width(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=SCREENS, ids=lambda screen: screen.name)
def screen(request: pytest.FixtureRequest) -> Screen:
    return request.param


def test_nothing_is_wider_than_the_window(looks: Looks, screen: Screen, width: int):
    """Tables and code scroll in their own place; the page does not, and no text leaves it."""
    look = looks.of(screen, MODE_AT[width], width)
    assert (look.too_wide, look.outside) == ([], [])


def test_no_label_is_cut_short(looks: Looks, screen: Screen, width: int):
    """Buttons, headings, labels and figures are there to the last letter."""
    assert looks.of(screen, MODE_AT[width], width).cut == []


def test_a_chart_reads_without_hovering(looks: Looks, screen: Screen, width: int):
    """Its text is large enough, whole, and no two texts meet."""
    look = looks.of(screen, MODE_AT[width], width)
    small = [text for text, size in look.chart_texts if size < LEAST_TEXT]
    assert (small, look.chart_outside, look.chart_meeting) == ([], [], [])


def test_a_charts_text_stands_out_from_the_page(looks: Looks, screen: Screen, mode: str):
    assert faint(looks.of(screen, mode, SEEN[mode][0])) == []


def test_no_screen_looks_as_if_nobody_had_made_it(looks: Looks, screen: Screen, mode: str):
    """Its own type, title and icon; nothing failed."""
    look = looks.of(screen, mode, SEEN[mode][0])
    assert look.title.endswith(OURS)
    assert look.icon.startswith("data:image/svg+xml")
    assert look.fonts == ["Inter"]
    assert look.exceptions == 0


def test_no_screen_has_a_serious_fault(looks: Looks, screen: Screen, mode: str):
    """Nothing of ours that axe calls serious or critical."""
    ours = [str(fault) for fault in looks.faults_of(screen, mode) if fault.excused_by is None]
    assert not ours, "\n\n".join(ours)


def test_nothing_is_excused_that_is_no_fault_any_more(looks: Looks):
    """An entry that no screen needs hides the next fault."""
    found = [fault for screen in SCREENS for mode in MODES for fault in looks.faults_of(screen, mode)]
    assert set(THEIRS) - {fault.excused_by for fault in found} == set()


def test_light_is_light_and_dark_is_dark(looks: Looks, screen: Screen):
    for width in SEEN["light"]:
        assert looks.of(screen, "light", width).brightness > 200
    for width in SEEN["dark"]:
        assert looks.of(screen, "dark", width).brightness < 60


def test_a_page_that_turns_dark_takes_its_charts_along(furnished: Furnished, chromium: Browser):
    """Streamlit colours a chart once: with the next click, the charts have the colours of the night."""
    page = chromium.new_page(viewport={"width": WIDTHS[0], "height": HEIGHT}, color_scheme="light")
    page.set_default_timeout(WAIT_SECONDS * 1000)
    visit(page, furnished.address, SCREENS[0], furnished.ids)
    page.emulate_media(color_scheme="dark")
    page.get_by_role("radio", name="Phase", exact=True).click()
    drawn(page)
    wait_until(lambda: not faint(Look(**page.evaluate(LOOKS))), "the charts to be drawn for the dark page")
    page.close()
