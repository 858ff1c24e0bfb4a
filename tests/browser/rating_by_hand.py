"""How does a reviewer get to a run's form in a test, and what stands in it?"""

from playwright.sync_api import Browser, Locator, Page, expect

from quality.client import open_door
from quality.commands import Filters, ListScores
from quality.draft_commands import ListRatingDrafts
from quality.settings import Settings
from tests.browser.settling import settle
from tests.serving import WAIT_SECONDS, Dashboard

STORY = "HumanEval/99"


def runs_of(dashboard: Dashboard, story: str = STORY) -> list[str]:
    """The ids of a story's runs, in the order of the list."""
    with open_door(dashboard.ledger, Settings()) as door:
        return [row["run_id"] for row in door.ask(ListScores(filters=Filters(story_id=story)))["rows"]]


def standing(dashboard: Dashboard, run_id: str) -> tuple[float | None, str | None]:
    """Human score and reviewer of a run, as the ledger has it."""
    with open_door(dashboard.ledger, Settings()) as door:
        rows = door.ask(ListScores(filters=Filters(story_id=STORY)))["rows"]
    return next((row["quality_human"], row["reviewer"]) for row in rows if row["run_id"] == run_id)


def drafts_of(dashboard: Dashboard, name: str) -> dict[str, tuple[float | None, str | None]]:
    """Run → rating and note of a reviewer's draft."""
    with open_door(dashboard.ledger, Settings()) as door:
        drafts = door.ask(ListRatingDrafts(reviewer=name))["drafts"]
    return {draft["run_id"]: (draft["rating"], draft["note"]) for draft in drafts}


def open_run(page: Page, address: str, run_id: str, name: str) -> None:
    """A run's page by its link, and the name given."""
    page.goto(f"{address}/stories?run={run_id}&q={STORY}")
    expect(page.get_by_role("heading", name="Your rating")).to_be_visible()
    settle(page)
    give_name(page, name)


def give_name(page: Page, name: str) -> None:
    page.get_by_label("Your name", exact=True).fill(name)
    page.get_by_label("Your name", exact=True).press("Enter")
    expect(page.get_by_text(f"as {name}")).to_be_visible()
    settle(page)
    expect(page.get_by_role("button", name="6 of 10")).to_be_enabled()


def another(browser: Browser | None) -> Page:
    """Another person's browser: nothing is shared with the first."""
    assert browser
    page = browser.new_context(viewport={"width": 1440, "height": 1200}, timezone_id="Europe/Berlin").new_page()
    page.set_default_timeout(WAIT_SECONDS * 1000)
    return page


def rating(page: Page) -> Locator:
    return page.get_by_role("spinbutton", name="Rating, 0–10", exact=True)  # what went is hidden for a while


def note(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Note", exact=True)


def expect_kept(page: Page) -> None:
    expect(page.get_by_text("Draft kept at")).to_be_visible()
    expect(page.get_by_text("Unsaved")).to_be_visible()
