"""A run that broke off, and one that found no tests: what did not run is not known to pass."""

import pytest

HEAD = "===== test session starts =====\ncollected 4 items\n\ntests/test_a.py ..         [ 50%]\n\n"


@pytest.fixture
def says(read):
    """`says(text)` → passed and failed, the rate, whether the build succeeded, the warnings as one text."""

    def says(text):
        said = read(text, "out.log", story_id="S-1")
        [signal] = said.signals
        counts = (signal["tests_passed"], signal["tests_failed"]) if "tests_total" in signal else None
        return counts, signal.get("test_pass_rate"), signal.get("build_success"), " / ".join(said.warnings)

    return says


@pytest.mark.parametrize(
    ("text", "counts", "build"),
    [
        (HEAD + "!!!!!!!! KeyboardInterrupt !!!!!!!!\nx.py:9: KeyboardInterrupt\n===== 2 passed in 0.52s =====\n", (2, 0), None),
        (HEAD + "!!!!!!!! _pytest.outcomes.Exit: no licence !!!!!!!!\n===== 2 passed in 0.52s =====\n", (2, 0), None),
        ("    Starting 10 tests across 2 binaries\n     Summary [   0.012s] 5/10 tests run: 5 passed, 0 skipped\n", (5, 0), None),
        ("Test Run Aborted.\nTotal tests: Unknown\n     Passed: 5\n Total time: 1.2 Seconds\n", (5, 0), False),
        ("TAP version 13\n1..3\nok 1 - a\nok 2 - b\n", (2, 0), None),
        ("TAP version 13\nok 1 - a\nok 2 - b\nBail out! no disk\n", (2, 0), False),
    ],
    ids=["pytest, Ctrl-C", "pytest.exit", "nextest", "dotnet", "TAP plan", "TAP bail out"],
)  # fmt: skip
def test_a_part_without_a_failure_has_no_rate(says, text, counts, build):
    """What ran is counted and shown; all of it passed, but that is not all."""
    found = says(text)
    assert found[:3] == (counts, None, build)
    assert "a part of a run cannot show that all tests passed" in found[3]


@pytest.mark.parametrize(
    ("text", "counts", "rate"),
    [
        (HEAD.replace("..", ".F") + "!!! stopping after 1 failures !!!\n===== 1 failed, 1 passed in 0.5s =====\n", (1, 1), 0.5),
        ("    Starting 9 tests across 2 binaries\n     Summary [   0.012s] 4/9 tests run: 3 passed, 1 failed, 0 skipped\n",
         (3, 1), 0.75),
        ("1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c\nok 4 - one more than planned\n", (3, 1), 0.75),
    ],
)  # fmt: skip
def test_a_part_that_failed_has_failed(says, text, counts, rate):
    """3 of 4 that ran is 0.75, whatever else there was."""
    assert says(text)[:2] == (counts, rate)


@pytest.mark.parametrize(
    "text",
    [
        "No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n",
        "No tests found related to files changed since last commit.\n",
        "\nNo test files found, exiting with code 1\n\nfilter:  nothing\n",
        "No test is available in /a/bin/A.dll. Make sure that test discoverer & executors are registered\n",
        "PHPUnit 11.0.0 by Sebastian Bergmann and contributors.\n\nNo tests executed!\n",
    ],
    ids=["jest", "jest --onlyChanged", "vitest", "dotnet", "phpunit"],
)
def test_no_tests_found_is_unknown(says, text):
    """Neither 0 nor 100 %, and the runner is named."""
    counts, rate, _, warnings = says(text)
    assert (counts, rate) == (None, None)
    assert "ran no tests" in warnings


def test_a_vitest_file_that_cannot_be_loaded_speaks_against_the_build(says):
    """Its tests are in no count: 1 failed file, no tests."""
    text = " RUN  v2.1.1 /a\n\n ❯ a.test.ts (0 test)\n\n Test Files  1 failed (1)\n      Tests  no tests\n"
    assert says(text)[:3] == (None, None, False)


@pytest.mark.parametrize("number", ["12345678", "99999999999", "1" + "0" * 30])
@pytest.mark.parametrize(
    "text",
    [
        HEAD + "===== 1 failed, {} passed in 1s =====\n",
        "    Starting 2 tests across 1 binary\n     Summary [   0.01s] 2 tests run: {} passed, 1 failed, 0 skipped\n",
        "  Tests:    1 failed, {} passed (5 assertions)\n  Duration: 0.05s\n",
    ],
    ids=["pytest", "nextest", "pest"],
)
def test_a_long_number_is_never_left_out_of_the_count(says, text, number):
    """`1 failed, 12345678 passed` is not 0 of 1: it is counted where it can be stored, else unknown."""
    counts, rate, *_ = says(text.format(number))
    assert (counts, rate and round(rate, 4)) == (((12345678, 1), 1.0) if len(number) == 8 else (None, None))


def phpunit(numbers, version="11.5.2", verdict="OK, but there were issues!"):
    return f"PHPUnit {version} by Sebastian Bergmann and contributors.\n\n{verdict}\n{numbers}\n"


@pytest.mark.parametrize(
    ("text", "counts", "told"),
    [
        (phpunit("Tests: 3, Assertions: 2, Risky: 1."), (3, 0), "1 risky"),
        (phpunit("Tests: 3, Assertions: 2, Warnings: 1, Deprecations: 2."), (3, 0), "1 with warnings, 2 deprecations"),
        (phpunit("Tests: 3, Assertions: 2, Warnings: 1.", "9.6.2", "WARNINGS!"), (2, 0), "1 test ended with a warning"),
        (phpunit("Tests: 3, Assertions: 2, Incomplete: 1, Skipped: 1."), (1, 0), ""),
        (
            "  Tests:    1 warning, 1 risky, 1 notice, 3 passed (5 assertions)\n  Duration: 0.05s\n",
            (6, 0),
            "1 risky, 1 warning",
        ),
    ],
)
def test_phpunit_tells_more_than_results(says, text, counts, told):
    """A risky test is "OK, but": passed, with a warning. To PHPUnit 9 a warning stood in place of a pass."""
    found = says(text)
    assert found[0] == counts
    assert told in found[3]
