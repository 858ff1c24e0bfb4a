"""Real XML reports and their right values, as a person reads them."""

import re
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[1] / "assets" / "evidence" / "xml"
COUNTS = {
    "j01_no_cases_but_tests.xml": (3, 1, 0, 2, 0),
    "j02_no_attributes.xml": (1, 1, 1, 1, 0),
    "j04_testsuite_in_testsuite.xml": (5, 0, 0, 0, 0),
    "j06_disabled.xml": (6, 19, 1, 5, 0),
    "j10_pytest_fail.xml": (3, 1, 0, 1, 0),
    "j11_xunit_bom.xml": (2, 0, 0, 0, 0),
    "j12_entities.xml": (0, 1, 1, 2, 0),
    "j14_surefire_rerun_allfail.xml": (0, 1, 0, 0, 0),
    "j16_bad_duration.xml": (2, 0, 0, 0, 0),
    "j18_duplicated_suites.xml": (3, 0, 0, 0, 0),
    "j20_pytest_flaky.xml": (2, 2, 0, 0, 0),
    "j21_retries_all_fail.xml": (0, 1, 0, 0, 0),
    "j23_maven_flaky.xml": (1, 0, 0, 0, 1),
    "j24_nextest.xml": (2, 1, 0, 0, 0),
    "j25_multilevel.xml": (3, 0, 0, 0, 0),
    "j27_failed_disabled.xml": (0, 1, 0, 0, 0),
    "j29_phpunit.xml": (10, 2, 0, 0, 0),
    "j60_suite_error.xml": (1, 1, 0, 0, 0),
    "j61_testng_retries.xml": (4, 2, 0, 0, 0),
    "x78_vitest.junit.xml": (3, 1, 0, 2, 0),
    "node20.junit.xml": (2, 1, 0, 2, 0),
    "ctest325.junit.xml": (1, 2, 1, 2, 0),
    "b11_flaky_surefire.xml": (2, 1, 0, 0, 1),
    "b12_nested_double.xml": (2, 1, 0, 0, 0),
    "b14_utf16.xml": (1, 1, 0, 0, 0),
}
"""passed, failed, errors, skipped, flaky."""
MISMATCHED = {
    "j11_xunit_bom.xml": "declares tests=173",
    "j14_surefire_rerun_allfail.xml": "declares tests=4",
    "j16_bad_duration.xml": "declares tests=1",
    "j20_pytest_flaky.xml": "declares tests=3",
    "j25_multilevel.xml": "declares tests=57",
    "ctest325.junit.xml": "declares tests=6 and failures=2",
    "b11_flaky_surefire.xml": "declares tests=6",
}
TOLD = {
    "j01_no_cases_but_tests.xml": "totals only",
    "j27_failed_disabled.xml": "marked as skipped or disabled but failed",
    "j21_retries_all_fail.xml": "2 elements tell again of tests that failed",
    "j61_testng_retries.xml": "2 earlier tries",
}
NAMES = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_what_a_person_reads(read, name):
    """passed, failed, errors, skipped and flaky; the rate is passed / (passed + failed + errors)."""
    said = read(ASSETS / name, story_id="S-1")
    passed, failed, errors, *_ = COUNTS[name]
    [signal] = said.signals
    assert tuple(signal[n] for n in NAMES) == COUNTS[name]
    assert signal["test_pass_rate"] == pytest.approx(passed / (passed + failed + errors))
    assert said.rejects == []


@pytest.mark.parametrize("name", COUNTS)
def test_only_totals_that_disagree_are_a_warning(read, name):
    """And what else a reader should know is told."""
    told = " / ".join(read(ASSETS / name, story_id="S-1").warnings)
    assert MISMATCHED.get(name, "") in told
    assert ("declares" in told) == (name in MISMATCHED)
    assert TOLD.get(name, "") in told


def test_no_tests_are_unknown(read):
    """Neither 0 nor 100 %."""
    said = read(ASSETS / "b15b_zero_tests.xml", story_id="S-1")
    assert "test_pass_rate" not in said.signals[0]
    assert "tests_passed" not in said.signals[0]
    assert said.warnings == ["no tests in it: the pass rate is unknown"]


@pytest.mark.parametrize("name", ["j07_non_junit.xml", "j17_xxe.xml"])
def test_other_xml_is_refused(read, name):
    """It has no reading and makes no run."""
    said = read(ASSETS / name, story_id="S-1")
    assert (said.format, said.signals, said.runs) == ("unrecognised", [], [])
    assert "is XML" in said.rejects[0]["reason"]


@pytest.mark.parametrize(
    ("name", "lines", "text"),
    [
        ("j10_pytest_fail.xml", [2, 18], "test_rsh_events"),
        ("j29_phpunit.xml", [2, 5, 34], "targeting-traits-with-usesclass"),
        ("b14_utf16.xml", [2, 2], 'name="böse"'),
        ("j06_disabled.xml", [2, 6, 12, 15, 18, 22], "check_eq(3628800, 3628801)"),
        ("j14_surefire_rerun_allfail.xml", [2, 57], "testApp"),
    ],
)
def test_evidence_is_the_report_and_its_first_five_failures(read, name, lines, text):
    """At their lines, with the text around them."""
    evidence = read(ASSETS / name, story_id="S-1").evidence
    assert [e["line"] for e in evidence] == lines
    assert any(text in e["text"] for e in evidence)
    assert {e["signal"] for e in evidence} == {"test_pass_rate"}


def test_a_time_with_a_zone_is_kept_and_one_without_is_not(read):
    """A naive time could be of any hour."""
    [zoned] = read(ASSETS / "j24_nextest.xml", story_id="S-1").signals
    [naive] = read(ASSETS / "j10_pytest_fail.xml", story_id="S-1").signals
    assert zoned["occurred_at"].isoformat() == "2024-12-02T20:06:10.512000+00:00"
    assert "occurred_at" not in naive


def test_a_report_without_a_story_names_the_remedy(read):
    """The run must be named by the caller."""
    assert "--story" in read(ASSETS / "j10_pytest_fail.xml").rejects[0]["reason"]


REWRITTEN = {
    "crlf": lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n").encode(),
    "utf-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16 without a mark": lambda text: text.encode("utf-16-be"),
    "windows-1252": lambda text: re.sub("utf-8", "cp1252", text, flags=re.I).encode("cp1252", "xmlcharrefreplace"),
    "blank lines before": lambda text: ("\n\n  " + text).encode(),
    "a package runner's words before": lambda text: ("\n> demo test\n> mocha --reporter xunit\n\n" + text).encode(),
    "xml 1.1": lambda text: text.replace('version="1.0"', 'version="1.1"').encode(),
}  # fmt: skip


@pytest.mark.parametrize("how", REWRITTEN)
@pytest.mark.parametrize(
    "name", ["j06_disabled.xml", "j10_pytest_fail.xml", "j20_pytest_flaky.xml", "x78_vitest.junit.xml"]
)
def test_encoding_and_what_stands_before_change_nothing(read, name, how):
    """As consoles, shells and Windows rewrite a report."""
    content = REWRITTEN[how]((ASSETS / name).read_text(encoding="utf-8"))
    [signal] = read(content, name="report.xml", story_id="S-1").signals
    assert tuple(signal[n] for n in NAMES) == COUNTS[name]
