"""TRX, NUnit, xUnit.net and TestNG: what each of their words means, in small."""

import pytest

NAMES = ("tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")


@pytest.fixture
def counts(read):
    """`counts(xml)` → passed, failed, errors, skipped, flaky and the warnings as one text."""

    def counted(content):
        said = read(content, name="report.xml", story_id="S-1")
        [signal] = said.signals
        return tuple(signal.get(name) for name in NAMES), " / ".join(said.warnings)

    return counted


TRX = """<?xml version="1.0" encoding="utf-8"?>
<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
 <Times start="2026-01-01T10:00:00+02:00" finish="2026-01-01T10:00:05+02:00"/>
 <Results>{results}</Results>
 <ResultSummary outcome="Failed">{summary}</ResultSummary>
</TestRun>"""


def trx(*results, summary=""):
    told = [f'<UnitTestResult testId="{n}" testName="{n}" outcome="{outcome}"/>' for n, outcome in enumerate(results)]
    return TRX.format(results="".join(told), summary=summary)


def test_trx_outcomes(read):
    """A time-out failed; not executed, inconclusive and warnings are skipped; no outcome is the schema's `Error`."""
    outcomes = (
        "Passed",
        "Failed",
        "Timeout",
        "Error",
        "Aborted",
        "NotExecuted",
        "Inconclusive",
        "Warning",
        "PassedButRunAborted",
    )
    said = read(trx(*outcomes).replace(' outcome="Error"', ""), name="r.trx", story_id="S-1")
    [signal] = said.signals
    assert (said.format, tuple(signal[name] for name in NAMES)) == ("TRX", (2, 2, 2, 3, 0))
    assert signal["occurred_at"].isoformat() == "2026-01-01T08:00:05+00:00"


def test_trx_rows_of_data_count_instead_of_their_test(counts):
    """The test around them sums them up."""
    rows = '<UnitTestResult testName="t (1)" outcome="Passed"/><UnitTestResult testName="t (2)" outcome="Failed"/>'
    whole = f'<UnitTestResult testName="t" outcome="Failed"><InnerResults>{rows}</InnerResults></UnitTestResult>'
    assert counts(TRX.format(results=whole, summary=""))[0] == (1, 1, 0, 0, 0)


def test_trx_totals_are_checked_and_count_alone_without_results(counts):
    """Flagged as totals only."""
    counters = '<Counters total="4" executed="3" passed="2" failed="1" error="0" timeout="0" notExecuted="1"/>'
    assert (
        "declares passed=2 and failed=1, its elements are 1 and 1"
        in counts(trx("Passed", "Failed", summary=counters))[1]
    )
    found, told = counts(trx(summary=counters))
    assert (found, "totals only" in told) == ((2, 1, 0, 1, 0), True)


def test_trx_of_an_aborted_run_is_not_all_passed(read):
    """The test host crashed: what did not run is not in the report."""
    crashed = '<RunInfos><RunInfo outcome="Error"><Text>Test host process crashed</Text></RunInfo></RunInfos>'
    [signal] = read(trx("Passed", summary=crashed), name="r.trx", story_id="S-1").signals
    assert (signal["tests_passed"], signal.get("test_pass_rate"), signal["build_success"]) == (1, None, False)


NUNIT3 = """<test-run testcasecount="7" total="6" passed="2" failed="2" inconclusive="1" skipped="1"
 end-time="2026-01-01 10:00:05Z">
 <test-suite type="Assembly" name="a" result="Failed" site="Child">
  <test-suite type="TestFixture" name="F" fullname="N.F" result="Failed" site="{site}">
   <test-case fullname="N.F.a" result="Passed"/><test-case fullname="N.F.b(1)" result="Passed"/>
   <test-case fullname="N.F.b(2)" result="Failed"><failure><message>no</message></failure></test-case>
   <test-case fullname="N.F.c" result="Failed" label="Error"><failure/></test-case>
   <test-case fullname="N.F.d" result="Skipped" label="Ignored"/><test-case fullname="N.F.e" result="Inconclusive"/>
  </test-suite></test-suite></test-run>"""
NUNIT2 = """<test-results name="a" total="4" errors="1" failures="1" not-run="2" ignored="1" invalid="1">
 <test-suite type="TestFixture" name="F" executed="True" result="Failure"><results>
  <test-case name="N.F.a" executed="True" result="Success" success="True"/>
  <test-case name="N.F.b" executed="True" result="Failure" success="False"><failure/></test-case>
  <test-case name="N.F.c" executed="True" result="Error" success="False"><failure/></test-case>
  <test-case name="N.F.d" executed="False" result="Ignored"><reason/></test-case>
  <test-case name="N.F.e" executed="False" result="NotRunnable"><reason/></test-case>
  <test-case name="N.F.f" executed="True" success="True"/><test-case name="N.F.g" executed="False"/>
 </results></test-suite></test-results>"""


