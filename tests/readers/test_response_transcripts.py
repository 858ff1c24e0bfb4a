"""Session transcripts and traces → responses, line by line (design/007-responses.md)."""

import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quality.observations import Reject
from quality.readers.base import Artifact, Target
from quality.readers.formats import read_artifact
from quality.readers.responses.base import FoundResponse
from quality.readers.responses.formats import read_responses

SAMPLES = Path(__file__).parents[1] / "assets" / "transcripts"


def read(path):
    reading = read_responses(Artifact(path))
    items = list(reading.items)
    found = [item for item in items if isinstance(item, FoundResponse)]
    return reading, found, [item for item in items if isinstance(item, Reject)]


def written(tmp_path, *lines):
    path = tmp_path / "session.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def statuses(response):
    return [(result.name, result.status) for result in response.record.metadata.tool_results]


def test_a_claude_code_session_is_a_response_a_prompt():
    """Two prompts: three calls of which one failed and one was refused; then an API error without an answer."""
    reading, (first, second), rejects = read(SAMPLES / "claude-code.jsonl")
    assert (reading.format, reading.one, rejects) == ("Claude Code transcript", False, [])
    meta = first.record.metadata
    assert statuses(first) == [("Read", "success"), ("Bash", "error"), ("Edit", "unknown")]
    assert (first.line, meta.response_id, meta.session_id, meta.agent) == (4, "a-1", "s-1", "claude-code")
    assert (meta.model, meta.occurred_at) == ("claude-sonnet-4-5", datetime(2026, 3, 2, 9, 0, 30, tzinfo=UTC))
    assert not meta.response_error
    assert (second.record.metadata.error, second.record.metadata.model) == ("API Error: 529 Overloaded", None)


def test_tokens_that_a_message_repeats_on_its_lines_count_once():
    """msg_1: 10 in, 40 out (its second line), msg_2: 5 and 60, msg_3: 2 and 20."""
    _, (first, _), _ = read(SAMPLES / "claude-code.jsonl")
    assert first.record.metadata.tokens.model_dump(exclude_none=True) == {
        "input": 17, "output": 120, "cache_read": 3300, "cache_write": 100,
    }  # fmt: skip


def test_what_is_passed_over_is_said_with_its_number():
    reading, _, _ = read(SAMPLES / "claude-code.jsonl")
    assert reading.warnings == [
        "lines that are no message were passed over: file-history-snapshot 1, summary 1",
        "1 tool call was refused or interrupted by the user and counts as unknown",
    ]


def test_a_codex_session_is_a_response_a_turn():
    """How calls ended: exit code in JSON, in the first lines (not in the tool's own output), an end event, not at all."""
    reading, (first, second), rejects = read(SAMPLES / "codex.jsonl")
    assert (reading.format, rejects) == ("Codex CLI transcript", [])
    assert statuses(first) == [
        ("shell", "success"), ("exec_command", "error"), ("apply_patch", "success"), ("update_plan", "unknown"),
    ]  # fmt: skip
    meta = first.record.metadata
    assert (meta.response_id, meta.session_id, meta.provider, meta.model) == ("t-1", "c-1", "openai", "gpt-5-codex")
    assert meta.occurred_at == datetime(2026, 3, 3, 10, 0, 14, tzinfo=UTC)
    assert second.record.metadata.error == "stream disconnected before completion"
    assert second.record.metadata.model == "gpt-5-codex-mini"


def test_codex_tokens_are_the_growth_of_the_totals_over_the_turn():
    """3000 in of which 2000 cached → 1000; then 3500 and 2000 → 1500, which is 500 more."""
    _, (first, second), _ = read(SAMPLES / "codex.jsonl")
    assert first.record.metadata.tokens.model_dump(exclude_none=True) == {
        "input": 1000, "output": 90, "cache_read": 2000, "reasoning": 30,
    }  # fmt: skip
    assert second.record.metadata.tokens.input == 500


def test_an_older_codex_file_whose_lines_are_the_items(tmp_path):
    path = written(
        tmp_path,
        {"id": "old-1", "timestamp": "2025-07-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": {"content": "no", "success": False}},
    )
    reading, (response,), rejects = read(path)
    assert (reading.format, rejects) == ("Codex CLI transcript", [])
    assert (response.record.metadata.response_id, statuses(response)) == ("old-1:1", [("shell", "error")])


