"""How does a ledger row follow its observations? One path for a touched run and for all of them.

SQL gathers the observations of some runs, the core says which of them count and what they score, and the
rows are written back.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quality.combining import REPORTS
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import FOREVER, Transaction
from quality.ledger.story_identity import corrected, refresh_survivors
from quality.ordering import INSTANT
from quality.resolution import OVERRIDES, RESOLVED, resolve_human, resolve_runs
from quality.scoring import COMPUTED, score_runs
from quality.settings import ScoringSettings

CHUNK_RUNS = 200_000
"""Runs in memory at a time."""
CHUNK_TESTS = 2_000_000
"""Named tests in memory at a time, about: those of one run are never parted."""
OBSERVATIONS = ("facts", "stories", "signals", "verdicts", "overrides")
_EMPTY: dict[str, pa.Table] = {}
"""What no observations of a kind look like, once they have been asked for."""


def score_new_runs(
    tx: Transaction, batch: dict[str, pa.Table], settings: ScoringSettings, accepted: bool = False
) -> int:
    """Write the rows of runs that only this batch observes, without reading the observations back.

    Args:
        batch: the tables of `observations.SCHEMAS`; `run_of` and `new_runs` in the ledger name its runs, each row of
            `batch["runs"]` a new one.
        accepted: what is older than a run's start is of the run all the same.
    """
    sql = load_sql("recompute")
    runs = tx.table(sql["runs_of_batch"])
    n = runs.num_rows
    runs = runs.append_column("recorded_at", pa.repeat(pa.scalar(tx.now, INSTANT), n))
    runs = runs.append_column("attested", pa.repeat(pa.scalar(False), n))
    verdicts = batch["verdicts"].filter(pc.invert(batch["verdicts"]["simulated"]))
    observed = {
        "facts": batch["runs"],
        "signals": batch["signals"],
        "verdicts": verdicts,
        "overrides": batch["overrides"],
    }
    dated = {name: _dated(table, tx.now) for name, table in observed.items()}
    signals = dated["signals"]
    dated["signals"] = signals.append_column("accepted", pa.repeat(pa.scalar(accepted), signals.num_rows))
    stories, reports = tx.table(sql["stories_of_batch"]), _several_reports(dated["signals"])
    scored = score_runs(resolve_runs(runs, stories=stories, reports=reports, **dated), settings)
    return _write(tx, scored, "insert_scored")


def _several_reports(signals: pa.Table) -> list[pa.Table]:
    """All readings of the runs with several that name their tests or their runner."""
    is_report = pc.or_(signals["test_ids"].is_valid(), signals["runner"].is_valid()).to_numpy()
    place = signals["place"].to_numpy()
    several = np.bincount(place[is_report]) > 1
    if not several.any():
        return []
    return [signals.filter(pa.array(np.isin(place, np.flatnonzero(several)))).select(REPORTS.names)]


def _dated(table: pa.Table, now: datetime) -> pa.Table:
    """A batch's observations with the columns that the ledger would add: place, given_at, recorded_at."""
    recorded_at = pa.repeat(pa.scalar(now, INSTANT), table.num_rows)
    given_at = pc.coalesce(table["occurred_at"], recorded_at)
    table = table.append_column("place", table["run"])
    return table.append_column("recorded_at", recorded_at).append_column("given_at", given_at)


def row_of_run(tx: Transaction, run_id: str) -> dict[str, Any] | None:
    """The run's ledger row as it stands."""
    row = tx.row(load_sql("recompute")["row_of_run"], {"run_id": run_id})
    return row and {**row, "run_id": str(row["run_id"])}


def recompute_human(tx: Transaction, row: dict[str, Any], settings: ScoringSettings) -> dict[str, Any]:
    """Bring a run's row up to date after its overrides changed; returns the new row.

    Only the human tier is resolved anew: no other observation of the run has changed.
    """
    sql = load_sql("recompute")
    found = tx.rows(sql["overrides_of_run"], {"run_id": row["run_id"]})
    withdrawn = {override["withdraws"] for override in found}
    standing = [o for o in found if o["withdraws"] is None and o["override_id"] not in withdrawn]
    human = resolve_human(pa.Table.from_pylist(standing, schema=OVERRIDES), 1)
    unchanged = {
        name: pa.array([row[name]], kind) for name, kind in zip(RESOLVED.names, RESOLVED.types) if name not in human
    }
    table = score_runs(pa.table({**unchanged, **human}), settings)
    scored = row | {name: table[name][0].as_py() for name in (*human, *COMPUTED)}
    changed = [name for name in (*human, *COMPUTED) if scored[name] != row[name]]
    if changed:  # writing a column costs as much as reading the row, so the unchanged ones are left alone
        changes = ", ".join(f"{name} = ${name}" for name in changed)
        values = {name: scored[name] for name in (*changed, "run_id")}
        tx.execute(sql["update_run"].replace("/* changes */", changes), values)
    return scored


