"""What does an OTLP export in JSON hold? Resources, scopes and records, and how their attributes are written.

Names are camel case by the specification and snake case in some emitters; 64-bit integers are strings in JSON.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from quality.readers.document import mapping, objects, text

STORY = ("story_id", "story.id", "quality.story_id", "synlynk.story_id")
LOGS = (
    ("resourceLogs", "resource_logs"),
    ("scopeLogs", "scope_logs", "instrumentationLibraryLogs"),
    ("logRecords", "log_records"),
)
SPANS = (
    ("resourceSpans", "resource_spans"),
    ("scopeSpans", "scope_spans", "instrumentationLibrarySpans"),
    ("spans",),
)
"""Resources, scopes and records of an export: of logs, and of traces."""
MOST_DEPTH = 20
_KINDS = tuple(f"{kind}{end}" for end in ("Value", "_value") for kind in ("string", "double", "int", "bool"))


def first(value: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The first of the names that is there."""
    return next((value[name] for name in names if value.get(name) not in (None, "")), None)


def is_export(value: Any, lists: tuple[tuple[str, ...], ...]) -> bool:
    """Whether the value is an export of logs or of spans."""
    return first(mapping(value), lists[0]) is not None


def records(value: Any, lists: tuple[tuple[str, ...], ...]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each record of an export with the attributes of its resource and scope."""
    resources, scopes, kinds = lists
    for resource in objects(first(mapping(value), resources)):
        outer = attributes(mapping(resource.get("resource")))
        for scope in objects(first(resource, scopes)):
            around = {**outer, **attributes(mapping(scope.get("scope")))}
            yield from ((record, around) for record in objects(first(scope, kinds)))


def attributes(value: dict[str, Any]) -> dict[str, Any]:
    """Name → value, whether they are listed or an object."""
    listed = value.get("attributes")
    if isinstance(listed, dict):
        return listed
    return {text(item.get("key")): any_value(item.get("value")) for item in objects(listed)}


def any_value(value: Any, depth: int = 0) -> Any:
    """OTLP's AnyValue as a text, number, list or object; `None` for anything else."""
    if not isinstance(value, dict) or depth > MOST_DEPTH:
        return value if isinstance(value, str | int | float) else None
    for kind in _KINDS:
        if kind in value:
            return value[kind]
    listed = mapping(first(value, ("arrayValue", "array_value"))).get("values")
    if isinstance(listed, list):
        return [any_value(item, depth + 1) for item in listed]
    pairs = objects(mapping(first(value, ("kvlistValue", "kvlist_value"))).get("values"))
    return {text(item.get("key")): any_value(item.get("value"), depth + 1) for item in pairs} or None


def time(value: Any) -> datetime | None:
    """Nanoseconds since 1970."""
    written = text(value)
    if not written.isdecimal() or not 0 < len(written) <= 20 or int(written) == 0:
        return None
    try:
        return datetime.fromtimestamp(int(written) // 1_000 / 1e6, UTC)
    except (ValueError, OverflowError, OSError):
        return None
