"""Neighbours of each fault that XML reports are known for, in small."""

import pytest

NAMES = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")
FAIL = '<failure message="no"/>'


@pytest.fixture
def counts(read):
    """`counts(xml)` → passed, failed, errors, skipped, flaky and the warnings as one text."""

    def counted(content):
        said = read(content, name="report.xml", story_id="S-1")
        [signal] = said.signals
        return tuple(signal.get(name) for name in NAMES), " / ".join(said.warnings)

    return counted


def case(name="a", inner="", more=""):
    return f'<testcase classname="C" name="{name}" {more}>{inner}</testcase>'


def suite(*cases, attributes='name="S"'):
    return f"<testsuite {attributes}>{''.join(cases)}</testsuite>"


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ([case(), case()], (2, 0, 0, 0, 0)),
        ([case(inner=FAIL), case()], (1, 0, 0, 0, 1)),
        ([case(inner=FAIL), case(inner=FAIL), case()], (1, 0, 0, 0, 1)),
        ([case(inner="<error/>"), case(inner="<error/>")], (0, 0, 1, 0, 0)),
        ([case(inner=FAIL), case(inner="<skipped/>")], (0, 1, 0, 0, 0)),
        ([case(), case(inner="<skipped/>")], (1, 0, 0, 1, 0)),
        ([case("a[1]", FAIL), case("a[2]")], (1, 1, 0, 0, 0)),
        ([case("a", FAIL, 'file="x.py"'), case("a", "", 'file="y.py"')], (1, 1, 0, 0, 0)),
        ([case("a", FAIL, 'value_param="1"'), case("a", "", 'value_param="2"')], (1, 1, 0, 0, 0)),
        ([case("a", f'{FAIL}<properties><property name="argument" value="1"/></properties>'),
          case("a", '<properties><property name="argument" value="2"/></properties>')], (1, 1, 0, 0, 0)),
        (['<testcase name="">' + FAIL + "</testcase>", '<testcase name=""/>'], (1, 1, 0, 0, 0)),
    ],
)  # fmt: skip
def test_the_same_test_again_is_a_retry_only_if_it_failed(counts, cases, expected):
    """Same suite, class, name and parameters; identical passing ones count each, nameless ones are never the same."""
    assert counts(suite(*cases))[0] == expected


def test_a_test_that_fails_after_it_passed_has_failed(counts):
    """The last try counts, and the odd order is told."""
    found, told = counts(suite(case(), case(inner=FAIL), case(inner="<error/>")))
    assert found == (0, 1, 0, 0, 0)
    assert "failed after it had passed" in told


def test_the_same_name_in_another_suite_is_another_test(counts):
    """Two browsers run the same file: one fails."""
    both = suite(case(inner=FAIL), attributes='name="firefox"') + suite(case(), attributes='name="chrome"')
    assert counts(f"<testsuites>{both}</testsuites>")[0] == (1, 1, 0, 0, 0)


def test_a_suite_listed_twice_to_its_time_stamp_counts_once(counts):
    """An aggregate that took in the same file twice; another time stamp is another run of it."""
    one = suite(case("a", "", 'time="0.1"'), case("b", FAIL), attributes='name="S" timestamp="2026-01-01T10:00:00"')
    found, told = counts(f"<testsuites>{one}{one}</testsuites>")
    assert found == (1, 1, 0, 0, 0)
    assert "is in the report twice" in told
    later = one.replace("T10", "T11").replace(FAIL, "")
    assert counts(f"<testsuites>{one}{later}</testsuites>")[0] == (3, 0, 0, 0, 1)


