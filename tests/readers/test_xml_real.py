"""pytest's own XML of a small failing project: what it writes is what is read."""

import subprocess
import sys

import pytest

NAMES = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")
PYTEST = """
import pytest
@pytest.mark.parametrize("n", [1, 2, 3])
def test_each(n): assert n < 3
def test_prints(): print("\\x1b[31m\\x00 ]]> <failure/> &"); assert False
@pytest.mark.skip
def test_skipped(): pass
@pytest.mark.xfail
def test_expected(): assert False
@pytest.mark.xfail
def test_unexpected(): pass
@pytest.fixture
def broken(): raise RuntimeError
def test_set_up(broken): pass
@pytest.fixture
def leaving():
    yield
    raise RuntimeError
def test_tear_down(leaving): pass
def test_both(leaving): assert False
"""


@pytest.mark.parametrize("family", ["xunit1", "xunit2", "legacy"])
def test_pytest(read, tmp_path, family):
    """As on its console: 2 + 1 + 1 passed, 3 failed, and 3 errors, two of them after the test itself had ended; 2 skipped."""
    (tmp_path / "test_it.py").write_text(PYTEST)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--junitxml",
        "out.xml",
        "-o",
        f"junit_family={family}",
    ]
    subprocess.run([*command, "test_it.py"], cwd=tmp_path, capture_output=True, timeout=120)
    said = read(tmp_path / "out.xml", story_id="S-1")
    assert [said.signals[0][name] for name in NAMES] == [4, 3, 3, 2, 0]
    assert said.rejects == []
