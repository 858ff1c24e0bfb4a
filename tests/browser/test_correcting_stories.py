"""Does an admin find, merge, correct and restore a story with mouse and keyboard, on the real sample?"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.settling import choose, settle
from tests.browser.test_path import STORY, go_to, open_first_run
from tests.serving import Dashboard

pytestmark = pytest.mark.browser

OTHER = "HumanEval/98"
RUNS = 20
"""Of each of the two."""


def fill(page: Page, label: str, text: str) -> None:
    settle(page)
    page.get_by_label(label, exact=True).fill(text)
    page.get_by_label(label, exact=True).press("Tab")
    settle(page)


def press(page: Page, name: str) -> None:
    settle(page)
    page.get_by_role("button", name=name).click()


def figure(page: Page, label: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True))
    return re.sub(rf"^{label}\s*", "", box.inner_text()).strip()


def test_a_story_is_corrected_merged_found_by_its_old_id_and_split(page: Page, dashboard: Dashboard):
    """Two stories of 20 runs are one of 40 that the old id finds; undone and split, they are as they were."""
    page.get_by_label("Search", exact=True).fill(STORY)
    page.get_by_label("Search", exact=True).press("Enter")
    go_to(page, "Stories")
    open_first_run(page, STORY)
    press(page, "Correct this story")
    expect(page.get_by_role("heading", name="Correct a story")).to_be_visible()
    fill(page, "Your name", "dana")

    fill(page, "Title", "Round to the nearest")
    expect(page.get_by_text("→  Round to the nearest")).to_be_visible()
    press(page, "Save correction")
    expect(page.get_by_text("Stored. Runs: 20, scores changed: 0.")).to_be_visible()
    press(page, "Undo")
    expect(page.get_by_text("Taken back. Runs: 20, scores changed: 0.")).to_be_visible()

    fill(page, "Find the other story", OTHER)
    choose(page.get_by_placeholder("Choose a story"), page.get_by_role("option").first)
    fill(page, "Why they are one", "the same exercise")
    settle(page)
    assert figure(page, "Moved") == str(RUNS)
    page.get_by_text(f"Merge them: {RUNS} runs of {2 * RUNS} runs change story").click()
    press(page, "Merge them")
    expect(page.get_by_text(f"With it, since they are one story: {STORY}")).to_be_visible()

    press(page, "Back to the run")
    expect(page.get_by_role("heading", name="Your rating")).to_be_visible()
    press(page, "All runs")
    expect(page.get_by_text(f"Runs 1–{2 * RUNS} of {2 * RUNS}")).to_be_visible()

    page.goto(f"{dashboard.address}/stories?correct={STORY}")
    expect(page.get_by_text("The id that was asked for was merged into this story.")).to_be_visible()
    fill(page, "Your name", "dana")
    choose(page.get_by_placeholder("Choose an id"), page.get_by_role("option", name=STORY))
    settle(page)
    page.get_by_text(f"Split it off: {RUNS} runs of {2 * RUNS} runs change story").click()
    press(page, "Split it off")
    expect(page.get_by_text(re.compile(f"^Split off. Runs: {2 * RUNS}, moved: {RUNS}"))).to_be_visible()
