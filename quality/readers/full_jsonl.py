"""Reads a ledger's full export: every observation as a JSON object a line, after a header line.

Its batches hold the ledger's own tables under `stored.<table>`, with ids, times and actors as they were;
`quality/ledger/restoring.py` puts them back.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from uuid import UUID

import pyarrow as pa
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from quality.candidate_output import Label, Mode, Recommendation, ScoredCandidate
from quality.evaluation import DimensionScore
from quality.named_tests import LETTERS, fits
from quality.observations import (
    SCHEMAS,
    Attempt,
    Batch,
    Evidence,
    NonEmpty,
    Override,
    Reject,
    RunFact,
    Share,
    SignalReading,
    StoryFact,
    Verdict,
)
from quality.problems import first_problem
from quality.ranking_commands import Category, Level, RankingHead
from quality.readers.base import Artifact, Target
from quality.response_models import Signal, TokenUsage
from quality.response_settings import ResponseSettings, ResponseWeights, Severity
from quality.responses import CHANGES
from quality.story_commands import STORY_FIELDS

FORMAT = "quality-tiers-ledger"
"""What the header line calls itself."""
SCHEMA = 5
"""The ledger schema whose columns are listed here; what an older one did not have is null."""
PREFIX = "stored."
BATCH_LINES = 50_000
LINE_BYTES = 16 * 1024**2
"""A longer line is a reject."""
SHOWN_BYTES = 1_000
"""Bytes of a rejected line that are kept."""


def _aware(instant: datetime) -> datetime:
    if instant.tzinfo is None:
        raise ValueError("a time needs its zone, such as Z")
    return instant.astimezone(UTC)


Instant = Annotated[datetime, AfterValidator(_aware)]


class Header(BaseModel):
    """The first line."""

    format: Literal["quality-tiers-ledger"]
    schema_: Annotated[int, Field(alias="schema", ge=1)]
    rows: dict[str, int]
    """Lines to come a table: a file that was cut short shows."""


class _Row(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", strict=True, protected_namespaces=())


def _table(name: str, record: type[BaseModel] | None = None, leave_out: tuple[str, ...] = (), /, **columns: Any) -> Any:
    """The model of one line: stated columns, those of the observation's record, and who recorded it when."""
    fields: dict[str, Any] = {"table": (Literal[name], ...)}
    fields |= {column: (kind, None if NoneType in get_args(kind) else ...) for column, kind in columns.items()}
    for column, info in (record.model_fields if record else {}).items():
        if column not in (*leave_out, *fields, "run", "run_id", "occurred_at"):
            fields[column] = (info.rebuild_annotation(), ... if info.is_required() else info.default)
    if record and record is not Reject:
        fields["occurred_at"] = (Instant | None, None)
    return create_model(name, __base__=_Row, **fields)


_WHEN = {"recorded_at": Instant, "actor": str | None}
_BY = {**_WHEN, "import_id": UUID | None}
_KEY = {"agent": NonEmpty, "model_version": NonEmpty, "attempt": Attempt}
_FACT_LEAVES_OUT = ("story_id", "agent", "model_version", "attempt")
_BYTES = Annotated[int, Field(ge=0, le=2**63 - 1)]
_RATINGS = Annotated[int, Field(ge=1, le=2**31 - 1)]
_QUALITY = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]
_MAYBE_QUALITY = _QUALITY | None
_MAYBE_SCORE100 = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] | None
_COUNT = Annotated[int, Field(ge=0, le=2**63 - 1)]
_MAYBE_COUNT = Annotated[int, Field(ge=0)] | None
_STATUS = Annotated[str, Field(pattern=r"\A(SUCCESS|FAILED)\z")]


def _json_of(kind: Any) -> Any:
    """Text that is the JSON of this kind, so that what is stored can be read."""
    adapter = cache(lambda: TypeAdapter(kind))

    def check(text: str) -> str:
        try:
            adapter().validate_json(text)
        except ValidationError as error:
            raise ValueError(first_problem(error)) from None
        return text

    return Annotated[str, AfterValidator(check)]


