"""Console output of the other runners: each form, what stays out of the counts, and what the tests print themselves."""

import pytest


@pytest.fixture
def says(read):
    """`says(text)` → (passed, failed, errors, skipped, flaky) or `None`, and whether the build succeeded."""

    def says(text):
        [signal] = read(text, "out.log", story_id="S-1").signals
        names = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")
        counts = tuple(signal[name] for name in names) if "tests_total" in signal else None
        return counts, signal.get("build_success")

    return says


JEST = (
    "PASS src/a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       {}\nSnapshots:   0 total\nTime:        0.3 s\n"
)
VITEST = " RUN  v4.1.12 /build\n\n ✓ v/a.test.mjs (2 tests) 3ms\n\n Test Files  1 passed (1)\n      Tests  {}\n"
"   Start at  01:32:29\n"
MOCHA = "\n  suite\n    ✔ one\n    ✔ two\n    1) three\n\n\n  {}\n"
MAVEN = (
    "[INFO] -------------------------------------------------------\n[INFO]  T E S T S\n"
    "[INFO] -------------------------------------------------------\n[INFO] Running org.acme.{0}Test\n"
    "[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.05 s <<< FAILURE! -- in org.acme.{0}Test\n"
    "[INFO] \n[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   ATest.a:7 expected: <1> but was: <2>\n[INFO] \n"
    "[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1\n[INFO] \n"
)


def go(package, *tests, end):
    """`go test -v` of one package: (name, result) each."""
    lines = []
    for name, result in tests:
        lines += [f"=== RUN   {name}", f"{'    ' * name.count('/')}--- {result}: {name} (0.00s)"]
    return "\n".join([*lines, "PASS" if end == "ok" else "FAIL", f"{end}\t{package}\t0.01s", ""])


def cargo(*blocks):
    """`cargo test` of several binaries: (path, ran, result) each."""
    return "    Finished `test` profile [unoptimized] target(s) in 0.84s\n" + "".join(
        f"     Running {path} (target/debug/deps/{path[-5:-3]}-b16911ff3d84a84e)\n\nrunning {ran} tests\n{printed}"
        f"test result: ok. {result}; 0 measured; 0 filtered out; finished in 0.00s\n\n"
        for path, ran, printed, result in blocks
    )


