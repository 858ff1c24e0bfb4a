"""Do keys rate a run, lead on and take back, and never while one writes?"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.rating_by_hand import drafts_of, expect_kept, note, open_run, rating, runs_of, standing
from tests.browser.settling import settle
from tests.serving import Dashboard

pytestmark = pytest.mark.browser


def test_keys_rate_save_undo_and_lead_on(page: Page, dashboard: Dashboard):
    """7, H = 7.5, T = 10, 0 is a rating; Ctrl+Enter stores, U withdraws, S and N go on, and the drafts stay."""
    first, second, third = runs_of(dashboard)[:3]
    open_run(page, dashboard.address, first, "dana")
    for key, shown in (("7", "7.00"), ("h", "7.50"), ("H", "8.00"), ("t", "10.00"), ("0", "0.00"), ("6", "6.00")):
        page.keyboard.press(key)
        expect(rating(page)).to_have_value(shown)
    expect(page.get_by_role("button", name="6 of 10")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Stored: 6.")).to_be_visible()
    settle(page)
    assert standing(dashboard, first) == (6.0, "dana")
    page.keyboard.press("u")
    expect(page.get_by_text("Withdrawn: your last rating of this run.")).to_be_visible()
    settle(page)
    assert standing(dashboard, first) == (None, None)
    page.keyboard.press("3")
    expect_kept(page)
    page.keyboard.press("s")
    expect(page).to_have_url(re.compile(second))
    settle(page)
    expect(rating(page)).to_have_value("")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile(third))
    settle(page)
    assert drafts_of(dashboard, "dana") == {first: (3.0, None)}


def test_keys_are_letters_while_one_writes(page: Page, dashboard: Dashboard):
    """In the note, in the search field and in the verifier's diff; Ctrl+Enter there saves no rating."""
    first = runs_of(dashboard)[0]
    open_run(page, dashboard.address, first, "dana")
    page.keyboard.press("4")
    expect(rating(page)).to_have_value("4.00")
    settle(page)
    note(page).click()
    page.keyboard.type("7 hours, ten nits, sun", delay=15)
    expect_kept(page)
    settle(page)
    page.get_by_text("Ask a verifier").click()
    diff = page.get_by_label("Diff or patch", exact=True)
    diff.click()
    page.keyboard.type("+7 thn su", delay=15)
    page.keyboard.press("Control+Enter")
    settle(page)
    page.get_by_label("Search", exact=True).click()
    page.keyboard.type("0thnsu", delay=15)
    page.get_by_label("Search", exact=True).fill("HumanEval/99")
    page.keyboard.press("Control+Enter")
    settle(page)
    expect(page).to_have_url(re.compile(first))
    expect(rating(page)).to_have_value("4.00")
    expect(note(page)).to_have_value("7 hours, ten nits, sun")
    expect(diff).to_have_value("+7 thn su")
    expect(page.get_by_text("Stored:")).to_have_count(0)
    assert standing(dashboard, first) == (None, None)
    assert drafts_of(dashboard, "dana") == {first: (4.0, "7 hours, ten nits, sun")}
    note(page).click()
    page.keyboard.type("!")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Stored: 4.")).to_be_visible()


def test_keys_pressed_without_pausing_go_to_the_runs_they_were_meant_for(page: Page, dashboard: Dashboard):
    """b25: three runs rated one after the other, faster than pages are drawn; all three are there, each its own."""
    first, second, third = runs_of(dashboard)[:3]
    open_run(page, dashboard.address, first, "dana")
    page.keyboard.press("7")
    page.keyboard.press("h")
    page.keyboard.press("n")
    page.keyboard.press("8")
    expect(page).to_have_url(re.compile(second))
    expect(rating(page)).to_have_value("8.00")
    page.keyboard.press("n")
    page.keyboard.press("9")
    page.keyboard.press("h")
    expect(page).to_have_url(re.compile(third))
    expect(rating(page)).to_have_value("9.50")
    expect_kept(page)
    assert drafts_of(dashboard, "dana") == {first: (7.5, None), second: (8.0, None), third: (9.5, None)}
