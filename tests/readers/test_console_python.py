"""pytest and unittest: which line is the summary, and what does it say?"""

import pytest

RULE = "-" * 70
HEAD = "============================= test session starts ==============================\n"
SHORT = "=========================== short test summary info ============================\n"


@pytest.fixture
def counted(read):
    """`counted(text)` → (passed, failed, errors, skipped, flaky), `None` where the tests are unknown."""

    def counts(text):
        [signal] = read(text, "out.log", story_id="S-1").signals
        names = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")
        return tuple(signal[name] for name in names) if "tests_total" in signal else None

    return counts


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("3 passed in 0.02s", (3, 0, 0, 0, 0)),
        ("=== 3 passed in 61.20s (0:01:01) ===", (3, 0, 0, 0, 0)),
        (
            "=== 1 failed, 2 passed, 3 skipped, 4 deselected, 1 xfailed, 2 warnings, 1 error in 0.02s ===",
            (2, 1, 1, 3, 0),
        ),
        ("=== 2 passed, 1 warnings in 0.12 seconds ===", (2, 0, 0, 0, 0)),
        ("= 2 failed in 0.06s =", (0, 2, 0, 0, 0)),
        ("4 skipped in 0.02s", (0, 0, 0, 4, 0)),
        ("1 passed, 2 xfailed in 90061.00s (1 day, 1:01:01)", (1, 0, 0, 0, 0)),
        ("=== 5 deselected in 0.01s ===", None),
        ("=== 2 xfailed in 0.01s ===", None),
        ("no tests ran in 0.01s", None),
    ],
)
def test_pytest_in_its_forms(counted, line, counts):
    """With and without =, hours and days, old seconds; expected failures and deselected tests are in no count."""
    assert counted(f"{line}\n") == counts


def test_a_summary_in_captured_output_does_not_count(counted):
    """Whether a test printed a line, a whole session or a report section."""
    nested = (
        HEAD + "collected 1 item\n\ntest_inner.py F   [100%]\n\n=== FAILURES ===\n____ test_inner ____\n"
        "E   assert 0\n=== 99 failed, 1 passed in 0.01s ===\n"
    )
    for printed in (
        "==== 99 failed, 1 passed in 0.01s ====\n",
        "99 failed, 1 passed in 0.01s\n",
        nested,
        SHORT + "FAILED a.py::t\n99 failed in 1s\n",
    ):
        text = (
            HEAD + "collected 2 items\n\ntest_a.py .F                        [100%]\n\n"
            "=================================== FAILURES ===================================\n"
            "_________________________________ test_prints __________________________________\n"
            "E       assert False\n----------------------------- Captured stdout call -----------------------------\n"
            + printed + SHORT + "FAILED test_a.py::test_prints - assert False\n"
            "========================= 1 failed, 1 passed in 0.06s ==========================\n"
        )  # fmt: skip
        assert counted(text) == (1, 1, 0, 0, 0), printed


def test_a_summary_printed_under_s_does_not_count(counted):
    """Uncaptured, in the middle of the progress: the session's last summary counts."""
    for printed in ("==== 99 failed, 1 passed in 0.01s ====", "99 failed, 1 passed in 0.01s"):
        full = HEAD + f"collected 2 items\n\ntest_a.py .{printed}\n{printed}\n.   [100%]\n\n=== 2 passed in 0.01s ===\n"
        quiet = f".\n{printed}\n.                                       [100%]\n2 passed in 0.01s\n"
        assert counted(full) == (2, 0, 0, 0, 0)
        assert counted(quiet) == (2, 0, 0, 0, 0)


def test_a_session_printed_by_a_test_under_s_does_not_count(counted):
    """A plugin's own tests run pytest inside pytest."""
    inner = HEAD + "collected 3 items\n\ntest_inner.py FFF       [100%]\n\n=== 3 failed in 0.01s ===\n"
    text = HEAD + "collected 1 item\n\ntest_a.py " + inner + ".     [100%]\n\n=== 1 passed in 0.01s ===\n"
    assert counted(text) == (1, 0, 0, 0, 0)


def test_a_session_that_never_ends_does_not_hide_the_next(read):
    """The first was killed; the second counts, and the first is told."""
    text = (
        HEAD
        + "collected 9 items\n\ntest_a.py ..\nKilled\n"
        + HEAD
        + "collected 1 item\n\ntest_b.py .  [100%]\n\n=== 1 passed in 0.1s ===\n"
    )
    [signal] = read(text, "out.log", story_id="S-1").signals
    assert signal["tests_passed"] == 1


