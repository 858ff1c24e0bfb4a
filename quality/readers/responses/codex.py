"""What does a session of Codex CLI hold? A rollout file: a line an item, `{"timestamp", "type", "payload"}`.

How a tool call ended is said by an end event of its id, by `success` or `exit_code` in its output, or by the exit code
in the output's first lines; where none of them says it, it is unknown. Tokens are the growth of the session's totals
over the turn. Older files, whose lines are the items themselves, are read as well.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from quality.observations import Reject
from quality.readers.base import Artifact
from quality.readers.document import loads, mapping, text
from quality.readers.responses.base import Found, reject
from quality.readers.responses.transcript import Remarks, Turn, count, head_objects, json_lines, stamp, words
from quality.response_models import ToolStatus

AGENT = "codex"
KINDS = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
ROLES = ("user", "assistant", "developer", "system")
CALLS = ("function_call", "custom_tool_call", "local_shell_call")
OUTPUTS = ("function_call_output", "custom_tool_call_output")
UNNUMBERED = {"web_search_call": "web_search", "image_generation_call": "image_generation"}
"""A call that states its own end, without an output → its tool."""
ENDS = {"completed": "success", "failed": "error", "incomplete": "error"}
ITEMS = ("message", "reasoning", *CALLS, *OUTPUTS, *UNNUMBERED)
NOT_TYPED = ("<environment_context>", "<user_instructions>", "<turn_aborted>", "# AGENTS.md instructions")
"""How a message in the user's name begins that the program wrote."""
STARTS, STOPS = ("task_started", "turn_started"), ("task_complete", "turn_complete", "turn_aborted")
_EXIT = re.compile(r"\A(?:.{0,200}\n){0,6}?(?:Exit code: |Process exited with code )(-?\d+)")
"""Stands among the first lines, before the tool's own output."""
_NEGATIVE = "a count of tokens is no number ≥ 0: the tokens of this response are unknown"


@dataclass
class _Session:
    session: str | None = None
    provider: str | None = None
    model: str | None = None
    turn: Turn | None = None
    turn_id: str | None = None
    """As the program names the turn under way."""
    turns: int = 0
    totals: dict[str, int] | None = None
    """Tokens so far, at the last count."""
    before: dict[str, int] | None = field(default_factory=dict)
    """At the last count before the turn; unknown once a count was unusable."""
    remarks: Remarks = field(default_factory=Remarks)

    def begun(self, line: int) -> Turn:
        """The turn under way, begun at this line if there is none."""
        if self.turn is None:
            self.turns += 1
            self.turn = Turn(line)
        return self.turn

    def close(self) -> Iterator[Found]:
        turn, self.turn = self.turn, None
        turn_id, self.turn_id = self.turn_id, None
        before, after = self.before, self.totals
        self.before = after if after is not None else before
        if turn is None:
            return
        if before is not None and after is not None:
            grown = {name: after[name] - before.get(name, 0) for name in after}
            # Totals that shrink were begun anew, by a compaction or a resumed session.
            turn.tokens = {name: n if n >= 0 else None for name, n in grown.items()}
        turn.response_id = turn_id or (f"{self.session}:{self.turns}" if self.session else None)
        self.remarks.of(turn)
        yield turn.found(session_id=self.session, provider=self.provider, agent=AGENT)


class CodexReader:
    """Rollout files of Codex CLI."""

    format = "Codex CLI transcript"

    def recognises(self, artifact: Artifact) -> bool:
        seen = head_objects(artifact)
        new = any(value.get("type") in KINDS and isinstance(value.get("payload"), dict) for value in seen)
        return new or any(_is_old(value) for value in seen)

    def read(self, artifact: Artifact, warnings: list[str]) -> Iterator[Found]:
        session = _Session()
        for item in json_lines(artifact):
            if isinstance(item, Reject):
                yield item
                continue
            line, value = item
            kind, payload = text(value.get("type")), value.get("payload")
            if "payload" not in value:  # an older file
                kind, payload = ("response_item", value) if kind in ITEMS else ("", value)
                if not kind and "id" in value and "timestamp" in value:
                    kind = "session_meta"
            if not isinstance(payload, dict):
                yield reject(line, f"a line of type {kind or 'unknown'} without its payload", None, "payload")
                continue
            yield from _take(line, kind, payload, value, session)
        yield from session.close()
        warnings.extend(session.remarks.sentences())


def _is_old(value: dict[str, Any]) -> bool:
    """An item that stands on its line alone: a call, or the first line of an older file with a message after it."""
    return value.get("type") in (*CALLS, *OUTPUTS) and "call_id" in value


