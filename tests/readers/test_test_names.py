"""The same test is known by the same number in every report that names it, and in no report by another's."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.named_tests import known_by
from quality.readers import test_names as names
from quality.readers.xml_tests import tally

EVIDENCE = Path(__file__).parents[1] / "assets" / "evidence"
READERS = Path(__file__).parents[1] / "assets" / "readers"
NAMED = [*EVIDENCE.glob("xml/*"), *EVIDENCE.glob("console/*"), *READERS.glob("TEST-*")]
NAMED = sorted(path for path in NAMED if path.suffix != ".md")
AGGREGATE = EVIDENCE / "xml" / "j18_duplicated_suites.xml"
SINGLE = sorted(READERS.glob("TEST-com.sample.test.*.xml"))
UNNAMED = {"j01_no_cases_but_tests.xml", "j02_no_attributes.xml"}
LETTERS = {"tests_passed": "py", "tests_failed": "f", "tests_errors": "e", "tests_skipped": "s", "tests_flaky": "y"}


def ids(said):
    return said.signals[0].get("test_ids", [])


def outcomes(said):
    """Id → letter."""
    return dict(zip(ids(said), said.signals[0].get("test_outcomes", ""), strict=True))


def suite(*cases, name="S", more=""):
    return f'<testsuite name="{name}">{more}{"".join(cases)}</testsuite>'


def case(name, inside="", where="pkg.C"):
    return f'<testcase classname="{where}" name="{name}">{inside}</testcase>'


@pytest.mark.parametrize("path", NAMED, ids=lambda path: path.name)
def test_letters_say_what_the_counts_say(read, path):
    """Each test once, over every report there is; a report that names only some of its tests has no ids."""
    said = read(path, story_id="S-1")
    for signal in said.signals:
        if "test_ids" not in signal:
            continue
        letters = Counter(signal["test_outcomes"])
        assert len(set(signal["test_ids"])) == len(signal["test_ids"]) == letters.total()
        assert {n: sum(letters[sign] for sign in signs) for n, signs in LETTERS.items()} == {
            n: signal[n] for n in LETTERS
        }


@pytest.mark.parametrize("path", sorted(EVIDENCE.glob("xml/*.xml")), ids=lambda path: path.name)
def test_a_report_of_named_tests_has_ids(read, path):
    """Those that list totals or nameless tests have none, and nothing is said of it."""
    said = read(path, story_id="S-1")
    if said.signals and "tests_passed" in said.signals[0]:
        assert ("test_ids" in said.signals[0]) == (path.name not in UNNAMED)
        assert "runner" not in said.signals[0]


def test_an_aggregate_and_the_single_reports_name_the_same_tests(read):
    """Whatever the suites are called."""
    whole = ids(read(AGGREGATE, story_id="S-1"))
    parts = [one for path in SINGLE for one in ids(read(path, story_id="S-1"))]
    assert (len(whole), sorted(whole)) == (3, sorted(parts))


def test_pytests_xml_and_json_name_the_same_tests(read):
    """Class and module with dots there, a node's path here; parameters with any signs."""
    xml = suite(case("test_x[a::b/c.py]", where="tests.unit.test_a.TestC"), case("test_y", where="tests.test_b"))
    nodes = ["tests/unit/test_a.py::TestC::test_x[a::b/c.py]", "tests/test_b.py::test_y"]
    tests = [{"nodeid": node, "outcome": "passed"} for node in nodes]
    document = {"exitcode": 0, "summary": {"passed": 2}, "tests": tests}
    assert ids(read(xml, story_id="S-1")) == ids(read(json.dumps(document), story_id="S-1"))


def test_go_names_the_same_tests_in_json_in_text_and_in_xml(read):
    """Package and test."""
    events = [{"Action": a, "Package": "ex.am/p", "Test": "TestA"} for a in ("run", "pass")]
    stream = "\n".join(map(json.dumps, [*events, {"Action": "pass", "Package": "ex.am/p"}]))
    text = "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \tex.am/p\t0.01s\n"
    xml = suite(case("TestA", where="ex.am/p"), name="ex.am/p")
    assert ids(read(stream, story_id="S-1")) == ids(read(text, story_id="S-1")) == ids(read(xml, story_id="S-1")) != []


def test_jests_json_and_its_xml_name_the_same_tests(read):
    """jest-junit writes the whole title twice, and no file."""
    listed = [{"status": "passed", "fullName": "cart adds", "title": "adds", "ancestorTitles": ["cart"]}]
    files = [{"name": "/build/cart.test.js", "status": "passed", "assertionResults": listed}]
    document = {"numTotalTests": 1, "numRuntimeErrorTestSuites": 0, "testResults": files}
    xml = suite(case("cart adds", where="cart adds"), name="cart")
    assert ids(read(json.dumps(document), story_id="S-1")) == ids(read(xml, story_id="S-1")) != []


