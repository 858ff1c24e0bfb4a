"""A login for real: a provider of the test's own, Chromium, and what each role may do behind it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from quality.api.tokens import hash_of
from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger
from tests.browser.settling import settle
from tests.oidc import Provider, providing, secrets_toml
from tests.serving import WAIT_SECONDS, free_port, serving, wait_until

pytestmark = pytest.mark.browser
PEOPLE = {
    "ana": {"sub": "u1", "name": "Ana Roe", "email": "ana@example.org", "email_verified": True},
    "rob": {"sub": "u2", "name": "Rob Lee", "email": "rob@example.org", "email_verified": True, "groups": ["x", "reviewers"]},
    "vic": {"sub": "u3", "name": "Vic Ray", "email": "vic@example.org", "email_verified": True, "groups": "lookers"},
    "eve": {"sub": "u4", "name": "<b>Ana Roe</b>", "email": "ana@example.org", "email_verified": False, "groups": []},
}  # fmt: skip
TOKEN = "qt_of_this_test"
SETTINGS = f"""
[roles]
by_email = {{ "ana@example.org" = "admin" }}
claim = "groups"
by_claim = {{ reviewers = "reviewer", lookers = "viewer" }}
[server.tokens.ci]
sha256 = "{hash_of(TOKEN)}"
scopes = ["ingest"]
"""


@dataclass
class Guarded:
    """A dashboard behind a login."""

    address: str
    ledger: Path
    provider: Provider
    browser: Browser

    def door(self) -> Page:
        """A new browser profile at the dashboard."""
        tab = self.browser.new_context(viewport={"width": 1440, "height": 1200}).new_page()
        tab.set_default_timeout(WAIT_SECONDS * 1000)
        tab.goto(self.address)
        return tab

    def enter(self, person: str) -> Page:
        """Log in as one of `PEOPLE`."""
        tab = self.door()
        settle(tab)
        tab.get_by_role("button", name="Log in").click()
        tab.get_by_role("link", name=person, exact=True).click()
        return tab


@pytest.fixture(scope="module")
def guarded(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """The dashboard on a ledger with one run, with a login and a token; at the end its log holds no complaint."""
    folder = tmp_path_factory.mktemp("login")
    ledger, log = folder / "ledger.duckdb", folder / "tests.log"
    log.write_text("5 passed in 1.0s\n")
    with Ledger(ledger) as made:
        made.execute(ImportArtifact(actor="ci", path=str(log), story_id="S-1", agent="a1", model_version="m1"))
    (folder / "quality.toml").write_text(SETTINGS)
    port = free_port()
    with providing(PEOPLE, free_port()) as provider:
        (folder / "secrets.toml").write_text(secrets_toml(provider, f"http://127.0.0.1:{port}"))
        options = ("--secrets.files", str(folder / "secrets.toml"))
        with serving(ledger, folder / "server.log", *options, port=port) as dashboard:
            yield Guarded(dashboard.address, ledger, provider, chromium)


def sidebar(tab: Page):
    return tab.get_by_test_id("stSidebar")


def test_a_stranger_sees_the_door_and_nothing_of_the_ledger(guarded: Guarded):
    """Whatever link they follow, and whatever cookie they make up."""
    tab = guarded.door()
    tab.context.add_cookies([{"name": "_streamlit_user", "value": "forged", "url": guarded.address}])
    for path in ("", "/stories?q=S-1", "/activity"):
        tab.goto(guarded.address + path)
        expect(tab.get_by_role("button", name="Log in")).to_be_visible()
        settle(tab)
        expect(sidebar(tab)).to_have_count(0)
        assert "S-1" not in tab.content()
    tab.context.close()


@pytest.mark.parametrize(("person", "role"), [("vic", "viewer"), ("rob", "reviewer"), ("ana", "admin")])
def test_each_logs_in_with_their_role(guarded: Guarded, person: str, role: str):
    """By a claim that is a list or a text, or by the verified e-mail; name, role and the recorded name are shown."""
    tab = guarded.enter(person)
    expect(sidebar(tab).get_by_text(PEOPLE[person]["name"])).to_be_visible()
    expect(sidebar(tab).locator(".stMarkdownBadge").first).to_contain_text(re.compile(rf"(?<!re){role}$"))
    expect(sidebar(tab).get_by_text(f"{person}@example.org")).to_be_visible()
    tab.context.close()


def test_a_pasted_link_is_open_after_the_login(guarded: Guarded):
    """With its page and filters, although the provider sends everybody back to one address."""
    tab = guarded.door()
    tab.goto(f"{guarded.address}/stories?q=S-1&agent=a1")
    settle(tab)
    tab.get_by_role("button", name="Log in").click()
    tab.get_by_role("link", name="rob", exact=True).click()
    expect(tab.get_by_role("heading", name="Stories", exact=True)).to_be_visible()
    assert tab.url == f"{guarded.address}/stories?q=S-1&agent=a1"
    assert "quality_tiers_way_back" not in {cookie["name"] for cookie in tab.context.cookies()}
    tab.context.close()


def test_an_email_that_was_not_verified_opens_nothing(guarded: Guarded):
    """It is an admin's, claimed by somebody else; the way out leads through the provider back to the door."""
    before = guarded.provider.logouts
    tab = guarded.enter("eve")
    expect(tab.get_by_text("Its e-mail was not verified, so it counts for nothing.")).to_be_visible()
    expect(tab.get_by_text("Logged in as <b>Ana Roe</b>")).to_be_visible()
    expect(sidebar(tab)).to_have_count(0)
    settle(tab)
    tab.get_by_role("button", name="Log out").click()
    expect(tab.get_by_role("button", name="Log in")).to_be_visible()
    assert guarded.provider.logouts == before + 1
    tab.context.close()


