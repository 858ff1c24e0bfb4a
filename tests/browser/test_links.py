"""Does a pasted link show a colleague the same view, and does one that leads nowhere, or means harm, get a sentence?"""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.furnished import AGENT, HOSTILE, MODEL, OTHER, STORY, Furnished
from tests.browser.screens import drawn
from tests.browser.settling import choose, settle
from tests.serving import WAIT_SECONDS

pytestmark = pytest.mark.browser

DESK = {"width": 1440, "height": 1600}


@pytest.fixture
def tab(chromium: Browser):
    """A new tab of somebody; nothing may fail or run in it."""
    page = chromium.new_context(viewport=DESK, timezone_id="Europe/Berlin").new_page()
    page.set_default_timeout(WAIT_SECONDS * 1000)
    went_wrong: list[str] = []
    page.on("pageerror", lambda error: went_wrong.append(str(error)))
    page.on("dialog", lambda dialog: (went_wrong.append(dialog.message), dialog.dismiss()))
    yield page
    page.context.close()
    assert not went_wrong


VIEW = """() => ({
    screen: document.querySelector('[data-testid=stMain]').innerText,
    filters: document.querySelector('[data-testid=stSidebar]').innerText,
    fields: [...document.querySelectorAll('input:not([type=file])')].map((field) => [field.ariaLabel, field.value]),
    chosen: [...document.querySelectorAll('[aria-checked=true], [aria-pressed=true]')].map((each) => each.textContent),
})"""
"""What a person reads on a screen, and what is chosen there."""


def seen(page: Page) -> dict[str, object]:
    drawn(page)
    found: dict[str, object] = page.evaluate(VIEW)
    return found


def pasted(page: Page) -> dict[str, object]:
    """What a colleague sees who follows the address of this tab, in a browser of their own."""
    assert page.context.browser
    context = page.context.browser.new_context(viewport=DESK, timezone_id="Europe/Berlin")
    colleague = context.new_page()
    colleague.set_default_timeout(WAIT_SECONDS * 1000)
    colleague.goto(page.url)
    expect(colleague.locator("h1, h2").first).to_be_visible()
    found = seen(colleague)
    assert colleague.url == page.url
    context.close()
    return found


def test_filters_order_and_page_are_in_the_address(furnished: Furnished, tab: Page):
    """Two tiers and the second page are chosen by hand, the order stands already: a colleague sees rows 51 and on."""
    tab.goto(f"{furnished.address}/stories?by=story_id&order=ascending")
    expect(tab.get_by_role("heading", name="Stories", exact=True)).to_be_visible()
    for tier in ("verifier", "human"):
        drawn(tab)
        tab.get_by_test_id("stSidebar").get_by_role("button", name=tier, exact=True).click()
        expect(tab).to_have_url(re.compile(f"tier={tier}"))
    drawn(tab)
    tab.get_by_role("button", name="Page 2", exact=True).click()
    expect(tab.get_by_text(re.compile(r"51–100 of "))).to_be_visible()
    settle(tab)
    for part in ("tier=verifier", "tier=human", "by=story_id", "order=ascending", "p=2"):
        assert part in tab.url
    mine = seen(tab)
    assert "51–100 of " in str(mine["screen"])
    assert mine == pasted(tab)


def test_two_models_side_by_side_are_in_the_address(furnished: Furnished, tab: Page):
    """The second one is chosen by hand; the colleague sees the same differences."""
    tab.goto(f"{furnished.address}/models?model={MODEL}&agent={AGENT}")
    expect(tab.get_by_role("heading", name="Beside another model")).to_be_visible()
    drawn(tab)
    choose(tab.get_by_role("combobox", name="Compare with"), tab.get_by_role("option", name=OTHER, exact=True))
    expect(tab).to_have_url(re.compile(f"with={OTHER}"))
    expect(tab.get_by_test_id("stMain")).to_contain_text(OTHER)
    mine = seen(tab)
    assert OTHER in str(mine["screen"])
    assert mine == pasted(tab)


def test_an_open_run_is_in_the_address_with_its_place_in_the_list(furnished: Furnished, tab: Page):
    """Opened among the filtered and gone on to the next by key: run, filter and place are the colleague's too."""
    tab.goto(f"{furnished.address}/stories?agent={AGENT}")
    expect(tab.get_by_role("heading", name="Stories", exact=True)).to_be_visible()
    drawn(tab)
    tab.get_by_test_id("stDataFrame").first.click(position={"x": 65, "y": 53})
    expect(tab.get_by_text(re.compile("^1 of "))).to_be_visible()
    drawn(tab)
    tab.keyboard.press("n")
    expect(tab.get_by_text(re.compile("^2 of "))).to_be_visible()
    settle(tab)
    assert re.search(r"run=[0-9a-f-]+", tab.url)
    assert f"agent={AGENT}" in tab.url
    assert seen(tab) == pasted(tab)


NOT_HERE = "is not in the open ledger."
BAD = {
    "an unknown run": ("/stories?run=no-such-run", f"This run {NOT_HERE}"),
    "a run of another shape": (f"/stories?run={quote(HOSTILE)}", f"This run {NOT_HERE}"),
    "an endless run": (f"/stories?run={'9' * 4_000}", f"This run {NOT_HERE}"),
    "a page beyond the last": ("/stories?p=999999", "This link names something that is not in the open ledger."),
    "a page that is no number": (f"/stories?p={quote(HOSTILE)}", "This link names something"),
    "an order by nothing": ("/stories?by=password", "This link names something"),
    "an unknown tier": ("/stories?tier=gold", "This link names something"),
    "an unknown caveat": ("/stories?caveat=%3Cb%3E", "This link names something"),
    "SQL as a search": (f"/stories?q={quote(STORY)}%27%20OR%201%3D1%20--", "Nothing fits these filters"),
}
"""What a link can say that is not so → the link, and the sentence it gets."""


@pytest.mark.parametrize("bad", BAD)
def test_a_link_to_what_is_not_here_gets_a_sentence(bad: str, furnished: Furnished, tab: Page):
    """It is said in words, what it names is text, and the rest of the screen works."""
    link, sentence = BAD[bad]
    tab.goto(furnished.address + link)
    expect(tab.get_by_text(sentence).first).to_be_visible()
    drawn(tab)
    expect(tab.get_by_test_id("stException")).to_have_count(0)
    for word in ("Traceback", "Error:"):
        expect(tab.get_by_test_id("stApp").get_by_text(word)).to_have_count(0)
    expect(tab.locator("[data-testid=stMain] :is(script, img[src=x])")).to_have_count(0)
