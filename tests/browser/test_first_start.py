"""Does a first start lead through the sample, and to a ledger of one's own, and does long work go on while nobody looks?"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import tab_at
from tests.browser.settling import settle
from tests.browser.test_ingest import dropped, fill
from tests.browser.test_path import go_to, rate
from tests.serving import COMPLAINTS, ROOT, serving_script

pytestmark = pytest.mark.browser


TAKEN = ("app.py", "pages", "quality", ".streamlit", "data/sample")
"""What a checkout has on the first start."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which nothing was started yet."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in TAKEN:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, target)
    return folder


@pytest.fixture
def page(chromium: Browser, checkout: Path, tmp_path: Path) -> Iterator[Page]:
    """A tab on the dashboard of that checkout."""
    with (
        serving_script("app.py", tmp_path / "server.log", folder=checkout) as address,
        tab_at(chromium, address) as tab,
    ):
        yield tab
    said = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert not any(word in said.lower() for word in COMPLAINTS), said


def step(page: Page, name: str):
    """One of the three, by its name."""
    return page.get_by_role("radiogroup", name="Tour").get_by_role("radio", name=name)


def expect_ticks(page: Page, *names: str) -> None:
    """These steps are ticked, and no other."""
    expect(page.get_by_text(f"{len(names)} of 3 done", exact=True)).to_be_visible()
    for name in ("The tiers", "Rate a run", "Export it"):
        ticked = step(page, name).filter(has_text="check_circle")
        expect(ticked).to_have_count(1 if name in names else 0)


def test_the_tour_leads_through_the_sample_and_then_to_ones_own_ledger(page: Page):
    """Each step is ticked when it is really done; then the empty ledger says what to do next, until a run is there."""
    expect(page.get_by_role("heading", name="Overview", exact=True)).to_be_visible()
    expect(page.get_by_text("Sample data")).to_be_visible()
    expect_ticks(page)
    page.get_by_role("button", name="Understood").click()
    expect_ticks(page, "The tiers")

    page.get_by_role("link", name="Open a run").click()
    expect(page.get_by_role("heading", name="Your rating")).to_be_visible()
    settle(page)
    fill(page, "Your name", "dana")
    expect(page.get_by_text("as dana")).to_be_visible()
    expect_ticks(page, "The tiers")
    rate(page, "6.5", "tried")
    expect_ticks(page, "The tiers", "Rate a run")

    page.get_by_role("link", name="Go to Export").click()
    expect(page.get_by_role("heading", name="Export", exact=True)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    download.value.path()
    expect_ticks(page, "The tiers", "Rate a run", "Export it")
    expect(page.get_by_text("That was the tour.")).to_be_visible()

    page.reload()
    expect_ticks(page, "The tiers", "Rate a run", "Export it")
    page.get_by_role("button", name="Hide the tour").click()
    expect(page.get_by_text("3 of 3 done", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Show the tour").click()
    expect(page.get_by_text("3 of 3 done", exact=True)).to_be_visible()

    settle(page)
    page.get_by_role("button", name="Start your own ledger").click()
    expect(page.get_by_text("Connect CI", exact=True)).to_be_visible()
    expect(page.get_by_text("Sample data")).to_be_hidden()
    expect(page.get_by_text(re.compile(re.escape(page.url.split("/export")[0]) + "/api/v1"))).to_be_visible()
    page.get_by_role("link", name="Go to Ingest").click()
    expect(page.get_by_role("heading", name="Ingest", exact=True)).to_be_visible()
    settle(page)
    table = dropped("rows.csv", b"story_id,model,test_pass_rate,tests_total\nS-1,m,0.5,10\n")
    page.locator("input[type=file]").set_input_files([table])
    fill(page, "Your name", "dana")
    page.get_by_role("button", name="Store 1 file").click()
    expect(page.get_by_text("stored: 1", exact=True)).to_be_visible()
    go_to(page, "Overview")
    expect(page.get_by_text("Connect CI", exact=True)).to_be_hidden()


def test_the_tour_is_no_wider_than_a_phone_and_leaves_room(page: Page):
    """The page's title is within the first screen of a phone."""
    page.set_viewport_size({"width": 390, "height": 844})
    title = page.get_by_role("heading", name="Overview", exact=True)
    expect(title).to_be_visible()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert title.bounding_box()["y"] < 844


def test_files_are_stored_while_nobody_looks(page: Page):
    """Left for another page, and left for good: the next session has the bar or what came of it."""
    expect(page.get_by_role("heading", name="Overview", exact=True)).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Start your own ledger").click()
    go_to(page, "Ingest")
    settle(page)
    rows = b"story_id,model,test_pass_rate,tests_total\n" + b"".join(b"S-%d,m,0.5,10\n" % n for n in range(200_000))
    files = [dropped("large.csv", rows), dropped("small.csv", rows[:200].rpartition(b"\n")[0])]
    page.locator("input[type=file]").set_input_files(files)
    fill(page, "Your name", "dana")
    page.get_by_role("button", name="Store 2 files").click()
    expect(page.get_by_text(re.compile("File 1 of 2"))).to_be_visible()
    go_to(page, "Overview")
    back = page.get_by_test_id("stSidebar").get_by_role("link", name=re.compile("Files stored: 2|Storing file"))
    expect(back).to_be_visible()

    other = page.context.browser.new_page()
    other.goto(page.url.split("?")[0].rstrip("/") + "/ingest")
    expect(other.get_by_role("heading", name="Stored", exact=True)).to_be_visible()
    expect(other.get_by_text("File 1 of 2")).to_be_hidden()
    expect(other.get_by_text("stored: 2", exact=True)).to_be_visible()