@pytest.mark.parametrize(
    ("text", "counts", "build"),
    [
        (JEST.format("2 failed, 1 skipped, 1 todo, 2 passed, 6 total"), (2, 2, 0, 1, 0), None),
        (JEST.format("0 total"), None, None),
        (JEST.format("3 passed, 3 total").replace("PASS ", "PASS unit "), (3, 0, 0, 0, 0), None),
        (VITEST.format("2 passed (2)"), (2, 0, 0, 0, 0), None),
        (VITEST.format("1 failed | 2 passed | 3 todo (6)"), (2, 1, 0, 0, 0), None),
        (VITEST.format("no tests"), None, None),
        (VITEST.format("2 passed (2)\n     Errors  1 error"), (2, 0, 0, 0, 0), False),
        (MOCHA.format("2 passing (4ms)\n  1 failing\n\n  1) suite\n       three:\n     Error: no"), (2, 1, 0, 0, 0), None),
        (MOCHA.format("2 passing (1m)\n  3 pending\n  1 failing"), (2, 1, 0, 3, 0), None),
        ("\n  0 passing (1ms)\n", None, None),
        ("ℹ tests 6\nℹ suites 1\nℹ pass 2\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 1\n"
         "ℹ duration_ms 61.2\n", (2, 2, 0, 2, 0), None),
        ("Running 6 tests using 2 workers\n\n  1 failed\n    a.spec.ts:3:5 › x\n  1 flaky\n    a.spec.ts:9:5 › y\n"
         "  1 skipped\n  3 passed (4.2s)\n",
         (4, 1, 0, 1, 1), None),
        (go("a.b/c", ("TestA", "PASS"), ("TestB", "FAIL"), ("TestC", "SKIP"), end="FAIL"), (1, 1, 0, 1, 0), None),
        (go("a.b/c", ("TestA", "PASS"), end="ok") + go("a.b/d", ("TestA", "PASS"), end="ok"), (2, 0, 0, 0, 0), True),
        ("ok  \ta.b/c\t0.01s\nok  \ta.b/d\t(cached)\n?   \ta.b/e\t[no test files]\n", None, True),
        ("--- FAIL: TestB (0.00s)\n    x_test.go:3: no\nFAIL\nFAIL\ta.b/c\t0.01s\nok  \ta.b/d\t0.02s\nFAIL\n", None, False),
        ("# a.b/c\n./x.go:3:1: syntax error\nFAIL\ta.b/c [build failed]\nok  \ta.b/d\t0.02s\nFAIL\n", None, False),
        (cargo(("src/lib.rs", 3, "", "2 passed; 0 failed; 1 ignored"), ("tests/it.rs", 1, "", "1 passed; 0 failed; 0 ignored")),
         (3, 0, 0, 1, 0), True),
        (cargo(("src/lib.rs", 0, "", "0 passed; 0 failed; 0 ignored")), None, True),
        ("   Compiling x v0.1.0\nerror[E0308]: mismatched types\n"
         "error: could not compile `x` (lib test) due to 1 previous error\n"
         "     Running tests/it.rs (target/debug/deps/it-3d35867fc77dfc10)\n\nrunning 1 test\n\n"
         "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n", (1, 0, 0, 0, 0), False),
        ("    Starting 9 tests across 2 binaries\n"
         "     Summary [   0.010s] 9 tests run: 6 passed (1 slow, 2 flaky, 1 leaky), 2 failed, 1 timed out, 3 skipped\n",
         (6, 3, 0, 3, 2), None),
        ("    Starting 3 tests across 1 binary\n"
         "     Summary [   0.010s] 2/3 tests run: 1 passed, 1 failed, 0 skipped\n", (1, 1, 0, 0, 0), None),
        ("Test project /b\n    Start 1: a\n1/3 Test #1: a ....   Passed    0.00 sec\n\n"
         "67% tests passed, 1 tests failed out of 3\n\n"
         "Total Test time (real) =   0.02 sec\n\nThe following tests did not run:\n\t  2 - sk (Skipped)\n"
         "\t  4 - dis (Disabled)\n\n"
         "The following tests FAILED:\n\t  3 - bad (Failed)\nErrors while running CTest\n", (1, 1, 0, 2, 0), None),
        ("Test project /b\nNo tests were found!!!\n", None, None),
        (MAVEN.format("A") + "[INFO] BUILD FAILURE\n", (1, 1, 1, 1, 0), False),
        (MAVEN.format("A") + MAVEN.format("B"), (2, 2, 2, 2, 0), None),
        ("[INFO] Results:\n[INFO] \n[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1, Flakes: 1\n"
         "[INFO] BUILD SUCCESS\n", (4, 0, 0, 1, 1), True),
        ("Results :\n\nTests run: 5, Failures: 0, Errors: 0, Skipped: 0\n\nBUILD SUCCESS\n", (5, 0, 0, 0, 0), True),
        ("> Task :test FAILED\n\nATest > a() FAILED\n    org.opentest4j.AssertionFailedError at ATest.java:7\n\n"
         "5 tests completed, 1 failed, 1 skipped\n\n"
         "BUILD FAILED in 3s\n", (3, 1, 0, 1, 0), False),
        ("> Task :test\n\nATest > a() PASSED\n\nATest > b() SKIPPED\n\nBUILD SUCCESSFUL in 3s\n"
         "3 actionable tasks: 3 executed\n", (1, 0, 0, 1, 0), True),
        ("> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s\n", None, True),
        ("Failed!  - Failed:     1, Passed:     3, Skipped:     1, Total:     5, Duration: 12 ms - A.dll (net8.0)\n"
         "Passed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 3 ms - B.dll (net8.0)\n",
         (5, 1, 0, 1, 0), None),
        ("Total tests: 5\n     Passed: 3\n     Failed: 1\n    Skipped: 1\n Total time: 1.2 Seconds\n", (3, 1, 0, 1, 0), None),
        ("Test summary: total: 5, failed: 1, succeeded: 3, skipped: 1, duration: 2.1s\n"
         "Build failed with 1 error(s) in 3.2s\n", (3, 1, 0, 1, 0), False),
        ("Test run summary: Failed! - bin/x.dll (net8.0|x64)\n  total: 5\n  failed: 1\n  succeeded: 3\n  skipped: 1\n"
         "  duration: 1s\n", (3, 1, 0, 1, 0), None),
        ("PHPUnit 10.5.1 by Sebastian Bergmann and contributors.\n\nOK (12 tests, 24 assertions)\n", (12, 0, 0, 0, 0), None),
        ("PHPUnit 10.5.1 by Sebastian Bergmann and contributors.\n\nERRORS!\n"
         "Tests: 9, Assertions: 12, Errors: 1, Failures: 2, Skipped: 1, Incomplete: 1, Risky: 1.\n",
         (4, 2, 1, 2, 0), None),
        ("PHPUnit 10.5.1 by Sebastian Bergmann and contributors.\n\nNo tests executed!\n", None, None),
        ("\n  Tests:    1 failed, 1 todo, 2 skipped, 3 passed (7 assertions)\n  Duration: 0.10s\n", (3, 1, 0, 3, 0), None),
        ("Finished in 0.01 seconds (files took 0.1 seconds to load)\n"
         "5 examples, 1 failure, 1 pending\n", (3, 1, 0, 1, 0), None),
        ("Finished in 0.01 seconds (files took 0.1 seconds to load)\n"
         "0 examples, 0 failures, 2 errors occurred outside of examples\n", (0, 0, 2, 0, 0), False),
        ("Finished in 0.01 seconds\n0 examples, 0 failures\n", None, None),
        ("Finished in 0.001s, 5000 runs/s.\n5 runs, 7 assertions, 1 failures, 1 errors, 1 skips\n", (2, 1, 1, 1, 0), None),
    ],
)  # fmt: skip
def test_each_form_of_a_runner(says, text, counts, build):
    """Counts and the outcome of the build as a person reads them; what did not pass is never counted as passed."""
    assert says(text) == (counts, build)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("  console.log\n    Tests:       9 failed, 9 total\n" + JEST.format("2 passed, 2 total"), (2, 0, 0, 0, 0)),
        ("Tests:       9 failed, 9 total\n" + JEST.format("2 passed, 2 total"), (2, 0, 0, 0, 0)),
        ("Test Suites: 1 failed, 1 total\n"
         "Tests:       9 failed, 7 total\n" + JEST.format("2 passed, 2 total"), (2, 0, 0, 0, 0)),
        ("      Tests  9 failed (9)\n" + VITEST.format("2 passed (2)"), (2, 0, 0, 0, 0)),
        (" Test Files  1 failed (1)\n      Tests  9 failed (7)\n" + VITEST.format("2 passed (2)"), (2, 0, 0, 0, 0)),
        (MOCHA.replace("✔ two", "✔ two\n  99 passing (1ms)").format("2 passing (4ms)\n  1 failing"), (2, 1, 0, 0, 0)),
        ("--- PASS: TestFake (0.00s)\n" + go("a.b/c", ("TestA", "FAIL"), end="FAIL"), (0, 1, 0, 0, 0)),
        ("=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\ta.b/c\t0.01s\n", (0, 1, 0, 0, 0)),
        (cargo(("src/lib.rs", 1, "test result: ok. 99 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
                "1 passed; 0 failed; 0 ignored")),
         (1, 0, 0, 0, 0)),
        ("Tests run: 99, Failures: 0, Errors: 0, Skipped: 0\n" + MAVEN.format("A"), (1, 1, 1, 1, 0)),
        ("Tests: 99, Assertions: 99.\nPHPUnit 10.5 by X\n\nFAILURES!\n"
         "Tests: 2, Assertions: 2, Failures: 1.\n", (1, 1, 0, 0, 0)),
        ("99 examples, 0 failures\nFinished in 0.01 seconds\n2 examples, 1 failure\n\n"
         "rspec ./a_spec.rb:3 # a\n", (1, 1, 0, 0, 0)),
    ],
)  # fmt: skip
def test_what_a_test_prints_is_no_summary(says, text, counts):
    """Not in the runner's form, not at its place, or at odds with the results that the runner listed."""
    assert says(text)[0] == counts


