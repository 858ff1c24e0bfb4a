"""What an import brought counts no more: how is it withdrawn, and reinstated?

Its rows are set aside into tables of the same names in the schema `withdrawn`, whole and unchanged; so whatever reads the
others finds what counts. A run goes with them where no import that stands says anything of it, and what people said of the
run goes along. Which rows lie aside follows from `import_withdrawals` alone: `settle` brings it about.
"""

import json
from datetime import datetime
from typing import Any

from quality.correction_commands import (
    Brought,
    ImportReinstated,
    ImportWithdrawn,
    ListImports,
    ReinstateImport,
    ShowImport,
    WithdrawImport,
)
from quality.errors import Conflict, NotFound
from quality.ledger.recompute import recompute_touched
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.readers.full_jsonl import FORMAT as FULL_FORMAT
from quality.settings import Settings

BY_IMPORT = ("story_facts", "run_facts", "signal_readings", "verdicts", "overrides", "evidence", "rejects")
"""Tables whose rows an import brings."""
OF_RUNS = ("run_facts", "signal_readings", "verdicts", "overrides", "evidence")
"""Of those, the ones about runs."""
ABOUT_RUNS = ("attestations", "report_acceptances", "review_list", "review_draws")
"""Tables of what is said of runs that no import brings."""
TWINS = (*BY_IMPORT, "runs", *ABOUT_RUNS)
"""Every table with a twin."""
PACKED = ("counts", "target", "warnings")
"""Columns of an import that are JSON."""
RUNS_NAMED = 100
"""Runs of one import that are named."""


def withdraw_import(tx: Transaction, command: WithdrawImport, settings: Settings) -> ImportWithdrawn:
    """Set aside what an import brought, and bring the rows of its runs up to date.

    Raises:
        NotFound: no such import.
        Conflict: it is withdrawn already, or brought nothing of its own.
    """
    found = _found(tx, command.import_id)
    if found["withdrawn"]:
        raise Conflict(f"{found['label']}: is withdrawn already")
    if found["format"] == FULL_FORMAT:
        raise Conflict(
            f"{found['label']}: a full export, which brought other imports with it: withdraw those, each by its own id"
        )
    if found["status"] != "imported":
        raise Conflict(f"{found['label']}: was rejected as a whole: there is nothing to withdraw")
    brought = _brought(tx, command.import_id)
    _turn(tx, command.import_id, False, command.reason, command.actor, settings)
    return ImportWithdrawn(import_id=found["import_id"], label=found["label"], brought=brought)


def reinstate_import(tx: Transaction, command: ReinstateImport, settings: Settings) -> ImportReinstated:
    """Take back what was set aside, and bring the rows of its runs up to date.

    Raises:
        NotFound: no such import.
        Conflict: it is not withdrawn.
    """
    found = _found(tx, command.import_id)
    if not found["withdrawn"]:
        raise Conflict(f"{found['label']}: is not withdrawn: what it brought counts")
    runs, back = _turn(tx, command.import_id, True, command.reason, command.actor, settings)
    return ImportReinstated(import_id=found["import_id"], label=found["label"], runs=runs, runs_back=back)


def list_imports(store: Store, question: ListImports) -> dict[str, Any]:
    """`imports`, the latest first, `total`, how many fit, and `withdrawn`, how many of that file name are withdrawn."""
    sql = load_sql("queries/imports")
    wanted = question.model_dump(include={"withdrawn", "file"})
    with store.snapshot() as tx:
        counted = tx.row(sql["count"], wanted) or {}
        found = tx.rows(sql["list"], wanted | {"limit": question.limit, "offset": question.offset})
    return {"imports": [_read(row) for row in found], "total": counted["n"], "withdrawn": counted["withdrawn"]}


def show_import(store: Store, question: ShowImport) -> dict[str, Any]:
    """One import, its `turns` (latest first), what it `brought`, and the first `RUNS_NAMED` `runs` that it speaks of.

    Of each run `counts` says whether it is in the numbers now, `gone` whether it is not while the import is withdrawn.

    Raises:
        NotFound: no such import.
    """
    with store.snapshot() as tx:
        found = _found(tx, question.import_id)
        one, sql = {"import_id": found["import_id"]}, load_sql("queries/imports")
        turns, runs = tx.rows(sql["turns"], one), tx.rows(sql["runs"], one | {"limit": RUNS_NAMED})
        return {**_read(found), "turns": turns, "brought": _brought(tx, found["import_id"]).model_dump(), "runs": runs}


def settle(tx: Transaction) -> int:
    """Set aside what withdrawn imports brought and take back what others did; returns how many runs came back."""
    sql = load_sql("withdrawals")
    for table in BY_IMPORT:
        for step in ("take_back", "not_aside", "set_aside", "leave_out"):
            tx.execute(_of(step, table))
    tx.execute(sql["find_spoken_of"])
    tx.execute(sql["find_back"])
    back = tx.value(sql["count_moving"])
    if back:
        _bring_moving_back(tx)
    tx.execute(sql["find_gone"])
    if tx.value(sql["count_moving"]):
        for table in (*OF_RUNS, *ABOUT_RUNS, "runs"):
            tx.execute(_of("moving_out", table))
            tx.execute(_of("moved_out", table))
    return back


