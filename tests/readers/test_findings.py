"""Reports of linters and compilers: what stands is counted by kind, and only errors that stand speak against a build."""

import json
from pathlib import Path

import pytest

from quality.readers.base import Artifact, Target
from quality.readers.formats import read_artifact

ASSETS = Path(__file__).parents[1] / "assets" / "evidence" / "findings"


@pytest.fixture
def findings(tmp_path):
    """`findings(content)` → format, counts that are not 0 (`None` = unknown), build_success, the batch."""

    def reads(content):
        path = content
        if not isinstance(content, Path):
            path = tmp_path / "report"
            text = content if isinstance(content, str | bytes) else json.dumps(content)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        reading = read_artifact(Artifact(path), Target("S-1"))
        [batch] = reading.batches
        counts = batch.diagnostics and {name: n for name, n in batch.diagnostics.items() if n}
        [signal] = batch.records("signals") or [{"build_success": None}]
        return reading.format, counts, signal["build_success"], batch

    return reads


@pytest.mark.parametrize(
    ("name", "expected", "build"),
    [
        ("s42_no_runs.sarif", None, None),
        ("s43_baseline.sarif", {"findings": 3, "warnings": 3, "absent": 1, "new": 1}, None),
        (
            "b16_suppressed.sarif",
            {"findings": 3, "errors": 2, "warnings": 1, "suppressed": 3, "absent": 1, "passes": 1},
            False,
        ),
        ("l45_pyright.json", {"findings": 4, "errors": 2, "warnings": 1, "information": 1}, False),
        ("l46_ruff.json", {"findings": 6, "errors": 6, "fixable": 3}, False),
        ("l48_msbuild_ansi.txt", {"findings": 1, "warnings": 1}, None),
        ("c93_lsp_no_severity.json", {"findings": 3, "errors": 1, "hints": 1, "unspecified": 1}, None),
        ("cargo_bad.txt", {"findings": 2, "errors": 2}, False),
        ("cargo_bad.json", {"findings": 2, "errors": 2}, False),
        ("clippy.txt", {"findings": 3, "warnings": 3}, True),
        ("gcc.txt", {"findings": 3, "errors": 1, "warnings": 2}, False),
        ("ruff_full.txt", {"findings": 4, "errors": 4, "fixable": 3}, False),
    ],
)
def test_real_reports_hold_what_a_person_reads_in_them(findings, name, expected, build):
    _, counts, success, batch = findings(ASSETS / name)
    assert (counts, success) == (expected, build)
    lines = (ASSETS / name).read_bytes().count(b"\n") + 1
    assert all(1 <= row["line"] <= lines and row["text"] for row in batch.records("evidence"))


def sarif(*results, **run):
    return {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": list(results), **run}]}


RULES = [
    {"id": "R1", "defaultConfiguration": {"level": "error"}},
    {"id": "R2", "guid": "g-2", "defaultConfiguration": {"level": "note"}},
]
DRIVER = {
    "driver": {"name": "t", "rules": RULES},
    "extensions": [{"name": "x", "rules": [{"id": "X1", "defaultConfiguration": {"level": "error"}}]}],
}


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ({"ruleId": "R1"}, "errors"),
        ({"ruleIndex": 1}, "information"),
        ({"ruleId": "R1/sub/case"}, "errors"),
        ({"rule": {"guid": "g-2"}}, "information"),
        ({"rule": {"index": 0, "toolComponent": {"index": 0}}}, "errors"),
        ({"ruleId": "X1"}, "errors"),
        ({"ruleId": "R1", "level": "note"}, "information"),
        ({"ruleId": "unknown"}, "warnings"),
        ({"ruleIndex": -1}, "warnings"),
        ({"ruleIndex": 99, "ruleId": "R1"}, "errors"),
        ({"level": "none"}, "unspecified"),
        ({"level": "catastrophe"}, "unspecified"),
        ({"kind": "review", "ruleId": "R1"}, "unspecified"),
        ({"kind": "open"}, "unspecified"),
        ({"kind": "informational"}, "information"),
        ({"kind": "pass"}, "passes"),
        ({"kind": "notApplicable", "level": "none"}, "passes"),
        ({"kind": "fail", "ruleId": "R1"}, "errors"),
        ({"level": "error", "suppressions": []}, "errors"),
        ({"level": "error", "suppressions": [{"status": "rejected"}, {"status": "accepted"}]}, "suppressed"),
        ({"level": "error", "baselineState": "absent", "suppressions": [{}]}, "absent"),
        ({"level": "error", "message": None, "locations": "no list"}, "errors"),
    ],
)
def test_a_sarif_result_is_of_one_kind(findings, result, kind):
    _, counts, _, _ = findings(sarif(result, tool=DRIVER))
    assert counts.pop("findings", 0) == (kind not in ("passes", "suppressed", "absent"))
    assert counts == {kind: 1}