def test_nunit_3(read):
    """Errors are a label of failed tests; ignored and inconclusive tests are skipped."""
    said = read(NUNIT3.format(site="Child"), name="r.xml", story_id="S-1")
    [signal] = said.signals
    assert (said.format, tuple(signal[name] for name in NAMES)) == ("NUnit XML", (2, 1, 1, 2, 0))
    assert (said.warnings, "build_success" in signal) == ([], False)
    assert signal["occurred_at"].isoformat() == "2026-01-01T10:00:05+00:00"
    assert [e["line"] for e in said.evidence] == [1, 6, 7]


def test_nunit_3_tear_down_that_failed(read):
    """It is no test of its own."""
    said = read(NUNIT3.format(site="TearDown"), name="r.xml", story_id="S-1")
    assert said.signals[0]["build_success"] is False
    assert "line 4: TearDown of F failed" in said.warnings


def test_nunit_2(counts):
    """A test that cannot be run is an error; without a result, executed and success decide."""
    found, told = counts(NUNIT2)
    assert (found, told) == ((2, 1, 2, 2, 0), "")


XUNIT = """<assemblies timestamp="01/01/2026 10:00:00">
<assembly name="a.dll" test-framework="xUnit.net 2" run-date="2026-01-01"
 total="4" passed="{passed}" failed="1" skipped="1" errors="{errors}">
 <errors>{error}</errors>
 <collection name="c">
  <test name="N.C.a(x: 1)" type="N.C" method="a" result="Pass"/><test name="N.C.a(x: 2)" type="N.C" method="a" result="Fail">
   <failure><message>no</message></failure></test>
  <test name="N.C.b" type="N.C" method="b" result="Skip"><reason/></test>
  <test name="N.C.c" type="N.C" method="c" result="NotRun"/>
 </collection></assembly></assemblies>"""


def test_xunit_net(read):
    """A theory's rows are tests; what was not run is skipped."""
    said = read(XUNIT.format(passed=1, errors=0, error=""), name="r.xml", story_id="S-1")
    assert (said.format, tuple(said.signals[0][name] for name in NAMES)) == ("xUnit.net XML", (1, 1, 0, 2, 0))
    assert said.warnings == ["the time '01/01/2026 10:00:00' is none that can be read (ISO 8601): not used"]
    assert [e["line"] for e in said.evidence] == [1, 7]


def test_xunit_net_totals_and_errors_outside(read):
    """A clean-up that failed is no test; totals that disagree are told."""
    error = '<error type="assembly-cleanup" name="x"><failure/></error>'
    said = read(XUNIT.format(passed=5, errors=1, error=error), name="r.xml", story_id="S-1")
    assert said.signals[0]["build_success"] is False
    assert said.signals[0]["tests_passed"] == 1
    assert "line 4: assembly-cleanup outside of the tests" in said.warnings
    assert "declares passed=5" in " / ".join(said.warnings)


def test_xunit_net_1(counts):
    """Classes instead of collections, one assembly."""
    xml = '<assembly run-date="2026-01-01"><class name="C"><test name="t" type="C" method="t" result="Pass"/></class></assembly>'
    assert counts(xml)[0] == (1, 0, 0, 0, 0)


def method(status, name="m", parameters="", more=""):
    value = f"<params><param><value><![CDATA[{parameters}]]></value></param></params>" if parameters else ""
    return (
        f'<test-method status="{status}" signature="{name}()[instance:C@1f]" name="{name}" {more}>{value}</test-method>'
    )


def of_testng(*methods, attributes=""):
    inner = f'<suite name="S"><test name="T"><class name="C">{"".join(methods)}</class></test></suite>'
    return f"<testng-results {attributes}>{inner}</testng-results>"


@pytest.mark.parametrize(
    ("methods", "expected"),
    [
        ([method("PASS"), method("PASS", more='is-config="true"')], (1, 0, 0, 0, 0)),
        ([method("SKIP", more='retried="true"'), method("PASS")], (1, 0, 0, 0, 1)),
        ([method("FAIL", more='retried="true"'), method("FAIL", more='retried="true"'), method("FAIL")], (0, 1, 0, 0, 0)),
        ([method("SKIP", more='retried="true"')], (0, 1, 0, 0, 0)),
        ([method("PASS", "m", "1"), method("FAIL", "m", "2"), method("SKIP", "n")], (1, 1, 0, 1, 0)),
        ([method("PASS", "m", "D@1a", 'data-provider="d"'), method("FAIL", "m", "D@2b", 'data-provider="d"')], (1, 1, 0, 0, 0)),
    ],
)  # fmt: skip
def test_testng(counts, methods, expected):
    """Configuration is no test; a retried try counts with its last; rows of a data provider are tests of their own."""
    assert counts(of_testng(*methods))[0] == expected


def test_testng_configuration_that_failed_and_totals_that_disagree(read):
    """Both are told; the tests count."""
    xml = of_testng(
        method("FAIL", "before", more='is-config="true"'), method("SKIP"), attributes='passed="7" failed="0"'
    )
    said = read(xml, name="r.xml", story_id="S-1")
    told = " / ".join(said.warnings)
    assert (said.signals[0]["build_success"], "the configuration method before failed" in told) == (False, True)
    assert "declares passed=7" in told
