"""Does the way from a run to its responses, to the severe ones and to one of them hold?"""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger
from quality.response_commands import AddFeedback, StoreResponses
from tests.browser.settling import settle
from tests.browser.test_prompts import open_run
from tests.serving import Dashboard

pytestmark = pytest.mark.browser

BEGIN = datetime(2026, 11, 1, tzinfo=UTC)
RUNS = "story_id,title,agent,model,test_pass_rate,tests_total\nPARSER-7,Parser,builder,m1,1,9\n"


def record(number: int) -> dict:
    """Seven good responses, then one that failed in everything: 0 · 40 % and 70 · 35 % over 75 %, 32.7."""
    bad = number == 7
    return {
        "metadata": {
            "response_id": f"r{number}", "model": "m1", "session_id": "s1", "story_id": "PARSER-7",
            "occurred_at": BEGIN + timedelta(hours=number), "tools_ok": 0 if bad else 2, "tools_failed": 2 if bad else 0,
        },
    }  # fmt: skip


@pytest.fixture
def sample_copy(sample_copy, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(RUNS)
    with Ledger(sample_copy) as ledger:
        ledger.execute(ImportArtifact(actor="ci", path=str(path)))
        ledger.execute(StoreResponses(actor="ci", responses=[record(number) for number in range(8)]))
        ledger.execute(AddFeedback(actor="dana", response_id="r7", signal="revert", event_id="e1"))
    return sample_copy


def test_a_run_leads_to_its_worst_response(page: Page, dashboard: Dashboard):
    """Seven responses at 86 and one at 18.7 after its revert; the severe one is opened, with what was done to it."""
    open_run(page)
    page.get_by_role("link", name="Responses of this story").click()
    expect(page.get_by_text("Score over time")).to_be_visible()
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text("Responses", exact=True))
    expect(box).to_contain_text("8")
    settle(page)
    page.get_by_test_id("stButtonGroup").get_by_text("severe", exact=True).click()
    settle(page)
    table = page.get_by_test_id("stDataFrame").last
    expect(table.locator("[role=gridcell]").filter(has_text="r7").first).to_be_attached()
    expect(table.locator("[role=gridcell]").filter(has_text="r6")).to_have_count(0)
    table.click(position={"x": 20, "y": 53})
    expect(page.get_by_text("How the score adds up")).to_be_visible()
    expect(page.get_by_test_id("stMetric").filter(has=page.get_by_text("Score", exact=True))).to_contain_text("18.7")
    expect(
        page.get_by_test_id("stDataFrame").locator("[role=gridcell]").filter(has_text="revert").first
    ).to_be_attached()

    other = page.context.browser.new_page()
    other.goto(page.url)
    expect(other.get_by_text("How the score adds up")).to_be_visible()
    other.close()
    settle(page)
    page.get_by_text("All responses").click()
    expect(page.get_by_text("Score over time")).to_be_visible()