def test_spans_an_agent_s_calls_are_one_response_and_a_lone_model_call_another():
    reading, (agent, lone), (orphan,) = read(SAMPLES / "spans.json")
    meta = agent.record.metadata
    assert reading.format == "OpenTelemetry gen_ai spans"
    assert statuses(agent) == [("run_tests", "error"), ("read_file", "success"), ("deploy", "unknown")]
    assert (meta.response_id, meta.session_id, meta.story_id, meta.agent) == ("aa:02", "conv-1", "S-7", "builder")
    assert (meta.model, meta.provider, meta.response_error) == ("gpt-5-2025-08-07", "openai", False)
    assert meta.occurred_at == datetime.fromtimestamp(1772442030, UTC)
    assert (lone.record.metadata.response_id, lone.record.metadata.error) == ("bb", "cut off (length)")
    assert orphan.reason == "tool calls without the response that made them: no model call in the trace"
    assert reading.warnings == ["lines that are no message were passed over: embeddings spans 1, other spans 1"]


def test_span_tokens_are_those_of_the_model_calls_and_what_was_cached_is_apart():
    """120 of which 100 cached → 20, and 200."""
    _, (agent, _), _ = read(SAMPLES / "spans.json")
    assert agent.record.metadata.tokens.model_dump(exclude_none=True) == {"input": 220, "output": 80, "cache_read": 100}


def test_an_export_a_line_is_read_line_by_line(tmp_path):
    whole = json.loads((SAMPLES / "spans.json").read_text())
    spans = whole["resourceSpans"][0]["scopeSpans"][0]["spans"]
    lines = [{"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]} for span in spans]
    _, found, rejects = read(written(tmp_path, *lines, "{broken"))
    assert [response.record.metadata.response_id for response in found] == ["aa:02", "bb"]
    assert [(reject.line, reject.reason[:20]) for reject in rejects] == [
        (11, "the line is no JSON"),
        (9, "tool calls without t"),
    ]


def claude(role, content, **more):
    return {
        "type": role,
        "sessionId": "s",
        "uuid": f"u{id(content)}",
        "message": {"role": role, "content": content} | more,
    }


CALL = [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}]


@pytest.mark.parametrize(
    ("line", "reason", "field"),
    [
        ("{", "the line is no JSON: is the file complete?", None),
        ("[1]", "the line is no JSON object", None),
        ({"type": "assistant", "sessionId": "s"}, "a line of type assistant without its message", "message"),
        (claude("assistant", None), "a message of the assistant without content", "message.content"),
        (claude("wizard", "x"), "unknown role 'wizard': known are user, assistant", "message.role"),
        (claude("assistant", [{"type": "tool_use", "id": "t9"}]), "a tool call without its name or id", "name"),
        (
            claude("user", [{"type": "tool_result", "tool_use_id": "t8"}]),
            "the result of a tool that this response did not call",
            "tool_use_id",
        ),
        (
            claude("user", [{"type": "tool_result", "tool_use_id": "t1", "is_error": "perhaps"}]),
            "is_error is neither true nor false: how the tool ended is unknown",
            "is_error",
        ),
        (
            claude("assistant", "x", usage={"input_tokens": -4}),
            "input_tokens is no number ≥ 0: the tokens of this response are unknown",
            "input_tokens",
        ),
    ],
)
def test_a_line_that_cannot_be_used_is_a_reject_and_the_rest_is_read(tmp_path, line, reason, field):
    """With the line's number; the response around it stays."""
    path = written(tmp_path, claude("user", "go"), claude("assistant", CALL), line, claude("assistant", "done"))
    _, found, (reject,) = read(path)
    assert (reject.line, reject.reason, reject.field) == (3, reason, field)
    assert len(found) == 1
    assert statuses(found[0]) == [("Bash", "unknown")]


def codex(kind, **payload):
    return {"timestamp": "2026-03-03T10:00:00Z", "type": kind, "payload": payload}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"type": "event_msg"}, "a line of type event_msg without its payload"),
        (
            codex("response_item", type="message", role="oracle"),
            "unknown role 'oracle': known are user, assistant, developer, system",
        ),
        (codex("response_item", type="function_call", name="shell"), "a tool call without its name or id"),
        (
            codex("response_item", type="function_call_output", call_id="c9"),
            "the output of a tool that this response did not call",
        ),
        (
            codex("event_msg", type="token_count", info={"total_token_usage": {"input_tokens": -1}}),
            "a count of tokens is no number ≥ 0: the tokens of this response are unknown",
        ),
    ],
)
def test_a_codex_line_that_cannot_be_used_is_a_reject_and_the_rest_is_read(tmp_path, line, reason):
    call = codex("response_item", type="function_call", name="shell", call_id="c1")
    path = written(tmp_path, codex("session_meta", id="s"), call, line | ({} if "payload" in line else {"payload": 3}))
    _, found, (reject,) = read(path)
    assert (reject.line, reject.reason) == (3, reason)
    assert statuses(found[0]) == [("shell", "unknown")]


