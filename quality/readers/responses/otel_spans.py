"""What do OpenTelemetry's `gen_ai` spans say of responses? OTLP in JSON, one document or one a line.

A response is the outermost `invoke_agent` span with all that happened in it; where there is none, the model calls of one
trace together. `execute_tool` spans are its tool calls. A span that ended without an error status or `error.type`
succeeded; one without an end is unknown. The response errored if its agent span did, else if its last model call did
or was cut off. The conventions: opentelemetry.io/docs/specs/semconv/gen-ai.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from quality.observations import Reject
from quality.readers.base import Artifact
from quality.readers.document import Document, beginning, documents, mapping, text
from quality.readers.otlp import SPANS, STORY, attributes, first, is_export, records, time
from quality.readers.responses.base import Found, reject
from quality.readers.responses.transcript import Remarks, Turn
from quality.response_models import ToolStatus

AGENT, MODEL, TOOL = "agent", "model", "tool"
OPERATIONS = {
    "invoke_agent": AGENT, "invoke_workflow": AGENT, "execute_tool": TOOL,
    "chat": MODEL, "generate_content": MODEL, "text_completion": MODEL,
}  # fmt: skip
"""`gen_ai.operation.name` → what the span is."""
MARK = b"gen_ai."
MODELS = ("gen_ai.response.model", "gen_ai.request.model")
PROVIDERS = ("gen_ai.provider.name", "gen_ai.system")
SESSIONS = ("gen_ai.conversation.id", "session.id")
TOKENS = {
    "input": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    "output": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    "reasoning": ("gen_ai.usage.reasoning.output_tokens",),
    "cache_read": ("gen_ai.usage.cache_read.input_tokens",),
    "cache_write": ("gen_ai.usage.cache_creation.input_tokens",),
}
"""Our name → theirs. Their input counts what was read from a cache or written to it; ours does not."""
CUT_OFF = ("length", "max_tokens", "content_filter", "refusal")
FAILED = (2, "2", "STATUS_CODE_ERROR")


@dataclass
class _Span:
    """What is kept of one span."""

    line: int
    id: str
    kind: str
    name: str
    ended: datetime | None
    error: str | None
    stated: dict[str, Any]
    """Its attributes that are read here, with those around it."""
    tokens: dict[str, int | None]


@dataclass
class _Trace:
    parents: dict[str, str] = field(default_factory=dict)
    agents: set[str] = field(default_factory=set)
    spans: list[_Span] = field(default_factory=list)

    def owner(self, span_id: str) -> str:
        """The outermost agent span that a span is in, or is; "" if there is none."""
        owner, place, steps = "", span_id, 0
        while place and steps <= len(self.parents):
            owner = place if place in self.agents else owner
            place, steps = self.parents.get(place, ""), steps + 1
        return owner


class SpansReader:
    """Traces as exporters and the collector's file exporter write them."""

    format = "OpenTelemetry gen_ai spans"

    def recognises(self, artifact: Artifact) -> bool:
        return is_export(beginning(artifact), SPANS) and MARK in artifact.head.replace(b"\0", b"")

    def read(self, artifact: Artifact, warnings: list[str]) -> Iterator[Found]:
        traces: dict[str, _Trace] = {}
        remarks, faults = Remarks(), []
        for source in documents(artifact, lambda line, reason, value: faults.append(reject(line, reason, value))):
            for span, around in records(source.value, SPANS):
                faults.extend(_keep(span, around, source, traces, remarks))
            yield from faults
            faults.clear()
        yield from faults
        for trace_id, trace in traces.items():
            yield from _responses(trace_id, trace, remarks)
        warnings.extend(remarks.sentences())


def _keep(
    span: dict[str, Any], around: dict[str, Any], source: Document, traces: dict[str, _Trace], remarks: Remarks
) -> list[Reject]:
    """A span among those of its trace, and what of it cannot be used."""
    own = attributes(span)
    trace_id, span_id = text(first(span, ("traceId", "trace_id"))), text(first(span, ("spanId", "span_id")))
    kind = _kind(own)
    line = source.line(span_id) if kind and span_id else source.first_line
    if not trace_id or not span_id:
        return [reject(line, "a span without traceId or spanId", text(span.get("name")), "spanId")] if kind else []
    trace = traces.setdefault(trace_id, _Trace())
    trace.parents[span_id] = text(first(span, ("parentSpanId", "parent_span_id")))
    if not kind:
        operation = text(own.get("gen_ai.operation.name"))
        remarks.passed_over[f"{operation} spans" if operation else "other spans"] += 1
        return []
    if kind == AGENT:
        trace.agents.add(span_id)
    tokens, faults = _tokens(own, line)
    name = text(own.get("gen_ai.tool.name")) or text(span.get("name"))
    ended = time(first(span, ("endTimeUnixNano", "end_time_unix_nano")))
    trace.spans.append(_Span(line, span_id, kind, name, ended, _error(span, own), _stated({**around, **own}), tokens))
    return faults


