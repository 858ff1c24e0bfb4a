"""What does a file of message metadata say? Our own JSON, whole or as a summary: one object, an array, or one a line.

Whole: `{"metadata": {…}, "lsp_before": …, "lsp_after": …, "feedback": […], "weights": {…}}`, of which only the metadata
must be there, and in it how the tool calls ended (`[]` where none ran). Summary: `{"tools_ok", "tools_total",
"response_error", "lsp_before", "lsp_after", "signals", "weights"}`. Names in camel case are taken as well.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from quality.observations import Reject
from quality.readers.base import Artifact
from quality.readers.document import Document, beginning, documents
from quality.readers.responses.base import Found, checked, reject
from quality.readers.responses.snapshots import NoSnapshot, Snapshot, snapshot_of, together

SUMMARY = ("tools_ok", "tools_total")
"""What a summary must state."""
TOOLS = ("tool_results", "tools_ok", "tools_failed")
"""At least one of these says how the tool calls ended."""
SNAPSHOTS = ("lsp_before", "lsp_after")
AROUND = (*SNAPSHOTS, "feedback", "weights")
NAMES = {"message_metadata": "metadata", "signals": "feedback", "session": "session_id", "story": "story_id"}
"""A name that is taken → our own."""
MARKS = {"metadata", "message_metadata", *SUMMARY, *TOOLS, *SNAPSHOTS}
"""One of these makes an object ours."""
NESTED = ("tool_results", "tokens")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\s,]*")


class MetadataReader:
    """Message metadata with its snapshots."""

    format = "message metadata"

    def recognises(self, artifact: Artifact) -> bool:
        value = beginning(artifact)
        items = value if isinstance(value, list) else [value]
        return any(isinstance(item, dict) and MARKS & set(map(_snake, item)) for item in items[:1])

    def read(self, artifact: Artifact, warnings: list[str]) -> Iterator[Found]:
        faults: list[Reject] = []
        for source in documents(artifact, lambda line, reason, value: faults.append(reject(line, reason, value))):
            yield from faults
            faults.clear()
            yield from (_read(value, line) for line, value in _items(source))
        yield from faults

    def is_one(self, artifact: Artifact) -> bool:
        """Whether the file is one object over all its lines."""
        found: list[Document | None] = []
        for source in documents(artifact, lambda *_: found.append(None)):
            found.append(source)
            if len(found) > 1:
                return False
        return not found or found[0] is None or isinstance(found[0].value, dict)


def _read(value: Any, line: int) -> Found:
    if not isinstance(value, dict):
        return reject(line, "not an object: give message metadata or a summary", json.dumps(value))
    fields = _named(value)
    metadata = fields.pop("metadata", None)
    if metadata is None:
        metadata = {name: fields.pop(name) for name in list(fields) if name not in AROUND}
    if not isinstance(metadata, dict):
        return reject(line, "metadata is not an object: give its fields", json.dumps(metadata), "metadata")
    metadata = _named(metadata)
    for name in NESTED:
        if isinstance(metadata.get(name), dict):
            metadata[name] = _named(metadata[name])
    if "tools_total" in metadata:
        fault = _count(metadata, line)
        if fault is not None:
            return fault
    elif not any(name in metadata for name in TOOLS):
        reason = (
            "missing: say how the tool calls ended in tool_results, or in tools_ok and tools_total; [] where none ran"
        )
        return reject(line, f"tool_results: {reason}", None, "tool_results")
    pair: list[Snapshot | None] = []
    for name in SNAPSHOTS:
        try:
            pair.append(None if fields.get(name) is None else snapshot_of(fields[name]))
        except NoSnapshot as error:
            return reject(line, f"{name}: {error}", json.dumps(fields[name]), name)
    before, after = together(*pair)
    return checked(fields | {"metadata": metadata, "lsp_before": before, "lsp_after": after}, line)


def _count(metadata: dict[str, Any], line: int) -> Reject | None:
    """The total of a summary as the number that failed, or what is wrong with it."""
    for name in SUMMARY:
        number = metadata.get(name)
        if name not in metadata:
            return reject(line, f"{name}: missing: give it", None, name)
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            return reject(line, f"{name} = {json.dumps(number)}: give a whole number ≥ 0", json.dumps(number), name)
    total, ok = metadata.pop("tools_total"), metadata["tools_ok"]
    if ok > total:
        return reject(line, f"tools_ok = {ok}: more than tools_total, which is {total}", ok, "tools_ok")
    unknown = metadata.get("tools_unknown", 0)
    failed = total - ok - (unknown if isinstance(unknown, int) else 0)
    if metadata.setdefault("tools_failed", failed) != failed or failed < 0:
        return reject(
            line, f"tools_total = {total}: not the sum of the calls that succeeded, failed and are unknown", total
        )
    return None


def _named(value: dict[str, Any]) -> dict[str, Any]:
    snake = {_snake(name): item for name, item in value.items()}
    return {NAMES.get(name, name) if NAMES.get(name) not in snake else name: item for name, item in snake.items()}


def _snake(name: str) -> str:
    """
    >>> _snake("lspBefore")
    'lsp_before'
    """
    return _HUMP.sub("_", name).lower()


def _items(source: Document) -> Iterator[tuple[int, Any]]:
    """The objects of an array, or the one object, each with its line."""
    if not isinstance(source.value, list):
        yield source.line(), source.value
        return
    decoder, text, line = json.JSONDecoder(strict=False), source.text, source.first_line
    counted, place = 0, text.index("[") + 1
    for _ in source.value:
        place = _BETWEEN.match(text, place).end()  # type: ignore[union-attr]
        line, counted = line + text.count("\n", counted, place), place
        value, place = decoder.raw_decode(text, place)
        yield line, value