@pytest.mark.parametrize(
    ("inner", "more", "expected"),
    [
        ("<flakyFailure/><flakyError/>", "", (1, 0, 0, 0, 1)),
        (f"{FAIL}<rerunFailure/><rerunError/>", "", (0, 1, 0, 0, 0)),
        ("<error/><rerunError/>", "", (0, 0, 1, 0, 0)),
        ("<rerunFailure/>", "", (0, 1, 0, 0, 0)),
        (f"{FAIL}{FAIL}<error/>", "", (0, 1, 0, 0, 0)),
        ('<skipped type="pytest.xfail"/>', "", (0, 0, 0, 1, 0)),
        ("<system-out>&lt;failure/&gt;</system-out>", "", (1, 0, 0, 0, 0)),
        ("<system-out><failure/></system-out>", "", (1, 0, 0, 0, 0)),
        ("<properties><property name='skipped' value='1'/></properties>", "", (1, 0, 0, 0, 0)),
        ("", 'status="disabled"', (0, 0, 0, 1, 0)),
        ("", 'status="notrun" result="suppressed"', (0, 0, 0, 1, 0)),
        ("", 'status="run" result="completed"', (1, 0, 0, 0, 0)),
        ("", 'status="run" result="skipped"', (0, 0, 0, 1, 0)),
        ("", 'status="fail"', (0, 1, 0, 0, 0)),
        ("", 'status="errored"', (0, 0, 1, 0, 0)),
        ("", 'status="PASSED"', (1, 0, 0, 0, 0)),
        (FAIL, 'status="disabled"', (0, 1, 0, 0, 0)),
        (f"<skipped/>{FAIL}", "", (0, 1, 0, 0, 0)),
    ],
)
def test_what_a_case_says(counts, inner, more, expected):
    """Its own elements and status, not what stands in its output; never passed if anything says otherwise."""
    assert counts(suite(case("a", inner, more)))[0] == expected


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('tests="6" failures="1" skipped="2"', (3, 1, 0, 2, 0)),
        ('tests="6" failures="1" errors="1" skips="1" disabled="1"', (2, 1, 1, 2, 0)),
        ('tests="6"', (6, 0, 0, 0, 0)),
        ('tests="1" failures="3"', (None,) * 5),
        ('tests="0" errors="1"', (None,) * 5),
        ('tests="0"', (None,) * 5),
        ('tests="-3"', (None,) * 5),
        ('tests="many"', (None,) * 5),
        ("", (None,) * 5),
    ],
)
def test_a_suite_without_cases_counts_by_its_totals(counts, attributes, expected):
    """Flagged as totals only; what contradicts itself is unknown."""
    found, told = counts(f"<testsuites><testsuite {attributes}/></testsuites>")
    assert found == expected
    assert ("totals only" in told) == (expected[0] is not None)


def test_totals_of_nested_suites_without_cases_count_once(counts):
    """The innermost suite that declares them; those around it only sum up."""
    xml = '<testsuites tests="3"><testsuite tests="3"><testsuite tests="3" failures="1"/></testsuite></testsuites>'
    assert counts(xml)[0] == (2, 1, 0, 0, 0)


def test_a_failure_outside_of_the_tests_fails_the_build(read):
    """A suite's set-up: its tests did not run, and no test failed."""
    said = read(suite("<error message='set-up'/>", case()), name="r.xml", story_id="S-1")
    assert said.signals[0]["build_success"] is False
    assert "line 1: S failed outside of its tests" in said.warnings
    assert ("build_success", 1) in [(e["signal"], e["line"]) for e in said.evidence]


@pytest.mark.parametrize(
    "noise",
    [
        "\x00\x1b[31m\x08", "&#0;&#x1b;&#xFFFE;&#xD800;&#1114112;", "&nbsp;&eacute; a&b &", "]]&gt; \ufffe", 
        "<![CDATA[<testcase> & \x01]]>",
        "<!-- <testcase/> -->", "<?php <testcase/> ?>",
    ],
)  # fmt: skip
def test_what_no_xml_may_hold_is_read_all_the_same(counts, noise):
    """Programs print anything, and reporters write it down unchecked."""
    assert counts(suite(case("a", f"<system-out>{noise}</system-out>{FAIL}"), case("b")))[0] == (1, 1, 0, 0, 0)


def test_a_report_that_breaks_off_counts_what_is_whole(read):
    """With a reject at the line; a failure before the break stands, and so does the rate."""
    said = read(suite(case("a"), "\n", case("b", FAIL), "\n", case("c"))[:-40], name="r.xml", story_id="S-1")
    assert [said.signals[0][name] for name in NAMES] == [1, 1, 0, 0, 0]
    assert said.signals[0]["test_pass_rate"] == 0.5
    assert said.rejects[0]["line"] == 3
    assert "the report breaks off at line 3: only the tests before it are read" in said.warnings


