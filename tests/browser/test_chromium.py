"""Is a missing browser a failure that says what to type?"""

import pytest

from tests.browser import chromium
from tests.browser.chromium import find_chromium

WHAT_TO_TYPE = r"apt-get install chromium.*playwright install chromium.*CHROMIUM="


@pytest.fixture
def bare_machine(monkeypatch, tmp_path):
    """Nothing on PATH, and nothing can be installed."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "_quietly", lambda command: 1)
    return tmp_path


def program(path):
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_a_named_browser_is_taken(bare_machine, monkeypatch):
    """$CHROMIUM wins over PATH."""
    program(bare_machine / "chromium")
    monkeypatch.setenv("CHROMIUM", program(bare_machine / "my-browser"))
    assert find_chromium() == str(bare_machine / "my-browser")


def test_a_named_browser_that_is_not_there_fails(bare_machine, monkeypatch):
    """Another one on PATH is not taken behind the developer's back."""
    program(bare_machine / "chromium")
    monkeypatch.setenv("CHROMIUM", str(bare_machine / "gone"))
    with pytest.raises(pytest.fail.Exception, match=rf"gone: no such program.*{WHAT_TO_TYPE}"):
        find_chromium()


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_browser_on_path_is_found(bare_machine, name):
    """Under each of its names."""
    path = program(bare_machine / name)
    assert find_chromium() == path


def test_no_browser_at_all_fails_with_the_command(bare_machine):
    """It does not skip."""
    with pytest.raises(pytest.fail.Exception, match=WHAT_TO_TYPE):
        find_chromium()
