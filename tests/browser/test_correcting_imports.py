"""Are an import withdrawn and words forgotten in a real browser, with the file's bytes looked at afterwards?"""

import pytest
from playwright.sync_api import Page, expect

from quality.client import open_door
from quality.commands import AddRating, ListScores
from quality.settings import Settings
from tests.browser.settling import choose, settle
from tests.browser.test_path import go_to
from tests.serving import Dashboard

pytestmark = pytest.mark.browser

SECRET = "<img src=x onerror=alert(1)> sk-live-0815 **bold**"
OPEN = {"x": 33, "y": 53}
"""Of the first row of a table whose first column opens a row."""


def type_into(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Tab")
    settle(page)


def runs(dashboard: Dashboard) -> int:
    with open_door(dashboard.ledger, Settings()) as door:
        return door.ask(ListScores(limit=1))["total"]


def test_an_import_is_opened_withdrawn_and_reinstated(page: Page, dashboard: Dashboard):
    """The latest of the sample is HumanEval's judge: other files speak of its runs, so none is gone; its link holds."""
    before = runs(dashboard)
    go_to(page, "Ingest")
    expect(page.get_by_role("heading", name="What was imported")).to_be_visible()
    settle(page)
    table = page.get_by_test_id("stDataFrame").last
    table.locator("canvas").first.wait_for()
    table.click(position=OPEN)
    expect(page.get_by_role("heading", name="Import", exact=True)).to_be_visible()
    settle(page)
    type_into(page, "Your name", "Ops")
    type_into(page, "Why", "another judge")
    page.get_by_text("Withdraw it: ").click()
    settle(page)
    page.get_by_role("button", name="Withdraw this import").click(delay=150)
    expect(page.get_by_text("Withdrawn: ")).to_be_visible()
    expect(page.get_by_text("by Ops: another judge")).to_be_visible()
    page.goto(page.url)
    expect(page.get_by_text("by Ops: another judge")).to_be_visible()
    settle(page)
    type_into(page, "Your name", "Ops")
    expect(page.get_by_role("button", name="Change name")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Reinstate this import").click(delay=150)
    expect(page.get_by_text("Reinstated: ")).to_be_visible()
    assert runs(dashboard) == before


def test_a_note_is_forgotten_down_to_the_bytes_of_the_file(page: Page, dashboard: Dashboard):
    """While the dashboard runs on: the secret was in its file before, and is in no file of the folder afterwards."""
    with open_door(dashboard.ledger, Settings()) as door:
        stored = door.execute(
            AddRating(actor="lee", reviewer="lee", story_id="R-1", rating=3, create=True, note=SECRET)
        )
    page.goto(f"{dashboard.address}/stories?run={stored.run.run_id}")
    expect(page.get_by_text(SECRET).first).to_be_visible()
    settle(page)
    page.get_by_text("Redact words of this run").click()
    choose(page.get_by_label("What", exact=True), page.get_by_role("option", name="Note by lee"))
    settle(page)
    if page.get_by_label("Your name", exact=True).count():
        type_into(page, "Your name", "Ops")
    type_into(page, "Why it must go", "a key")
    type_into(page, "Type redact to agree", "redact")
    page.get_by_role("button", name="Redact for good").click(delay=150)
    expect(page.get_by_text("Redacted the note of a rating: ")).to_be_visible()
    expect(page.get_by_text(SECRET)).to_have_count(0)
    settle(page)
    folder = dashboard.ledger.parent
    assert [path.name for path in folder.iterdir() if path.is_file() and b"sk-live-0815" in path.read_bytes()] == []