def test_an_invocation_overrides_the_level_of_a_rule(findings):
    override = {"descriptor": {"id": "R1"}, "configuration": {"level": "note"}}
    report = sarif(
        {"ruleId": "R1"},
        tool=DRIVER,
        invocations=[{"executionSuccessful": True, "ruleConfigurationOverrides": [override]}],
    )
    assert findings(report)[1] == {"findings": 1, "information": 1}


def test_runs_are_summed_and_told_apart(findings):
    """Two tools: 1 error, and 1 warning with 1 suppressed."""
    report = sarif({"level": "error"})
    other = sarif({}, {"suppressions": [{"kind": "inSource"}]}, tool={"driver": {"name": "u"}})
    report["runs"] += other["runs"]
    _, counts, success, batch = findings(report)
    assert (counts, success) == ({"findings": 2, "errors": 1, "warnings": 1, "suppressed": 1}, False)
    assert batch.warnings == ["t: 1 error; u: 1 warning, 1 suppressed"]


@pytest.mark.parametrize("results", [None, "missing"])
def test_results_that_were_not_computed_are_unknown_and_empty_ones_are_none(findings, results):
    report = sarif()
    if results == "missing":
        del report["runs"][0]["results"]
    else:
        report["runs"][0]["results"] = None
    assert findings(report)[1] is None
    assert findings(sarif())[1:3] == ({}, None)


def test_an_analysis_that_broke_off_says_so(findings):
    *_, batch = findings(sarif(invocations=[{"executionSuccessful": False}]))
    assert "did not run to its end" in batch.warnings[0]


def test_an_error_that_the_baseline_knows_does_not_speak_against_the_build(findings):
    assert findings(sarif({"level": "error", "baselineState": "unchanged"}))[1:3] == (
        {"findings": 1, "errors": 1},
        None,
    )
    assert findings(sarif({"level": "error", "baselineState": "new"}))[2] is False


def test_a_report_is_known_in_any_encoding(findings):
    text = json.dumps(sarif({"level": "error"}))
    for content in (text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode(), text.replace(", ", ",\r\n").encode()):
        assert findings(content)[1] == {"findings": 1, "errors": 1}


def test_a_large_report_is_known_by_its_beginning(findings):
    report = sarif(*[{"ruleId": "R", "message": {"text": f"finding {n}"}} for n in range(3_000)])
    assert findings(report)[1] == {"findings": 3_000, "warnings": 3_000}


def test_a_report_that_breaks_off_is_a_reject_with_the_line(findings):
    text = json.dumps(sarif(*[{"ruleId": "R"}] * 10), indent=1)
    form, counts, _, batch = findings(text[:-200])
    assert (form, counts) == ("SARIF", None)
    assert "is the file complete?" in batch.records("rejects")[0]["reason"]


@pytest.mark.parametrize(
    ("content", "form", "expected", "build"),
    [
        ({"generalDiagnostics": [], "summary": {"filesAnalyzed": 0}}, "pyright JSON", None, None),
        ({"generalDiagnostics": [], "summary": {"filesAnalyzed": 3}}, "pyright JSON", {}, None),
        ({"generalDiagnostics": [{"severity": "unreachable"}]}, "pyright JSON", {"findings": 1, "unspecified": 1}, None),
        (
            [{"filePath": "a.js",
              "messages": [{"severity": 2, "message": "x", "fix": {"range": [0, 1]}}, {"severity": 1}, {"fatal": True}],
              "suppressedMessages": [{"severity": 2}], "errorCount": 2, "warningCount": 1}],
            "eslint JSON", {"findings": 3, "errors": 2, "warnings": 1, "suppressed": 1, "fixable": 1}, False,
        ),
        ([{"filePath": "a.js", "messages": [], "errorCount": 0}], "eslint JSON", {}, None),
        (
            [{"code": None, "message": "SyntaxError", "location": {"row": 1}, "filename": "a.py", "fix": None},
             {"code": "E1", "message": "m", "location": {"row": 1}, "filename": "a.py", "severity": "warning"}],
            "ruff JSON", {"findings": 2, "errors": 1, "warnings": 1}, False,
        ),
        (
            '{"file": "a.py", "line": 1, "column": 0, "message": "x", "hint": null, "code": "c", "severity": "error"}\n'
            '{"file": "a.py", "line": 1, "column": 0, "message": "y", "hint": null, "code": "c", "severity": "note"}\n',
            "mypy JSON", {"findings": 2, "errors": 1, "information": 1}, False,
        ),
        (
            '{"reason":"compiler-message","message":{"level":"warning","code":{"code":"unused"},"message":"u","spans":[{}],"children":[]}}\n'
            '{"reason":"compiler-message","message":{"level":"warning","code":null,"message":"1 warning emitted","spans":[]}}\n'
            '{"reason":"build-finished","success":true}\n',
            "cargo JSON", {"findings": 1, "warnings": 1}, True,
        ),
        ('{"reason":"compiler-artifact"}\n{"reason":"build-finished","success":false}\n', "cargo JSON", {}, False),
        ([{"kind": "fatal error", "message": "no", "locations": []}], "gcc JSON", {"findings": 1, "errors": 1}, False),
    ],
)  # fmt: skip
def test_each_tools_json_in_its_own_words(findings, content, form, expected, build):
    assert findings(content)[:3] == (form, expected, build)


