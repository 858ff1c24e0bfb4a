"""When is what was last done on a page drawn? Browser tests wait for it before they click again."""

from playwright.sync_api import Page, expect


def settle(page: Page) -> None:
    """Wait until what was last done is drawn: a click into a page that is being drawn can be lost."""
    expect(page.locator("[data-testid=stApp][data-test-script-state=notRunning]")).to_be_visible()
