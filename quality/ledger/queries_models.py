"""What can be asked of the ledger about models: by kind of work, by week, one in depth, two side by side?

Read only, a typed function each, as in `queries.py`; the SQL is in `sql/queries/models.sql`.
"""

from typing import Any

from quality.commands import Filters
from quality.errors import QualityError, did_you_mean
from quality.ledger.filtering import fitting
from quality.ledger.queries import WEEK_MICROSECONDS
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store
from quality.observations import COORDINATE

MOST_MODELS, MOST_VALUES = 15, 8
"""Rows and columns of model × kind of work."""
MOST_WEEKS = 104
"""Weeks of a trend."""
MONDAY_MICROSECONDS = 3 * 24 * 3600 * 10**6
"""From Monday 1969-12-29, where weeks are counted from, to 1970-01-01, where microseconds are."""


def by_coordinate(store: Store, filters: Filters, part: str) -> list[dict[str, Any]]:
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


def by_week(store: Store, filters: Filters) -> list[dict[str, Any]]:
    """A row an ISO week (UTC, its Monday) from the first scored run to the last: means and n of the tiers.

    A week without a scored run has n 0 and no mean. At most the last `MOST_WEEKS`; `n_weeks` counts them all.
    """
    sql, params = fitting(load_sql("queries/models")["by_week"], filters)
    return store.rows(
        sql, params | {"monday": MONDAY_MICROSECONDS, "week": WEEK_MICROSECONDS, "most_weeks": MOST_WEEKS}
    )


def coverage(store: Store, filters: Filters) -> list[dict[str, Any]]:
    """A row a set of tiers that runs have: `auto`, `verifier`, `human` and `n_tiers`, which add up to all runs."""
    return store.rows(*fitting(load_sql("queries/models")["coverage"], filters))