def recompute_run(tx: Transaction, run_id: str, settings: ScoringSettings) -> dict[str, Any]:
    """Bring one run's row up to date, from all its observations; returns the row."""
    sql = load_sql("recompute")
    tx.execute(sql["touch_none"])
    tx.execute(sql["touch_one"], {"run_id": run_id})
    recompute_touched(tx, settings)
    row = row_of_run(tx, run_id)
    assert row is not None, f"run {run_id} has no ledger row after its recomputation"
    return row


def recompute_touched(tx: Transaction, settings: ScoringSettings) -> int:
    """Bring the rows of the runs in `touched` up to date; returns how many. The caller filled `touched`."""
    written = 0
    for scored, is_present in _chunks(tx, settings, FOREVER):
        written += _write(tx, scored, "merge_scored" if is_present else "insert_scored")
    return written


def rebuild_all(tx: Transaction, settings: ScoringSettings) -> int:
    """Derive the whole ledger anew with these settings; returns the number of runs."""
    sql = load_sql("recompute")
    refresh_survivors(tx)
    tx.execute(sql["touch_all"])
    tx.execute(sql["clear_ledger"])
    return sum(_write(tx, scored, "insert_scored") for scored in derive(tx, settings))


def derive(tx: Transaction, settings: ScoringSettings, as_of: datetime = FOREVER) -> Iterator[pa.Table]:
    """The ledger rows of the runs in `touched` as known at `as_of`, a chunk at a time."""
    return (scored for scored, _ in _chunks(tx, settings, as_of))


def _chunks(tx: Transaction, settings: ScoringSettings, as_of: datetime) -> Iterator[tuple[pa.Table, bool]]:
    """The rows of a chunk, and whether the ledger has some of them already."""
    sql = load_sql("recompute")
    for low in range(0, tx.value(sql["line_up"]), CHUNK_RUNS):
        tx.execute(sql["take_chunk"], {"low": low, "high": low + CHUNK_RUNS})
        there = tx.row(sql["what_is_there"]) or {}
        tables = {name: _observed(tx, name, as_of, there.get(name, True)) for name in ("runs", *OBSERVATIONS)}
        if there["estimates"] or there["merges"]:
            tables |= _corrected(tx, as_of)
        yield score_runs(resolve_runs(**tables, reports=_reports(tx, as_of)), settings), there["ledger"]


def _observed(tx: Transaction, name: str, as_of: datetime, is_there: bool) -> pa.Table:
    """The chunk's observations of one kind; where there are none the query is not run again."""
    if is_there or name not in _EMPTY:
        found = tx.table(load_sql("recompute")[name], {"as_of": as_of})
        _EMPTY.setdefault(name, found.schema.empty_table())
        return found
    return _EMPTY[name]


def _corrected(tx: Transaction, as_of: datetime) -> dict[str, pa.Table]:
    """The chunk's runs and stories where people corrected stories, and the estimates that they gave."""
    tx.execute(corrected("gather_said"), {"as_of": as_of})
    found = {name: tx.table(corrected(name)) for name in ("stories", "estimates")}
    return {"runs": tx.table(corrected("runs"), {"as_of": as_of}), **found}


def _reports(tx: Transaction, as_of: datetime) -> Iterator[pa.Table]:
    sql = load_sql("recompute")
    if not tx.value(sql["find_reported"], {"as_of": as_of, "most": CHUNK_TESTS}):
        return
    for row in tx.rows(sql["parts_of_reported"]):
        yield tx.table(sql["reports"], {"as_of": as_of, "part": row["part"]}).cast(REPORTS)


def _write(tx: Transaction, scored: pa.Table, statement: str) -> int:
    with tx.seeing(scored=scored):
        tx.execute(load_sql("recompute")[statement])
    return scored.num_rows
