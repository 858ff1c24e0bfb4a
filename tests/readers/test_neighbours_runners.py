"""Runners that the corpus has no log of: the counts are what the runner says, else unknown with the reason."""

import pytest

NAMES = ("passed", "failed", "errors", "skipped", "flaky")
RULE = "=" * 79


@pytest.fixture
def says(read):
    """`says(text)` → (passed, failed, errors, skipped, flaky) or `None`, and the warnings."""

    def says(text):
        said = read(text, "out.log", story_id="S-1")
        [signal] = said.signals
        return tuple(signal[f"tests_{name}"] for name in NAMES) if "tests_total" in signal else None, said.warnings

    return says


def googletest(passed, failed=0, skipped=0, suite="A", printed="", ran=None):
    """A program's output with that many tests."""
    total = passed + failed + skipped if ran is None else ran
    end = f"[  PASSED  ] {passed} test{'s' * (passed != 1)}.\n"
    end += f"[  SKIPPED ] {skipped} test, listed below:\n[  SKIPPED ] {suite}.s\n" if skipped else ""
    end += f"[  FAILED  ] {failed} test, listed below:\n[  FAILED  ] {suite}.f\n\n 1 FAILED TEST\n" if failed else ""
    return (
        f"[==========] Running {total} tests from 1 test suite.\n[----------] {total} tests from {suite}\n"
        f"[ RUN      ] {suite}.a\n{printed}[       OK ] {suite}.a (0 ms)\n"
        f"[==========] {total} tests from 1 test suite ran. (1 ms total)\n{end}"
    )


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (googletest(2), (2, 0, 0, 0, 0)),
        (googletest(1, 1, 1), (1, 1, 0, 1, 0)),
        (googletest(2, printed="[  PASSED  ] 99 tests.\n"), (2, 0, 0, 0, 0)),  # printed by a test
        (googletest(2) + googletest(1, 1, suite="B"), (3, 1, 0, 0, 0)),  # two programs
        (googletest(1, 1) + googletest(2), (2, 0, 0, 0, 0)),  # the same suites again
        (googletest(1, ran=5), None),  # its parts do not add up
        (f"{RULE}\nAll tests passed (7 assertions in 3 test cases)\n", (3, 0, 0, 0, 0)),
        (f"{RULE}\ntest cases: 4 | 2 passed | 1 failed | 1 skipped\nassertions: 5 | 5 passed\n", (2, 1, 0, 1, 0)),
        (f"{RULE}\ntest cases: 3 | 2 passed | 1 failed as expected\n", (2, 0, 0, 0, 0)),
        ("[doctest] test cases:  3 |  2 passed | 1 failed | 9 skipped\n", (2, 1, 0, 9, 0)),
        ("[doctest] test cases: 0 | 0 passed | 0 failed | 0 skipped\n", None),
        (f"{RULE}\ntest cases: 9 | 2 passed | 1 failed\n", None),
        ("Finished in 0.03 seconds (0.00s async, 0.03s sync)\n5 tests, 1 failure, 1 skipped\n", (3, 1, 0, 1, 0)),
        ("Finished in 0.03 seconds\n2 doctests, 1 property, 5 tests, 1 failure, 2 excluded\n", (5, 1, 0, 2, 0)),
        ("Finished in 0.03 seconds\n5 tests, 0 failures, 2 invalid\n", (3, 0, 2, 0, 0)),
        (" 3 pass\n 1 skip\n 1 todo\n 2 fail\n 9 expect() calls\nRan 7 tests across 2 files. [10.00ms]\n", (3, 2, 0, 2, 0)),
        ("running 3 tests from ./a.ts\n\nok | 2 passed (3 steps) | 0 failed | 1 ignored (12ms)\n", (2, 0, 0, 1, 0)),
        (
            "running 2 tests from ./a.ts\nok | 99 passed | 0 failed (1ms)\n\nFAILED | 1 passed | 1 failed (1 step) (1s20ms)\n",
            (1, 1, 0, 0, 0),
        ),
        ("00:00 +0: loading a.dart\n00:01 +1: one\n00:01 +1 ~2 -1: Some tests failed.\n", (1, 1, 0, 2, 0)),
        ("00:00 +0: a\n00:01 +3: All tests passed!\n00:00 +0: b\n00:01 +2: All tests passed!\n", (5, 0, 0, 0, 0)),
        ("00:00 +0: loading a.dart\n00:00 +0: No tests ran.\n", None),
    ],
)  # fmt: skip
def test_what_it_says_at_its_end(says, text, counts):
    assert says(text)[0] == counts


