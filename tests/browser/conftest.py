"""How does a test drive the dashboard? The real process on a ledger of its own, in a real Chromium."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import find_chromium
from tests.browser.furnished import Furnished, furnish
from tests.browser.settling import patient_actions
from tests.serving import WAIT_SECONDS, Dashboard, serving

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--force-prefers-reduced-motion",
]  # fmt: skip
expect.set_options(timeout=WAIT_SECONDS * 1000)


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """No test acts on a page that is being drawn."""
    with patient_actions():
        yield


@pytest.fixture(scope="module")
def furnished(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    """One for all tests of a file, which only look at it."""
    folder = tmp_path_factory.mktemp("furnished")
    ledger = Path(shutil.copyfile(built_sample, folder / "ledger.duckdb"))
    ids = furnish(ledger)
    with serving(ledger, folder / "server.log") as running:
        yield Furnished(running.address, ids)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One for all tests of a file; each opens pages or contexts of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def dashboard(sample_copy: Path, tmp_path: Path) -> Iterator[Dashboard]:
    """The dashboard on a copy of the sample ledger."""
    with serving(sample_copy, tmp_path / "server.log") as running:
        yield running


@pytest.fixture
def page(chromium: Browser, dashboard: Dashboard) -> Iterator[Page]:
    """A tab on the dashboard's first screen; nothing may have failed in the browser by the end."""
    failures: list[str] = []
    with tab_at(chromium, dashboard.address, failures) as tab:
        yield tab
    assert not failures


@contextmanager
def tab_at(chromium: Browser, address: str, failures: list[str] | None = None) -> Iterator[Page]:
    """A tab of a reader in Berlin, who shares nothing with others; `failures` takes what went wrong in the browser."""
    context = chromium.new_context(viewport={"width": 1440, "height": 1200}, timezone_id="Europe/Berlin")
    tab = context.new_page()
    tab.set_default_timeout(WAIT_SECONDS * 1000)
    if failures is not None:
        tab.on("pageerror", lambda error: failures.append(str(error)))
    tab.goto(address)
    yield tab
    for each in chromium.contexts:
        each.close()  # those of other people in the same test too
