"""What do OpenTelemetry's `gen_ai.evaluation.result` events say? Ratings, from OTLP JSON.

The conventions fix no scale: a score is read as 0–10 unless `readers.evaluations` states the scale, the direction and
the tier under the evaluation's name; one that is not 0–10 is a reject that says how. Scores that are all at most 1
are taken as they are, with a warning that they look like shares. The story is an attribute `story_id` of the record,
its scope or resource, else the caller's. Records are log records, or events of spans, which older emitters use.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.document import beginning, documents, mapping, objects, text
from quality.readers.evals.scale import RATINGS, Rating, rating
from quality.readers.evals.sheet import Sheet
from quality.readers.results import NO_STORY

EVENT = "gen_ai.evaluation.result"
PREFIX = "gen_ai.evaluation."
STORY = ("story_id", "story.id", "quality.story_id", "synlynk.story_id")
ATTEMPT = ("attempt", "quality.attempt")
MODEL = ("gen_ai.response.model", "gen_ai.request.model")
AGENT = ("gen_ai.agent.name", "gen_ai.agent.id")
CORRECT = {"pass": True, "passed": True, "correct": True, "fail": False, "failed": False, "incorrect": False}
LISTS = (
    (
        ("resourceLogs", "resource_logs"),
        ("scopeLogs", "scope_logs", "instrumentationLibraryLogs"),
        ("logRecords", "log_records"),
    ),
    (("resourceSpans", "resource_spans"), ("scopeSpans", "scope_spans", "instrumentationLibrarySpans"), ("spans",)),
)
"""Resources, scopes and records of an export: of logs, and of traces."""
MOST_DEPTH = 20


class OtelReader:
    """Exports as one JSON document or one a line, as the collector's file exporter writes them."""

    format = "OpenTelemetry evaluations"
    takes_scales = True
    names_no_story = True
    """Its records may; the caller is asked where they do not."""

    def recognises(self, artifact: Artifact) -> bool:
        value = mapping(beginning(artifact))
        listed = any(_get(value, names) is not None for (names, _, _) in LISTS)
        return listed and EVENT.encode() in artifact.head.replace(b"\0", b"")

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        sheet = Sheet(target)
        seen: dict[str, list[float]] = {}
        ignored: Counter[str] = Counter()

        def problem(line: int, reason: str, value: str) -> None:
            sheet.reject(reason, value, line, None)

        for each in documents(artifact, problem):
            line = each.line(EVENT)
            for record in _records(each.value):
                if record.name != EVENT:
                    ignored[record.name or "unnamed"] += 1
                    continue
                _rate(record, artifact, target, sheet, line, seen)
                if sheet.full:
                    yield from sheet.take()
        for name, values in seen.items():
            if max(values) <= 1:
                sheet.warnings.append(
                    f"{name}: all {len(values)} scores are at most 1 and are read as 0–10; if they are shares, state it in "
                    f'quality.toml: [readers.evaluations."{name}"] best = 1'
                )
        if ignored:
            sheet.warnings.append(f"{sum(ignored.values())} other records were passed over")
        yield from sheet.take()


class _Record:
    """One event with the attributes around it."""

    def __init__(self, record: dict[str, Any], around: dict[str, Any], parent: dict[str, Any]) -> None:
        self.own = _attributes(record)
        self._all = {**around, **_attributes(parent), **self.own}
        self.name = (
            text(_get(record, ("eventName", "event_name")))
            or text(self.own.get("event.name"))
            or text(record.get("name"))
        )
        self.at = _time(
            _get(record, ("timeUnixNano", "time_unix_nano", "observedTimeUnixNano", "observed_time_unix_nano"))
        )
        self.trace = text(_get(record, ("traceId", "trace_id")) or _get(parent, ("traceId", "trace_id")))
        self.span = text(_get(record, ("spanId", "span_id")) or _get(parent, ("spanId", "span_id")))
        body = _value(record.get("body"), 0)
        if isinstance(body, dict):
            self.own = {**body, **self.own}

    def stated(self, names: tuple[str, ...]) -> str:
        return next((found for name in names if (found := text(self._all.get(name)))), "")


