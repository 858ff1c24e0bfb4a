"""How does a full export become a ledger again? Its records are added with the ids, times and actors they had.

What is there already, by id, is left alone; so a backup can be restored over a ledger that has part of it.
"""

from collections.abc import Iterator

import pyarrow as pa

from quality.ledger.redactions import redact_again
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.ledger.story_identity import corrected, refresh_survivors
from quality.ledger.withdrawals import everything_back, settle_anew
from quality.observations import SCHEMAS, Batch
from quality.readers.full_jsonl import PREFIX, TABLES

COUNTED = {
    "signal_readings": "signals",
    "verdicts": "verdicts",
    "overrides": "overrides",
    "runs": "runs",
    "evaluations": "evaluations",
    "responses": "responses",
    "response_feedback": "feedback",
    "rankings": "rankings",
}
"""Table of the ledger → its name among the counts of an import."""
ABOUT_RUNS = (
    "run_facts", "attestations", "report_acceptances", "signal_readings", "verdicts", "overrides", "evidence",
    "review_list", "review_draws",
)  # fmt: skip
ABOUT_RESPONSES = ("responses", "response_feedback", "response_scores", "response_regressions")


def restore(tx: Transaction, batches: Iterator[Batch], warnings: list[str]) -> tuple[dict[str, int], pa.Table]:
    """Add what is missing; fills `touched` with the runs it is about, `restored_responses` with the responses.

    Returns the counts and the rejects.

    A run that is known under another id, with the same key, keeps the id it has here; what the file says of it
    is added to it. A record about a run that is neither in the file nor in the ledger is a reject.
    """
    sql = load_sql("restoring")
    for step in ("no_aliases", "stories_before", "no_restored_responses"):
        tx.execute(sql[step])
    everything_back(tx)
    known = {row["redaction_id"] for row in tx.rows(sql["redaction_ids"])}
    added, offered = dict.fromkeys(TABLES, 0), 0
    rejects: list[pa.Table] = [SCHEMAS["rejects"].empty_table()]
    for batch in batches:
        rejects += [batch.tables["rejects"]] if "rejects" in batch.tables else []
        for name in TABLES:
            if part := batch.tables.get(PREFIX + name):
                added[name] += _add(tx, name, part)
                offered += part.num_rows
    if added["story_edits"] or added["story_merges"] or tx.value(corrected("has_corrections")):
        refresh_survivors(tx)
        tx.execute(corrected("touch_all_corrected"))
    aliases = tx.value(sql["count_aliases"])
    if aliases:
        warnings.append(f"{aliases:,} runs are here under another id already: what the file says was added to them")
        for name in ABOUT_RUNS:
            tx.execute(sql[f"follow_aliases_{name}"])
        tx.execute(sql["touch_aliases"])
    for name in ABOUT_RUNS:
        rejects.append(tx.table(sql[f"orphans_{name}"]).cast(SCHEMAS["rejects"]))
        tx.execute(sql[f"drop_orphans_{name}"])
        added[name] -= rejects[-1].num_rows
    tx.execute(sql["forget_untouchable"])
    if added["redactions"]:
        redact_again(
            tx, [row["redaction_id"] for row in tx.rows(sql["redaction_ids"]) if row["redaction_id"] not in known]
        )
    found = pa.concat_tables(rejects)
    counts = {counted: added[name] for name, counted in COUNTED.items()}
    counts |= {"stories": tx.value(sql["count_new_stories"]), "rejects": found.num_rows}
    settle_anew(tx)
    return counts | {
        "duplicates": offered - sum(added.values()) - sum(t.num_rows for t in rejects[-len(ABOUT_RUNS) :])
    }, found


def _add(tx: Transaction, name: str, part: pa.Table) -> int:
    sql = load_sql("restoring")
    before = tx.value(sql[f"count_{name}"])
    with tx.seeing(part=part.append_column("place", pa.array(range(part.num_rows)))):
        if name == "runs":
            tx.execute(sql["note_aliases"])
        tx.execute(sql[f"add_{name}"])
        if name == "story_facts":
            tx.execute(sql["touch_stories"])
        elif name == "runs" or name in ABOUT_RUNS:
            tx.execute(sql["touch_runs"])
        elif name in ABOUT_RESPONSES:
            tx.execute(sql["note_responses"])
    return tx.value(sql[f"count_{name}"]) - before
