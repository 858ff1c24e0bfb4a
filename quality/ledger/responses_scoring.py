"""What are stored responses worth now? Scored anew together, each new value beside those before, compared within its model.

A response's regression is judged on the scores as they are now: whatever changes a score, or comes late, also judges
anew the responses of its model whose mean it is in (design/007).
"""

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quality.ledger.responses_columns import INSTANT
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.response_regressions import SEVERITIES, regression_deltas, rolling_means, severity_codes
from quality.response_settings import RegressionSettings, ResponseSettings, ResponseWeights
from quality.responses import COLUMNS, PARTS, score_responses

SCORED_BY = {"weights", "correctness", "feedback", "static_analysis"}
"""The settings that a score depends on."""
VALUES = ("composite", *PARTS, "coverage")
AMONG = ("rolling_mean", "delta", "severity")
"""How a response stands among its model's."""
MODELS_APART = 8
"""Up to so many models their neighbourhoods are read one by one, else their responses whole."""
CONTEXT = pa.schema([
    ("row", pa.int64()), ("response_id", pa.string()), ("model", pa.string()), ("ts", INSTANT),
    ("composite", pa.float64()), ("rolling_mean", pa.float64()), ("delta", pa.float64()), ("severity", pa.string()),
])  # fmt: skip


def settings_key(settings: ResponseSettings) -> tuple[str, str]:
    """Hash (16 hex digits) and canonical JSON of what a score depends on."""
    kept = ResponseSettings.model_validate(settings.model_dump(include=SCORED_BY))
    text = kept.model_dump_json(include=SCORED_BY)
    return hashlib.sha256(text.encode()).hexdigest()[:16], text


def settle_settings(tx: Transaction, settings: ResponseSettings, actor: str) -> str:
    """Keep what scores are made with, if it is not kept yet; returns its hash."""
    sql, (key, text) = load_sql("responses"), settings_key(settings)
    if tx.row(sql["settings_known"], {"hash": key}) is None:
        tx.execute(sql["add_settings"], {"hash": key, "settings": text, "now": tx.now, "actor": actor})
    return key


def rescore_all(tx: Transaction, settings: ResponseSettings, actor: str) -> int:
    """Score every response anew with the settings in force; returns how many there are."""
    ids = tx.table(load_sql("responses")["all_ids"])
    return refresh(tx, ids["response_id"], settings, "settings", actor).num_rows


def refresh(tx: Transaction, ids: Any, settings: ResponseSettings, cause: str, actor: str) -> pa.Table:
    """Bring the rows of these responses, and of those they are compared with, to what is known now.

    Args:
        ids: response ids, each once.
        cause: why: `stored`, `restated`, `feedback` or `settings`.

    Returns:
        `response_id`, `composite`, `severity`, `old_composite` of each, by id.
    """
    if not len(ids):
        return pa.table({})
    sql, stamp = load_sql("responses"), {"now": tx.now, "actor": actor}
    key = settle_settings(tx, settings, actor)
    with tx.seeing(wanted=pa.table({"response_id": pa.array(ids, pa.string())})):
        found = tx.table(sql["derive"]).combine_chunks()
    found = found.append_column("settings_hash", pa.array([key] * found.num_rows))
    scores = _scored(found, settings)
    changed = _changed(found, scores)
    for name, values in scores.items():
        found = found.append_column(name, _floats(values))
    among, context = _compared(tx, found, settings.regression)
    for name in AMONG:
        found = found.append_column(name, among[name])
    _write(tx, found, facts=cause != "feedback")
    _log(tx, found, changed, context, cause, stamp)
    return found.select(["response_id", "composite", "severity", "old_composite"])


def _scored(found: pa.Table, settings: ResponseSettings) -> dict[str, np.ndarray]:
    """`VALUES` of each row, with the weights that it states itself where it does; NaN = missing."""
    columns = {name: _numbers(found[name]) for name in COLUMNS}
    result = {name: np.full(found.num_rows, np.nan) for name in VALUES}
    own = found["weights"].combine_chunks().dictionary_encode()
    codes = own.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        weights = None if code < 0 else ResponseWeights.model_validate_json(own.dictionary[int(code)].as_py())
        scored = score_responses({n: c[rows] for n, c in columns.items()}, settings, weights=weights)
        parts = {name: scored.sub_scores[:, place] for place, name in enumerate(PARTS)}
        for name, values in {"composite": scored.value, **parts, "coverage": scored.composite.coverage}.items():
            result[name][rows] = values
    return result


def _changed(found: pa.Table, scores: dict[str, np.ndarray]) -> np.ndarray:
    """Which rows have another score than before, or had none."""
    changed = _missing(found["old_coverage"])
    for name, values in scores.items():
        old = _numbers(found[f"old_{name}"])
        changed |= ~((old == values) | (np.isnan(old) & np.isnan(values)))
    return changed