def everything_back(tx: Transaction) -> None:
    """Have nothing aside, for `settle` to begin anew; the runs that it is about are added to `touched`."""
    sql = load_sql("withdrawals")
    if not tx.value(sql["any"]):
        return
    tx.execute(sql["touch_aside"])
    for table in TWINS:
        tx.execute(_of("everything_back", table))
        tx.execute(_of("nothing_aside", table))


def settle_anew(tx: Transaction) -> None:
    """Bring about from the rows alone which of them lie aside, and drop the ledger rows of runs that do.

    The runs that it is about are added to `touched`.
    """
    sql = load_sql("withdrawals")
    if tx.value(sql["any"]):
        everything_back(tx)
        settle(tx)
        tx.execute(sql["touch_aside"])
        _forget_gone(tx)


def bring_named_back(tx: Transaction, stamp: dict[str, Any]) -> bool:
    """Take back the runs that lie aside and that an import means, with what people said of them; whether there are any.

    `matched` in the ledger tells which runs the import names, and which of those that stand it means: what it means of
    those is not looked for among what lies aside.
    """
    sql = load_sql("withdrawals")
    if not tx.value(sql["any_runs_aside"]):
        return False
    tx.execute(sql["find_named"])
    if not tx.value(sql["count_moving"]):
        return False
    tx.execute(sql["name_moving"], stamp)
    _bring_moving_back(tx)
    return True


def bring_back_run(tx: Transaction, key: dict[str, Any], actor: str) -> str | None:
    """The id of the run of this key, if it lay aside; a person names it, so it stands without any import."""
    sql = load_sql("withdrawals")
    if not tx.value(sql["any_runs_aside"]):
        return None
    tx.execute(sql["find_keyed"], key)
    tx.execute(sql["name_moving"], {"now": tx.now, "actor": actor, "import_id": None})
    _bring_moving_back(tx)
    return tx.value(sql["moved_run"])


def stand_as_then(snapshot: Transaction, instant: datetime) -> None:
    """In a snapshot, have what stood at an instant of the runs in `touched`, to which those are added that turned since."""
    sql = load_sql("withdrawals")
    if not snapshot.value(sql["any"]):
        return
    then = {"as_of": instant}
    for step in ("withdrawn_then", "turned_since"):
        snapshot.execute(sql[step], then)
    snapshot.execute(_told("touch_since"))
    for table in OF_RUNS:
        snapshot.execute(_of("as_then", table))
    for table in ABOUT_RUNS:
        snapshot.execute(_of("as_then_about", table))
    snapshot.execute(sql["as_then_stories"])
    snapshot.execute(sql["as_then_runs"], then)


def _turn(
    tx: Transaction, import_id: str, reinstates: bool, reason: str | None, actor: str, settings: Settings
) -> tuple[int, int]:
    """Runs that the import says something of and that stand now, and how many came back."""
    sql = load_sql("withdrawals")
    turn = {"import_id": import_id, "reinstates": reinstates, "reason": reason, "actor": actor, "now": tx.now}
    tx.execute(sql["add_turn"], turn)
    tx.execute(load_sql("recompute")["touch_none"])
    tx.execute(_told("touch_import"), {"import_id": import_id})
    back = settle(tx)
    tx.execute(_told("touch_import"), {"import_id": import_id})  # runs of its stories may be back by it
    _forget_gone(tx)
    return recompute_touched(tx, settings.scoring), back


def _bring_moving_back(tx: Transaction) -> None:
    for table in OF_RUNS:
        tx.execute(_of("moving_in_own", table))
        tx.execute(_of("moved_in_own", table))
    for table in (*ABOUT_RUNS, "runs"):
        tx.execute(_of("moving_in", table))
        tx.execute(_of("moved_in", table))


def _forget_gone(tx: Transaction) -> None:
    sql = load_sql("withdrawals")
    tx.execute(sql["forget_rows"])
    tx.execute(sql["forget_touched"])


def _of(step: str, table: str) -> str:
    return load_sql("withdrawals")[step].replace("/* table */", table)


def _told(step: str) -> str:
    sql = load_sql("withdrawals")
    return sql[step].replace("/* told */", sql["told"])


def _found(tx: Transaction, import_id: str) -> dict[str, Any]:
    found = tx.row(load_sql("queries/imports")["one"], {"import_id": import_id})
    if not found:
        raise NotFound(f"{import_id}: no such import: choose one under Ingest, or one that `imports` lists")
    return found


def _read(row: dict[str, Any]) -> dict[str, Any]:
    """An import with what is kept as JSON as values."""
    return row | {name: json.loads(row[name] or "null") for name in PACKED if name in row}


def _brought(tx: Transaction, import_id: str) -> Brought:
    return Brought(**(tx.row(load_sql("queries/imports")["brought"], {"import_id": import_id}) or {}))
