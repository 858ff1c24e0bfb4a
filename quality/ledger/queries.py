"""What can be asked of the ledger? Named SQL, read only, a typed function each.

Every function takes the open ledger first, so pages, CLI and HTTP ask the same questions.
"""

import json
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from quality.combining import REPORTS, combine
from quality.commands import Filters
from quality.errors import NotFound, QualityError, did_you_mean
from quality.ledger.filtering import fitting
from quality.ledger.past import Past
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import FOREVER, Store, Transaction
from quality.ledger.story_identity import corrected, has_corrections, ids_of, is_edited
from quality.observations import COORDINATE
from quality.ordering import INSTANT
from quality.resolution import OLDER_BY, is_older
from quality.settings import ScoringSettings
from quality.signals import explain_auto

WEEK_MICROSECONDS = 7 * 24 * 3600 * 10**6
"""Ages count in whole weeks."""
WIDENING = ("industry", "org_domain", "discipline")
"""Parts of a coordinate in the order they are dropped while no row is found."""
SORTABLE = (
    "ts", "story_id", "title", "agent", "model", "model_version", "attempt", "discipline",
    "org_domain", "industry", "phase", "quality", "signal_source",
    "quality_auto", "quality_verifier", "quality_human", "n_human", "low_confidence", "caveats", "reviewer", "note",
)  # fmt: skip
"""Columns a table of runs can be sorted by."""
MAX_ROWS = 1_000
"""Rows that travel to a browser or terminal at once."""


def leaderboard(
    store: Store | Past | Transaction, filters: Filters, scoring: ScoringSettings, now: datetime | None = None
) -> pa.Table:
    """A row a model: means of the tiers, effective mean, routing score, n, tier mix (MODEL.md, Model scores).

    Scores are 0–10; null where the model has no run with that tier. Ages are measured from `now`.
    """
    sql, params = fitting(load_sql("queries/overview")["leaderboard"], filters)
    age = {"decay": scoring.routing.weekly_decay, "week": WEEK_MICROSECONDS, "now": now or datetime.now(UTC)}
    return store.table(sql, params | age)


def model_scores(
    store: Store | Transaction, coordinate: Filters, scoring: ScoringSettings, now: datetime | None = None
) -> tuple[list[dict], list[str]]:
    """The leaderboard at a coordinate, widened while it has no scored row; also the parts that were dropped."""
    dropped: list[str] = []
    for part in (None, *WIDENING):
        if part and getattr(coordinate, part) is None:
            continue
        if part:
            coordinate = coordinate.model_copy(update={part: None})
            dropped.append(part)
        rows = leaderboard(store, coordinate, scoring, now).to_pylist()
        if any(row["n"] for row in rows):
            return rows, dropped
    return leaderboard(store, coordinate, scoring, now).to_pylist(), dropped


def totals(store: Store | Past, filters: Filters) -> dict[str, Any]:
    """Runs, scored rows and the tier mix of what fits."""
    return store.rows(*fitting(load_sql("queries/overview")["totals"], filters))[0]


def count_stories(store: Store | Past, filters: Filters) -> int:
    """Stories with a run that fits; as dear as all other totals together."""
    return store.rows(*fitting(load_sql("queries/overview")["stories"], filters))[0]["stories"]


def reviewers(store: Store) -> list[str]:
    """Whose rating a row follows, most frequent first."""
    return [row["value"] for row in store.rows(load_sql("queries/overview")["reviewers"])]


def facets(store: Store) -> dict[str, list[str]]:
    """Filter by what is known of a run → the values it can take, most frequent first."""
    found: dict[str, list[str]] = {}
    for row in store.rows(load_sql("queries/overview")["facets"]):
        found.setdefault(row["facet"], []).append(row["value"])
    return found


def runs_page(
    store: Store, filters: Filters, *, sort: str = "ts", descending: bool = True, limit: int = 50, offset: int = 0
) -> pa.Table:
    """One page of a table of runs, unknown values last.

    Raises:
        QualityError: a column that is not in `SORTABLE`, or more than `MAX_ROWS` rows.
    """
    refuse_order(sort)
    if limit > MAX_ROWS:
        raise QualityError(f"{limit:,} rows at once is too much: ask for at most {MAX_ROWS:,}")
    order = f"{sort} {'DESC' if descending else 'ASC'} NULLS LAST, run_id"
    sql, params = fitting(load_sql("queries/stories")["page"].replace("/* order */", order), filters)
    return store.table(sql, params | {"limit": limit, "offset": offset})


