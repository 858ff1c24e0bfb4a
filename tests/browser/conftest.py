"""How does a test drive the dashboard? The real process on a ledger of its own, in a real Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.chromium import find_chromium
from tests.serving import WAIT_SECONDS, Dashboard, serving

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
expect.set_options(timeout=WAIT_SECONDS * 1000)


@pytest.fixture
def dashboard(sample_copy: Path, tmp_path: Path) -> Iterator[Dashboard]:
    """The dashboard on a copy of the sample ledger."""
    with serving(sample_copy, tmp_path / "server.log") as running:
        yield running


@pytest.fixture
def page(dashboard: Dashboard) -> Iterator[Page]:
    """A tab on the dashboard's first screen; nothing may have failed in the browser by the end."""
    executable = find_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        tab = browser.new_page(viewport={"width": 1440, "height": 1200}, timezone_id="Europe/Berlin")
        tab.set_default_timeout(WAIT_SECONDS * 1000)
        failures: list[str] = []
        tab.on("pageerror", lambda error: failures.append(str(error)))
        tab.goto(dashboard.address)
        yield tab
        browser.close()
    assert not failures