def test_go_counts_leaf_tests(says):
    """A parent is not counted beside its subtests, unless it failed by itself."""
    nested = go("a.b/c", ("TestA", "FAIL"), ("TestA/x", "PASS"), ("TestA/y", "FAIL"), ("TestA/y/z", "FAIL"), end="FAIL")
    alone = go("a.b/c", ("TestA", "FAIL"), ("TestA/x", "PASS"), end="FAIL")
    assert says(nested)[0] == (1, 1, 0, 0, 0)
    assert says(alone)[0] == (1, 1, 0, 0, 0)


def test_go_retries_count_once_and_repetitions_each(says):
    """After a failure the last run decides; `-count=2` without one counts twice."""
    again = go("a.b/c", ("TestA", "FAIL"), end="FAIL") + go("a.b/c", ("TestA", "PASS"), end="ok")
    twice = go("a.b/c", ("TestA", "PASS"), ("TestA", "PASS"), end="ok")
    assert says(again)[0] == (1, 0, 0, 0, 1)
    assert says(twice)[0] == (2, 0, 0, 0, 0)


def test_a_go_test_that_never_ended_has_failed(says):
    """The program panicked or timed out while it ran."""
    begun = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\npanic: test timed out after 1s\n"
    text = begun + "FAIL\ta.b/c\t1.01s\nFAIL\n"
    assert says(text) == ((1, 1, 0, 0, 0), None)