def test_dotnets_reports_name_the_same_tests(read):
    """The class stands in the name, beside it, or after all results."""
    trx = (
        '<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>'
        '<UnitTestResult testId="1" testName="Adds(x: 1)" outcome="Passed"/></Results><TestDefinitions>'
        '<UnitTest id="1" name="Adds"><TestMethod className="Shop.Cart, Shop, Version=1" name="Adds"/></UnitTest>'
        "</TestDefinitions></TestRun>"
    )
    xunit = (
        '<assemblies><assembly name="a.dll" test-framework="xUnit"><collection name="c"><test type="Shop.Cart" '
        'method="Adds" name="Shop.Cart.Adds(x: 1)" result="Pass"/></collection></assembly></assemblies>'
    )
    nunit = (
        '<test-run testcasecount="1"><test-suite type="TestFixture" name="Cart"><test-case classname="Shop.Cart" '
        'name="Adds(x: 1)" fullname="Shop.Cart.Adds(x: 1)" result="Passed"/></test-suite></test-run>'
    )
    junit = suite(case("Adds(x: 1)", where="Shop.Cart"))
    found = [ids(read(text, story_id="S-1")) for text in (trx, xunit, nunit, junit)]
    assert found == [[known_by("Shop.Cart.Adds(x: 1)")]] * 4


def test_identical_tests_that_all_passed_are_told_apart_by_their_order(read):
    """They are two tests; with a failure among them they are tries of one."""
    assert ids(read(suite(case("a"), case("a")), story_id="S-1")) == [known_by("pkg.C.a"), known_by("pkg.C.a", nth=1)]
    tried = read(suite(case("a", "<failure/>"), case("a")), story_id="S-1")
    assert outcomes(tried) == {known_by("pkg.C.a"): "y"}


def test_other_parameters_make_another_test(read):
    """Where the name does not hold them."""
    told = '<testcase classname="C" name="t" value_param="{}"/>'
    assert len(set(ids(read(suite(told.format(1), told.format(2)), story_id="S-1")))) == 2


def test_one_test_without_a_name_leaves_all_unnamed(read):
    """The numbers stand, and nothing is said."""
    said = read(suite(case("a"), "<testcase/>"), story_id="S-1")
    assert (said.signals[0]["tests_passed"], ids(said), said.warnings) == (2, [], [])


def test_too_many_tests_are_counted_but_not_named(read, monkeypatch):
    """The bound is said."""
    monkeypatch.setattr(tally, "MOST_NAMED", 2)
    said = read(suite(*(case(f"t{n}") for n in range(3))), story_id="S-1")
    assert (said.signals[0]["tests_passed"], ids(said)) == (3, [])
    assert names.TOO_MANY in said.warnings


def test_a_console_log_says_who_printed_its_summary(read):
    """It names no tests; several runners are joined."""
    [log] = read(EVIDENCE / "console" / "x70_pytest_color_mix.log", story_id="S-1").signals
    assert (log["runner"], "test_ids" in log) == ("pytest", False)


@given(st.lists(st.text(max_size=6), max_size=8))
def test_names_in_bulk_are_numbered_as_one_by_one(texts):
    """With the nth of a name told apart."""
    seen = Counter()
    expected = []
    for text in texts:
        expected.append(known_by(text, nth=seen[text]))
        seen[text] += 1
    assert names.numbers(texts) == expected


PYTEST = """
import pytest
def test_ok(): pass
@pytest.fixture
def late():
    yield
    raise RuntimeError
def test_teardown(late): pass
def test_both(late): assert False
@pytest.mark.skip
def test_skipped(): pass
"""


def test_pytests_xml_and_console_count_the_same(read, tmp_path):
    """Its console says 1 failed, 2 passed, 1 skipped, 2 errors: an error after a test's end counts beside the test."""
    (tmp_path / "test_it.py").write_text(PYTEST)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--junitxml", "out.xml", "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120)
    report, log = read(tmp_path / "out.xml", story_id="S-1"), read(done.stdout, story_id="S-1")
    assert [report.signals[0][n] for n in LETTERS] == [log.signals[0][n] for n in LETTERS] == [2, 1, 2, 1, 0]
    assert sorted(report.signals[0]["test_outcomes"]) == sorted("ppfees")
    assert report.warnings == []