def _compared(tx: Transaction, found: pa.Table, settings: RegressionSettings) -> tuple[dict[str, pa.Array], pa.Table]:
    """`AMONG` of the rows of `found`, and the other rows that stand otherwise now, with `old_severity`.

    Those are written already; of a response without a model nothing is said.
    """
    spans = _spans(found)
    columns = ["old_row", "response_id", "model", "ts", "composite"]
    own = found.select(columns).rename_columns(["row", *columns[1:]]).cast(pa.schema(list(CONTEXT)[:5]))
    own = own.append_column("place", pa.array(range(found.num_rows)))
    others = _context(tx, spans, settings.window)
    others = others.filter(pc.invert(pc.is_in(others["row"], value_set=found["old_row"].combine_chunks())))
    both = pa.concat_tables([own, others], promote_options="default")
    order = pc.sort_indices(both, [("model", "ascending"), ("ts", "ascending"), ("response_id", "ascending")])
    both = both.take(order)
    models = both["model"].combine_chunks().dictionary_encode().indices.fill_null(-1).to_numpy(zero_copy_only=False)
    scores = np.where(models < 0, np.nan, _numbers(both["composite"]))
    deltas = regression_deltas(scores, settings, groups=models)
    codes = severity_codes(deltas, settings)
    standing = {
        "rolling_mean": _floats(rolling_means(scores, settings, groups=models)),
        "delta": _floats(deltas),
        "severity": pa.array([None, *SEVERITIES], pa.string()).take(pa.array(codes.astype(np.int64) + 1)),
    }
    place = both["place"].combine_chunks()
    mine = pc.is_valid(place)
    back = np.argsort(place.filter(mine).to_numpy(zero_copy_only=False))
    among = {name: values.filter(mine).take(pa.array(back)) for name, values in standing.items()}
    return among, _judged(tx, both, standing, spans)


def _judged(tx: Transaction, both: pa.Table, standing: dict[str, pa.Array], spans: dict[str, tuple]) -> pa.Table:
    """Store how the other rows stand; returns those that stand otherwise than before."""
    others = np.flatnonzero(_missing(both["place"]))
    at = both.select(["model", "ts", "response_id"]).take(pa.array(others)).to_pylist()
    # A row before the first that changed is only there for the means of those after it.
    within = [(row["ts"], row["response_id"]) >= spans[row["model"]][0] for row in at]
    judged = np.zeros(both.num_rows, dtype=bool)
    judged[others] = within
    differs = np.zeros(both.num_rows, dtype=bool)
    for name, values in standing.items():
        differs |= ~_same(both[name], values)
    pick = pa.array(judged & differs)
    rows = both.select(["row", "response_id", "model", "composite", "severity"])
    rows = rows.rename_columns(["row", "response_id", "model", "composite", "old_severity"]).filter(pick)
    for name, values in standing.items():
        rows = rows.append_column(name, values.filter(pick))
    if rows.num_rows:
        with tx.seeing(part=rows):
            tx.execute(load_sql("responses")["compare_rows"])
    return rows


def _spans(found: pa.Table) -> dict[str, tuple[tuple, tuple]]:
    """Model → first and last place in time, `(ts, response_id)`, of what is touched, as it is now or was before."""
    spans: dict[str, tuple[tuple, tuple]] = {}
    for model, ts in (("model", "ts"), ("old_model", "old_ts")):
        at = found.select([model, ts, "response_id"]).rename_columns(["model", "ts", "id"])
        at = at.filter(pc.and_(pc.is_valid(at["model"]), pc.is_valid(at["ts"])))
        ends = at.group_by("model").aggregate([("ts", "min"), ("ts", "max")])
        for end in ("ts_min", "ts_max"):  # ties of the time go by id
            edge = at.join(ends.select(["model", end]), ["model", "ts"], ["model", end], "left semi")
            for row in edge.to_pylist():
                place = (row["ts"], row["id"])
                low, high = spans.get(row["model"], (place, place))
                spans[row["model"]] = (min(low, place), max(high, place))
    return spans


def _context(tx: Transaction, spans: dict[str, tuple], window: int) -> pa.Table:
    sql = load_sql("responses")
    if not spans:
        return CONTEXT.empty_table()
    if len(spans) > MODELS_APART:
        return tx.table(sql["of_models"], {"models": list(spans)}).cast(CONTEXT)
    return pa.concat_tables([
        tx.table(sql["around"], {
            "model": model, "first_ts": first[0], "first_id": first[1], "last_ts": last[0], "last_id": last[1],
            "window": window,
        }).cast(CONTEXT)
        for model, (first, last) in spans.items()
    ])  # fmt: skip


def _write(tx: Transaction, found: pa.Table, facts: bool) -> None:
    sql = load_sql("responses")
    kept = [name for name in found.column_names if name == "old_row" or not name.startswith("old_")]
    with tx.seeing(part=found.select(kept)):
        if facts:
            tx.execute(sql["drop_rows"])
            tx.execute(sql["add_rows"])
        else:
            tx.execute(sql["update_rows"])


def _log(
    tx: Transaction, found: pa.Table, changed: np.ndarray, others: pa.Table, cause: str, stamp: dict[str, Any]
) -> None:
    """Append the scores and severities that are otherwise than before."""
    sql = load_sql("responses")
    if changed.any():
        columns = ["response_id", *VALUES, "settings_hash"]
        with tx.seeing(part=found.select(columns).filter(pa.array(changed))):
            tx.execute(sql["add_scores"], {"cause": cause, **stamp})
    columns = ["response_id", "severity", "delta", "composite", "model", "old_severity"]
    judged = pa.concat_tables([found.select(columns), others.select(columns)])
    judged = judged.filter(pa.array(~_same(judged["old_severity"], judged["severity"])))
    if judged.num_rows:
        with tx.seeing(part=judged):
            tx.execute(sql["add_regressions"], stamp)


def _numbers(column: Any) -> np.ndarray:
    return pc.cast(column, pa.float64()).to_numpy().astype(np.float64)


def _floats(values: np.ndarray) -> pa.Array:
    return pa.array(values, pa.float64(), from_pandas=True)


def _missing(column: Any) -> np.ndarray:
    return pc.is_null(column).to_numpy().copy()


def _same(one: Any, other: Any) -> np.ndarray:
    """Equal, or both missing."""
    equal = pc.fill_null(pc.equal(one, other), False)
    return np.asarray(pc.or_(equal, pc.and_(pc.is_null(one), pc.is_null(other))))
