"""How do records of responses become columns? One Arrow table of what they state, one of the feedback they carry."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
from pydantic_core import to_json

from quality.response_models import FeedbackEvent, ResponseRecord, TokenUsage
from quality.responses import CHANGES, diagnostic_changes

INSTANT = pa.timestamp("us", tz="UTC")
STATED = (
    "model",
    "provider",
    "agent",
    "session_id",
    "story_id",
    "tools_ok",
    "tools_failed",
    "tools_unknown",
    "response_error",
)
"""Columns that are fields of the metadata."""
TOKENS = tuple(TokenUsage.model_fields)
STATEMENTS = pa.schema(
    [(name, pa.string()) for name in ("response_id", "content_key", *STATED[:5])]
    + [(name, pa.int64()) for name in STATED[5:8]]
    + [("response_error", pa.bool_()), ("tools", pa.string()), ("error", pa.string()), ("weights", pa.string())]
    + [(name, pa.int64()) for name in CHANGES]
    + [(f"{name}_tokens", pa.int64()) for name in TOKENS]
    + [("occurred_at", INSTANT), ("line", pa.int64())]
)
FEEDBACK = pa.schema(
    [(name, pa.string()) for name in ("response_id", "event_id", "signal")]
    + [("occurred_at", INSTANT), ("line", pa.int64())]
)
MADE_ID = "content-"
"""How the id of a response begins whose source states none."""
IN_RECORD = "record"
"""How the id of an event begins that was given in a record without one."""
ERROR_CHARACTERS = 1_000
"""Of what an error said, so much is kept."""


def statements_of(records: Sequence[ResponseRecord]) -> pa.Table:
    """A row a record, in the order given; `line` is its place."""
    metas = [record.metadata for record in records]
    tokens = [meta.tokens for meta in metas]
    keys = [content_key(record) for record in records]
    nothing = dict.fromkeys(CHANGES)
    changes = [diagnostic_changes(record.lsp_before, record.lsp_after) or nothing for record in records]
    columns: dict[str, list[Any]] = {
        "response_id": [meta.response_id or MADE_ID + key for meta, key in zip(metas, keys)],
        "content_key": keys,
        "tools": [_tools(record) for record in records],
        "error": [meta.error and meta.error[:ERROR_CHARACTERS] for meta in metas],
        "weights": [record.weights and record.weights.model_dump_json() for record in records],
        "occurred_at": [meta.occurred_at for meta in metas],
        "line": list(range(len(records))),
        **{name: [getattr(meta, name) for meta in metas] for name in STATED},
        **{name: [change[name] for change in changes] for name in CHANGES},
        **{f"{name}_tokens": [getattr(one, name) for one in tokens] for name in TOKENS},
    }
    return pa.table([pa.array(columns[f.name], f.type) for f in STATEMENTS], schema=STATEMENTS)


def content_key(record: ResponseRecord) -> str:
    """32 hex digits of the hash of all that a record states besides feedback: the same words, the same key."""
    stated = record.model_dump_json(exclude_defaults=True, exclude={"feedback"})
    return hashlib.sha256(stated.encode()).hexdigest()[:32]


def feedback_of(records: Sequence[ResponseRecord], response_ids: Sequence[str]) -> pa.Table:
    """The events that the records carry. One without an id gets it from its signal and its place among its like."""
    given: list[tuple[str, FeedbackEvent]] = []
    for record, response_id in zip(records, response_ids):
        count: Counter[str] = Counter()
        for event in record.feedback:
            if event.event_id is None:
                count[event.signal] += 1
                event = event.model_copy(update={"event_id": f"{IN_RECORD}:{event.signal}:{count[event.signal]}"})
            given.append((response_id, event))
    return events_table(given)


def events_table(given: Iterable[tuple[str, FeedbackEvent]]) -> pa.Table:
    """A row an event, in the order given; `line` is its place."""
    rows = [(i, e.event_id, e.signal, e.occurred_at, n) for n, (i, e) in enumerate(given)]
    return pa.table([pa.array([row[n] for row in rows], f.type) for n, f in enumerate(FEEDBACK)], schema=FEEDBACK)


def _tools(record: ResponseRecord) -> str | None:
    """Name of a tool → how often its calls ended how, as JSON; `None` where they are only counted."""
    results = record.metadata.tool_results
    if results is None:
        return None
    counts = Counter((result.name, result.status) for result in results)
    named: dict[str, dict[str, int]] = {}
    for (name, status), n in counts.items():
        named.setdefault(name, {})[status] = n
    return to_json(named).decode()
