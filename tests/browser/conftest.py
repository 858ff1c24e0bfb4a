"""How does a test drive the dashboard? The real process on a ledger of its own, in a real Chromium.

A missing browser is a failure with the command to type, never a skip.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
WAIT_SECONDS = 60
expect.set_options(timeout=WAIT_SECONDS * 1000)
REMEDY = (
    "no Chromium for the browser tests: `apt-get install chromium`, or `.venv/bin/playwright install chromium`, "
    "or name one with CHROMIUM=/path/to/chromium"
)


def find_chromium() -> str | None:
    """$CHROMIUM, else on PATH, else by apt-get for root, else Playwright's own (`None` lets it find that)."""
    if named := os.environ.get("CHROMIUM"):
        if not shutil.which(named):
            pytest.fail(f"CHROMIUM={named}: no such program; {REMEDY}", pytrace=False)
        return named
    for install in (None, _install_with_apt):
        if install:
            install()
        for name in NAMES:
            if found := shutil.which(name):
                return found
    if subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], stdin=subprocess.DEVNULL).returncode:
        pytest.fail(REMEDY, pytrace=False)
    return None


def _install_with_apt() -> None:
    if os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"stdin": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        subprocess.run(["apt-get", "update", "-qq"], **quiet)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium", "fonts-noto-core"], **quiet)


@dataclass
class Dashboard:
    """A running `streamlit run app.py`."""

    address: str
    ledger: Path
    log: Path


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Until it holds, or fail naming what was waited for."""
    end = time.monotonic() + WAIT_SECONDS
    while not condition():
        if time.monotonic() > end:
            pytest.fail(f"waited {WAIT_SECONDS} s for {what}")
        time.sleep(0.05)


@pytest.fixture
def dashboard(sample_copy: Path, tmp_path: Path) -> Iterator[Dashboard]:
    """The dashboard on a copy of the sample ledger. At the end its log must hold no warning and no traceback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path / "server.log"
    options = ["--server.port", str(port), "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
    running = Dashboard(f"http://127.0.0.1:{port}", sample_copy, log)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "QUALITY_LEDGER": str(sample_copy)}, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            wait_until(lambda: process.poll() is not None or _answers(running.address), "the dashboard to answer")
            assert process.poll() is None, log.read_text(encoding="utf-8")
            yield running
        finally:
            process.terminate()
            process.wait(WAIT_SECONDS)
    said = log.read_text(encoding="utf-8")
    assert not any(word in said.lower() for word in ("warning", "traceback", "error", "exception")), said


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as reply:
            return reply.status == 200
    except OSError:
        return False


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
