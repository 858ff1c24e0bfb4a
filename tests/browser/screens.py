"""Which screens are there, how is each reached by a link, and when is one drawn to the end?"""

from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.browser.furnished import AGENT, MODEL, OTHER, Ids
from tests.browser.settling import settle

MODES = ("light", "dark")
DRAWN = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    return !all('[data-stale=true], [data-testid=stSkeleton], [data-testid=stAppSkeleton], [data-testid=stSpinner]').length
        && all('[data-testid=stPlotlyChart]').every((chart) => chart.querySelector('.main-svg'))
        && all('details[open] [data-testid=stDataFrame], [data-testid=stDataFrame]:not(details *)')
            .every((table) => table.querySelector('canvas'))
        && document.fonts.status === 'loaded';
}"""
"""Nothing is old or on its way: every chart has its picture, every table its canvas, every text its font."""


@dataclass(frozen=True)
class Screen:
    """A link within the dashboard, and a heading that stands there when it is followed."""

    name: str
    link: str
    heading: str

    def at(self, ids: Ids) -> str:
        return self.link.format_map(vars(ids))


SCREENS = (
    Screen("overview", "/", "Overview"),
    Screen("models", "/models", "Models"),
    Screen("model", f"/models?model={MODEL}", "Model"),
    Screen("models-compared", f"/models?model={MODEL}&with={OTHER}", "Beside another model"),
    Screen("trust", "/trust", "Trust"),
    Screen("route", "/route?work_discipline=backend", "Route"),
    Screen("trend", "/trend", "Trend"),
    Screen("review", "/review", "Review"),
    Screen("stories", "/stories", "Stories"),
    Screen("stories-filtered", f"/stories?agent={AGENT}&by=quality", "Stories"),
    Screen("stories-none", "/stories?q=there-is-none", "Nothing fits these filters"),
    Screen("run", "/stories?run={run}", "Your rating"),
    Screen("run-strange", "/stories?run={hostile_run}", "Your rating"),
    Screen("story-corrected", "/stories?correct=%3Cb%3ES%3C%2Fb%3E*x*", "Correct a story"),
    Screen("responses", "/responses", "Score over time"),
    Screen("response", "/responses?response=r39", "How the score adds up"),
    Screen("candidates", "/candidates", "Candidates"),
    Screen("ranking", "/candidates?ranking={ranking}", "Ranking"),
    Screen("candidate", "/candidates?ranking={ranking}&candidate=docs", "Four reviewers"),
    Screen("ingest", "/ingest", "Ingest"),
    Screen("prompts", "/prompts", "All prompts"),
    Screen("evaluation", "/prompts?evaluation={evaluation}&against={other_evaluation}", "Evaluation"),
    Screen("export", "/export", "Data dictionary"),
    Screen("activity", "/activity", "Activity"),
    Screen("write", "/activity?write={write}", "Concerns"),
    Screen("backup", "/backup", "Backup"),
    Screen("backup-opened", "/backup?backup={backup}", "Backup"),
)
"""Of the furnished ledger."""


def visit(page: Page, address: str, screen: Screen, ids: Ids | None) -> None:
    """Follow the link, and wait until the screen is drawn to the end."""
    page.goto(address + (screen.at(ids) if ids else screen.link))
    expect(page.get_by_role("heading", name=screen.heading, exact=True).first).to_be_visible()
    drawn(page)


def drawn(page: Page) -> None:
    """Wait until everything on the screen is drawn."""
    settle(page)
    page.wait_for_function(DRAWN)