TABLES: dict[str, type[BaseModel]] = {
    "settings_sets": _table("settings_sets", hash=NonEmpty, settings=str, valid_from=Instant, actor=str | None),
    "imports": _table(
        "imports", import_id=UUID, sha256=NonEmpty, target=str, label=str, format=str, bytes=_BYTES,
        status=str, counts=str, warnings=str, **_WHEN,
    ),
    "import_withdrawals": _table(
        "import_withdrawals", import_id=UUID, reason=str | None, reinstates=bool | None, **_WHEN
    ),
    "rejects": _table("rejects", Reject, reject_id=UUID, import_id=UUID, **_WHEN),
    "story_facts": _table("story_facts", StoryFact, story_fact_id=UUID, **_BY),
    "runs": _table("runs", run_id=UUID, story_id=NonEmpty, **_KEY, **_BY),
    "run_facts": _table(
        "run_facts", RunFact, _FACT_LEAVES_OUT, run_fact_id=UUID, run_id=UUID, started_at=Instant | None, **_BY
    ),
    "attestations": _table(
        "attestations", attestation_id=UUID, run_id=UUID, model_version=NonEmpty, original=str, **_WHEN
    ),
    "report_acceptances": _table("report_acceptances", acceptance_id=UUID, run_id=UUID, import_id=UUID, **_WHEN),
    "signal_readings": _table("signal_readings", SignalReading, reading_id=UUID, run_id=UUID, **_BY),
    "verdicts": _table("verdicts", Verdict, verdict_id=UUID, run_id=UUID, **_BY),
    "overrides": _table(
        "overrides", Override, override_id=UUID, run_id=UUID, withdraws=UUID | None, quality=_MAYBE_QUALITY,
        n_ratings=_RATINGS | None, raters_disagree=bool | None, **_BY,
    ),
    "evidence": _table("evidence", Evidence, evidence_id=UUID, run_id=UUID, **_BY),
    "prompt_texts": _table("prompt_texts", sha256=NonEmpty, text=NonEmpty, **_WHEN),
    "evaluations": _table(
        "evaluations", evaluation_id=UUID, name=NonEmpty, story_id=str | None, prompt_sha256=NonEmpty,
        status=_STATUS, overall=_MAYBE_QUALITY, dimensions=_json_of(list[DimensionScore]),
        suggestions=_json_of(list[str]), failure_code=str | None, failure_message=str | None,
        warnings=_json_of(list[str]), weights=_json_of(dict[str, float]), backend=str | None,
        model=str | None, prompt_version=str | None, input_tokens=_MAYBE_COUNT, output_tokens=_MAYBE_COUNT,
        latency_ms=float | None, stop_reason=str | None, cost_usd=float | None, scripted=bool, reply=str | None,
        line=_MAYBE_COUNT, occurred_at=Instant | None, **_BY,
    ),
    "responses": _table(
        "responses", statement_id=UUID, response_id=NonEmpty, content_key=NonEmpty, model=str | None,
        provider=str | None, agent=str | None, session_id=str | None, story_id=str | None, tools_ok=_COUNT,
        tools_failed=_COUNT, tools_unknown=_COUNT, tools=_json_of(dict[str, dict[str, int]]) | None,
        response_error=bool, error=str | None, **dict.fromkeys(CHANGES, _MAYBE_COUNT),
        **{f"{name}_tokens": _MAYBE_COUNT for name in TokenUsage.model_fields},
        weights=_json_of(ResponseWeights) | None, line=_COUNT, occurred_at=Instant | None, **_WHEN,
    ),
    "response_feedback": _table(
        "response_feedback", feedback_id=UUID, response_id=NonEmpty, event_id=str | None, signal=Signal,
        occurred_at=Instant | None, **_WHEN,
    ),
    "response_scores": _table(
        "response_scores", score_id=UUID, response_id=NonEmpty, cause=NonEmpty, composite=_MAYBE_SCORE100,
        correctness=_MAYBE_SCORE100, user_feedback=_MAYBE_SCORE100, static_analysis=_MAYBE_SCORE100, coverage=Share,
        settings_hash=NonEmpty, **_WHEN,
    ),
    "response_regressions": _table(
        "response_regressions", regression_id=UUID, response_id=NonEmpty, severity=Severity | None,
        delta=float | None, composite=_MAYBE_SCORE100, model=str | None, **_WHEN,
    ),
    "response_settings": _table("response_settings", hash=NonEmpty, settings=_json_of(ResponseSettings), **_WHEN),
    "rankings": _table(
        "rankings", ranking_id=UUID, content_key=NonEmpty, candidate_run=NonEmpty, critic_mode=Mode, panel=bool,
        evidence=bool, backend_used=str | None, simulated=bool, source=str | None, source_sha256=str | None,
        protected_paths=_json_of(list[str]), candidates=_COUNT, accepted=_COUNT, held=_COUNT, rejected=_COUNT,
        head=_json_of(RankingHead), occurred_at=Instant | None, **_WHEN,
    ),
    "ranked_candidates": _table(
        "ranked_candidates", ranking_id=UUID, line=_COUNT, candidate=NonEmpty, category=Category, risk_level=Level,
        score=_QUALITY, recommendation=Recommendation, label=Label | None, reviewers=list[str],
        votes=list[Recommendation], review_scores=list[_QUALITY], document=_json_of(ScoredCandidate),
    ),
    "review_list": _table(
        "review_list", entry_id=UUID, run_id=UUID, removes=UUID | None, reason=NonEmpty, probability=Share | None,
        pool=_MAYBE_COUNT, why=str | None, **_WHEN,
    ),
    "review_draws": _table(
        "review_draws", event_id=UUID, draw_id=UUID, kind=NonEmpty, run_id=UUID, reviewer=NonEmpty, probability=Share | None,
        pool=_MAYBE_COUNT, model_probability=Share | None, model_pool=_MAYBE_COUNT, why=str | None, seed=_MAYBE_COUNT,
        blind=bool | None, expires_at=Instant | None, **_WHEN,
    ),
    "story_edits": _table(
        "story_edits", edit_id=UUID, story_id=NonEmpty, undoes=UUID | None, **dict.fromkeys(STORY_FIELDS[:5], str | None),
        estimated_tokens=_MAYBE_COUNT, done_criteria=str | None, before=_json_of(dict[str, str | int | None]),
        reason=str | None, **_WHEN,
    ),
    "story_merges": _table(
        "story_merges", merge_id=UUID, from_id=NonEmpty, into_id=NonEmpty, undoes=UUID | None, reason=str | None, **_WHEN
    ),
    "redactions": _table(
        "redactions", redaction_id=UUID, kind=NonEmpty, target=str | None, run_id=UUID | None, story_id=str | None,
        texts=_COUNT, characters=_COUNT, places=_COUNT, keyed_hash=str | None, reason=NonEmpty, **_WHEN,
    ),
    "audit": _table("audit", command_id=UUID, idempotency_key=str, name=str, request=str, answer=str, **_WHEN),
}  # fmt: skip
"""Table of the ledger → the model of its lines, which has every column of the table."""

