"""Where is a Chromium for the browser tests? If there is none, they fail with the command to type, never skip."""

import os
import shutil
import subprocess
import sys

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
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
