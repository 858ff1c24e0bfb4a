"""Do Activity and Backup hold in a real browser, with somebody else looking on?"""

from pathlib import Path

import duckdb
import pytest
from playwright.sync_api import Page, expect

from quality.client import open_door
from quality.commands import AddRating
from quality.settings import Settings
from tests.browser.settling import settle
from tests.browser.test_path import go_to
from tests.serving import Dashboard

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)> **bold** :red[x]"


def rate(dashboard: Dashboard, story: str, by: str) -> None:
    """As the command line does, over HTTP."""
    with open_door(dashboard.ledger, Settings()) as door:
        door.execute(AddRating(actor=by, reviewer=by, story_id=story, rating=3, create=True, note=HOSTILE))


def tick_first(page: Page) -> None:
    """Tick the first row of the first table."""
    settle(page)
    table = page.get_by_test_id("stDataFrame").first
    table.locator("canvas").first.wait_for()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    box = table.bounding_box()
    assert box
    page.mouse.click(box["x"] + 18, box["y"] + 52)


def test_a_write_is_found_opened_and_linked(page: Page, dashboard: Dashboard):
    """Hostile text stays text; the link of an open write shows the same to a colleague."""
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    rate(dashboard, HOSTILE, "Lee")
    go_to(page, "Activity")
    expect(page.get_by_text("Tick one to see it whole.")).to_be_visible()
    tick_first(page)
    expect(page.get_by_role("heading", name="Rating", exact=True)).to_be_visible()
    expect(page.get_by_text(f"Lee rated {HOSTILE}: 3, a story that was not known before")).to_be_visible()
    page.goto(page.url)
    expect(page.get_by_text(f"Lee rated {HOSTILE}")).to_be_visible()
    settle(page)
    page.get_by_role("link", name="Open the run").click()
    expect(page.get_by_role("heading", name="Activity")).to_have_count(0)
    expect(page.get_by_text(HOSTILE).first).to_be_visible()
    assert not alerts


def test_a_backup_is_made_taken_along_and_restored_while_a_colleague_looks_on(
    page: Page, dashboard: Dashboard, tmp_path: Path
):
    """The download is the file; after the restore the colleague's next click shows the restored ledger."""
    assert page.context.browser
    colleague = page.context.browser.new_page(viewport={"width": 1440, "height": 1200})
    go_to(page, "Backup")
    page.get_by_label("Your name", exact=True).fill("Ops")
    page.get_by_label("Your name", exact=True).press("Enter")
    settle(page)
    page.get_by_role("button", name="Back up now").click(delay=150)
    expect(page.get_by_text("Backed up:")).to_be_visible()
    rate(dashboard, "AFTER-1", "Lee")
    colleague.goto(f"{dashboard.address}/activity")
    expect(colleague.get_by_text("Tick one to see it whole.")).to_be_visible()
    tick_first(page)
    expect(page.get_by_role("heading", name="Restore")).to_be_visible()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    saved = tmp_path / "saved.duckdb"
    download.value.save_as(saved)
    with duckdb.connect(str(saved), read_only=True) as file:
        assert file.execute("SELECT count(*) FROM ledger WHERE story_id = 'AFTER-1'").fetchall() == [(0,)]
    expect(page.get_by_text("Lee rated AFTER-1: 3")).to_be_visible()
    page.get_by_text("Replace the ledger and lose 1 write").click()
    settle(page)
    page.get_by_role("button", name="Replace the ledger by this backup").click(delay=150)
    expect(page.get_by_text("Restored:")).to_be_visible()
    tick_first(colleague)  # a write that the restored ledger does not have
    expect(colleague.get_by_text("This write is not in the open ledger.")).to_be_visible()
    settle(colleague)
    colleague.get_by_role("button", name="All writes").click(delay=150)
    expect(colleague.get_by_text("Tick one to see it whole.")).to_be_visible()
    tick_first(colleague)
    expect(colleague.get_by_text("Ops restored ")).to_be_visible()
    rate(dashboard, "AFTER-2", "Lee")