def _kind(own: dict[str, Any]) -> str:
    operation = text(own.get("gen_ai.operation.name"))
    if operation:
        return OPERATIONS.get(operation, "")
    return TOOL if own.get("gen_ai.tool.name") else MODEL if any(own.get(name) for name in MODELS) else ""


def _error(span: dict[str, Any], own: dict[str, Any]) -> str | None:
    status = mapping(span.get("status"))
    if first(status, ("code",)) in FAILED or own.get("error.type"):
        return text(status.get("message")) or text(own.get("error.type")) or "error"
    reasons = own.get("gen_ai.response.finish_reasons")
    cut = [text(reason) for reason in reasons] if isinstance(reasons, list) else []
    return f"cut off ({cut[0]})" if cut and all(reason in CUT_OFF for reason in cut) else None


def _stated(all_of_it: dict[str, Any]) -> dict[str, Any]:
    names = {
        "model": MODELS, "provider": PROVIDERS, "session_id": SESSIONS, "story_id": STORY,
        "agent": ("gen_ai.agent.name", "gen_ai.agent.id"),
    }  # fmt: skip
    return {name: text(first(all_of_it, theirs)) or None for name, theirs in names.items()}


def _tokens(own: dict[str, Any], line: int) -> tuple[dict[str, int | None], list[Reject]]:
    counts: dict[str, int | None] = {}
    faults = []
    for name, theirs in TOKENS.items():
        written = first(own, theirs)
        if written is None:
            continue
        digits = text(written)
        counts[name] = int(digits) if digits.isdecimal() and len(digits) < 19 else None
        if counts[name] is None:
            faults.append(
                reject(
                    line,
                    f"{theirs[0]} is no whole number ≥ 0: the tokens of this response are unknown",
                    written,
                    theirs[0],
                )
            )
    if counts.get("input") is not None:
        cached = (counts.get("cache_read") or 0) + (counts.get("cache_write") or 0)
        counts["input"] = max(0, counts["input"] - cached)  # type: ignore[operator]
    return counts, faults


def _responses(trace_id: str, trace: _Trace, remarks: Remarks) -> Iterator[Found]:
    owners: dict[str, list[_Span]] = {}
    for span in trace.spans:
        owners.setdefault(trace.owner(span.id), []).append(span)
    for owner, spans in owners.items():
        if all(span.kind == TOOL for span in spans):
            yield reject(
                spans[0].line, "tool calls without the response that made them: no model call in the trace", trace_id
            )
        else:
            yield _response(f"{trace_id}:{owner}" if owner else trace_id, owner, spans, remarks)


def _response(response_id: str, owner: str, spans: list[_Span], remarks: Remarks) -> Found:
    spans = sorted(spans, key=lambda span: (span.ended is None, span.ended.timestamp() if span.ended else 0))
    calls = [span for span in spans if span.kind == MODEL]
    agent = next((span for span in spans if span.id == owner), None)
    decides = agent or calls[-1]
    turn = Turn(min(span.line for span in spans), response_id=response_id, error=decides.error)
    turn.models = Counter(span.stated["model"] for span in calls if span.stated["model"])
    turn.model = calls[-1].stated["model"] if calls else decides.stated["model"]
    turn.model = turn.model or decides.stated["model"]
    turn.ended_at = max((span.ended for span in spans if span.ended), default=None)
    for span in spans:
        if span.kind == TOOL:
            status: ToolStatus = "error" if span.error else "success" if span.ended else "unknown"
            turn.call(span.id, span.name or "tool", status)
    for name in TOKENS:
        counts = [span.tokens[name] for span in calls or [decides] if name in span.tokens]
        turn.tokens[name] = None if None in counts or not counts else sum(counts)  # type: ignore[arg-type]
    remarks.of(turn)
    around = [decides, *calls]
    stated = {
        name: next((span.stated[name] for span in around if span.stated[name]), None)
        for name in ("provider", "session_id", "story_id", "agent")
    }
    return turn.found(**stated)
