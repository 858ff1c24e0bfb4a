"""How does a test drive the dashboard? The real process on a ledger of its own, in a real Chromium.

A missing browser is a failure with the command to type, never a skip.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.serving import WAIT_SECONDS, Dashboard, serving

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
REMEDY = (
    "no Chromium for the browser tests: `apt-get install chromium`, or `.venv/bin/playwright install chromium`, "
    "or name one with CHROMIUM=/path/to/chromium"
)
expect.set_options(timeout=WAIT_SECONDS * 1000)


def find_chromium() -> str | None:
    """$CHROMIUM, else on PATH, else by apt-get for root, else Playwright's own (`None` lets it find that)."""
    if named := os.environ.get("CHROMIUM"):
        if not shutil.which(named):
            pytest.fail(f"CHROMIUM={named}: no such program; {REMEDY}", pytrace=False)
        return named
    if found := _on_path() or _from_apt():
        return found
    if _quietly([sys.executable, "-m", "playwright", "install", "chromium"]):
        pytest.fail(REMEDY, pytrace=False)
    return None


def _on_path() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _from_apt() -> str | None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    for command in (["update"], ["install", "--yes", "chromium", "fonts-noto-core"]):
        _quietly(["apt-get", "--quiet", "--quiet", *command])
    return _on_path()


def _quietly(command: list[str]) -> int:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, env=env, stdin=subprocess.DEVNULL).returncode


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