def refuse_order(sort: str) -> None:
    """Raises QualityError: a column that is not in `SORTABLE`."""
    if sort not in SORTABLE:
        raise QualityError(
            f"cannot sort by {sort!r}: sort by one of {', '.join(SORTABLE)}.{did_you_mean(sort, list(SORTABLE))}"
        )


def count_runs(store: Store, filters: Filters) -> int:
    """How many runs fit."""
    return store.rows(*fitting(load_sql("queries/stories")["count"], filters))[0]["n"]


def ledger_rows(store: Store, filters: Filters, limit: int, offset: int) -> list[dict[str, Any]]:
    """Whole ledger rows, latest first."""
    sql, params = fitting(load_sql("queries/stories")["full_rows"], filters)
    return store.rows(sql, params | {"limit": limit, "offset": offset})


def run(store: Store, run_id: str) -> dict[str, Any]:
    """One run, opened: its row, the parts of its auto score, and every observation behind it.

    Raises:
        NotFound: no such run.
    """
    rows = store.rows(load_sql("queries/story")["run"], {"run_id": run_id})
    if not rows:
        raise NotFound(f"{run_id}: no such run: choose one from Stories")
    return _opened(store, rows[0])


def story_facts(store: Store, story_id: str) -> dict[str, Any]:
    """What is known of a story: title, coordinate, done criteria, attributes; null where nothing is.

    `story_id` is the id that stands for it.
    """
    ids = ids_of(store, story_id)
    if len(ids) > 1 or is_edited(store, ids):
        facts = store.rows(corrected("story"), {"story_id": ids[0], "ids": ids, "as_of": FOREVER})[0]
    else:
        facts = store.rows(load_sql("queries/story")["story"], {"story_id": story_id})[0]
    return facts | {"attributes": json.loads(facts["attributes"] or "{}")}


def stories_with_criteria(store: Store) -> list[dict[str, Any]]:
    """`story_id` and `title` of the stories that have done criteria, the latest first, at most `MAX_ROWS`."""
    if has_corrections(store):
        return store.rows(corrected("with_criteria"), {"limit": MAX_ROWS, "as_of": FOREVER})
    return store.rows(load_sql("queries/story")["with_criteria"], {"limit": MAX_ROWS})


def story(store: Store, story_id: str) -> dict[str, Any]:
    """A story with its runs, each opened.

    Raises:
        NotFound: no such story; names the nearest ids.
    """
    sql = load_sql("queries/story")
    facts = story_facts(store, story_id)
    runs = store.rows(sql["runs"], {"story_id": facts["story_id"]})
    if not facts.pop("facts") and not runs:
        near = store.rows(load_sql("ratings")["similar_stories"], {"story_id": story_id})
        hint = f" Did you mean: {', '.join(row['story_id'] for row in near)}?" if near else ""
        raise NotFound(f"{story_id}: no such story.{hint}")
    return {"story": facts, "runs": [_opened(store, row) for row in runs]}


def examine(store: Store, hash: str, responses_hash: str) -> dict[str, Any]:
    """What the ledger holds, and how many rows and responses were scored with other settings than those in force."""
    return store.rows(load_sql("meta")["counts"], {"hash": hash, "responses_hash": responses_hash})[0]


def _opened(store: Store, row: dict[str, Any]) -> dict[str, Any]:
    sql = load_sql("queries/story")
    run_id = {"run_id": row["run_id"]}
    histories = ("overrides", "verdicts", "evidence", "attestations")
    attributes = store.rows(sql["attributes"], run_id)
    return {
        **row,
        "coordinate": {name: row[name] for name in COORDINATE},
        "auto": explain_auto(row, _settings_of(store, row["settings_hash"]).auto),
        **{name: store.rows(sql[name], run_id) for name in histories},
        "readings": store.rows(sql["readings"], run_id | {"older_by": OLDER_BY}),
        "tests": _tests_of(store, row),
        "attributes": json.loads(attributes[0]["attributes"]) if attributes else {},
    }


def _tests_of(store: Store, row: dict[str, Any]) -> dict[str, int | None] | None:
    """How the run's tests ended and in how many `reports` it was read; `None` where the pass rate is unknown."""
    if row["test_pass_rate"] is None:
        return None
    readings = store.table(load_sql("queries/story")["reports"], {"run_id": row["run_id"]}).cast(REPORTS)
    older = is_older(readings, pa.array([row["started_at"]], INSTANT))
    return combine(readings.filter(pa.array(~older)))[1].of(0)


def _settings_of(store: Store, settings_hash: str) -> ScoringSettings:
    """The settings a row was scored with, so that its explanation adds up to its score."""
    found = store.rows(load_sql("queries/story")["settings_of"], {"hash": settings_hash})
    return ScoringSettings.model_validate_json(found[0]["settings"])
