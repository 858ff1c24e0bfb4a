"""What can be asked of the ledger about models: by kind of work, by week, one in depth, two side by side?

Read only, a typed function each, as in `queries.py`; the SQL is in `sql/queries/models.sql`.
"""

from typing import Any

import pyarrow as pa

from quality.commands import Filters
from quality.errors import QualityError, did_you_mean
from quality.ledger.filtering import fitting
from quality.ledger.past import Past
from quality.ledger.queries import MAX_ROWS, WEEK_MICROSECONDS
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store
from quality.observations import COORDINATE
from quality.paired import interval
from quality.tiers import TIERS

MOST_MODELS, MOST_VALUES = 15, 8
"""Rows and columns of model × kind of work."""
MOST_WEEKS = 104
"""Weeks of a trend."""
COST = {"cost_usd": 1.0, "total_cost_usd": 1.0}
"""Attribute of a run that states its cost → US dollars a unit of it."""
DURATION = {"duration_s": 1.0, "duration_seconds": 1.0, "duration_ms": 0.001}
"""Attribute of a run that states how long it took → seconds a unit of it."""
DECIMALS = 9
"""Of a difference: what differs by less is equal."""
MONDAY_MICROSECONDS = 3 * 24 * 3600 * 10**6
"""From Monday 1969-12-29, where weeks are counted from, to 1970-01-01, where microseconds are."""


def by_coordinate(store: Store | Past, filters: Filters, part: str) -> list[dict[str, Any]]:
    """A row a model and value of `part` with a scored run: means and n of the tiers.

    At most `MOST_MODELS` × `MOST_VALUES`, those with most scored runs; `n_models` and `n_values` count them all.

    Raises:
        QualityError: `part` is no part of the coordinate.
    """
    if part not in COORDINATE:
        raise QualityError(
            f"{part!r} is no kind of work: take one of {', '.join(COORDINATE)}.{did_you_mean(part, list(COORDINATE))}"
        )
    sql, params = fitting(load_sql("queries/models")["by_coordinate"].replace("/* coordinate */", part), filters)
    return store.rows(sql, params | {"most_models": MOST_MODELS, "most_values": MOST_VALUES})


def by_week(store: Store | Past, filters: Filters) -> list[dict[str, Any]]:
    """A row an ISO week (UTC, its Monday) from the first scored run to the last: means and n of the tiers.

    A week without a scored run has n 0 and no mean. At most the last `MOST_WEEKS`; `n_weeks` counts them all.
    """
    sql, params = fitting(load_sql("queries/models")["by_week"], filters)
    return store.rows(
        sql, params | {"monday": MONDAY_MICROSECONDS, "week": WEEK_MICROSECONDS, "most_weeks": MOST_WEEKS}
    )


def coverage(store: Store | Past, filters: Filters) -> list[dict[str, Any]]:
    """A row a set of tiers that runs have: `auto`, `verifier`, `human` and `n_tiers`, which add up to all runs."""
    return store.rows(*fitting(load_sql("queries/models")["coverage"], filters))


def distribution(store: Store | Past, filters: Filters) -> list[dict[str, Any]]:
    """A row a tier and step of one point that a score falls in: `tier`, `step` 0–9 (10 is in step 9), `n_step` runs."""
    return store.rows(*fitting(load_sql("queries/models")["distribution"], filters))


def caveats(store: Store | Past, filters: Filters) -> list[dict[str, Any]]:
    """A row a caveat of the runs that fit, most frequent first: `caveat`, `n_caveat`."""
    return store.rows(*fitting(load_sql("queries/models")["caveats"], filters))


def stories(store: Store | Past, filters: Filters) -> pa.Table:
    """A row a story of the runs that fit, the latest rated first, at most `MAX_ROWS`; `run_id` is its latest run."""
    sql, params = fitting(load_sql("queries/models")["stories"], filters)
    return store.table(sql, params | {"limit": MAX_ROWS})


def effort(store: Store | Past, filters: Filters) -> dict[str, Any]:
    """What runs took: median duration ÷ estimate, mean cost (US dollars), median duration (seconds), each with its n.

    None where no run states it. `COST` and `DURATION` name the attributes that are read.
    """
    named = COST | DURATION
    sql, params = fitting(load_sql("queries/models")["effort"], filters)
    paths = {"paths": [f"$.{name}" for name in named], "factors": list(named.values()), "costs": len(COST)}
    return store.rows(sql, params | paths)[0]


def compare(store: Store | Past, filters: Filters, first: str, second: str) -> dict[str, dict[str, Any]]:
    """Tier → what the stories that both models have a run of say, per story the mean of each one's runs.

    `paired_difference` is first − second over `n_paired` stories where both have that tier's score, with its interval
    `paired_low`–`paired_high` (None where there is none) and how often the first is better, equal and worse.
    `n_shared` stories in all; empty where there are none. The filters' own model does not count.
    """
    sql, params = fitting(load_sql("queries/models")["compare"], filters.model_copy(update={"model_version": None}))
    found = store.rows(sql, params | {"first": first, "second": second, "decimals": DECIMALS})
    return {row["tier"]: row | _bounds(row) for row in found}


def shared_stories(store: Store | Past, filters: Filters, first: str, second: str, tier: str) -> pa.Table:
    """The stories of `compare`, the largest difference in this tier first, at most `MAX_ROWS`.

    Raises:
        QualityError: no such tier.
    """
    if tier not in TIERS:
        raise QualityError(f"{tier!r} is no tier: take one of {', '.join(TIERS)}.{did_you_mean(tier, list(TIERS))}")
    statement = load_sql("queries/models")["shared_stories"].replace("/* tier */", f"quality_{tier}")
    sql, params = fitting(statement, filters.model_copy(update={"model_version": None}))
    return store.table(sql, params | {"first": first, "second": second, "limit": MAX_ROWS})


def _bounds(row: dict[str, Any]) -> dict[str, float | None]:
    bounds = interval(row["paired_difference"], row["spread"], row["n_paired"]) if row["n_paired"] else None
    low, high = bounds or (None, None)
    return {"paired_low": low, "paired_high": high}
