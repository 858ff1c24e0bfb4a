"""Does a click lead from the Overview to a model, and from there to a run, with a link that shows the same?"""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_a_click_opens_the_model_and_its_story_the_run(page: Page):
    """Tick the first model, see it in the URL, open that link anew, tick a story, then all models are back."""
    expect(page.get_by_role("heading", name="Leaderboard")).to_be_visible()
    table = page.get_by_test_id("stDataFrame").first
    expect(table.locator("[role=gridcell]").first).to_be_attached()
    table.click(position={"x": 20, "y": 53})
    expect(page.get_by_role("heading", name="Model", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/models\?(.*&)?model="))

    page.goto(page.url)
    expect(page.get_by_role("heading", name="Its stories")).to_be_visible()
    stories = page.get_by_test_id("stDataFrame").last
    expect(stories.locator("[role=gridcell]").first).to_be_attached()
    stories.click(position={"x": 20, "y": 53})
    expect(page.get_by_role("heading", name="Your rating")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/stories\?(.*&)?run=[0-9a-f-]+"))

    page.get_by_role("link", name="Models").click()
    expect(page.get_by_role("heading", name="Model", exact=True)).to_be_visible()
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", name="Overview", exact=True)).to_be_visible()
    expect(page).not_to_have_url(re.compile("model="))
