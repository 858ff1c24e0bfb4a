"""Real runners on small failing projects: what they print and say is what is read."""

import re
import subprocess
import sys

import pytest

PYTEST = """
import pytest, unittest
def test_ok(): print("==== 99 failed, 1 passed in 0.01s ====")
def test_bad(): print("==== 99 failed, 1 passed in 0.01s ===="); assert False
@pytest.mark.skip
def test_skipped(): pass
@pytest.mark.xfail
def test_expected(): assert False
@pytest.fixture
def broken(): raise RuntimeError
def test_error(broken): pass
class T(unittest.TestCase):
    def test_subs(self):
        for i in range(4):
            with self.subTest(i=i): self.assertEqual(i % 2, 0)
"""
UNITTEST = """
import unittest
class T(unittest.TestCase):
    def test_ok(self): print("Ran 99 tests in 0.001s\\\\n\\\\nOK")
    def test_subs(self):
        for i in range(4):
            with self.subTest(i=i): self.assertEqual(i % 2, 0)
    def test_error(self): raise RuntimeError
    @unittest.skip("later")
    def test_skipped(self): pass
    @unittest.expectedFailure
    def test_expected(self): self.fail()
class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError
    def test_never(self): pass
"""
NAMES = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped")


def printed(*command, cwd):
    """Standard output and error as a log has them."""
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    return done.stdout


@pytest.mark.parametrize(
    "options", [("-rA", "--color=yes"), ("-v", "-n", "2"), ("-s",), ("-q", "-s"), ("--tb=no", "-q")]
)
def test_pytest(read, tmp_path, options):
    """What its last line says, whatever the options: never what the tests print."""
    (tmp_path / "test_it.py").write_text(PYTEST)
    log = printed(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, cwd=tmp_path)
    [signal] = read(log, "out.log", story_id="S-1").signals
    last = log.decode().strip().splitlines()[-1]
    told = {word.rstrip("s"): int(n) for n, word in re.findall(r"(\d+) (passed|failed|errors?|skipped)", last)}
    assert [signal[name] for name in NAMES] == [told.get(word, 0) for word in ("passed", "failed", "error", "skipped")]
    assert 99 not in [signal[name] for name in NAMES]


@pytest.mark.parametrize("options", [(), ("-v",), ("-b",)])
def test_unittest(read, tmp_path, options):
    """5 ran: 1 passed, 1 failed in two subtests, 1 error, 1 skipped, 1 expected; and a class that could not be set up."""
    (tmp_path / "test_it.py").write_text(UNITTEST)
    log = printed(sys.executable, "-m", "unittest", *options, cwd=tmp_path)
    [signal] = read(log, "out.log", story_id="S-1").signals
    assert [signal[name] for name in NAMES] == [1, 1, 2, 1]
    assert signal["test_pass_rate"] == pytest.approx(1 / 4)
