"""Does the way from a dropped file of candidates to a stored ranking, its reasons and a link to them hold?"""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from quality.candidate_input import read_candidates
from quality.candidate_ranking import rank
from tests.browser.settling import choose, settle
from tests.browser.test_path import go_to

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)> **bold** :red[x]"
FILE = json.dumps({
    "run_id": "run-7", "target": {"path": "skills"}, "candidates": [
        {"id": "flow", "category": "workflow", "risk_level": "medium"},
        {"id": "docs", "category": "docs", "risk_level": "low", "executor_support": True, "source_refs": ["a", "b"],
         "title": HOSTILE},
    ],
}).encode()  # fmt: skip
"""With a panel docs has 10, 8.5, 9.5 and 7.5: 8.88; without, 9.5, and at high risk 5."""


def drop(page: Page, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": "cands.json", "mimeType": "application/json", "buffer": content}
    )


def box(page: Page, label: str):
    return page.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True))


def test_candidates_are_ranked_stored_opened_and_supposed_otherwise(page: Page):
    """Faults are told first; then rank, download, store, open the best, suppose high risk, and open its link anew."""
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    go_to(page, "Candidates")
    expect(page.get_by_role("heading", name="No rankings yet")).to_be_visible()
    drop(page, b'{"run_id": "r", "target": {"path": "p"}, "candidates": [{"title": "t"}]}')
    expect(page.get_by_text("candidate 1 (no id): id: missing: give it")).to_be_visible()
    drop(page, FILE)
    expect(page.get_by_text("Improvement run run-7")).to_be_visible()
    page.get_by_text("Panel", exact=True).click()
    page.get_by_role("button", name="Rank", exact=True).click(delay=150)
    expect(page.get_by_role("heading", name="Ranking", exact=True)).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download JSON").click()
    written = json.loads(download.value.path().read_bytes())
    read = read_candidates(FILE)
    made = rank(read.file, with_panel=True, source="cands.json", sha256=read.sha256).document()
    assert written.pop("created_at")
    assert written == made

    page.get_by_label("Your name", exact=True).fill("dana")
    page.get_by_label("Your name", exact=True).press("Enter")
    settle(page)
    page.get_by_role("button", name="Store this ranking").click(delay=150)
    expect(page).to_have_url(re.compile(r"ranking=[0-9a-f-]{36}"))
    expect(page.get_by_role("button", name="Store this ranking")).to_have_count(0)
    page.get_by_test_id("stDataFrame").first.click(position={"x": 20, "y": 53})
    expect(page.get_by_role("heading", name="Four reviewers")).to_be_visible()
    expect(page.get_by_test_id("stText").get_by_text(HOSTILE, exact=True)).to_be_visible()
    expect(box(page, "Security auditor")).to_contain_text("7.50")
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    expect(page.get_by_test_id("stStatusWidget")).to_be_hidden()

    page.get_by_text("Panel", exact=True).last.click()
    expect(box(page, "Score it would have")).to_contain_text("9.50")
    choose(page.get_by_role("combobox", name="Risk"), page.get_by_role("option", name="high", exact=True))
    expect(box(page, "Score it would have")).to_contain_text("5.00")
    expect(page.get_by_text("Recommendation: accept for execution → reject")).to_be_visible()
    expect(box(page, "Score")).to_contain_text("8.88")

    link = page.url
    assert re.search(r"ranking=[0-9a-f-]{36}.*candidate=docs", link)
    other = page.context.browser.new_page(viewport={"width": 390, "height": 844})
    other.goto(link)
    expect(box(other, "Score")).to_contain_text("8.88")
    expect(box(other, "Score it would have")).to_contain_text("8.88")
    assert other.evaluate("document.documentElement.scrollWidth") == 390
    other.close()

    page.get_by_role("button", name="All candidates of this ranking").click(delay=150)
    page.get_by_role("button", name="All rankings").click(delay=150)
    expect(box(page, "Reviewed")).to_contain_text("2")
    assert alerts == []
