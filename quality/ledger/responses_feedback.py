"""How is one response updated at once when somebody says what they did with it? By its row and those around it alone.

The same outcome as `refresh` of many, in a few small statements: a person or an agent waits for it.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from quality.errors import Conflict, NotFound
from quality.ledger.responses_scoring import AMONG, VALUES, refresh, settings_key
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.response_commands import AddFeedback, FeedbackStored
from quality.response_models import SIGNALS
from quality.response_regressions import SEVERITIES, regression_deltas, rolling_means, severity_codes
from quality.response_settings import RegressionSettings, ResponseWeights
from quality.responses import COLUMNS, PARTS, score_responses
from quality.settings import Settings

CAUSE = "feedback"
HEARD = ("composite", "user_feedback")
"""Of `VALUES`, those that an event can change under the settings that the row was scored with."""
BESIDE = 256
"""Rows on each side of one that are asked first who its neighbours in time are."""


def add_feedback(tx: Transaction, command: AddFeedback, settings: Settings) -> FeedbackStored:
    """Count one event.

    Raises:
        NotFound: no such response.
        Conflict: the event id stands for another signal on this response.
    """
    sql, stamp = load_sql("responses_feedback"), {"now": tx.now, "actor": command.actor}
    about = {"response_id": command.response_id}
    row = tx.row(sql["row"], about)
    if row is None:
        raise NotFound(
            f"{command.response_id}: no such response: store it first (respond FILE --store), or check its id "
            "(respond stats --rows)"
        )
    answer = {**about, "before": row["composite"]}
    if command.event_id is not None:
        known = tx.value(sql["signal_of"], {**about, "event_id": command.event_id})
        if known not in (None, command.signal):
            raise Conflict(
                f"event id {command.event_id} of {command.response_id} stands for {known} already, not {command.signal}: "
                "give each event an id of its own"
            )
        if known:
            return FeedbackStored(**answer, status="known", composite=row["composite"], severity=row["severity"])
    event = {"event_id": command.event_id, "signal": command.signal, "occurred_at": command.occurred_at}
    tx.execute(sql["add_event"], {**about, **event, **stamp})
    if row["settings_hash"] != settings_key(settings.responses)[0]:
        changed = refresh(tx, [command.response_id], settings.responses, CAUSE, command.actor).to_pylist()[0]
        return FeedbackStored(**answer, status="counted", **_pick(changed, "composite", "severity"))
    now = {**row, command.signal: row[command.signal] + 1, **_score(row, command.signal, settings)}
    around = {}
    if any(now[name] != row[name] for name in VALUES):
        tx.execute(sql["add_score"], {**about, **_pick(now, *VALUES, "settings_hash"), "cause": CAUSE, **stamp})
        own, around = _compare(tx, now, settings.responses.regression, stamp)
        now |= own
    values = _pick(now, "row", *SIGNALS, *HEARD)
    if around:
        around[now["row"]] = _pick(now, *AMONG)
        ends = {"low": min(around), "high": max(around)}
        tx.execute(sql["update_rows"], {**values, **ends, "rows": list(around), **_columns(around.values())})
    else:
        tx.execute(sql["update_row"], {**values, **_pick(now, *AMONG)})
    return FeedbackStored(**answer, status="counted", composite=now["composite"], severity=now["severity"])


def _score(row: dict[str, Any], signal: str, settings: Settings) -> dict[str, float | None]:
    """`VALUES` with one more of this signal."""
    columns = {name: [float("nan") if row[name] is None else row[name]] for name in COLUMNS}
    columns[signal] = [row[signal] + 1]
    own = ResponseWeights.model_validate_json(row["weights"]) if row["weights"] else None
    score = score_responses(columns, settings.responses, weights=own).row()
    return {
        "composite": score.composite,
        **{name: score.sub_scores[name] for name in PARTS},
        "coverage": score.coverage,
    }


def _compare(
    tx: Transaction, now: dict[str, Any], settings: RegressionSettings, stamp: dict[str, Any]
) -> tuple[dict[str, Any], dict[int, dict[str, Any]]]:
    """Judge the row and those after it anew: `AMONG` of the row, and of each other row that stands otherwise now."""
    if now["model"] is None or now["composite"] is None:
        return dict.fromkeys(AMONG), {}
    sql = load_sql("responses_feedback")
    first, last = _reach(tx, now, settings.window + 1)
    near = tx.rows(sql["near"], {"model": now["model"], "first": first, "last": last})
    rows = [r for r in near if r["row"] != now["row"]]
    rows = sorted([*rows, now], key=lambda r: (r["ts"], r["response_id"]))
    scores = np.array([r["composite"] for r in rows])
    deltas, means = regression_deltas(scores, settings), rolling_means(scores, settings)
    codes = severity_codes(deltas, settings)
    place = next(n for n, r in enumerate(rows) if r["row"] == now["row"])
    judged = range(place, min(place + settings.window + 1, len(rows)))
    standing = {
        n: {
            "rolling_mean": float(means[n]),
            "delta": None if np.isnan(deltas[n]) else float(deltas[n]),
            "severity": None if codes[n] < 0 else SEVERITIES[codes[n]],
        }
        for n in judged
    }
    if turned := [n for n in judged if rows[n]["severity"] != standing[n]["severity"]]:
        named = {
            "response_ids": [rows[n]["response_id"] for n in turned],
            "composites": [float(scores[n]) for n in turned],
        }
        columns = _columns([standing[n] for n in turned])
        del columns["rolling_means"]
        tx.execute(sql["add_regressions"], {**named, **columns, "model": now["model"], **stamp})
    others = [n for n in judged if n != place and any(rows[n][name] != standing[n][name] for name in AMONG)]
    return standing[place], {rows[n]["row"]: standing[n] for n in others}


def _reach(tx: Transaction, now: dict[str, Any], n: int) -> tuple[int, int]:
    """From when to when (µs) there are surely `n` scored responses of the model up to this one, and `n` from it on.

    What was stored together mostly happened together: the rows beside it are asked first, all only where those are too few.
    """
    sql, model, ts = load_sql("responses_feedback"), now["model"], now["ts"]
    near = {"model": model, "low": now["row"] - BESIDE, "high": now["row"] + BESIDE}
    times = np.array([row["ts"] for row in tx.rows(sql["beside"], near)], dtype=np.int64)
    before, after = np.sort(times[times <= ts]), np.sort(times[times >= ts])
    if min(len(before), len(after)) >= n:
        return int(before[-n]), int(after[n - 1])
    found = tx.row(sql["reach"], {"model": model, "ts": ts, "n": n}) or {}
    ends = [end for end in (found["first"], found["last"], ts) if end is not None]
    return min(ends), max(ends)


def _columns(standing: Iterable[dict[str, Any]]) -> dict[str, list[Any]]:
    """`AMONG` of several rows as lists."""
    rows = list(standing)
    return {
        "rolling_means": [row["rolling_mean"] for row in rows],
        "deltas": [row["delta"] for row in rows],
        "severities": [row["severity"] for row in rows],
    }


def _pick(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}