def _take(line: int, kind: str, payload: dict, value: dict, session: _Session) -> Iterator[Found]:
    if kind == "session_meta":
        session.session = session.session or text(payload.get("id")) or None
        session.provider = text(payload.get("model_provider")) or session.provider
    elif kind == "turn_context":
        session.model = text(payload.get("model")) or session.model
        session.turn_id = text(payload.get("turn_id")) or session.turn_id
    elif kind == "response_item":
        yield from _item(line, payload, session)
    elif kind == "event_msg":
        yield from _event(line, payload, session)
    else:
        session.remarks.passed_over[kind or "without a type"] += 1
        return
    if session.turn is not None and kind == "response_item":
        session.turn.ended_at = stamp(value.get("timestamp")) or session.turn.ended_at


def _item(line: int, payload: dict[str, Any], session: _Session) -> Iterator[Found]:
    kind = text(payload.get("type"))
    if kind == "message":
        yield from _message(line, payload, session)
    elif kind in CALLS:
        name = text(payload.get("name")) or ("shell" if kind == "local_shell_call" else "")
        call = text(payload.get("call_id")) or text(payload.get("id"))
        if name and call:
            _answering(session, line).call(call, name)
        else:
            yield reject(line, "a tool call without its name or id", None, "name" if call else "call_id")
    elif kind in OUTPUTS:
        call = text(payload.get("call_id"))
        if session.turn is None or not session.turn.end(call, _status(payload.get("output"))):
            yield reject(line, "the output of a tool that this response did not call", call, "call_id")
    elif kind in UNNUMBERED:
        status = ENDS.get(text(payload.get("status")), "unknown")
        _answering(session, line).call(f"line {line}", UNNUMBERED[kind], status)  # type: ignore[arg-type]
    elif kind == "reasoning":
        _answering(session, line)
    else:
        session.remarks.passed_over[kind or "without a type"] += 1


def _message(line: int, payload: dict[str, Any], session: _Session) -> Iterator[Found]:
    role = text(payload.get("role"))
    if role not in ROLES:
        yield reject(line, f"unknown role {role!r}: known are {', '.join(ROLES)}", role, "role")
    elif role == "assistant":
        _answering(session, line).error = None
    elif role == "user" and not words(payload.get("content")).lstrip().startswith(NOT_TYPED):
        turn_id = session.turn_id if session.turn is None else None
        yield from session.close()
        session.turn_id = turn_id


def _answering(session: _Session, line: int) -> Turn:
    """The turn, in which the model does something."""
    turn = session.begun(line)
    if session.model:
        turn.answered_by(session.model)
    return turn


def _event(line: int, payload: dict[str, Any], session: _Session) -> Iterator[Found]:
    kind, turn = text(payload.get("type")), session.turn
    call = text(payload.get("call_id"))
    if kind in STARTS:
        yield from session.close()
        session.turn_id = text(payload.get("turn_id")) or None
    elif kind in STOPS:
        yield from session.close()
    elif kind == "token_count":
        yield from _tokens(line, mapping(payload.get("info")).get("total_token_usage"), session)
    elif kind == "error":
        session.begun(line).error = text(payload.get("message")) or "error"
    elif kind == "exec_command_end" and turn is not None and isinstance(payload.get("exit_code"), int):
        turn.end(call, "error" if payload["exit_code"] else "success")
    elif kind == "patch_apply_end" and turn is not None and isinstance(payload.get("success"), bool):
        turn.end(call, "success" if payload["success"] else "error")
    elif kind == "mcp_tool_call_end" and turn is not None and isinstance(payload.get("result"), dict):
        ok = payload["result"].get("Ok")
        turn.end(call, "success" if isinstance(ok, dict) and not (ok.get("isError") or ok.get("is_error")) else "error")


def _tokens(line: int, total: Any, session: _Session) -> Iterator[Found]:
    if not isinstance(total, dict):
        return
    names = ("input_tokens", "output_tokens", "cached_input_tokens", "reasoning_output_tokens")
    counts = {name: count(total.get(name, 0)) for name in names}
    bad = next((name for name, n in counts.items() if n is None), None)
    if bad is not None:
        session.totals = session.before = None
        yield reject(line, _NEGATIVE, total[bad], bad)
        return
    # What was read from the cache is stated apart, as other agents do it.
    session.totals = {
        "input": max(0, counts["input_tokens"] - counts["cached_input_tokens"]),  # type: ignore[operator]
        "output": counts["output_tokens"],
        "cache_read": counts["cached_input_tokens"],
        "reasoning": counts["reasoning_output_tokens"],
    }  # type: ignore[assignment]


def _status(output: Any) -> ToolStatus:
    """How a call ended, as far as its output says it."""
    if isinstance(output, dict) and isinstance(output.get("success"), bool):
        return "success" if output["success"] else "error"
    said = words(output if isinstance(output, str | list) else mapping(output).get("content"))
    code: Any = None
    if said.startswith("{"):
        try:
            code = mapping(mapping(loads(said)).get("metadata")).get("exit_code")
        except ValueError:
            code = None
    elif stated := _EXIT.match(said):
        code = int(stated[1])
    return "unknown" if not isinstance(code, int) or isinstance(code, bool) else "error" if code else "success"
