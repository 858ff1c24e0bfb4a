"""What does axe find on a drawn screen? Its rules are those of WCAG and good practice."""

from dataclasses import dataclass

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")
ONLY_FAULTS = {"resultTypes": ["violations"]}
RULES = {"light": {}, "dark": {"runOnly": {"type": "rule", "values": ["color-contrast"]}}}
"""Mode → which rules; the markup is the same in both, the colours are not."""


@dataclass(frozen=True)
class Theirs:
    """A fault in markup that Streamlit writes and no page can change: a rule, within the elements of a selector."""

    rule: str
    within: str
    why: str


THEIRS = (
    Theirs(
        "scrollable-region-focusable",
        "[data-testid=stCode]",
        "a long code block scrolls in its place, and st.code takes no tabindex; Chromium and Firefox stop at it by themselves",
    ),
)


@dataclass(frozen=True)
class Fault:
    rule: str
    element: str
    says: str
    excused_by: Theirs | None

    def __str__(self) -> str:
        return f"{self.rule}: {self.element}\n{self.says}"


def faults_on(page: Page, mode: str) -> list[Fault]:
    """What axe calls serious or critical there."""
    violations = Axe().run(page, options=ONLY_FAULTS | RULES[mode]).response["violations"]
    return [
        Fault(broken["id"], node["html"][:300], node["failureSummary"], excuse(page, broken["id"], node["target"]))
        for broken in violations
        if broken["impact"] in SERIOUS
        for node in broken["nodes"]
    ]


def excuse(page: Page, rule: str, target: list[str]) -> Theirs | None:
    """The entry that the element falls under; what lies in a frame or a shadow falls under none."""
    if len(target) > 1 or not isinstance(target[0], str):
        return None
    within = "([element, selector]) => document.querySelector(element)?.closest(selector) != null"
    return next(
        (known for known in THEIRS if known.rule == rule and page.evaluate(within, [target[0], known.within])), None
    )
