"""Does the way from a run to its judged criteria, to a second version and to a verifier hold, offline?"""

import re

import pytest
from playwright.sync_api import Page, expect

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger
from tests.browser.settling import choose, settle
from tests.browser.test_path import go_to, open_first_run
from tests.serving import Dashboard

pytestmark = pytest.mark.browser

STORY = "PARSER-7"
CRITERIA = "Nested suites are counted <b>once</b>."
BETTER = f"{CRITERIA}\nA file without suites is a reject."
RUNS = (
    f"story_id,title,agent,model,test_pass_rate,tests_total,done_criteria\n{STORY},Parser,builder,m1,1,9,{CRITERIA}\n"
)
NAMES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")


@pytest.fixture
def sample_copy(sample_copy, tmp_path, monkeypatch):
    """The sample with one story that has done criteria; no judge has a key."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "runs.csv"
    path.write_text(RUNS)
    with Ledger(sample_copy) as ledger:
        ledger.execute(ImportArtifact(actor="ci", path=str(path)))
    return sample_copy


def open_run(page: Page) -> None:
    page.get_by_label("Search", exact=True).fill(STORY)
    page.get_by_label("Search", exact=True).press("Enter")
    go_to(page, "Stories")
    open_first_run(page, STORY)


def evaluate(page: Page, version: str) -> None:
    settle(page)
    page.get_by_role("button", name="Evaluate").click(delay=150)
    expect(page.get_by_text(f"{STORY} · done criteria · version {version}".replace(" · v", "  ·  v"))).to_be_visible()
    expect(page.get_by_text("scripted: no real judgement").first).to_be_visible()


def test_criteria_are_judged_improved_and_compared(page: Page, dashboard: Dashboard):
    """From the run to Prompts, a draft that survives a page switch, two versions, their difference, and a link to it."""
    open_run(page)
    page.get_by_role("link", name="Evaluate the done criteria").click()
    prompt = page.get_by_label("The prompt to be judged")
    expect(prompt).to_have_value(CRITERIA)
    evaluate(page, "1 of 1")
    prompt.fill(BETTER)
    # A click as long as a hand's: in one of a millisecond Streamlit sends the text after it has left the page.
    page.get_by_role("link", name="Overview").click(delay=150)
    expect(page.get_by_role("heading", name="Overview", exact=True)).to_be_visible()
    go_to(page, "Prompts")
    expect(prompt).to_have_value(BETTER)
    evaluate(page, "2 of 2")
    expect(prompt).to_have_value(BETTER)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)  # drawn to the end: nothing moves under the click any more
    choose(page.get_by_role("combobox", name="Compare with"), page.get_by_role("option").first)
    expect(page.get_by_text("+A file without suites is a reject.")).to_be_visible()
    expect(page.locator("main b", has_text="once")).to_have_count(0)

    link = page.url
    assert re.search(r"evaluation=[0-9a-f-]{36}.*against=[0-9a-f-]{36}", link)
    other = page.context.browser.new_page()
    other.goto(link)
    expect(other.get_by_text("+A file without suites is a reject.")).to_be_visible()
    other.close()


def test_a_verifier_is_asked_from_the_run(page: Page, dashboard: Dashboard):
    """The diff stays where it was typed; what the scripted judge says is simulated and counts nowhere."""
    open_run(page)
    page.get_by_text("Ask a verifier").click()
    diff = page.get_by_label("Diff or patch")
    diff.fill("--- a\n+++ b\n-x\n+y")
    diff.press("Tab")
    settle(page)
    page.get_by_role("button", name="Ask for a verdict").click(delay=150)
    expect(page.get_by_text("Stored as simulated: it is in the history only and counts nowhere.")).to_be_visible()
    expect(diff).to_have_value("--- a\n+++ b\n-x\n+y")
    expect(page.get_by_text("■ Verifier · on demand / scripted")).to_be_visible()
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text("■ Verifier", exact=True))
    expect(box).to_contain_text("none yet")
