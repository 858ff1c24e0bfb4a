"""Do dropped files show what is read from them, get stored, and lead to the run and the line?"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_path import go_to

pytestmark = pytest.mark.browser

ASSETS = Path(__file__).parents[1] / "assets" / "evidence"
HOSTILE = "<img src=x onerror=alert(1)>.xml"
REPORT = """<testsuite name="**bold**">
<testcase name="a"/>
<testcase name="b"/>
<testcase name="c"><failure message="&lt;script&gt;alert(1)&lt;/script&gt; :red[x]"/></testcase>
</testsuite>
"""


def dropped(name: str, content: bytes) -> dict:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def fill(page: Page, label: str, value: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Enter")


def open_first_file(page: Page) -> None:
    """Tick the first row of the table of files, which is drawn on a canvas; what was imported stands below it."""
    page.get_by_test_id("stDataFrame").first.click(position={"x": 20, "y": 53})
    expect(page.get_by_role("button", name="Leave this file out")).to_be_visible()


def test_three_files_go_from_the_drop_to_the_line_on_the_runs_page(page: Page):
    """See the numbers, choose a new story, store, follow the link, open the evidence, read the right line."""
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    go_to(page, "Ingest")
    log = ASSETS / "console" / "b08_skipped_not_passed.log"
    image = dropped("shot.png", b"\x89PNG\r\n\x1a\n\0\0\0\0")
    files = [dropped(HOSTILE, REPORT.encode()), dropped("pytest.log", log.read_bytes()), image]
    page.locator("input[type=file]").set_input_files(files)
    expect(page.get_by_text("needs a story: 2 · cannot be read: 1")).to_be_visible()
    expect(page.get_by_role("button", name="Store 1 file")).to_be_disabled()

    page.get_by_text("A new story").click()
    fill(page, "Id of the story", "S-INGEST")
    fill(page, "Title", "<b>Nested</b> suites")
    fill(page, "Your name", "dana")
    expect(page.get_by_role("button", name="Store 3 files")).to_be_enabled()
    open_first_file(page)
    expect(page.get_by_test_id("stText").get_by_text(HOSTILE, exact=True)).to_be_visible()
    expect(page.get_by_text("2 passed, 1 failed")).to_be_visible()
    expect(page.get_by_text("▶ 4 │ <testcase")).to_be_visible()

    go_to(page, "Overview")
    go_to(page, "Ingest")
    expect(page.get_by_label("Title", exact=True)).to_have_value("<b>Nested</b> suites")
    page.get_by_role("button", name="Store 3 files").click()
    expect(page.get_by_role("heading", name="Stored")).to_be_visible()

    page.get_by_role("link", name="Open run 1").click()
    expect(page).to_have_url(re.compile(r"/stories\?(.*&)?run=[0-9a-f-]{36}"))
    expect(page.get_by_text("<b>Nested</b> suites", exact=True)).to_be_visible()
    summary = page.locator("summary").filter(has_text="Test pass rate")
    summary.focus()
    summary.press("Enter")
    expect(page.get_by_text("▶ 4 │ <testcase")).to_be_visible()
    assert alerts == []


def test_the_same_files_again_are_unchanged(page: Page):
    """Said before they are stored, and after."""
    go_to(page, "Ingest")
    table = dropped("rows.csv", b"story_id,model,test_pass_rate,tests_total\nS-1,m,0.5,10\n")
    for status in ("ready: 1", "unchanged: 1"):
        page.locator("input[type=file]").set_input_files([table])
        expect(page.get_by_text(status, exact=True)).to_be_visible()
        if name := page.get_by_label("Your name", exact=True).all():
            name[0].fill("dana")
            name[0].press("Enter")
        page.get_by_role("button", name="Store 1 file").click()
        expect(page.get_by_text("stored: 1", exact=True)).to_be_visible()
        page.get_by_role("button", name="Clear the list").click()


def test_nothing_is_wider_than_a_phone(page: Page):
    """Long names and lines scroll in their own place."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(page.url.rstrip("/") + "/ingest")
    page.locator("input[type=file]").set_input_files(
        [dropped("long" * 40 + ".xml", REPORT.replace("b", "b" * 500).encode())]
    )
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
