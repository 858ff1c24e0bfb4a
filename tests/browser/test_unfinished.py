"""Is what a reviewer is typing still there after the page changes around it?"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_path import go_to, open_first_run

pytestmark = pytest.mark.browser


def test_a_rating_being_typed_survives_giving_ones_name(page: Page):
    page.get_by_label("Search", exact=True).fill("HumanEval/99")
    page.get_by_label("Search", exact=True).press("Enter")
    go_to(page, "Stories")
    open_first_run(page)
    page.get_by_label("Note", exact=True).fill("half a thought")
    page.get_by_label("Rating, 0–10", exact=True).fill("6.5")
    page.get_by_label("Your name", exact=True).fill("dana")
    page.get_by_label("Your name", exact=True).press("Enter")
    expect(page.get_by_text("as dana")).to_be_visible()
    expect(page.get_by_label("Note", exact=True)).to_have_value("half a thought")
    expect(page.get_by_label("Rating, 0–10", exact=True)).to_have_value("6.50")
    page.get_by_role("button", name="Save rating").click()
    expect(page.get_by_text("Stored: 6.5.")).to_be_visible()
