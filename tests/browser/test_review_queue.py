"""Can two people review by the keyboard alone, each their own runs, and does the round count what was rated?

The ledger: a model whose eight runs nobody has rated, verified 8, four of five tests passed.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from quality.client import open_door
from quality.ledger.ledger import Ledger
from quality.queue_commands import ShowReviewQueue, ShowReviewTotals
from quality.settings import Settings
from tests.browser.settling import settle
from tests.serving import WAIT_SECONDS, Dashboard, serving
from tests.trust_by_hand import fill, run

pytestmark = pytest.mark.browser
WIDE = {"width": 1440, "height": 1100}
MOST_STEPS = 120


@pytest.fixture(scope="module")
def reviewing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reviewing")
    path: Path = folder / "ledger.duckdb"
    with Ledger(path) as ledger:
        fill(
            ledger,
            folder,
            [run(f"S{place}", "m", verifier=8, test_pass_rate=0.8, title=f"Part {place}") for place in range(8)],
        )
    with serving(path, folder / "server.log") as running:
        yield running


def person(chromium: Browser, dashboard: Dashboard, name: str, runs: int, viewport=WIDE) -> Page:
    """Somebody's own browser, in which they give their name and draw, by keys."""
    page = chromium.new_context(viewport=viewport, timezone_id="Europe/Berlin").new_page()
    page.set_default_timeout(WAIT_SECONDS * 1000)
    page.goto(f"{dashboard.address}/review")
    expect(page.get_by_label("Your name", exact=True)).to_be_visible()
    settle(page)
    tab_to(page, page.get_by_label("Your name", exact=True))
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    draw = page.get_by_role("button", name=f"Draw {runs} runs")
    expect(page.get_by_role("button", name="Draw 10 runs")).to_be_visible()
    settle(page)
    if runs != 10:
        tab_to(page, page.locator(".st-key-review_count"))
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Space")
        expect(draw).to_be_visible()
        settle(page)
    tab_to(page, draw)
    page.keyboard.press("n")
    ready(page)
    return page


def tab_to(page: Page, target: Locator) -> None:
    """Press the tabulator until the target has the focus."""
    for _ in range(MOST_STEPS):
        if target.first.evaluate("element => element.contains(document.activeElement)"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{MOST_STEPS} stops, and {target} has no focus")


def ready(page: Page) -> None:
    """The next run is shown, and its keys are listened to."""
    expect(page.get_by_text("Scores are hidden until you have rated.")).to_be_visible()
    expect(page.get_by_role("button", name="7 of 10")).to_be_visible()
    settle(page)


def press(page: Page, key: str, shown: str) -> None:
    """The field is drawn anew with the value that a key gives; the one before it may still stand there for a moment."""
    page.keyboard.press(key)
    expect(page.get_by_label("Rating, 0–10", exact=True).first).to_have_value(shown)
    settle(page)


def queue(dashboard: Dashboard, name: str) -> dict:
    with open_door(dashboard.ledger, Settings()) as door:
        return door.ask(ShowReviewQueue(reviewer=name, actor=name))


def test_two_reviewers_by_keys_alone(chromium: Browser, reviewing: Dashboard):
    """dana draws five of eight, lee the other three. dana rates 7.5 and sees the tiers, takes it back, rates 6; skips one."""
    dana = person(chromium, reviewing, "dana", 5)
    lee = person(chromium, reviewing, "lee", 10)
    theirs = {one["run_id"] for one in queue(reviewing, "lee")["queue"]}
    mine = [one["run_id"] for one in queue(reviewing, "dana")["queue"]]
    assert (len(mine), len(theirs), theirs & set(mine)) == (5, 3, set())
    expect(dana.get_by_test_id("stMetric")).to_have_count(0)
    press(dana, "7", "7.00")
    press(dana, "h", "7.50")
    dana.keyboard.press("Control+Enter")
    expect(dana.get_by_text("You rated 7.5.")).to_be_visible()
    expect(dana.get_by_test_id("stMetricValue")).to_have_text(["7.5", "8.0", "8.0", "7.5"])
    expect(dana.get_by_text("1 of 5 rated")).to_be_visible()
    settle(dana)
    dana.keyboard.press("u")
    expect(dana.get_by_text("0 of 5 rated")).to_be_visible()
    settle(dana)
    press(dana, "6", "6.00")
    dana.keyboard.press("Control+Enter")
    expect(dana.get_by_text("You rated 6.")).to_be_visible()
    settle(dana)
    dana.keyboard.press("n")
    ready(dana)
    dana.keyboard.press("s")
    expect(dana.get_by_text("1 skipped").first).to_be_visible()
    ready(dana)
    expect(dana.get_by_text("1 of 5 rated")).to_be_visible()
    assert queue(reviewing, "dana")["round"] == {
        "drawn": 5, "rated": 1, "skipped": 1, "given_back": 0, "expired": 0, "left": 3,
    }  # fmt: skip
    lee.reload()
    lee.close()
    with open_door(reviewing.ledger, Settings()) as door:
        totals = door.ask(ShowReviewTotals())
    assert (totals["drawn"], totals["rated"], totals["left"]) == (8, 1, 6)
