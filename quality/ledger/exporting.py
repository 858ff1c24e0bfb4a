"""Which rows leave the ledger, and in which form? The statements of an export, over the ledger of one snapshot.

A form is a statement whose rows are finished lines, or typed columns. Chosen columns are named in a fixed list
(quality/export_columns.py, quality/profiles.py), and each is written by the fixed text of its kind.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import pyarrow as pa

from quality import spreadsheet
from quality.commands import Filters
from quality.export_columns import ROW_COLUMNS
from quality.ledger.filtering import fitting
from quality.ledger.queries import WEEK_MICROSECONDS
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.observations import COORDINATE
from quality.profiles import DECIMALS, PROFILE_COLUMNS
from quality.settings import ScoringSettings

WINDOW_ROWS = 245_760
"""Rows sorted and written at a time: two row groups of the database, one a core of a small machine."""
Form = Literal["typed", "csv", "excel", "jsonl"]
MACROS = (
    "make_iso", "make_quoted", "make_text_cell", "make_excel_cut", "make_excel_text_cell", "make_cell", "make_list_cell",
    "make_time_cell", "make_excel_time_cell",
)  # fmt: skip
PLACES = {
    "/* run */": spreadsheet.RUN,
    "/* converted */": spreadsheet.CONVERTED,
    "/* marked */": spreadsheet.MARKED,
    "/* most */": str(spreadsheet.MOST_CHARACTERS),
    "/* cut */": spreadsheet.CUT,
}
"""What stands in the macros' places."""
TEXTS = (
    "address", "story_id", "title", "agent", "model_version", "discipline", "org_domain", "industry", "phase",
    "verifier_agent", "verifier_model", "reviewer", "note", "review_reason", "model", "model_at_dispatch",
    "model_at_completion",
)  # fmt: skip
"""Columns of other people's words."""
TIMES = ("verifier_at", "human_at", "ts", "started_at", "recorded_at", "first_ts", "last_ts")
LISTS = ("caveats",)
CELLS: dict[str, dict[str, str]] = {
    "csv": {"text": "text_cell", "time": "time_cell", "list": "list_cell", "other": "cell"},
    "excel": {"text": "excel_text_cell", "time": "excel_time_cell", "list": "list_cell", "other": "cell"},
}
"""Form → the macro that writes a column of each kind."""


@dataclass(frozen=True)
class Relation:
    """Rows that can be written: how many, and the statement that gives them, window by window."""

    rows: int
    names: tuple[str, ...]
    statement: str
    params: dict[str, Any]
    windows: list[dict[str, Any]]
    """Parameters of each window in turn; at least one."""

    def batches(self, snapshot: Transaction, form: Form, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows in a form: one text column `line`, or with `typed` the columns as they are."""
        for window in self.windows:
            yield from snapshot.batches(self._written(form, columns), {**self.params, **window})

    def first(self, snapshot: Transaction, limit: int, form: Form, columns: Sequence[str]) -> pa.Table:
        """The first rows, as `batches` gives them."""
        few = load_sql("queries/export")["first"].replace("/* rows */", self.statement)
        found = Relation(limit, self.names, few, self.params, self.windows)
        whole = {name: None for window in self.windows[:1] for name in window}
        return snapshot.table(found._written(form, columns), {**self.params, **whole, "limit": limit})

    def schema(self, snapshot: Transaction, columns: Sequence[str]) -> pa.Schema:
        return self.first(snapshot, 0, "typed", columns).schema

    def _written(self, form: Form, columns: Sequence[str]) -> str:
        sql = load_sql("queries/export")
        if form in CELLS:
            cells = [f"{CELLS[form][kind_of(name)]}({name})" for name in columns]
        elif form == "jsonl":
            cells = [f"iso({name}) AS {name}" if name in TIMES else name for name in columns]
        else:
            cells = list(columns)
        statement = sql["csv" if form in CELLS else form].replace("/* columns */", ", ".join(cells))
        return statement.replace("/* rows */", self.statement)


def kind_of(column: str) -> str:
    """text (other people's words), time, list or other.

    >>> kind_of("note"), kind_of("ts"), kind_of("caveats"), kind_of("quality")
    ('text', 'time', 'list', 'other')
    """
    for kind, names in (("text", TEXTS), ("time", TIMES), ("list", LISTS)):
        if column in names:
            return kind
    return "other"


def make_macros(snapshot: Transaction) -> None:
    """Teach this cursor how cells are written."""
    sql = load_sql("queries/export")
    for name in MACROS:
        statement = sql[name]
        for place, text in PLACES.items():
            statement = statement.replace(place, text)
        snapshot.execute(statement)


def rows_of(snapshot: Transaction, filters: Filters, *, whole: bool = True) -> Relation:
    """A row a run, in the order of ts and run_id; not `whole`: one open window, from which the first rows are read."""
    sql = load_sql("queries/export")
    rows, params = fitting(sql["rows"], filters)
    if not whole:
        count = snapshot.value(*fitting(sql["count"], filters))
        return Relation(count, ROW_COLUMNS, rows, params, [_bounds(_OPEN, _OPEN)])
    marks = snapshot.rows(fitting(sql["marks"], filters)[0], {**params, "size": WINDOW_ROWS})
    ends = marks or [_NOWHERE]
    starts: list[dict[str, Any]] = [_OPEN if marks else _NOWHERE, *ends[:-1]]
    windows = [_bounds(after, upto) for after, upto in zip(starts, ends)]
    return Relation(marks[-1]["place"] if marks else 0, ROW_COLUMNS, rows, params, windows)


def profiles_of(snapshot: Transaction, filters: Filters, scoring: ScoringSettings, now: datetime) -> Relation:
    """A row a coordinate × model; ages are measured from `now`."""
    from quality.ledger.trust import lift  # the statistics take longer to load than most exports take
    from quality.ledger.trust_models import calibrated_by_kind

    sql = load_sql("queries/profiles")
    wanted = {name: getattr(filters, name) for name in (*COORDINATE, "agent")}
    with snapshot.seeing(lent=calibrated_by_kind(lift(snapshot, scoring, now), wanted)):
        snapshot.execute(sql["keep_calibrated"])
    rows, params = fitting(sql["profiles"], filters)
    count = snapshot.value(*fitting(sql["count"], filters))
    age = {"decay": scoring.routing.weekly_decay, "week": WEEK_MICROSECONDS, "now": now, "decimals": DECIMALS}
    return Relation(count, PROFILE_COLUMNS, rows, params | age, [{}])


def state_of(snapshot: Transaction) -> str:
    """What tells one state of the ledger from every other, over restarts too."""
    found = snapshot.row(load_sql("queries/export")["state"]) or {}
    return f"{found['writes']}-{found['last_write']}"


_NOWHERE = {"ts": "0001-01-01T00:00:00Z", "run_id": "00000000-0000-0000-0000-000000000000"}
"""A window without rows: an empty export still has its columns."""
_OPEN: dict[str, Any] = {"ts": None, "run_id": None}


def _bounds(after: dict, upto: dict) -> dict:
    return {"after_ts": after["ts"], "after_id": after["run_id"], "upto_ts": upto["ts"], "upto_id": upto["run_id"]}