_LINE: TypeAdapter[Any] = TypeAdapter(
    Annotated[Union[tuple(TABLES.values())], Field(discriminator="table")],  # noqa: UP007
    config=ConfigDict(defer_build=True),
)
_ARROW = {
    str: pa.string(),
    UUID: pa.string(),
    bool: pa.bool_(),
    float: pa.float64(),
    datetime: pa.timestamp("us", tz="UTC"),
}


def _arrow_type(annotation: Any) -> pa.DataType:
    while get_origin(annotation) in (Annotated, Union, UnionType):
        annotation = next(a for a in get_args(annotation) if a is not NoneType)
    if get_origin(annotation) is Literal:
        return pa.string()
    if get_origin(annotation) is list:
        return pa.list_(_arrow_type(get_args(annotation)[0]))
    return pa.int64() if annotation is int else _ARROW[annotation]


ARROW: dict[str, pa.Schema] = {
    name: pa.schema(
        [(column, _arrow_type(info.annotation)) for column, info in model.model_fields.items() if column != "table"]
    )
    for name, model in TABLES.items()
}


class FullJsonl:
    """The reader of `export --full`."""

    format = FORMAT

    def recognises(self, artifact: Artifact) -> bool:
        first = artifact.head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]
        return first.startswith(b"{") and f'"{FORMAT}"'.encode() in first and b'"schema"' in first

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        lines = _lines(artifact)
        place, first = next(lines)
        try:
            header = Header.model_validate_json(first.removeprefix(b"\xef\xbb\xbf"))
        except ValidationError as error:
            yield Batch.of(_reject(place, f"the header line does not fit: {first_problem(error)}", first))
            return
        if header.schema_ > SCHEMA:
            reason = f"written by a newer version (schema {header.schema_}, this one knows {SCHEMA}): upgrade"
            yield Batch.of(_reject(place, reason, first))
            return
        yield from _batches(lines, sum(header.rows.values()))