def test_findings_win_over_totals_that_disagree(findings):
    report = {"generalDiagnostics": [{"severity": "error"}], "summary": {"errorCount": 7, "warningCount": 0}}
    _, counts, _, batch = findings(report)
    assert counts == {"findings": 1, "errors": 1}
    assert batch.warnings == ["it declares errorCount 7, its findings are 1: the findings count"]


def published(uri, *diagnostics):
    return {"method": "textDocument/publishDiagnostics", "params": {"uri": uri, "diagnostics": list(diagnostics)}}


def diagnostic(line=0, severity=1, source="a", message="m", **more):
    span = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}}
    return {"range": span, "severity": severity, "source": source, "message": message, **more}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (published("f", diagnostic(), diagnostic(source="b")), {"findings": 1, "errors": 1}),
        (published("f", diagnostic(code="E1"), diagnostic(source="b", code={"value": "E2"})), {"findings": 2, "errors": 2}),
        (published("f", diagnostic(), diagnostic(severity=2, source="b")), {"findings": 2, "errors": 1, "warnings": 1}),
        (published("f", diagnostic(), diagnostic(line=1)), {"findings": 2, "errors": 2}),
        ([published("f", diagnostic()), published("f")], {}),
        ([published("f", diagnostic()), published("g", diagnostic())], {"findings": 2, "errors": 2}),
        ({"uri": "f", "diagnostics": [diagnostic(severity=9)]}, {"findings": 1, "unspecified": 1}),
        (
            json.dumps(published("f", diagnostic())) + "\n" + json.dumps(published("g", diagnostic(severity=3))),
            {"findings": 2, "errors": 1, "information": 1},
        ),
    ],
)  # fmt: skip
def test_a_notification_replaces_the_one_before_and_two_sources_are_one_finding(findings, content, expected):
    """What an editor shows gives no signal."""
    assert findings(content)[:3] == ("LSP diagnostics", expected, None)


def framed(*messages):
    """As a server writes them: each with its length in bytes before it."""
    written = [each if isinstance(each, str) else json.dumps({"jsonrpc": "2.0", **each}) for each in messages]
    return "".join(f"Content-Length: {len(text.encode())}\r\n\r\n{text}" for text in written)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (framed({"id": 0, "result": {"capabilities": {}}}, published("f", diagnostic())), {"findings": 1, "errors": 1}),
        (framed(published("f", diagnostic()), published("g", diagnostic(severity=2)), published("f")),
         {"findings": 1, "warnings": 1}),
        (framed(published("f", diagnostic(message="Content-Length: 5 – böse\n"))), {"findings": 1, "errors": 1}),
        ({"jsonrpc": "2.0", "id": 1, "result": {"kind": "full", "items": [diagnostic(), diagnostic(line=2)]}},
         {"findings": 2, "errors": 2}),
        ({"items": [{"uri": "f", "kind": "full", "items": [diagnostic()]}, {"uri": "g", "kind": "unchanged", "resultId": "1"}]},
         {"findings": 1, "errors": 1}),
        ("\n".join([json.dumps({"jsonrpc": "2.0", "result": {"kind": "full", "items": [diagnostic()]}})] * 2),
         {"findings": 2, "errors": 2}),
    ],
    ids=["wire", "the last one of a file", "a message about lengths", "pulled", "workspace", "two pulled files"],
)  # fmt: skip
def test_diagnostics_as_they_go_over_the_wire_and_as_a_client_asks_for_them(findings, content, expected):
    """The base protocol's headers, and the reports of `textDocument/diagnostic` and `workspace/diagnostic`."""
    assert findings(content)[:3] == ("LSP diagnostics", expected, None)


def test_a_message_on_the_wire_that_is_no_json_is_a_reject_with_its_line(findings):
    """Two lines of headers before each message: the second begins in line 5."""
    *_, batch = findings(framed(published("f", diagnostic()), "{broken"))
    assert [(reject["line"], reject["reason"]) for reject in batch.records("rejects")] == [
        (5, "the message is no JSON")
    ]