def test_a_failure_stands_although_its_case_is_cut(read):
    """The process died while the output was written."""
    cut = suite(case("a"), case("b", FAIL + "<system-out><![CDATA[")).partition("CDATA[")[0]
    assert [read(cut, name="r.xml", story_id="S-1").signals[0][name] for name in NAMES] == [1, 1, 0, 0, 0]


def test_a_part_in_which_all_passed_is_not_all_passed(read):
    """The counts are shown, the rate is unknown; unless the total says that all are there."""
    whole = suite(case("a"), case("b"), attributes='name="S" tests="2"')
    cut = read(whole.removesuffix("</testsuite>"), name="r.xml", story_id="S-1")
    assert cut.signals[0]["test_pass_rate"] == 1.0
    cut = read(whole.replace('"2"', '"3"').removesuffix("</testsuite>"), name="r.xml", story_id="S-1")
    assert "test_pass_rate" not in cut.signals[0]
    assert cut.signals[0]["tests_passed"] == 2


def test_words_after_the_report_are_a_reject(read):
    """The report itself is whole."""
    said = read(suite(case("a")) + "\nnpm ERR! code 1\n", name="r.xml", story_id="S-1")
    assert said.signals[0]["test_pass_rate"] == 1.0
    assert said.rejects[0]["line"] == 2


@pytest.mark.parametrize(
    "doctype",
    [
        "<!DOCTYPE testsuites>", '<!DOCTYPE testsuites SYSTEM "http://127.0.0.1:1/x.dtd">',
        '<!DOCTYPE testsuites [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>',
    ],
)  # fmt: skip
def test_a_doctype_is_refused(read, doctype):
    """No reading and no run; nothing is fetched or expanded."""
    said = read(f'<?xml version="1.0"?>\n{doctype}\n{suite(case("&b;"))}', name="r.xml", story_id="S-1")
    assert (said.format, said.signals, said.runs) == ("JUnit XML", [], [])
    assert (said.rejects[0]["line"], "DOCTYPE" in said.rejects[0]["reason"]) == (2, True)


@pytest.mark.parametrize(
    "xml",
    [
        "<suites><suite><case/></suite></suites>", "<html><body/></html>", "<checkstyle/>", "<project><testsuite/></project>",
        "<assembly xmlns='urn:schemas-microsoft-com:asm.v1'/>", "<TestRun><FailedTests/></TestRun>", "<testsuitesx/>",
    ],
)  # fmt: skip
def test_other_xml_is_unrecognised(read, xml):
    """Whatever it holds inside."""
    assert read(xml, name="r.xml", story_id="S-1").format == "unrecognised"


def test_names_with_prefixes_and_of_other_case_are_the_same(counts):
    """Namespaces are the producer's affair."""
    xml = '<x:testsuites xmlns:x="urn:x"><x:testsuite><x:testcase name="a"><x:failure/></x:testcase></x:testsuite></x:testsuites>'
    assert counts(xml)[0] == (0, 1, 0, 0, 0)


def test_reports_one_behind_the_other_are_all_read(read):
    """`cat TEST-*.xml`: each with its own declaration, failures at the lines of the whole file."""
    one = '<?xml version="1.0" encoding="UTF-8"?>\n' + suite(case("a"), attributes='name="A"') + "\n"
    other = one.replace('"A"', '"B"').replace("</testcase>", FAIL + "</testcase>")
    undeclared = suite(case("a"), attributes='name="C"')
    said = read(one + other + undeclared, name="r.xml", story_id="S-1")
    assert [said.signals[0][name] for name in NAMES] == [2, 1, 0, 0, 0]
    assert said.rejects == []
    assert [e["line"] for e in said.evidence] == [2, 4]
    assert FAIL in said.evidence[1]["text"]


def test_a_doctype_of_a_later_report_is_refused_too(read):
    """The whole file is: nothing of it is used."""
    said = read(f'{suite(case("a"))}\n<!DOCTYPE x [<!ENTITY y "z">]>\n{suite(case("b"))}', name="r.xml", story_id="S-1")
    assert (said.signals, said.rejects[0]["line"]) == ([], 2)
