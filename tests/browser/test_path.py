"""Does a lead's and a reviewer's way through the dashboard hold from the first look to the file taken along?"""

import csv
import io
import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from tests.serving import ROOT, Dashboard

pytestmark = pytest.mark.browser

STORY = "HumanEval/99"
NOTE = 'Rounds half to even: round(14.5) = 14\n"away from zero" is missing, très dommage\n=1+1'
RUNS = 20


def go_to(page: Page, screen: str, heading: str = "") -> None:
    page.get_by_test_id("stSidebarNav").get_by_role("link", name=screen).click()
    expect(page.get_by_role("heading", name=heading or screen, exact=True)).to_be_visible()


def expect_figure(page: Page, label: str, value: str) -> None:
    """A headline figure with its label."""
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True))
    expect(box).to_have_text(re.compile(rf"^{label}\s*{value}\s*$"))


def open_first_run(page: Page, story: str = STORY) -> None:
    """Click the first row's Open, beside its box; the table is drawn on a canvas."""
    table = page.get_by_test_id("stDataFrame").first
    expect(table.locator("[role=gridcell]").filter(has_text=story).first).to_be_attached()
    table.click(position={"x": 65, "y": 53})
    expect(page.get_by_role("heading", name="Your rating")).to_be_visible()


def rate(page: Page, rating: str, note: str) -> None:
    page.get_by_label("Rating, 0–10", exact=True).fill(rating)
    page.get_by_role("radio", name="yes").click()
    page.get_by_label("Note", exact=True).fill(note)
    page.get_by_role("button", name="Save rating").click()
    expect(page.get_by_text(f"Stored: {rating}.")).to_be_visible()


def test_a_rating_goes_from_the_screen_to_the_overview_and_into_the_file(page: Page, dashboard: Dashboard):
    """Open, filter, open a run, rate it, see the Overview change, undo, rate again, export, read the file back."""
    expect(page.get_by_role("heading", name="Overview", exact=True)).to_be_visible()
    page.get_by_label("Search", exact=True).fill(STORY)
    page.get_by_label("Search", exact=True).press("Enter")
    expect_figure(page, "Runs", str(RUNS))
    expect_figure(page, "Human-reviewed", "0")

    go_to(page, "Stories")
    open_first_run(page)
    run_id = re.search(r"run=([0-9a-f-]+)", page.url)[1]
    page.get_by_label("Your name", exact=True).fill("dana")
    page.get_by_label("Your name", exact=True).press("Enter")
    expect(page.get_by_text("as dana")).to_be_visible()
    rate(page, "2.5", "first look")

    go_to(page, "Overview")
    expect_figure(page, "Human-reviewed", "1")

    go_to(page, "Stories", heading="Your rating")
    page.get_by_role("button", name="Undo my last rating").click()
    expect(page.get_by_text("Withdrawn: your last rating of this run.")).to_be_visible()
    go_to(page, "Overview")
    expect_figure(page, "Human-reviewed", "0")

    go_to(page, "Stories", heading="Your rating")
    rate(page, "3.5", NOTE)
    go_to(page, "Export")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_bytes().decode("utf-8"), newline="")))

    assert len(rows) == RUNS
    (rated,) = [row for row in rows if row["quality_human"]]
    assert rated["run_id"] == run_id
    assert {name: rated[name] for name in ("quality", "signal_source", "n_human", "reviewer", "note", "rework")} == {
        "quality": "3.5", "signal_source": "human", "n_human": "1", "reviewer": "dana", "note": NOTE, "rework": "true",
    }  # fmt: skip
    compare(rows, shown_by_the_command_line(dashboard))


def shown_by_the_command_line(dashboard: Dashboard) -> list[dict]:
    """`show --json` while the dashboard holds the ledger: the command line asks it."""
    command = [sys.executable, "-m", "quality", "--ledger", str(dashboard.ledger), "show", STORY, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["runs"]


def compare(rows: list[dict[str, str]], runs: list[dict]) -> None:
    """File and command line tell the same of every run."""
    by_id = {run["run_id"]: run for run in runs}
    assert by_id.keys() == {row["run_id"] for row in rows}
    for row in rows:
        run = by_id[row["run_id"]]
        for name in ("quality", "quality_auto", "quality_verifier", "quality_human", "n_human", "attempt"):
            assert (float(row[name]) if row[name] else None) == run[name], name
        for name in ("story_id", "agent", "model_version", "signal_source", "reviewer", "note", "verifier_model"):
            assert (row[name] or None) == run[name], name