def _batches(lines: Iterator[tuple[int, bytes]], expected: int) -> Iterator[Batch]:
    rows: dict[str, list[dict]] = {}
    rejects: list[Reject] = []
    seen = held = 0
    for place, line in lines:
        seen, held = seen + 1, held + 1
        try:
            row = _parsed(line)
            rows.setdefault(row["table"], []).append(row)
        except ValidationError as error:
            rejects.append(_reject(place, first_problem(error), line))
        except ValueError as error:
            rejects.append(_reject(place, str(error), line))
        if held >= BATCH_LINES:
            yield _batch(rows, rejects)
            rows, rejects, held = {}, [], 0
    if seen < expected:
        rejects.append(Reject(reason=f"the file ends early: {seen:,} of {expected:,} records are there"))
    yield _batch(rows, rejects)


def _parsed(line: bytes) -> dict[str, Any]:
    if len(line) > LINE_BYTES:
        raise ValueError(f"the line is longer than {LINE_BYTES:,} bytes")
    row = vars(_LINE.validate_json(line))
    if row["table"] == "overrides" and (row["quality"] is None) != (row["withdraws"] is not None):
        raise ValueError("an override has either a quality or the id of the one it withdraws")
    if row["table"] == "signal_readings" and not fits(row["test_ids"], row["test_outcomes"]):
        raise ValueError(f"test_outcomes: has a letter of {', '.join(LETTERS.values())} for each of test_ids")
    return row


def _batch(rows: dict[str, list[dict]], rejects: list[Reject]) -> Batch:
    tables = {PREFIX + name: _packed(found, ARROW[name]) for name, found in rows.items()}
    if rejects:
        tables["rejects"] = pa.Table.from_pylist([r.model_dump() for r in rejects], schema=SCHEMAS["rejects"])
    return Batch(tables)


def _packed(rows: list[dict], schema: pa.Schema) -> pa.Table:
    columns = [[row[column] for row in rows] for column in schema.names]
    for place, name in enumerate(schema.names):
        if name.endswith("_id") or name in ("withdraws", "removes", "undoes"):  # UUIDs travel as text
            columns[place] = [None if value is None else str(value) for value in columns[place]]
    return pa.table([pa.array(values, kind) for values, kind in zip(columns, schema.types)], schema=schema)


def _lines(artifact: Artifact) -> Iterator[tuple[int, bytes]]:
    """Lines with something on them, by number; of an over-long one only the beginning is held."""
    with artifact.path.open("rb") as file:
        place = 0
        while line := file.readline(LINE_BYTES + 1):
            place += 1
            rest = line
            while not rest.endswith(b"\n") and (rest := file.readline(LINE_BYTES)):
                pass
            if line.strip():
                yield place, line


def _reject(place: int, reason: str, line: bytes) -> Reject:
    return Reject(line=place, reason=reason, value=line[:SHOWN_BYTES].decode("utf-8", "replace").rstrip("\n"))