def test_a_session_without_an_end_is_unknown(read):
    """A log that is cut says nothing of its tests, and a warning says so."""
    said = read(HEAD + "collected 9 items\n\ntest_a.py ...F..\n", "out.log", story_id="S-1")
    assert "tests_total" not in said.signals[0]
    assert any("shows no end" in warning for warning in said.warnings)


def test_different_suites_add_up_and_a_re_run_replaces(counted):
    """Two folders' sessions are added; the same files run again count once, the newest."""
    one = HEAD + "collected 2 items\n\ntests/unit/test_a.py .F   [100%]\n\n=== 1 failed, 1 passed in 0.1s ===\n"
    other = HEAD + "collected 3 items\n\ntests/e2e/test_b.py ...   [100%]\n\n=== 3 passed in 0.1s ===\n"
    mended = HEAD + "collected 2 items\n\ntests/unit/test_a.py ..   [100%]\n\n=== 2 passed in 0.1s ===\n"
    assert counted(one + other) == (4, 1, 0, 0, 0)
    assert counted(one + mended) == (2, 0, 0, 0, 0)


def test_the_failed_tests_run_again_are_flaky_passes(counted):
    """`pytest --lf` after a failure: each retry counts once."""
    one = (
        HEAD
        + "collected 4 items\n\na_test.py .F   [ 50%]\nb_test.py ..   [100%]\n\n=== 1 failed, 3 passed in 0.1s ===\n"
    )
    again = HEAD + "collected 1 item\n\na_test.py .   [100%]\n\n=== 1 passed in 0.1s ===\n"
    assert counted(one + again) == (4, 0, 0, 0, 1)


def test_quiet_runs_one_after_the_other_add_up(counted):
    """`pytest -q` hides its header: progress after a summary begins the next."""
    assert counted(
        "..                [100%]\n2 passed in 0.1s\n.F                [100%]\n1 failed, 1 passed in 0.2s\n"
    ) == (3, 1, 0, 0, 0)


def test_a_bare_line_does_not_count_beside_a_session(counted):
    """A later command that echoes an old summary changes nothing."""
    session = HEAD + "collected 1 item\n\ntest_a.py .   [100%]\n\n=== 1 passed in 0.1s ===\n"
    assert counted(session + "##[group]Run cat old.log\n##[endgroup]\n=== 3 failed in 0.10s ===\n") == (1, 0, 0, 0, 0)


def test_the_echo_of_a_step_s_script_does_not_count(counted):
    """GitHub shows the script of a step before it runs."""
    stamp = "2026-08-20T10:00:00.0000000Z "
    lines = [
        "##[group]Run pytest -q", "pytest -q", "echo '=== 9 failed in 0.1s ==='", "=== 9 failed in 0.1s ===",
        "shell: /usr/bin/bash -e {0}", "##[endgroup]", "..     [100%]", "2 passed in 0.01s",
    ]  # fmt: skip
    assert counted("".join(stamp + line + "\n" for line in lines)) == (2, 0, 0, 0, 0)


def test_a_group_of_the_run_s_own_is_read(counted):
    """A script may fold its output as GitHub folds a command."""
    lines = [
        "##[group]Run the tests",
        "..     [100%]",
        "2 passed in 0.01s",
        "##[endgroup]",
        "Cleaning up orphan processes",
    ]
    assert counted("".join(f"2026-08-20T10:00:00.0000000Z {line}\n" for line in lines)) == (2, 0, 0, 0, 0)


def test_jobs_of_a_matrix_add_up(counted):
    """The same files in two jobs are two results, not a re-run."""
    session = [HEAD.strip(), "collected 1 item", "test_a.py {}   [100%]", "=== 1 {} in 0.1s ==="]
    text = ""
    for job, letter, word in (("py310", "F", "failed"), ("py311", ".", "passed")):
        for line in session:
            line = line.replace("{}", letter if "test_a" in line else word)
            text += f"test ({job})\tRun pytest\t2026-08-20T10:00:00.0000000Z {line}\n"
    assert counted(text) == (1, 1, 0, 0, 0)


def test_pytest_reruns_with_v_are_flaky_passes(counted):
    """By name, in whatever order xdist prints them."""
    text = (
        HEAD + "2 workers [3 items]\n\n[gw0] [ 33%] RERUN test_a.py::test_x\n"
        "test_a.py::test_x RERUN                        [ 33%]\ntest_a.py::test_y PASSED                      [ 66%]\n"
        "test_a.py::test_x PASSED                       [100%]\n\n=== 2 passed, 1 rerun in 0.1s ===\n"
    )
    assert counted(text) == (2, 0, 0, 0, 1)


