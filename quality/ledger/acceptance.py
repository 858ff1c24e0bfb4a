"""Is a report from before the run's start of that run? Only when somebody says so: the word is kept with who gave it."""

from typing import Any

from quality.commands import RUNS_NAMED, AcceptReport, ReportAccepted, RunRef
from quality.errors import NotFound
from quality.ledger.recompute import recompute_touched
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.resolution import OLDER_BY
from quality.settings import Settings

OLDER = (
    "a report from more than an hour before the run began ({older:,} of its readings): stored, not scored until somebody "
    "confirms that it is of the run (--accept-old)"
)
UNDATED = "the report states no time (with zone): that it is of this run cannot be checked"


def accept_report(tx: Transaction, command: AcceptReport, settings: Settings) -> ReportAccepted:
    """Let an artifact count for its runs whatever its time; a second word adds nothing.

    Raises:
        NotFound: no such import, or it has no readings of that run.
    """
    sql = load_sql("acceptances")
    wanted = {"import_id": command.import_id, "run_id": command.run_id}
    if not tx.row(sql["import_exists"], {"import_id": command.import_id}):
        raise NotFound(f"{command.import_id}: no such import: take the import_id of a reading from `show --json`")
    tx.execute(sql["runs_of_import"], wanted)
    tx.execute(load_sql("recompute")["touch_none"])
    store_acceptances(tx, command.actor)
    recompute_touched(tx, settings.scoring)
    runs = [RunRef(**row) for row in tx.rows(sql["accepted_runs"], {"limit": RUNS_NAMED})]
    if not runs:
        of = f" of run {command.run_id}" if command.run_id else ""
        raise NotFound(f"{command.import_id}: has no readings{of}: there is nothing to confirm")
    return ReportAccepted(import_id=command.import_id, runs=runs)


def store_acceptances(tx: Transaction, actor: str) -> int:
    """Keep what `accepting` names and is not kept yet; its runs are added to `touched`. Returns how many are new."""
    sql = load_sql("acceptances")
    tx.execute(sql["add_acceptances"], {"actor": actor, "now": tx.now})
    tx.execute(sql["touch_accepted"], {"now": tx.now})
    return tx.value(sql["count_accepted"], {"now": tx.now})


def doubts(tx: Transaction, import_ids: list[Any]) -> list[str]:
    """Warnings: readings of these imports that are older than their run, or cannot be compared with its start."""
    found = tx.row(load_sql("acceptances")["doubts"], {"import_ids": import_ids, "margin": OLDER_BY})
    warnings = [OLDER.format(older=found["older"])] if found["older"] else []
    return warnings + ([UNDATED] if found["undated"] else [])
