"""What do OpenTelemetry's `gen_ai.evaluation.result` events say? Ratings, from OTLP JSON.

The conventions fix no scale: a score is read as 0–10 unless `readers.evaluations` states the scale, the direction and
the tier under the evaluation's name; one that is not 0–10 is a reject that says how. Scores that are all at most 1
are taken as they are, with a warning that they look like shares. The story is an attribute `story_id` of the record,
its scope or resource, else the caller's. Records are log records, or events of spans, which older emitters use.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.document import beginning, documents, objects, text
from quality.readers.evals.scale import RATINGS, Rating, rating
from quality.readers.evals.sheet import Sheet
from quality.readers.otlp import LOGS, SPANS, STORY, any_value, attributes, first, is_export, records, time
from quality.readers.results import NO_STORY
from quality.readers.text import utf8_blocks

EVENT = "gen_ai.evaluation.result"
PREFIX = "gen_ai.evaluation."
ATTEMPT = ("attempt", "quality.attempt")
MODEL = ("gen_ai.response.model", "gen_ai.request.model")
AGENT = ("gen_ai.agent.name", "gen_ai.agent.id")
CORRECT = {"pass": True, "passed": True, "correct": True, "fail": False, "failed": False, "incorrect": False}


class OtelReader:
    """Exports as one JSON document or one a line, as the collector's file exporter writes them."""

    format = "OpenTelemetry evaluations"
    takes_scales = True
    names_no_story = True
    """Its records may; the caller is asked where they do not."""

    def recognises(self, artifact: Artifact) -> bool:
        value = beginning(artifact)
        first = value[0] if isinstance(value, list) and value else value
        return (is_export(first, LOGS) or is_export(first, SPANS)) and _tells_of_evaluations(artifact)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        sheet = Sheet(target)
        seen: dict[str, list[float]] = {}
        ignored: Counter[str] = Counter()

        def problem(line: int, reason: str, value: str) -> None:
            sheet.reject(reason, value, line, None)

        for each in documents(artifact, problem):
            line = each.line(EVENT)
            exports = each.value if isinstance(each.value, list) else [each.value]
            for record in (record for export in exports for record in _records(export)):
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


def _tells_of_evaluations(artifact: Artifact) -> bool:
    """Whether such an event stands anywhere in the file: other records may come before it."""
    if EVENT.encode() in artifact.head.replace(b"\0", b""):
        return True
    last = b""
    for block in utf8_blocks(artifact.path, 1 << 20) if artifact.size > len(artifact.head) else ():
        if EVENT.encode() in last + block:
            return True
        last = block[-len(EVENT) :]
    return False


class _Record:
    """One event with the attributes around it."""

    def __init__(self, record: dict[str, Any], around: dict[str, Any], parent: dict[str, Any]) -> None:
        self.own = attributes(record)
        self._all = {**around, **attributes(parent), **self.own}
        self.name = (
            text(first(record, ("eventName", "event_name")))
            or text(self.own.get("event.name"))
            or text(record.get("name"))
        )
        self.at = time(
            first(record, ("timeUnixNano", "time_unix_nano", "observedTimeUnixNano", "observed_time_unix_nano"))
        )
        self.trace = text(first(record, ("traceId", "trace_id")) or first(parent, ("traceId", "trace_id")))
        self.span = text(first(record, ("spanId", "span_id")) or first(parent, ("spanId", "span_id")))
        body = any_value(record.get("body"))
        if isinstance(body, dict):
            self.own = {**body, **self.own}

    def stated(self, names: tuple[str, ...]) -> str:
        return next((found for name in names if (found := text(self._all.get(name)))), "")


def _records(value: Any) -> Iterator[_Record]:
    for record, around in records(value, LOGS):
        yield _Record(record, around, {})
    for span, around in records(value, SPANS):
        yield from (_Record(event, around, span) for event in objects(span.get("events")))


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
