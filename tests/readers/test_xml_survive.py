"""XML reports survive anything: any bytes, any elements in any order, and large ones in bounded time and memory."""

import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.observations import SCHEMAS
from quality.readers.base import Artifact, Target
from quality.readers.xml_tests.junit import JUnitReader
from quality.readers.xml_tests.nunit import NUnitReader
from quality.readers.xml_tests.stream import root_of
from quality.readers.xml_tests.testng import TestNgReader
from quality.readers.xml_tests.trx import TrxReader
from quality.readers.xml_tests.xunit import XUnitReader

READERS = (JUnitReader(), TrxReader(), NUnitReader(), XUnitReader(), TestNgReader())
FILES = sorted((Path(__file__).parents[1] / "assets" / "evidence" / "xml").glob("*.xml"))
QUIET = settings(max_examples=120)
NAMES = st.sampled_from([
    "testsuites", "testsuite", "testcase", "failure", "error", "skipped", "flakyFailure", "rerunError", "property", "properties",
    "test-run", "test-results", "test-suite", "test-case", "assemblies", "assembly", "collection", "class", "errors", "test",
    "TestRun", "Results", "InnerResults", "UnitTestResult", "ResultSummary", "Counters", "RunInfo", "ErrorInfo", "Times",
    "testng-results", "suite", "test-method", "params", "param", "value", "exception", "x",
])  # fmt: skip
ATTRIBUTES = st.sampled_from([
    "name", "classname", "tests", "failures", "errors", "skipped", "status", "result", "label", "site", "outcome", "passed",
    "failed", "is-config", "retried", "timestamp", "finish", "end-time", "testId", "testName", "executed", "success", "total",
])  # fmt: skip
VALUES = st.sampled_from([
    "", "1", "-1", "99999999999999999999", "a", "PASS", "FAIL", "SKIP", "Passed", "Failed", "Error", "Pass", "Fail", "true",
    "false", "disabled", "SetUp", "2026-01-01T10:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
    "\ud800", "\x00", "&lt;",
])  # fmt: skip
TREES = st.recursive(
    st.tuples(NAMES, st.dictionaries(ATTRIBUTES, VALUES, max_size=4), st.just([])),
    lambda inner: st.tuples(NAMES, st.dictionaries(ATTRIBUTES, VALUES, max_size=4), st.lists(inner, max_size=4)),
    max_leaves=12,
)


def written(tree):
    name, attributes, inner = tree
    told = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{told}>\n{''.join(map(written, inner))}</{name}>"


def survive(path, content):
    path.write_bytes(content)
    artifact = Artifact(path)
    lines = 1 + content.count(b"\n") + content.count(b"\r")
    for reader in READERS:
        reader.recognises(artifact)
        for target in (Target(), Target("S-1", "codex", "m1", 1)):
            for batch in reader.read(artifact, target):
                check(batch, lines)


def check(batch, lines):
    for name, table in batch.tables.items():
        assert table.schema.equals(SCHEMAS[name])
        table.validate(full=True)
        assert all(1 <= line <= lines for line in table["line"].to_pylist() if line is not None)
    for signal in batch.records("signals"):
        rate = signal["test_pass_rate"]
        assert rate is None or 0 <= rate <= 1
        if signal["tests_passed"] is not None:
            failing = signal["tests_failed"] + signal["tests_errors"]
            assert signal["tests_total"] == signal["tests_passed"] + failing
            assert signal["tests_flaky"] <= signal["tests_passed"]
            assert rate != 1 or not failing
    assert all(reject["reason"] for reject in batch.records("rejects"))
    assert all(len(row["text"].encode()) <= 4096 for row in batch.records("evidence"))
    "\n".join(batch.warnings).encode()


@QUIET
@given(content=st.binary(max_size=300))
def test_arbitrary_bytes(tmp_path, content):
    survive(tmp_path / "file", content)
    survive(tmp_path / "file", b"<testsuite>" + content)


