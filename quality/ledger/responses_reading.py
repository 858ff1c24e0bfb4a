"""What is known about the responses that were kept? Lists, one opened to its parts, what they add up to, a series."""

import json
from typing import Any

from quality.errors import NotFound
from quality.ledger.responses_scoring import settings_key
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store
from quality.ledger.story_identity import ids_of
from quality.response_commands import ListResponses, ResponseFilters, ResponseSeries, ResponseStats
from quality.response_regressions import SEVERITIES, is_alert
from quality.response_settings import ResponseSettings, ResponseWeights
from quality.responses import COLUMNS, score_responses

MAX_ROWS = 10_000
"""Responses that are listed at once."""
MOST_REGRESSIONS = 1_000
"""Regressions that are listed with a series."""
SOURCE = "queries/responses"


def list_responses(store: Store, question: ListResponses, settings: ResponseSettings) -> dict[str, Any]:
    """`responses`, latest first, at most `MAX_ROWS`, and the `total` that fits."""
    wanted = _wanted(store, question.filters)
    page = {"limit": min(question.limit, MAX_ROWS), "offset": question.offset}
    rows = store.rows(_fitting("list"), wanted | page)
    total = store.rows(_fitting("count"), wanted)[0]["n"]
    return {"total": total, "responses": [_opened(row, settings) for row in rows]}


def show_response(store: Store, response_id: str, settings: ResponseSettings) -> dict[str, Any]:
    """One response as in the list, with its `score` in parts, `feedback`, `scores` and `regressions`, oldest first.

    Raises:
        NotFound: no such response; it says where feedback on it is held.
    """
    sql, wanted = load_sql(SOURCE), {"response_id": response_id}
    found = store.rows(sql["one"], wanted)
    if not found:
        held = store.rows(sql["held_for"], wanted)[0]["n"]
        waiting = f" ({held:,} feedback events wait for it)" if held else ""
        raise NotFound(f"{response_id}: no such response{waiting}: list them with list_responses")
    row = found[0]
    used = store.rows(sql["settings_of"], {"hash": row["settings_hash"]})
    scored_with = ResponseSettings.model_validate_json(used[0]["settings"]) if used else settings
    own = ResponseWeights.model_validate_json(row["weights"]) if row["weights"] else None
    score = score_responses({name: [_number(row[name])] for name in COLUMNS}, scored_with, weights=own).row()
    return {
        **_opened(row, settings),
        "score": score.model_dump(),
        "scored_with": json.loads(scored_with.model_dump_json()),
        "current_settings": row["settings_hash"] == settings_key(settings)[0],
        "statements": store.rows(sql["statements_of"], wanted)[0]["n"],
        **{name: store.rows(sql[f"{name}_of"], wanted) for name in ("feedback", "scores", "regressions")},
    }


def response_stats(store: Store, question: ResponseStats) -> dict[str, Any]:
    """`overall`, `models` (best mean first) and `days` (each model's mean a day)."""
    wanted = _wanted(store, question.filters)
    return {
        "overall": store.rows(_fitting("overall"), wanted)[0],
        "models": store.rows(_fitting("by_model"), wanted),
        "days": store.rows(_fitting("by_day"), wanted),
    }


def response_series(store: Store, question: ResponseSeries, settings: ResponseSettings) -> dict[str, Any]:
    """`points` in order of time, and `regressions`, the latest `MOST_REGRESSIONS`, each with `alert`."""
    wanted = _wanted(store, question.filters)
    found = store.rows(_fitting("regressions"), wanted | {"limit": MOST_REGRESSIONS})
    return {
        "points": store.rows(_fitting("series"), wanted | {"points": question.points}),
        "regressions": [{**row, "alert": is_alert(row["severity"], settings.regression)} for row in found],
    }


def _fitting(name: str) -> str:
    sql = load_sql(SOURCE)
    return sql[name].replace("/* filters */", sql["filters"])


def _wanted(store: Store, filters: ResponseFilters) -> dict[str, Any]:
    wanted = filters.model_dump(exclude={"severity", "story_id"})
    at_least = None if filters.severity is None else list(SEVERITIES[SEVERITIES.index(filters.severity) :])
    of_story = None if filters.story_id is None else ids_of(store, filters.story_id)
    return wanted | {"severities": at_least, "story_ids": of_story}


def _opened(row: dict[str, Any], settings: ResponseSettings) -> dict[str, Any]:
    """The row with its JSON as objects and whether its regression is an alert."""
    row |= {name: json.loads(row[name]) if row[name] else None for name in ("tools", "weights")}
    return row | {"alert": is_alert(row["severity"], settings.regression)}


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)
