"""Message metadata, summaries and snapshots → records, or rejects that say what is wrong."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.observations import Reject
from quality.readers.base import Artifact
from quality.readers.responses.base import FoundResponse
from quality.readers.responses.formats import READERS, read_responses
from quality.readers.responses.snapshots import NoSnapshot, read_snapshot, snapshot_of, together
from quality.responses import diagnostic_changes, score_record

ORACLE = json.loads((Path(__file__).parents[1] / "assets" / "oracle" / "responses" / "cases.json").read_text())


@pytest.fixture
def read(tmp_path):
    def reading(content):
        path = tmp_path / "in.json"
        raw = content if isinstance(content, bytes) else content.encode() if isinstance(content, str) else None
        path.write_bytes(json.dumps(content).encode() if raw is None else raw)
        found = read_responses(Artifact(path))
        return found, list(found.items)

    return reading


@pytest.mark.parametrize("case", ORACLE["cases"], ids=lambda case: case["name"])
def test_every_worked_case_is_read_as_a_summary(read, case):
    reading, (response,) = read(case["input"])
    assert reading.one
    assert score_record(response.record).answer()["composite"] == case["composite"]


def test_metadata_with_its_snapshots_in_either_spelling(read):
    """Names as in the documents that the project started from are taken too."""
    snake = {
        "metadata": {"response_id": "r", "tool_results": [{"name": "Bash", "status": "error"}], "tokens": {"cache_read": 3}},
        "lsp_before": {"errors": 0, "warnings": 0}, "lsp_after": {"errors": 1, "warnings": 0}, "feedback": ["accept"],
    }  # fmt: skip
    camel = {
        "messageMetadata": {"responseId": "r", "toolResults": snake["metadata"]["tool_results"], "tokens": {"cacheRead": 3}},
        "lspBefore": snake["lsp_before"], "lspAfter": snake["lsp_after"], "signals": ["accept"],
    }  # fmt: skip
    (one,), (other,) = read(snake)[1], read(camel)[1]
    assert one == other
    assert one.record.metadata.tokens.cache_read == 3


def test_many_in_an_array_or_one_a_line_each_with_its_line(read):
    item = {"tools_ok": 1, "tools_total": 1}
    text = f"[\n{json.dumps(item)},\n\n{json.dumps(item)}]"
    assert [response.line for response in read(text)[1]] == [2, 4]
    reading, responses = read(f"{json.dumps(item)}\n\n{json.dumps(item)}\n")
    assert ([response.line for response in responses], reading.one) == ([1, 3], False)


@pytest.mark.parametrize(
    ("content", "field", "reason"),
    [
        ({"tools_total": 1}, "tools_ok", "tools_ok: missing: give it"),
        ({"tools_ok": -1, "tools_total": 1}, "tools_ok", "tools_ok = -1: give a whole number ≥ 0"),
        ({"tools_ok": 1, "tools_total": True}, "tools_total", "tools_total = true: give a whole number ≥ 0"),
        ({"tools_ok": 3, "tools_total": 1}, "tools_ok", "tools_ok = 3: more than tools_total, which is 1"),
        (
            {"tools_ok": 1, "tools_total": 2, "tools_failed": 2},
            None,
            "tools_total = 2: not the sum of the calls that succeeded",
        ),
        ({"metadata": {"model": "m"}}, "tool_results", "tool_results: missing: say how the tool calls ended"),
        ({"metadata": [], "lsp_before": None}, "metadata", "metadata is not an object: give its fields"),
        (
            {"metadata": {"tool_results": [], "role": "user"}},
            "metadata.role",
            "metadata.role = 'user': Input should be 'assistant'",
        ),
        (
            {"metadata": {"tool_results": [{"name": "Bash", "status": "fine"}]}},
            "metadata.tool_results.0.status",
            "metadata.tool_results.0.status = 'fine': Input should be 'success', 'error' or 'unknown'",
        ),
        (
            {"metadata": {"tool_results": [], "tokens": {"input": -1}}},
            "metadata.tokens.input",
            "metadata.tokens.input = -1:",
        ),
        (
            {"metadata": {"tool_results": []}, "feedback": ["like"]},
            "feedback.0.signal",
            "feedback.0.signal = 'like': Input should be 'accept'",
        ),
        (
            {"tools_ok": 1, "tools_total": 1, "lsp_after": {"errors": -1, "warnings": 0}},
            "lsp_after",
            "lsp_after: errors = -1:",
        ),
        (
            {"tools_ok": 1, "tools_total": 1, "lsp_after": 7},
            "lsp_after",
            "lsp_after: no snapshot of diagnostics: give errors and warnings",
        ),
        (
            {"tools_ok": 1, "tools_total": 1, "weights": {"correctness": -1}},
            "weights.correctness",
            "weights.correctness = -1:",
        ),
    ],
)
def test_what_does_not_fit_is_a_reject_with_field_and_reason(read, content, field, reason):
    _, items = read(content)
    (reject,) = items
    assert isinstance(reject, Reject)
    assert (reject.line, reject.field) == (1, field)
    assert reject.reason.startswith(reason)


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n", b"hello", b"[]", b'{"quality": 8}'])
def test_what_holds_no_responses_is_one_reject_that_says_what_can_be_read(read, content):
    reading, (reject,) = read(content)
    assert reading.format == "unrecognised"
    assert (
        "What can be read: Claude Code transcript, Codex CLI transcript, OpenTelemetry gen_ai spans, message metadata"
        in reject.reason
    )


def test_a_document_that_breaks_off_is_a_reject(read):
    _, (reject,) = read('{"tools_ok": 1,\n"tools_total": ')
    assert "no JSON from line 2 on" in reject.reason


def finding(severity, message, line=0):
    return {"severity": severity, "message": message, "range": {"start": {"line": line, "character": 0}}}


LSP = {
    "method": "textDocument/publishDiagnostics",
    "params": {"uri": "file:///a.py", "diagnostics": [finding(1, "no x"), finding(2, "unused")]},
}
PYRIGHT = {
    "generalDiagnostics": [
        {"file": "/a.py", "severity": "error", "message": "no x", "rule": "reportUndefined", "range": {"start": {"line": 4}}},
        {"file": "/a.py", "severity": "warning", "message": "unused"},
        {"file": "/a.py", "severity": "information", "message": "i"},
    ],
    "summary": {"filesAnalyzed": 1, "errorCount": 1, "warningCount": 1},
}  # fmt: skip
RUFF = [
    {"filename": "/a.py", "code": "F821", "message": "no x", "location": {"row": 1, "column": 1}},
    {
        "filename": "/a.py",
        "code": "F401",
        "message": "unused",
        "location": {"row": 2, "column": 1},
        "severity": "warning",
    },
]
ESLINT = [
    {
        "filePath": "/a.js",
        "messages": [
            {"ruleId": "no-undef", "severity": 2, "message": "no x", "line": 1},
            {"ruleId": None, "severity": 1, "message": "m"},
        ],
    }
]


@pytest.mark.parametrize(
    "value", [LSP, [LSP], LSP["params"], {"file:///a.py": LSP["params"]["diagnostics"]}, PYRIGHT, RUFF, ESLINT],
    ids=["lsp", "lsp list", "lsp params", "map of files", "pyright", "ruff", "eslint"],
)  # fmt: skip
def test_one_error_and_one_warning_in_each_format(value):
    _, after = together(None, snapshot_of(value))
    assert (after.errors, after.warnings) == (1, 1)
    changes = diagnostic_changes(snapshot_of({"findings": []}), after)
    assert changes == {"new_errors": 1, "new_warnings": 1, "resolved_errors": 0, "resolved_warnings": 0}


def test_a_finding_that_an_edit_has_moved_is_the_same_finding():
    moved = {"uri": "a", "diagnostics": [finding(1, "no x", 40)]}
    before, after = together(snapshot_of({"uri": "a", "diagnostics": [finding(1, "no x", 3)]}), snapshot_of(moved))
    assert set(diagnostic_changes(before, after).values()) == {0}


def test_a_later_notification_replaces_its_file_and_leaves_the_others():
    """b is not published again, so its error still stands; a is published twice, the last one counts."""
    before = [{"uri": "a", "diagnostics": [finding(1, "x")]}, {"uri": "b", "diagnostics": [finding(1, "y")]}]
    after = [{"uri": "a", "diagnostics": [finding(1, "z")]}, {"uri": "a", "diagnostics": []}]
    assert diagnostic_changes(*together(snapshot_of(before), snapshot_of(after))) == {
        "new_errors": 0, "new_warnings": 0, "resolved_errors": 1, "resolved_warnings": 0,
    }  # fmt: skip


def test_an_lsp_diagnostic_without_a_severity_counts_for_nothing():
    """LSP leaves it to the client."""
    _, after = together(None, snapshot_of({"uri": "a", "diagnostics": [{"message": "m"}]}))
    assert (after.errors, after.warnings, len(after.findings)) == (0, 0, 1)


def test_a_pyright_report_of_no_file_is_no_snapshot():
    """The outcome is unknown, not clean."""
    with pytest.raises(NoSnapshot, match="no file was checked"):
        snapshot_of({"generalDiagnostics": [], "summary": {"filesAnalyzed": 0}})


def test_notifications_one_a_line_are_one_snapshot(tmp_path):
    path = tmp_path / "lsp.jsonl"
    path.write_text(json.dumps(LSP) + "\n" + json.dumps(LSP["params"] | {"uri": "file:///b.py"}) + "\n")
    _, after = together(None, read_snapshot(Artifact(path)))
    assert (after.errors, after.warnings) == (2, 2)


@pytest.mark.parametrize("content", ["", "nonsense", '{"errors": 1}', '"a"', "[1]"])
def test_a_file_that_is_no_snapshot_is_named(tmp_path, content):
    path = tmp_path / "after.json"
    path.write_text(content)
    with pytest.raises(NoSnapshot, match=r"after\.json"):
        read_snapshot(Artifact(path))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=5) | st.floats(allow_nan=True),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(
            ["metadata", "tools_ok", "tools_total", "tool_results", "name", "status", "lsp_before", "lsp_after", "uri", "type",
             "diagnostics", "severity", "findings", "message", "role", "content", "sessionId", "payload", "call_id", "output",
             "resourceSpans", "scopeSpans", "spans", "attributes", "key", "value", "traceId", "spanId", "tokens", "usage", "info"]
        ), inner, max_size=5,
    ),
    max_leaves=25,
)  # fmt: skip
TYPES = st.sampled_from(["user", "assistant", "response_item", "event_msg", "session_meta", "turn_context", "result"])
LINES = st.lists(
    st.dictionaries(st.sampled_from(["message", "payload", "sessionId", "timestamp", "spans"]), JSON, max_size=4),
    max_size=5,
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.format)
@given(lines=LINES | st.lists(JSON, max_size=4), kind=TYPES, raw=st.binary(max_size=200))
def test_every_reader_survives_anything(tmp_path_factory, reader, lines, kind, raw):
    """A record or a reject for whatever is there, never an exception."""
    path = tmp_path_factory.mktemp("any") / "in.jsonl"
    for content in (
        raw,
        "\n".join(json.dumps({"type": kind} | line if isinstance(line, dict) else line) for line in lines).encode(),
    ):
        path.write_bytes(content)
        artifact = Artifact(path)
        reader.recognises(artifact)
        assert all(isinstance(item, FoundResponse | Reject) for item in reader.read(artifact, []))