@QUIET
@given(tree=TREES, cut=st.integers(0, 200), encoding=st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]))
def test_any_elements_in_any_order(tmp_path, tree, cut, encoding):
    text = f"<testsuites>{written(tree)}</testsuites>" if cut % 2 else written(tree)
    survive(tmp_path / "file", text[: len(text) - cut // 2].encode(encoding, "surrogatepass"))


@settings(QUIET, max_examples=80)
@given(
    file=st.sampled_from(FILES), cut=st.integers(0, 20_000),
    edits=st.lists(st.tuples(st.integers(0, 20_000), st.binary(min_size=1, max_size=6)), max_size=4),
)  # fmt: skip
def test_real_files_with_damage(tmp_path, file, cut, edits):
    content = bytearray(file.read_bytes())
    for place, piece in edits:
        place %= len(content)
        content[place : place + len(piece)] = piece
    survive(tmp_path / "file", bytes(content[: len(content) - cut % len(content)]))


@pytest.mark.parametrize("cut", range(0, 640, 7))
def test_no_cut_makes_a_failing_report_pass(tmp_path, cut):
    """b11 has a failure in its last case: cut anywhere, the rate is unknown or below 1."""
    whole = next(file for file in FILES if file.name == "b11_flaky_surefire.xml").read_bytes()
    (tmp_path / "file").write_bytes(whole[: len(whole) - cut])
    for batch in JUnitReader().read(Artifact(tmp_path / "file"), Target("S-1")):
        assert all(row["test_pass_rate"] != 1 for row in batch.records("signals"))


@pytest.mark.parametrize(
    "content",
    [
        b"<testsuite>" * 200_000,
        b"<testsuite><testcase name='a'>" + b"<failure>" * 200_000,
        b"<testsuite name='" + b"a" * 5_000_000 + b"'/>",
        b"<testsuite><!-- " + b"-" * 3_000_000,
        b"<testsuite>" + b"&" * 600_000,
        b"<testsuite>" + b"&#1;" * 200_000,
        b"<testsuite>" + b"<testcase name='a'><failure/></testcase>" * 20_000,
        b"<testsuite " + b" ".join(b"a%d=''" % n for n in range(30_000)) + b"/>",
        b"<?xml " + b" " * 200_000,
        b"<!-- " * 20_000 + b"<testsuite/>",
        b"\n" * 500_000 + b"<testsuite/>",
    ],
    ids=[
        "nested", "nested in a case", "long name", "open comment", "ampersands", "references", "retries", "attributes",
        "declaration", "comments", "blank lines",
    ],
)  # fmt: skip
def test_hostile_files_end_in_bounded_time(tmp_path, content):
    begun = time.perf_counter()
    survive(tmp_path / "file", content)
    assert time.perf_counter() - begun < 60


def test_a_token_without_end_is_given_up(tmp_path):
    """24 MB of one attribute are not read again with each block."""
    (tmp_path / "file").write_bytes(b"<testsuite>\n<testcase name='" + b"a" * (24 << 20))
    [batch] = JUnitReader().read(Artifact(tmp_path / "file"), Target("S-1"))
    assert batch.records("rejects")[0]["reason"] == "one tag is too long"


def test_memory_does_not_grow_with_the_output_of_tests(tmp_path):
    """32 MB, most of it what tests printed: no tree of it is built."""
    printed = "<system-out><![CDATA[" + "a line of output\n" * 20_000 + "]]></system-out>"
    with (tmp_path / "file").open("w") as file:
        file.write("<testsuites><testsuite name='s'>")
        for n in range(100):
            file.write(f"<testcase name='t{n}'>{printed}</testcase>")
        file.write("</testsuite></testsuites>")
    tracemalloc.start()
    [batch] = JUnitReader().read(Artifact(tmp_path / "file"), Target("S-1"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert batch.records("signals")[0]["tests_passed"] == 100
    assert peak < 24 << 20


def test_the_root_is_found_behind_what_may_stand_before_it(tmp_path):
    """Comments, instructions, a DOCTYPE and a prefix."""
    (tmp_path / "file").write_text(
        '<?xml version="1.0"?><?a b?>\n<!-- <x> - - --><!DOCTYPE y [ <!ENTITY z "1"> ]>\n<n:testsuite>'
    )
    assert root_of(Artifact(tmp_path / "file")) == ("testsuite", "<n:testsuite>")