def test_subagents_are_conversations_of_their_own(tmp_path):
    """A prompt in the main session does not end the subagent's response."""
    side = {"isSidechain": True, "agentId": "7"}
    path = written(
        tmp_path, claude("assistant", CALL), claude("assistant", [CALL[0] | {"id": "t2"}]) | side, claude("user", "next"),
        claude("user", [{"type": "tool_result", "tool_use_id": "t2"}]) | side,
    )  # fmt: skip
    _, found, rejects = read(path)
    assert rejects == []
    assert [statuses(response) for response in found] == [[("Bash", "unknown")], [("Bash", "success")]]


def test_the_stream_of_a_print_run_ends_with_its_result(tmp_path):
    """`session_id` instead of `sessionId`, and a result line that says the run failed."""
    message = {"type": "assistant", "session_id": "p", "uuid": "a", "message": {"role": "assistant", "content": "hm"}}
    init = {"type": "system", "subtype": "init", "session_id": "p"}
    result = {"type": "result", "subtype": "error_max_turns", "is_error": True, "session_id": "p"}
    _, (response,), rejects = read(written(tmp_path, init, message, result))
    assert (response.record.metadata.session_id, response.record.metadata.error, rejects) == (
        "p",
        "error_max_turns",
        [],
    )


def test_an_api_error_that_a_later_message_mends_is_no_error(tmp_path):
    failed = claude("assistant", "API Error") | {"isApiErrorMessage": True}
    _, (response,), _ = read(written(tmp_path, failed, claude("assistant", "There.")))
    assert not response.record.metadata.response_error


def test_an_answer_that_was_cut_off_is_an_error(tmp_path):
    _, (response,), _ = read(written(tmp_path, claude("assistant", "Half an", stop_reason="max_tokens")))
    assert response.record.metadata.error == "cut off (max_tokens)"


def test_a_first_line_longer_than_what_recognisers_see_is_no_obstacle(tmp_path):
    """Codex writes its instructions into it."""
    first = codex("session_meta", id="s", model_provider="openai", base_instructions={"text": "x" * 200_000})
    _, (response,), rejects = read(
        written(tmp_path, first, codex("response_item", type="message", role="assistant", content=[]))
    )
    assert (response.record.metadata.session_id, rejects) == ("s", [])


def test_a_huge_transcript_is_streamed(tmp_path):
    """40 MB of tool output in 400 lines; a few lines are in memory at a time."""
    path = tmp_path / "huge.jsonl"
    with path.open("w") as file:
        for n in range(400):
            file.write(json.dumps(claude("assistant", [CALL[0] | {"id": f"t{n}"}])) + "\n")
            result = [{"type": "tool_result", "tool_use_id": f"t{n}", "content": "y" * 100_000}]
            file.write(json.dumps(claude("user", result)) + "\n")
    tracemalloc.start()
    _, (response,), _ = read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert response.record.metadata.tools_ok == 400
    assert peak < 16 * 1024**2


@pytest.mark.parametrize("name", ["claude-code.jsonl", "codex.jsonl", "spans.json"])
def test_inspect_and_ingest_are_told_where_responses_are_scored(name):
    reading = read_artifact(Artifact(SAMPLES / name), Target())
    (reject,) = [reject for batch in reading.batches for reject in batch.records("rejects")]
    assert "score it with python -m quality respond FILE" in reject["reason"]


def test_a_transcript_that_quotes_a_verdict_is_still_no_review(tmp_path):
    """Other people's logs and reviews inside it are not read as facts."""
    quoted = "# synlynk-meta\nquality: 9\ncorrect: true\n===== 3 passed in 0.1s ====="
    reading = read_artifact(Artifact(written(tmp_path, claude("user", quoted), claude("assistant", quoted))), Target())
    assert reading.format == "unrecognised"
