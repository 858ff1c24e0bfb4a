"""Do two reviewers of one run see of each other, and is nothing overwritten before somebody has decided?"""

import pytest
from playwright.sync_api import Page, expect

from quality.client import open_door
from quality.commands import ShowRun
from quality.settings import Settings
from tests.browser.rating_by_hand import STORY, another, drafts_of, note, open_run, rating, runs_of, standing
from tests.browser.settling import settle
from tests.serving import Dashboard

pytestmark = pytest.mark.browser

HOSTILE = "<script>alert(1)</script> **second** :red[x]"


def history(dashboard: Dashboard, run_id: str) -> list[tuple[str, float]]:
    with open_door(dashboard.ledger, Settings()) as door:
        found = door.ask(ShowRun(story_id=STORY, run_id=run_id))["run"]
    return [(given["reviewer"], given["quality"]) for given in found["overrides"]]


def test_two_reviewers_at_once_see_both_and_decide(page: Page, dashboard: Dashboard):
    """b23: eli stores 8 while dana writes; her save stores nothing, shows both, and hers goes on top when she says so."""
    run_id = runs_of(dashboard)[0]
    open_run(page, dashboard.address, run_id, "dana")
    page.keyboard.press("6")
    expect(rating(page)).to_have_value("6.00")
    settle(page)
    eli = another(page.context.browser)
    open_run(eli, dashboard.address, run_id, "eli")
    note(eli).fill(HOSTILE)
    rating(eli).fill("8")
    settle(eli)
    eli.get_by_role("button", name="Save rating").click()
    expect(eli.get_by_text("Stored: 8.")).to_be_visible()
    note(page).fill("only the note")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Not stored: somebody rated this run since you opened it.")).to_be_visible()
    expect(page.get_by_text("Rated since you opened it")).to_be_visible()
    expect(page.get_by_text("● eli", exact=True)).to_be_visible()
    expect(page.get_by_text("You, not stored yet")).to_be_visible()
    expect(page.get_by_text(HOSTILE).first).to_be_visible()
    assert standing(dashboard, run_id) == (8.0, "eli")
    assert drafts_of(dashboard, "dana") == {run_id: (6.0, "only the note")}
    settle(page)
    page.get_by_role("button", name="Store mine on top").click()
    expect(page.get_by_text("Stored: 6.")).to_be_visible()
    assert history(dashboard, run_id) == [("dana", 6.0), ("eli", 8.0)]
    assert drafts_of(dashboard, "dana") == {}

    rating(eli).fill("9")
    rating(eli).press("Tab")
    expect(eli.get_by_text("Rated since you opened it")).to_be_visible()
    settle(eli)
    eli.get_by_role("button", name="Keep theirs, discard mine").click()
    expect(eli.get_by_text("Draft discarded.")).to_be_visible()
    settle(eli)
    eli.get_by_role("button", name="Bring it back").click()
    expect(rating(eli)).to_have_value("9.00")
    assert history(dashboard, run_id) == [("dana", 6.0), ("eli", 8.0)]
