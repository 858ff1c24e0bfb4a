"""What does a session of Claude Code hold? A transcript as it keeps them, or what `--output-format stream-json` prints.

Lines are messages of the user or the assistant, or notes of the program, which are passed over and counted. A subagent
is a conversation of its own. How a tool call ended is said by `is_error` of its result; one that the user refused never
ran. Token counts are repeated on each line of a message: the last of a message counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from quality.observations import Reject
from quality.readers.base import Artifact
from quality.readers.document import mapping, objects, text
from quality.readers.responses.base import Found, reject
from quality.readers.responses.transcript import Remarks, Turn, count, head_objects, json_lines, stamp, words
from quality.response_models import ToolStatus

AGENT = "claude-code"
ROLES = ("user", "assistant")
SYNTHETIC = "<synthetic>"
"""The model of a message that the program wrote itself."""
INTERRUPTED = "[Request interrupted by user"
REFUSED = ("The user doesn't want to", INTERRUPTED)
"""How the result of a call begins that never ran to its end, by the user's will."""
CUT_OFF = {"max_tokens": "cut off", "model_context_window_exceeded": "cut off", "refusal": "refused"}
"""A reason to stop that leaves no whole answer → what happened."""
TOKENS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_write": "cache_creation_input_tokens",
}
"""Our name → the name in `usage`."""
CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


@dataclass
class _Conversation:
    """The main session, or one subagent of it."""

    session: str | None
    turn: Turn | None = None
    usage: dict[str, dict[str, int | None]] = field(default_factory=dict)
    """Id of a message of this turn → its tokens."""


class ClaudeCodeReader:
    """Session transcripts of Claude Code."""

    format = "Claude Code transcript"

    def recognises(self, artifact: Artifact) -> bool:
        return any(_is_message(value) for value in head_objects(artifact))

    def read(self, artifact: Artifact, warnings: list[str]) -> Iterator[Found]:
        conversations: dict[tuple[str, ...], _Conversation] = {}
        remarks = Remarks()
        for item in json_lines(artifact):
            if isinstance(item, Reject):
                yield item
                continue
            line, value = item
            session = text(value.get("sessionId")) or text(value.get("session_id"))
            side = (
                text(value.get("agentId"))
                or text(value.get("parent_tool_use_id"))
                or str(bool(value.get("isSidechain")))
            )
            talk = conversations.setdefault((session, side), _Conversation(session or None))
            yield from _take(line, value, talk, remarks)
        rest = (talk for talk in conversations.values() if talk.turn)
        for talk in sorted(rest, key=lambda talk: talk.turn.line):  # type: ignore[union-attr]
            yield from _close(talk, remarks)
        warnings.extend(remarks.sentences())


def _is_message(value: dict[str, Any]) -> bool:
    stated = value.get("type") in ROLES and isinstance(value.get("message"), dict)
    return stated and any(name in value for name in ("sessionId", "session_id", "parentUuid"))


def _take(line: int, value: dict[str, Any], talk: _Conversation, remarks: Remarks) -> Iterator[Found]:
    kind, message = text(value.get("type")), value.get("message")
    if kind == "result" and "is_error" in value:
        if talk.turn and value["is_error"] is True:
            talk.turn.error = text(value.get("result")) or text(value.get("subtype")) or "error"
        yield from _close(talk, remarks)
        return
    if not isinstance(message, dict):
        if kind in ROLES:
            yield reject(line, f"a line of type {kind} without its message", None, "message")
        else:
            remarks.passed_over[kind or "without a type"] += 1
        return
    role = text(message.get("role")) or kind
    if role not in ROLES:
        yield reject(line, f"unknown role {role!r}: known are {', '.join(ROLES)}", role, "message.role")
    elif not isinstance(message.get("content"), str | list):
        yield reject(line, f"a message of the {role} without content", None, "message.content")
    elif role == "assistant":
        yield from _assistant(line, value, message, talk)
    else:
        yield from _user(line, value, message, talk, remarks)


def _user(
    line: int, value: dict[str, Any], message: dict[str, Any], talk: _Conversation, remarks: Remarks
) -> Iterator[Found]:
    content = message.get("content")
    results = [block for block in objects(content) if block.get("type") == "tool_result"]
    for block in results:
        yield from _ended(line, block, talk, remarks)
    if not results and not value.get("isMeta") and not value.get("isCompactSummary"):
        yield from _close(talk, remarks)


def _ended(line: int, block: dict[str, Any], talk: _Conversation, remarks: Remarks) -> Iterator[Found]:
    """The result of a tool call."""
    call, failed = text(block.get("tool_use_id")), block.get("is_error")
    if failed is not None and not isinstance(failed, bool):
        yield reject(line, "is_error is neither true nor false: how the tool ended is unknown", failed, "is_error")
        return
    refused = bool(failed) and words(block.get("content")).startswith(REFUSED)
    remarks.refused += refused
    status: ToolStatus = "unknown" if refused else "error" if failed else "success"
    if talk.turn is None or not talk.turn.end(call, status):
        yield reject(line, "the result of a tool that this response did not call", call, "tool_use_id")


def _assistant(line: int, value: dict[str, Any], message: dict[str, Any], talk: _Conversation) -> Iterator[Found]:
    turn = talk.turn = talk.turn or Turn(line, response_id=text(value.get("uuid")) or text(message.get("id")) or None)
    model = text(message.get("model"))
    if model and model != SYNTHETIC:
        turn.answered_by(model)
    turn.ended_at = stamp(value.get("timestamp")) or turn.ended_at
    turn.error = _error(value, message)
    for block in objects(message.get("content")):
        kind = text(block.get("type"))
        if kind in CALLS:
            name, call = text(block.get("name")), text(block.get("id"))
            if name and call:
                turn.call(call, name)
            else:
                yield reject(line, "a tool call without its name or id", None, "name" if call else "id")
        elif kind.endswith("_tool_result"):
            failed = text(mapping(block.get("content")).get("type")).endswith("_error")
            turn.end(text(block.get("tool_use_id")), "error" if failed else "success")
    usage = message.get("usage")
    if isinstance(usage, dict) and model != SYNTHETIC:
        yield from _usage(line, usage, talk.usage.setdefault(text(message.get("id")) or str(line), {}))


def _error(value: dict[str, Any], message: dict[str, Any]) -> str | None:
    if value.get("isApiErrorMessage") is True:
        return words(message.get("content")) or text(value.get("error")) or "API error"
    reason = text(message.get("stop_reason"))
    return f"{CUT_OFF[reason]} ({reason})" if reason in CUT_OFF else None


def _usage(line: int, usage: dict[str, Any], known: dict[str, int | None]) -> Iterator[Found]:
    for name, theirs in TOKENS.items():
        if usage.get(theirs) is None:
            continue
        known[name] = count(usage[theirs])
        if known[name] is None:
            yield reject(
                line, f"{theirs} is no number ≥ 0: the tokens of this response are unknown", usage[theirs], theirs
            )


def _close(talk: _Conversation, remarks: Remarks) -> Iterator[Found]:
    turn, talk.turn = talk.turn, None
    usage, talk.usage = list(talk.usage.values()), {}
    if turn is None:
        return
    for name in TOKENS:
        counts = [tokens[name] for tokens in usage if name in tokens]
        turn.tokens[name] = None if None in counts or not counts else sum(counts)
    remarks.of(turn)
    yield turn.found(session_id=talk.session, agent=AGENT)