def _records(value: Any) -> Iterator[_Record]:
    for resources, scopes, records in LISTS:
        for resource in objects(_get(mapping(value), resources)):
            outer = _attributes(mapping(resource.get("resource")))
            for scope in objects(_get(resource, scopes)):
                around = {**outer, **_attributes(mapping(scope.get("scope")))}
                for record in objects(_get(scope, records)):
                    if records == ("spans",):
                        yield from (_Record(event, around, record) for event in objects(record.get("events")))
                    else:
                        yield _Record(record, around, {})


def _rate(
    record: _Record, artifact: Artifact, target: Target, sheet: Sheet, line: int, seen: dict[str, list[float]]
) -> None:
    name = text(record.own.get(PREFIX + "name"))
    value, label = record.own.get(PREFIX + "score.value"), text(record.own.get(PREFIX + "score.label"))
    story = record.stated(STORY) or target.story_id
    if not name:
        sheet.reject(f"an evaluation without {PREFIX}name: no rating", value, line, PREFIX + "name")
        return
    if not story:
        sheet.reject(NO_STORY + ", or as an attribute story_id", name, line, "story_id")
        return
    failure = text(record.own.get("error.type"))
    if failure:
        sheet.reject(f"{name} failed ({failure}): no rating", value, line)
        return
    found = rating(value, name, artifact.evaluations, RATINGS, label)
    if found.quality is not None and name not in artifact.evaluations:
        seen.setdefault(name, []).append(found.quality)
    attempt = record.stated(ATTEMPT)
    run = sheet.run(
        story, agent=record.stated(AGENT), model=record.stated(MODEL),
        attempt=int(attempt) if attempt.isdecimal() and len(attempt) < 10 else None, line=line,
    )  # fmt: skip
    about = record.span or text(record.own.get("gen_ai.response.id"))
    sheet.rate(
        run, found, name, correct=CORRECT.get(label.lower()), note=text(record.own.get(PREFIX + "explanation")), at=record.at,
        source_id=f"{record.trace}:{about}:{name}" if about else "", line=line, shown=_shown(record, found),
    )  # fmt: skip


def _shown(record: _Record, found: Rating) -> dict[str, Any]:
    return {"eventName": record.name, "attributes": record.own, "rating": found.quality}


def _get(value: dict[str, Any], names: tuple[str, ...]) -> Any:
    """The first of the names that is there: camel case by the specification, snake case in some emitters."""
    return next((value[name] for name in names if value.get(name) not in (None, "")), None)


def _attributes(value: dict[str, Any]) -> dict[str, Any]:
    listed = value.get("attributes")
    if isinstance(listed, dict):
        return listed
    return {text(item.get("key")): _value(item.get("value"), 0) for item in objects(listed)}


def _value(value: Any, depth: int) -> Any:
    """OTLP's AnyValue: 64-bit integers are strings in JSON."""
    if not isinstance(value, dict) or depth > MOST_DEPTH:
        return value if isinstance(value, str | int | float) else None
    for kind in (
        "stringValue",
        "doubleValue",
        "intValue",
        "boolValue",
        "string_value",
        "double_value",
        "int_value",
        "bool_value",
    ):
        if kind in value:
            return value[kind]
    pairs = objects(mapping(_get(value, ("kvlistValue", "kvlist_value"))).get("values"))
    return {text(item.get("key")): _value(item.get("value"), depth + 1) for item in pairs} or None


def _time(value: Any) -> datetime | None:
    """Nanoseconds since 1970."""
    written = text(value)
    if not written.isdecimal() or not 0 < len(written) <= 20 or int(written) == 0:
        return None
    try:
        return datetime.fromtimestamp(int(written) // 1_000 / 1e6, UTC)
    except (ValueError, OverflowError, OSError):
        return None