def test_a_rerun_that_fails_again_is_no_flaky_pass(counted):
    """`RF`: the retry failed."""
    text = HEAD + "collected 2 items\n\ntest_a.py .RF     [100%]\n\n=== 1 failed, 1 passed, 1 rerun in 0.1s ===\n"
    assert counted(text) == (1, 1, 0, 0, 0)


def unittest(ran, status, headings=(), progress=".."):
    """unittest's output."""
    heads = "".join(
        f"{'=' * 70}\n{heading}\n{RULE}\nTraceback (most recent call last):\n  boom\n\n" for heading in headings
    )
    return f"{progress}\n{heads}{RULE}\nRan {ran} test{'s' if ran != 1 else ''} in 0.001s\n\n{status}\n"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (unittest(3, "OK"), (3, 0, 0, 0, 0)),
        (unittest(5, "OK (skipped=2, expected failures=1)"), (2, 0, 0, 2, 0)),
        (unittest(4, "FAILED (failures=1, errors=1, skipped=1)", ["FAIL: a (m.T.a)", "ERROR: b (m.T.b)"]), (1, 1, 1, 1, 0)),
        (unittest(2, "FAILED (unexpected successes=1)"), (1, 1, 0, 0, 0)),
        (unittest(0, "OK"), None),
        (unittest(0, "NO TESTS RAN", progress=""), None),
        (unittest(0, "FAILED (errors=1)", ["ERROR: setUpClass (m.T)"]), (0, 0, 1, 0, 0)),
        (unittest(2, "FAILED (errors=1)", ["ERROR: setUpClass (m.T)"]), (2, 0, 1, 0, 0)),
        (unittest(3, "FAILED (failures=2, errors=1)", [
            "FAIL: test_a (m.T.test_a) (i=1)", "FAIL: test_a (m.T.test_a) [msg] (i=(2, 3))", "ERROR: test_a (m.T.test_a) (i=4)",
        ]), (2, 1, 0, 0, 0)),
        (unittest(2, "FAILED (failures=2)"), (0, 2, 0, 0, 0)),
        (unittest(1, "FAILED (failures=4)"), (0, 4, 0, 0, 0)),
        (unittest(3, "FAILED (failures=1)", ["FAIL: test_a (m.T.test_a)\nWhat it does, in words"]), (2, 1, 0, 0, 0)),
    ],
)  # fmt: skip
def test_unittest_counts_each_test_once(counted, text, counts):
    """Subtests of one test are one failure; a class that could not be set up is an error beside the tests that ran."""
    assert counted(text) == counts


def test_a_unittest_summary_printed_by_a_test_does_not_count(counted):
    """It disagrees with the failures that unittest lists."""
    fake = f"{RULE}\nRan 99 tests in 0.001s\n\nFAILED (failures=99)\n"
    assert counted("." + fake + unittest(2, "OK")) == (2, 0, 0, 0, 0)
    assert counted("Ran 99 tests in 0.001s\n\nOK\n" + unittest(2, "OK")) == (2, 0, 0, 0, 0)
    failing = unittest(
        2, "FAILED (failures=1)", [f"FAIL: test_a (m.T.test_a)\n{RULE}\nStdout:\n{RULE}\nRan 99 tests in 0.001s\n\nOK"]
    )
    assert counted(failing) == (1, 1, 0, 0, 0)


def test_unittest_runs_add_up(counted):
    """Two invocations in one log."""
    assert counted(unittest(2, "OK") + unittest(3, "FAILED (errors=1)", ["ERROR: t (m.T.t)"])) == (4, 0, 1, 0, 0)


def test_a_module_that_unittest_could_not_load_is_a_failed_build(read):
    """As a collection error of pytest is."""
    text = unittest(
        1, "FAILED (errors=1)", ["ERROR: tests.test_x (unittest.loader._FailedTest.tests.test_x)"], progress="E"
    )
    [signal] = read(text, "out.log", story_id="S-1").signals
    assert (signal["tests_errors"], signal["build_success"]) == (1, False)


def test_pytest_and_unittest_in_one_log_add_up(counted):
    """Different runners are different suites."""
    assert counted(
        unittest(2, "OK") + HEAD + "collected 1 item\n\ntest_a.py F   [100%]\n\n=== 1 failed in 0.1s ===\n"
    ) == (2, 1, 0, 0, 0)
