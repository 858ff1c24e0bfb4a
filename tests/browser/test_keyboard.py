"""Does who has no mouse get from the first screen to a stored rating, and see where they are?"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.rating_by_hand import STORY, note, rating, standing
from tests.browser.settling import settle
from tests.serving import Dashboard

pytestmark = pytest.mark.browser

MOST_STOPS = 80
HAS_FOCUS = "element => element.contains(document.activeElement)"


def reach(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    expect(target.first).to_be_attached()
    settle(page)
    for _ in range(MOST_STOPS):
        if target.first.evaluate(HAS_FOCUS):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"{MOST_STOPS} stops, and {target} has no focus")


def test_from_the_first_screen_to_a_stored_rating_by_keyboard_alone(page: Page, dashboard: Dashboard):
    """To Stories, searched, a row ticked and opened, named, rated by keys, noted, stored, and on to the next."""
    expect(page.get_by_role("heading", name="Overview", exact=True)).to_be_visible()
    reach(page, page.get_by_test_id("stSidebarNav").get_by_role("link", name="Stories"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Stories", exact=True)).to_be_visible()
    reach(page, page.get_by_label("Search", exact=True))
    page.keyboard.type(STORY)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Runs 1–20 of 20")).to_be_visible()

    reach(page, page.get_by_test_id("data-grid-canvas"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")
    reach(page, page.get_by_role("button", name="Open it"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your rating")).to_be_visible()

    reach(page, page.get_by_label("Your name", exact=True))
    page.keyboard.type("dana")
    page.keyboard.press("Enter")
    expect(page.get_by_text("as dana")).to_be_visible()
    settle(page)
    reach(page, note(page))
    page.keyboard.type("by keys")
    reach(page, page.get_by_role("button", name="Save rating"))
    page.keyboard.press("7")
    page.keyboard.press("h")
    expect(rating(page)).to_have_value("7.50")
    settle(page)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Stored: 7.5.")).to_be_visible()
    rated = page.url
    assert standing(dashboard, re.search(r"run=([0-9a-f-]+)", rated)[1]) == (7.5, "dana")
    settle(page)
    page.keyboard.press("n")
    expect(page).not_to_have_url(rated)
    expect(page.get_by_role("heading", name="Your rating")).to_be_visible()