def test_a_viewer_looks_and_is_told_what_a_reviewer_may(guarded: Guarded):
    """Buttons are disabled with the reason; no name is asked for."""
    tab = guarded.enter("vic")
    sidebar(tab).get_by_role("link", name="Prompts").click()
    expect(tab.get_by_text("Evaluating a prompt needs the role reviewer; yours is viewer.")).to_be_visible()
    expect(tab.get_by_role("button", name="Evaluate")).to_be_disabled()
    expect(tab.get_by_label("Your name")).to_have_count(0)
    tab.context.close()


def test_a_reviewer_writes_under_the_name_of_the_login(guarded: Guarded):
    """What the scripted judge says is stored by rob@example.org."""
    tab = guarded.enter("rob")
    sidebar(tab).get_by_role("link", name="Prompts").click()
    settle(tab)
    tab.get_by_label("The prompt to be judged").fill("Write a haiku about tests.")
    tab.get_by_role("button", name="Evaluate").click()
    expect(tab.get_by_text("scripted: no real judgement").first).to_be_attached()
    asked = {"Authorization": f"Bearer {_secret(guarded)}"}
    url = f"{guarded.address}/api/v1/commands/list_activity"

    def writers() -> list[str]:
        kinds = {"kinds": ["store_evaluations"]}
        found = httpx.post(url, json=kinds, headers=asked, trust_env=False).json()["writes"]
        return [write["actor"] for write in found]

    wait_until(lambda: writers() == ["rob@example.org"], "what the judge said to be stored by the person who asked")
    tab.context.close()


def test_after_logging_out_the_door_is_shut(guarded: Guarded):
    """In the same browser, once it has been at the provider and back."""
    before = guarded.provider.logouts
    tab = guarded.enter("ana")
    expect(sidebar(tab).get_by_text("Ana Roe")).to_be_visible()
    settle(tab)
    sidebar(tab).get_by_role("button", name="Log out").click()
    expect(tab.get_by_role("button", name="Log in")).to_be_visible()
    wait_until(lambda: guarded.provider.logouts == before + 1, "the logout to reach the provider")
    tab.wait_for_url(f"{guarded.address}/")
    expect(tab.get_by_role("button", name="Log in")).to_be_visible()
    tab.goto(guarded.address + "/stories")
    expect(tab.get_by_role("button", name="Log in")).to_be_visible()
    assert not [cookie for cookie in tab.context.cookies() if cookie["name"].startswith("_streamlit_user")]
    tab.context.close()


def test_beside_the_login_a_token_does_what_its_scope_says(guarded: Guarded):
    """HTTP answers 403 with the reason, 401 to a stranger; a login's cookie is no key to it."""
    url = f"{guarded.address}/api/v1/commands"
    headers = {"Authorization": f"Bearer {TOKEN}"}
    forged = {"story_id": "S-1", "rating": 1, "reviewer": "ana@example.org"}
    refused = httpx.post(f"{url}/add_rating", json=forged, headers=headers, trust_env=False)
    assert refused.status_code == 403
    assert refused.json()["error"].startswith("add_rating needs the scope review, and token:ci has ingest")
    parts = {
        "command": (None, json.dumps({"path": "r.log", "story_id": "S-2"})),
        "artifact": ("r.log", b"3 passed in 1.0s\n"),
    }
    assert (
        httpx.post(f"{url}/import_artifact", files=parts, headers=headers, trust_env=False).json()["status"]
        == "imported"
    )
    tab = guarded.enter("ana")
    expect(sidebar(tab).get_by_text("Ana Roe")).to_be_visible()
    status = tab.evaluate(
        "url => fetch(url, {method: 'POST', body: '{}'}).then(answer => answer.status)", f"{url}/list_scores"
    )
    assert status == 401
    sent = httpx.put(f"{guarded.address}/_stcore/upload_file/some-session/some-file", content=b"x", trust_env=False)
    assert (sent.status_code, sent.json()["error"]) == (403, "log in before you send a file")
    tab.context.close()


def _secret(guarded: Guarded) -> str:
    return json.loads(guarded.ledger.with_name(guarded.ledger.name + ".owner").read_text())["secret"]
