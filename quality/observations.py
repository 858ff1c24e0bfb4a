"""What can be observed about a run, one record at a time or a million at once?

Each kind of observation is a pydantic model; its Arrow schema is derived from the fields, so the single
record and the bulk column have one definition. A reader yields `Batch`es of them.
"""

from dataclasses import dataclass, field
from datetime import datetime
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import pyarrow as pa
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("empty or blank: give a name")
    return text


def _not_a_word(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("not a number: give a number from 0 to 10")
    return value


NonEmpty = Annotated[str, AfterValidator(_not_blank)]
Score10 = Annotated[float, BeforeValidator(_not_a_word), Field(ge=0, le=10, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Wide = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
Attempt = Annotated[int, Field(ge=1, le=2**31 - 1)]

COORDINATE = ("discipline", "org_domain", "industry", "phase")
"""The kind of work a story is, widest part first."""
RUN_KEY = ("story_id", "agent", "model_version", "attempt")


class Observation(BaseModel):
    """A fact with its place in the artifact. Instants are UTC; `None` = not stated."""

    model_config = ConfigDict(defer_build=True, extra="forbid")

    line: Wide | None = None
    """1-based line of the artifact the record starts at; `None` where the format has no lines."""
    occurred_at: datetime | None = None
    """The source's own time."""


class StoryFact(Observation):
    """What is known about a story. A later fact's stated fields replace earlier ones."""

    story_id: NonEmpty
    title: str | None = None
    discipline: str | None = None
    org_domain: str | None = None
    industry: str | None = None
    phase: str | None = None
    estimated_tokens: Count | None = None
    done_criteria: str | None = None
    synthetic: bool | None = None
    attributes: str | None = None
    """Columns of the source that the ledger has no place for, as a JSON object."""


class RunFact(Observation):
    """That a run exists, and what is known of its making.

    A part of the key left `None` is resolved by the ledger: the latest run of the story that fits the
    stated parts, else a new run with `unknown` / 1 in their place. Bulk readers state every part.
    """

    story_id: NonEmpty
    agent: str | None = None
    model_version: str | None = None
    attempt: Attempt | None = None
    run_id: str | None = None
    """A UUID, where the source names the run itself (our own export)."""
    model_at_dispatch: str | None = None
    model_at_completion: str | None = None
    split_model: bool | None = None
    """Stated by the source; otherwise derived from the two models."""
    started_at: datetime | None = None
    """When the agent began the run: a report from well before it is of something else (`older_report`)."""
    attributes: str | None = None


class RunObservation(Observation):
    """An observation about one run."""

    run: Annotated[int, Field(ge=0)]
    """Row of the batch's `runs` table that names the run."""


class SignalReading(RunObservation):
    """The objective signals one artifact shows for a run, `None` where it shows none."""

    test_pass_rate: Share | None = None
    tests_total: Count | None = None
    """passed + failed + errors."""
    tests_passed: Count | None = None
    tests_failed: Count | None = None
    tests_errors: Count | None = None
    tests_skipped: Count | None = None
    """Skipped, expected to fail, todo or disabled: never passed, outside `tests_total`."""
    tests_flaky: Count | None = None
    """Passed in the end after a failure; among `tests_passed`."""
    test_ids: list[Wide] | None = None
    """What each test is known by, where the artifact names its tests (`quality.named_tests.known_by`); each once."""
    test_outcomes: str | None = None
    """How each of `test_ids` ended, a letter each (`quality.named_tests.LETTERS`)."""
    runner: str | None = None
    """Who printed a summary that does not name its tests, e.g. `pytest`; several joined by `+`."""
    results_disagree: bool = False
    """The readings behind these values contradicted each other (a row resolved elsewhere)."""
    older_report: bool = False
    """A report from before the run's start was left out of them, likewise."""
    build_success: bool | None = None
    verified_by_ci: bool | None = None
    rework_count: Count | None = None
    micro_rework: Count | None = None
    """Retries inside one dispatch; stored, never scored."""
    pr_review_cycles: Count | None = None
    duration_vs_estimate: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None


class RatingObservation(RunObservation):
    """What a verdict and an override have in common."""

    source_id: str | None = None
    """The source's own id: the same id again on the run and tier is a revision, the newest time wins."""
    quality: Score10
    raw: str | None = None
    """The rating as written, where it was recovered or converted."""
    n_ratings: Annotated[int, Field(ge=1, le=2**31 - 1)] = 1
    """How many ratings this one stands for (a mean taken elsewhere)."""
    raters_disagree: bool = False
    """The ratings behind a mean were far apart."""
    correct: bool | None = None
    rework: bool | None = None
    note: str | None = None
    """Other people's text, kept byte for byte."""


class Verdict(RatingObservation):
    """A verifier agent's rating; `rework` is its `rework_needed`."""

    verifier_agent: str | None = None
    verifier_model: str | None = None
    conflicting: bool = False
    """The review held several different verdicts."""
    simulated: bool = False
    """By the scripted judge: history only."""


class Override(RatingObservation):
    """A reviewer's rating."""

    reviewer: str | None = None
    review_reason: str | None = None
    """`random`, `queue` or `choice`."""
    review_probability: Annotated[float, Field(gt=0, le=1)] | None = None


class Evidence(RunObservation):
    """The lines a signal or verdict was read from: ≤ 4 KB, secrets masked."""

    signal: NonEmpty
    text: str
    first_line: Wide | None = None
    """Line of the artifact that `text` begins with; `None` where the text is no consecutive lines of it."""
    member: str | None = None
    """The file within an archive whose lines these are."""


class Reject(BaseModel):
    """An input record that could not be used, kept with its place and the reason."""

    model_config = ConfigDict(defer_build=True, extra="forbid")

    line: Wide | None = None
    field: str | None = None
    reason: str
    value: str | None = None
    """The offending value as written, cut to 1,000 characters."""


RECORDS: dict[str, type[BaseModel]] = {
    "stories": StoryFact,
    "runs": RunFact,
    "signals": SignalReading,
    "verdicts": Verdict,
    "overrides": Override,
    "evidence": Evidence,
    "rejects": Reject,
}
"""Table of a batch → its record."""

_ARROW = {
    str: pa.string(),
    bool: pa.bool_(),
    int: pa.int32(),
    float: pa.float64(),
    datetime: pa.timestamp("us", tz="UTC"),
}
_WIDE = {
    "line": pa.int64(),
    "first_line": pa.int64(),
    "estimated_tokens": pa.int64(),
    "run": pa.int64(),
    "test_ids": pa.list_(pa.int64()),
}


def _arrow_type(name: str, annotation: Any) -> pa.DataType:
    while get_origin(annotation) in (Annotated, Union, UnionType):
        annotation = next(a for a in get_args(annotation) if a is not NoneType)
    return _WIDE.get(name) or _ARROW[annotation]


SCHEMAS: dict[str, pa.Schema] = {
    table: pa.schema([(n, _arrow_type(n, f.annotation)) for n, f in record.model_fields.items()])
    for table, record in RECORDS.items()
}
"""Table of a batch → its Arrow schema, in the order of the record's fields."""


@dataclass
class Batch:
    """Some observations of an artifact as Arrow tables, each with its `SCHEMAS` columns; absent = none."""

    tables: dict[str, pa.Table] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    diagnostics: dict[str, int] | None = None
    """Findings of compilers and linters by kind, for `inspect`; not stored."""

    @classmethod
    def of(cls, *records: BaseModel, warnings: list[str] | None = None) -> "Batch":
        """Pack single records.

        >>> Batch.of(StoryFact(story_id="S-1", title="Fix it")).count("stories")
        1
        """
        rows: dict[str, list[dict]] = {}
        for record in records:
            table = next(name for name, kind in RECORDS.items() if type(record) is kind)
            rows.setdefault(table, []).append(record.model_dump())
        tables = {name: pa.Table.from_pylist(found, schema=SCHEMAS[name]) for name, found in rows.items()}
        return cls(tables, warnings or [])

    def count(self, table: str) -> int:
        """Rows in one table of the batch."""
        return self.tables[table].num_rows if table in self.tables else 0

    def records(self, table: str) -> list[dict]:
        """One table as dictionaries; for few rows, such as rejects."""
        return self.tables[table].to_pylist() if table in self.tables else []


def with_all_columns(table: str, columns: dict[str, Any], rows: int) -> pa.Table:
    """Arrays by column name → a table with every column of `SCHEMAS[table]`, nulls where none is given.

    Non-null defaults of the record (`n_ratings` 1, flags false) are filled in.

    Raises:
        KeyError: a column that the table does not have.
    """
    unknown = set(columns) - set(SCHEMAS[table].names)
    if unknown:
        raise KeyError(f"{table} has no column {sorted(unknown)}: it has {SCHEMAS[table].names}")
    fields = RECORDS[table].model_fields
    arrays = []
    for name, kind in zip(SCHEMAS[table].names, SCHEMAS[table].types):
        if name in columns:
            arrays.append(columns[name].cast(kind) if columns[name].type != kind else columns[name])
        elif fields[name].is_required() or fields[name].default is None:
            arrays.append(pa.nulls(rows, kind))
        else:
            arrays.append(pa.repeat(pa.scalar(fields[name].default, kind), rows))
    return pa.Table.from_arrays(arrays, schema=SCHEMAS[table])