def test_a_googletest_program_that_crashed_is_unknown_and_no_success(read):
    """It began and shows no end."""
    said = read(googletest(2).split("[==========] 2")[0], "out.log", story_id="S-1")
    assert "tests_total" not in said.signals[0]
    assert said.signals[0]["build_success"] is False


def test_programs_that_ctest_ran_are_its_tests(says):
    """One program with nine cases is one test of CTest: 1 of 2 failed, not 9 more."""
    text = (
        "Test project /b\n    Start 1: a\n1/2 Test #1: a .....   Passed    0.01 sec\n    Start 2: b\n"
        f"{googletest(8, 1)}2/2 Test #2: b .....***Failed    0.01 sec\n\n50% tests passed, 1 tests failed out of 2\n"
    )
    assert says(text)[0] == (1, 1, 0, 0, 0)


def xctest(*cases, failures=None, skipped=""):
    lines = [f"Test Case '-[T {name}]' {how} (0.001 seconds)." for name, how in cases]
    failures = sum(how == "failed" for _, how in cases) if failures is None else failures
    told = f"\t Executed {len(cases)} tests, with {skipped}{failures} failures (0 unexpected) in 0.002 (0.004) seconds"
    return "\n".join(["Test Suite 'T' started at 1", *lines, "Test Suite 'All tests' failed at 2", told, ""])


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (xctest(("a", "passed"), ("b", "failed")), (1, 1, 0, 0, 0)),
        (xctest(("a", "passed"), ("b", "failed"), failures=5), (1, 1, 0, 0, 0)),  # five assertions of one test
        (xctest(("a", "failed"), ("a", "passed"), ("b", "passed")), (2, 0, 0, 0, 1)),  # run again
        (xctest(("a", "passed"), ("b", "skipped"), skipped="1 test skipped and "), (1, 0, 0, 1, 0)),
        ("Test Suite 'All tests' failed at 2\n\t Executed 9 tests, with 3 failures (0 unexpected) in 1 (1) seconds\n", None),
        ("Test Suite 'All tests' passed at 2\n\t Executed 9 tests, with 0 failures (0 unexpected) in 1 (1) seconds\n",
         (9, 0, 0, 0, 0)),
        ("✔ Test a() passed after 0.1 seconds.\n✘ Test b() failed after 0.1 seconds with 2 issues.\n➜ Test c() skipped.\n"
         "✘ Test run with 2 tests failed after 0.1 seconds with 2 issues.\n", (1, 1, 0, 1, 0)),
        ("✘ Test run with 2 tests failed after 0.1 seconds with 2 issues.\n", None),
    ],
)  # fmt: skip
def test_swift_counts_tests_not_assertions(says, text, counts):
    assert says(text)[0] == counts


def test_maven_modules_built_side_by_side_both_count(says):
    """`mvn -T 2` mixes their lines: 3 passed in B, 1 passed and 1 failed in A."""
    lines = (
        "[INFO] Running o.ATest", "[INFO] Running o.BTest",
        "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in o.BTest",
        "[INFO] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in o.ATest",
        "[INFO] Results:", "[INFO] Results:", "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0",
        "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0",
    )  # fmt: skip
    assert says("\n".join(lines))[0] == (4, 1, 0, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Bestanden!   : Fehler:     0, erfolgreich:     3, übersprungen:     1, gesamt:     4, Dauer: 5 ms - T.dll (net8.0)\n",
        "Échec !  - échec :     1, réussite :     3, ignorée(s) :     0, total :     4, durée : 5 ms - T.dll (net8.0)\n",
        "==============\nSuite | FAIL |\n2 tests, 1 passed, 1 failed\n==============\n",
        "[ FAIL 1 | WARN 0 | SKIP 2 | PASS 3 ]\n",
        "3 specs, 1 failure\nFinished in 0.01 seconds\n",
        "Executed 2 out of 2 tests: 1 test passes and 1 fails locally.\n",
        "All tests passed (7 assertions in 3 test cases)\n",  # not where Catch2 prints it
        "5 tests, 0 failures\n",  # not where ExUnit prints it
        "Ran 7 tests across 2 files. [10.00ms]\n",
        '<?xml version="1.0"?><Catch2TestRun name="t"><TestCase name="a"/></Catch2TestRun>',
        '<?xml version="1.0"?><robot generator="Robot 7.0"><suite name="S"><test name="A"/></suite></robot>',
    ],
)
def test_what_is_not_known_is_refused_with_what_could_be_read(read, text):
    """Another language, another runner, or the words without their place: no number."""
    said = read(text, "out.log", story_id="S-1")
    assert (said.format, "signals" in said.tables) == ("unrecognised", False)
    assert "What can be read" in said.rejects[0]["reason"]
