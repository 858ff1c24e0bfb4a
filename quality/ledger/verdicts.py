"""How is a review stored that a judge was asked for? Like one from a file: an import with its verdict, or its reject.

The judge has answered before: nothing here waits for a network.
"""

import hashlib
import json
import re
from typing import Any

import pyarrow as pa

from quality.catalogue import canonical_model
from quality.commands import AddVerdict, RejectedRecord, RunChoice, ShowRun, VerdictStored
from quality.errors import NotFound
from quality.judging import SCRIPTED
from quality.ledger.queries import run as opened_run
from quality.ledger.queries import story_facts
from quality.ledger.ratings import find_row, no_such_run, reference, refuse_unknown_story
from quality.ledger.recompute import recompute_run
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.observations import SCHEMAS, Batch, Reject
from quality.readers.base import Target
from quality.readers.review import ReviewReader, read_review
from quality.readers.rows import SHOWN_VALUE
from quality.settings import Settings
from quality.verifying import family_warning

CUT = (
    "the review was cut at the most tokens allowed, so its block is missing or unfinished: ask again, or another model"
)
SNAPSHOT = re.compile(r"[-@]\d{4}-?\d{2}-?\d{2}$")
"""At the end of a model id: the day it is of."""
STORED = ("verdicts", "evidence", "rejects")
USED = (
    "backend", "verifier_model", "prompt_version", "diff_sha256", "input_tokens", "output_tokens", "latency_ms",
    "stop_reason", "cost_usd",
)  # fmt: skip
"""What is kept of the question, beside the review."""


def add_verdict(tx: Transaction, command: AddVerdict, settings: Settings) -> VerdictStored:
    """Store what the review says of the run, and bring the run's row up to date.

    A simulated verdict touches no row.

    Raises:
        NotFound: the story, or a run of it that fits, is not known.
    """
    row = find_row(tx, command)
    if row is None:
        refuse_unknown_story(tx, command.story_id)
        raise NotFound(no_such_run(tx, command))
    simulated = SCRIPTED in (command.backend, command.verifier_model.strip().lower())
    read = _read(command, row)
    tables = {name: read.tables.get(name, SCHEMAS[name].empty_table()) for name in STORED}
    claimed = tables["verdicts"]["verifier_model"][0].as_py() if tables["verdicts"].num_rows else None
    tables["verdicts"] = _by_who_answered(tables["verdicts"], command, simulated)
    warnings = _warnings(command, row, claimed, simulated, settings)
    import_id = _store(tx, command, row, tables, warnings)
    found = tx.row(load_sql("verdicts")["verdict_of_import"], {"import_id": import_id})
    if found and not simulated:
        row = recompute_run(tx, row["run_id"], settings.scoring)
    return VerdictStored(
        run=reference(row), verifier_agent=command.verifier_agent, verifier_model=command.verifier_model,
        simulated=simulated, warnings=warnings, row=row,
        rejects=[RejectedRecord(**reject) for reject in tables["rejects"].select(["line", "reason", "value"]).to_pylist()],
        **(found or {"verdict_id": None}),
    )  # fmt: skip


def show_run(store: Store, question: ShowRun) -> dict[str, Any]:
    """`run` as `queries.run` opens it, and `story`, what is known of it.

    Raises:
        NotFound: the story, or a run of it that fits, is not known.
    """
    with store.snapshot() as tx:
        row = find_row(tx, question)
        if row is None:
            refuse_unknown_story(tx, question.story_id)
            raise NotFound(no_such_run(tx, question))
    story = story_facts(store, question.story_id)
    return {"run": opened_run(store, row["run_id"]), "story": {k: v for k, v in story.items() if k != "facts"}}


def _read(command: AddVerdict, row: dict[str, Any]) -> Batch:
    """By the reader of every other review; the run is named, so that the review cannot name another."""
    if command.truncated:
        return Batch.of(Reject(line=None, reason=CUT, value=command.review[:SHOWN_VALUE]))
    target = Target(row["story_id"], row["agent"], row["model_version"], row["attempt"])
    return read_review(command.review, target)


def _by_who_answered(verdicts: pa.Table, command: AddVerdict, simulated: bool) -> pa.Table:
    """The verdict with the verifier that is known, in place of the one that the review names."""
    known = {
        "verifier_agent": command.verifier_agent,
        "verifier_model": command.verifier_model,
        "simulated": simulated,
    }
    for name, value in known.items():
        place = verdicts.column_names.index(name)
        kind = verdicts.schema.field(name)
        verdicts = verdicts.set_column(place, kind, pa.repeat(pa.scalar(value, kind.type), verdicts.num_rows))
    return verdicts


def _warnings(
    command: AddVerdict, row: dict[str, Any], claimed: str | None, simulated: bool, settings: Settings
) -> list[str]:
    found = []
    models = settings.scoring.models
    if not simulated and (shared := family_warning(row["model_version"], command.verifier_model, models)):
        found.append(shared)
    if claimed and _plain(claimed, models.aliases) != _plain(command.verifier_model, models.aliases):
        found.append(f"the review says it is by {claimed}: stored is {command.verifier_model}, which answered")
    return found


def _plain(model: str, aliases: dict[str, str]) -> str:
    """The name that two spellings share; the date of a snapshot makes no other model."""
    return SNAPSHOT.sub("", canonical_model(model.strip(), aliases).lower())


def _store(
    tx: Transaction, command: AddVerdict, row: dict[str, Any], tables: dict[str, pa.Table], warnings: list[str]
) -> str:
    sql = load_sql("importing")
    stamp = {"now": tx.now, "actor": command.actor, "import_id": str(tx.value(sql["new_id"]))}
    counts = {name: tables[name].num_rows for name in ("verdicts", "rejects")}
    raw = command.review.encode("utf-8", "replace")
    tx.execute(load_sql("verdicts")["name_run"], {"run_id": row["run_id"]})
    with tx.seeing(**{f"batch_{name}": table for name, table in tables.items()}):
        for step in ("add_new_verdicts", "add_evidence", "add_rejects"):
            tx.execute(sql[step], stamp)
    named = {name: row[name] for name in RunChoice.model_fields}
    details = {
        **stamp, "sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw), "format": ReviewReader.format,
        "target": json.dumps(named | {name: getattr(command, name) for name in USED}, sort_keys=True),
        "label": f"review by {command.verifier_model} ({command.prompt_version})",
        "status": "imported" if counts["verdicts"] else "rejected", "counts": json.dumps(counts),
        "warnings": json.dumps(warnings),
    }  # fmt: skip
    tx.execute(sql["add_import"], details)
    return stamp["import_id"]