def test_a_go_package_that_fails_without_a_test_is_a_failed_build(says):
    """`os.Exit` in TestMain: the tests of the others still count."""
    assert says("exit\nFAIL\ta.b/main\t0.01s\n" + go("a.b/c", ("TestA", "PASS"), end="ok")) == ((1, 0, 0, 0, 0), False)


def test_a_cargo_program_that_stops_is_no_success(says):
    """`running 5 tests` and then an abort: what the other binaries said still counts."""
    text = cargo(("src/lib.rs", 1, "", "1 passed; 0 failed; 0 ignored"))
    text += "     Running tests/b.rs (target/debug/deps/b-b16911ff3d84a84e)\n\nrunning 5 tests\n"
    text += "error: test failed, to rerun pass `--test b`\n"
    assert says(text) == ((1, 0, 0, 0, 0), False)


def test_cargo_run_twice_counts_the_newest(says):
    """The same binaries in the same job."""
    first = cargo(("src/lib.rs", 2, "", "1 passed; 1 failed; 0 ignored"))
    assert says(first + cargo(("src/lib.rs", 2, "", "2 passed; 0 failed; 0 ignored")))[0] == (2, 0, 0, 0, 0)


def test_runners_in_one_log_add_up(read):
    """And the warning says how many summaries there were."""
    said = read(JEST.format("2 passed, 2 total") + VITEST.format("3 passed (3)"), "out.log", story_id="S-1")
    assert said.signals[0]["tests_passed"] == 5
    assert any("2 summaries add up (jest, vitest)" in warning for warning in said.warnings)


@pytest.mark.parametrize(
    ("text", "build"),
    [
        ("##[group]Run make\n##[endgroup]\nbuilding\n##[error]Process completed with exit code 2.\n", False),
        ("##[group]Run make\n##[endgroup]\nbuilding\n", None),
        ("-- job complete ---------\nstatus:   OK (exit 0)\nfiles:    0 touched\n", None),
        ("-- job complete ---------\nstatus:   OK (exit 0)\nfiles:    3 touched\n", None),
        ("-- job complete ---------\nstatus:   FAILED (exit 1)\nfiles:    3 touched\n", False),
        (
            "..   [100%]\n2 passed in 0.1s\n-- job complete ---------\nstatus:   OK (exit 0)\nfiles:    3 touched\n",
            True,
        ),
        ("F.   [100%]\n1 failed, 1 passed in 0.1s\n-- job complete ---------\nstatus:   OK (exit 0)\n", None),
        ("1 passed in 0.1s\nJob succeeded\n", True),
        ("1 passed in 0.1s\nERROR: Job failed: exit code 1\n", False),
        ("1 passed in 0.1s\nFinished: SUCCESS\n", True),
        ("1 passed in 0.1s\nFinished: UNSTABLE\n", False),
        ("Finished: SUCCESS\n", None),
        ("1 passed in 0.1s\nmake: *** [Makefile:3: test] Error 1\n", False),
    ],
)
def test_an_exit_code_is_a_failure_or_needs_work_beside_it(says, text, build):
    """0 alone is unknown; 0 after tests that passed is a success; anything else is a failure."""
    assert says(text)[1] == build
