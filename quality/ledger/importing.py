"""How does an artifact get into the ledger? One transaction, all or nothing, keyed by its SHA-256."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quality.commands import RUNS_NAMED, ImportArtifact, Imported, RejectedRecord, RunRef
from quality.errors import Conflict, NotFound, QualityError
from quality.ledger import advancing
from quality.ledger.acceptance import doubts, store_acceptances
from quality.ledger.caller import BESIDES, only_callers_word, stated_besides, with_callers_word
from quality.ledger.ratings import refuse_future
from quality.ledger.recompute import recompute_touched, score_new_runs
from quality.ledger.responses_scoring import refresh
from quality.ledger.restoring import restore
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Transaction
from quality.ledger.story_identity import corrected
from quality.ledger.withdrawals import bring_named_back
from quality.observations import SCHEMAS, Batch
from quality.readers.base import Artifact, Reading, Target
from quality.readers.formats import read_artifact, reader_of
from quality.readers.full_jsonl import FORMAT as FULL_FORMAT
from quality.settings import Settings

FLUSH_ROWS = 150_000
"""Observed runs that are gathered before they are written."""
RATINGS = ("verdicts", "overrides")
STORY_DETAILS = tuple(name for name in SCHEMAS["stories"].names if name not in ("story_id", "line", "occurred_at"))
RUN_FACTS = ("model_at_dispatch", "model_at_completion", "split_model", "attributes", "occurred_at")
"""What a run fact can state besides the start. A statement on one small file costs as much as reading the file, so what
a batch does not state is not asked of the database."""
USEFUL = ("stories", "runs", "signals", "verdicts", "overrides", "evaluations", "responses", "feedback", "duplicates")
"""Counts of what an artifact can be good for."""
WITHDRAWN = (
    "{label}: this file was brought in before, and that import was withdrawn: reinstate import {import_id}, or store the "
    "file as a new import (--again)"
)
SHOWN_REJECTS = 1_000
"""Rejects in the answer; all are kept in the ledger."""


def import_artifact(tx: Transaction, command: ImportArtifact, settings: Settings) -> Imported:
    """Read one file and store what it says.

    Raises:
        NotFound: there is no such file.
        QualityError: it cannot be read, or is larger than `limits.artifact_bytes`.
        Conflict: an import of it was withdrawn, and `again` is not stated.
    """
    refuse_future("started_at", command.started_at, tx.now, "when the run began")
    artifact = _opened(Path(command.path), command.label or command.path, settings)
    target = Target(command.story_id, command.agent, command.model_version, command.attempt)
    run = vars(target) | _scales(artifact)
    key = {"sha256": artifact.sha256, "target": json.dumps(run | stated_besides(command), sort_keys=True)}
    found = tx.rows(load_sql("importing")["find_imports"], {"sha256": artifact.sha256})
    of_run = [row for row in found if _run_of(row["target"]) == run]
    stored = [row for row in of_run if not row["withdrawn"]]
    if of_run and not stored and not command.again:
        raise Conflict(WITHDRAWN.format(label=artifact.label, import_id=of_run[0]["import_id"]))
    same = next((row for row in stored if row["target"] == key["target"]), None)
    if same and not command.accept_old:
        return _unchanged(tx, artifact, same)
    return _Import(tx, command, settings, artifact, key, stored).run(target)


def _run_of(target: str) -> dict:
    """The stored target without what the caller stated besides."""
    return {name: value for name, value in json.loads(target).items() if name not in BESIDES}


def _unchanged(tx: Transaction, artifact: Artifact, known: dict) -> Imported:
    wanted = {"import_id": known["import_id"], "limit": RUNS_NAMED}
    run_ids = [row["run_id"] for row in tx.rows(load_sql("importing")["runs_of_import"], wanted)]
    counts = dict.fromkeys(json.loads(known["counts"]), 0)
    return Imported(
        path=artifact.label, format=known["format"], sha256=artifact.sha256, status="unchanged", counts=counts,
        runs=_named(tx, run_ids)[0],
    )  # fmt: skip


def _named(tx: Transaction, run_ids: list[str]) -> tuple[list[RunRef], bool]:
    """The runs in the given order, and whether it is known of any when it began."""
    found = {row["run_id"]: row for row in tx.rows(load_sql("importing")["named_runs"], {"run_ids": run_ids})}
    is_dated = [row.pop("is_dated") for row in found.values()]
    return [RunRef(**found[run_id]) for run_id in run_ids if run_id in found], any(is_dated)


class _Import:
    """One artifact on its way in."""

    def __init__(
        self, tx: Transaction, command: ImportArtifact, settings: Settings, artifact: Artifact, key: dict, stored: list[dict]
    ) -> None:  # fmt: skip
        self._tx = tx
        self._command = command
        self._stored = stored
        """Its imports for this run so far: what it says is in the ledger, only the caller's word may be news."""
        self._sql = load_sql("importing")
        self._settings = settings
        self._artifact = artifact
        self._key = key
        import_id = str(tx.value(self._sql["new_id"]))
        self._stamp = {"now": tx.now, "actor": command.actor, "import_id": import_id}
        self._counts = dict.fromkeys(
            ("stories", "runs", "signals", "verdicts", "overrides", "duplicates", "rejects"), 0
        )
        self._offered = 0
        self._rejects: list[RejectedRecord] = []
        self._warnings: list[str] = []
        self._run_ids: list[str] = []
        self._has_corrections = bool(tx.value(corrected("has_corrections")))
        """Whether people corrected any story: what is read may be of one."""

    def run(self, target: Target) -> Imported:
        self._tx.execute(load_sql("recompute")["touch_none"])
        if self._command.accept_old:
            self._tx.execute(load_sql("acceptances")["none_yet"])
        reading = read_artifact(self._artifact, target)
        if reading.format != FULL_FORMAT:
            self._store_all(reading)
        elif not self._stored:
            self._restore(reading)
        accepted = store_acceptances(self._tx, self._command.actor) if self._command.accept_old else 0
        recompute_touched(self._tx, self._settings.scoring)
        runs, is_dated = _named(self._tx, self._run_ids)
        if is_dated:
            self._warnings += doubts(self._tx, [row["import_id"] for row in self._stored] or [self._stamp["import_id"]])
        status = self._kept(reading.format, accepted)
        return Imported(
            path=self._artifact.label, format=reading.format, sha256=self._artifact.sha256, status=status,
            counts=self._counts, rejects=self._rejects, warnings=self._warnings, runs=runs,
        )  # fmt: skip

    def _kept(self, format_name: str, accepted: int) -> Literal["imported", "unchanged", "rejected"]:
        """Record the import, if it is news."""
        if any(row["target"] == self._key["target"] for row in self._stored):
            return "imported" if accepted else "unchanged"
        useful = self._stored or any(self._counts.get(name) for name in USEFUL)
        status = "rejected" if self._counts["rejects"] and not useful else "imported"
        if status == "rejected" and self._tx.row(self._sql["find_rejected_import"], self._key):
            self._tx.execute(self._sql["drop_repeated_rejects"], {"import_id": self._stamp["import_id"]})
        else:
            self._record(format_name, status)
        return status

    def _restore(self, reading: Reading) -> None:
        counts, rejects = restore(self._tx, reading.batches, self._warnings)
        self._counts |= counts
        restored = self._tx.table(load_sql("restoring")["restored_responses"])["response_id"]
        refresh(self._tx, restored, self._settings.responses, "settings", self._command.actor)
        self._run_ids = [row["run_id"] for row in self._tx.rows(self._sql["runs_of_restored"], {"limit": RUNS_NAMED})]
        with self._tx.seeing(batch_rejects=rejects):
            self._tx.execute(self._sql["add_rejects"], self._stamp)
        shown = rejects.slice(0, SHOWN_REJECTS).select(["line", "reason", "value"]).to_pylist()
        self._rejects += [RejectedRecord(**reject) for reject in shown]

    def _store_all(self, reading: Reading) -> None:
        batches = with_callers_word(reading.batches, self._command)
        for tables in _ahead(_gathered(batches, self._warnings)):
            if self._stored:
                self._store_callers_word(tables)
            else:
                self._store(tables)
        self._counts["duplicates"] = self._offered - sum(self._counts[name] for name in ("signals", *RATINGS))

    def _store_callers_word(self, tables: dict[str, pa.Table]) -> None:
        known = only_callers_word(tables, self._command)
        with self._tx.seeing(**_lent(known)):
            self._store_stories(known["stories"])
            self._counts["runs"] += self._store_runs(known["runs"])
            self._note_acceptances(known["signals"])
            self._tx.execute(self._sql["touch_runs"])

    def _store(self, tables: dict[str, pa.Table]) -> None:
        tx, sql = self._tx, self._sql
        advancing.tell(self._offered + sum(tables[name].num_rows for name in ("signals", *RATINGS)))
        with tx.seeing(**_lent(tables)):
            self._store_stories(tables["stories"])
            new_runs = self._store_runs(tables["runs"])
            # Runs that only this batch knows, each rated once at most: nothing can repeat, and nothing need be read back.
            fresh = new_runs == tables["runs"].num_rows and all(_once_a_run(tables[name]) for name in RATINGS)
            fresh = fresh and not (self._has_corrections and tx.value(corrected("batch_is_corrected")))
            present = {name for name, table in tables.items() if table.num_rows}  # an empty insert takes 3–9 ms too
            for name in ("signals", *RATINGS):
                if name in present:
                    self._counts[name] += tx.value(sql[f"add_new_{name}" if fresh else f"add_{name}"], self._stamp)
            for name in ("evidence", "rejects"):
                if name in present:
                    tx.execute(sql[f"add_{name}"], self._stamp)
            self._note_acceptances(tables["signals"])
            if fresh and new_runs:
                score_new_runs(tx, tables, self._settings.scoring, self._command.accept_old)
            else:
                tx.execute(sql["touch_runs"])
            if self._has_corrections:
                tx.execute(corrected("leave_out_corrected"), {"import_id": self._stamp["import_id"]})
                tx.execute(corrected("touch_merged"))
        self._counts["runs"] += new_runs
        self._counts["rejects"] += tables["rejects"].num_rows
        self._offered += sum(tables[name].num_rows for name in ("signals", "verdicts", "overrides"))
        room = SHOWN_REJECTS - len(self._rejects)
        shown = tables["rejects"].slice(0, room).select(["line", "reason", "value"]).to_pylist()
        self._rejects += [RejectedRecord(**reject) for reject in shown]

    def _note_acceptances(self, signals: pa.Table) -> None:
        if self._command.accept_old and signals.num_rows:
            self._tx.execute(load_sql("acceptances")["add_read"])

    def _store_runs(self, runs: pa.Table) -> int:
        """Find or start the batch's runs and keep what is stated of them; returns how many are new."""
        tx, sql = self._tx, self._sql
        self._match_runs()
        if bring_named_back(tx, self._stamp):
            self._match_runs()
        new = tx.value(sql["name_new_runs"])
        if new:
            tx.execute(sql["add_runs"], self._stamp)
        tx.execute(sql["identify_runs"])
        if _states(runs, RUN_FACTS):
            tx.execute(sql["add_run_facts"], self._stamp)
        if runs["started_at"].null_count < runs.num_rows:
            tx.execute(sql["add_run_starts"], self._stamp)
        if room := RUNS_NAMED - len(self._run_ids):
            found = [row["run_id"] for row in tx.rows(sql["runs_of_part"], {"limit": RUNS_NAMED})]
            self._run_ids += [run_id for run_id in found if run_id not in self._run_ids][:room]
        return new

    def _match_runs(self) -> None:
        self._tx.execute(self._sql["match_runs"])
        if self._has_corrections:
            self._tx.execute(corrected("match_merged"))

    def _store_stories(self, stories: pa.Table) -> None:
        step = "add_story_facts" if _states(stories, STORY_DETAILS) else "add_named_stories"
        if not stories.num_rows or not self._tx.value(self._sql[step]):
            return
        self._counts["stories"] += self._tx.value(self._sql["count_new_stories"])
        self._tx.execute(self._sql["insert_story_facts"], self._stamp)
        self._tx.execute(self._sql["touch_changed_stories"])
        if self._has_corrections:
            self._tx.execute(corrected("touch_told"))

    def _record(self, format_name: str, status: str) -> None:
        if self._counts["rejects"] > len(self._rejects):
            self._warnings.append(
                f"{self._counts['rejects']:,} records were rejected; the first {len(self._rejects):,} are listed"
            )
        details = {
            **self._stamp, **self._key, "label": self._artifact.label, "format": format_name, "status": status,
            "bytes": self._artifact.size, "counts": json.dumps(self._counts), "warnings": json.dumps(self._warnings),
        }  # fmt: skip
        self._tx.execute(self._sql["add_import"], details)


def _lent(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """What the statements read: the runs always, the others where there are any (to lend one takes 1 ms)."""
    return {f"batch_{name}": table for name, table in tables.items() if table.num_rows or name == "runs"}


def _states(table: pa.Table, names: Sequence[str]) -> bool:
    """Whether any of these columns states anything."""
    return any(table[name].null_count < table.num_rows for name in names)


def _once_a_run(ratings: pa.Table) -> bool:
    return pc.count_distinct(ratings["run"]).as_py() == ratings.num_rows


def _scales(artifact: Artifact) -> dict:
    """The scales in force, for an artifact that is read with them: with others it is worth reading again."""
    if not artifact.evaluations or not getattr(reader_of(artifact), "takes_scales", False):
        return {}
    return {"evaluations": {name: scale.model_dump() for name, scale in artifact.evaluations.items()}}


def _opened(path: Path, label: str, settings: Settings) -> Artifact:
    if not path.exists():
        raise NotFound(f"{label}: no such file: check the path")
    if path.is_dir():
        raise QualityError(f"{label}: is a folder: name the files in it")
    artifact = Artifact(path, label, settings.readers.evaluations)
    limit = settings.limits.artifact_bytes
    try:
        too_large = artifact.size > limit
        _ = artifact.head
    except OSError as error:
        raise QualityError(f"{label}: cannot be read ({error.strerror}): check its permissions") from error
    if too_large:
        raise QualityError(
            f"{label}: {artifact.size:,} bytes, but limits.artifact_bytes is {limit:,}: split the file or raise the limit"
        )
    return artifact


def _ahead(parts: Iterator[dict[str, pa.Table]]) -> Iterator[dict[str, pa.Table]]:
    """The same parts; the next one is read while the database works on this one."""
    with ThreadPoolExecutor(1, "read-ahead") as reader:
        coming = reader.submit(next, parts, None)
        while (part := coming.result()) is not None:
            coming = reader.submit(next, parts, None)
            yield part


def _gathered(batches: Iterator[Batch], warnings: list[str]) -> Iterator[dict[str, pa.Table]]:
    """Batches joined to about `FLUSH_ROWS` runs, with every table present; run numbers stay unique."""
    held: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}
    rows = 0
    for batch in batches:
        warnings += [w for w in batch.warnings if w not in warnings]
        for name, table in batch.tables.items():
            held[name].append(_shifted(table, rows))
        rows += batch.count("runs")
        if rows >= FLUSH_ROWS:
            yield _joined(held)
            held, rows = {name: [] for name in SCHEMAS}, 0
    if any(held.values()):
        yield _joined(held)


def _shifted(table: pa.Table, by: int) -> pa.Table:
    if by == 0 or "run" not in table.column_names:
        return table
    place = table.column_names.index("run")
    return table.set_column(place, "run", pc.add(table["run"], by))


def _joined(held: dict[str, list[pa.Table]]) -> dict[str, pa.Table]:
    return {
        name: (pa.concat_tables(tables) if tables else SCHEMAS[name].empty_table())
        if name != "runs" else _numbered(tables)
        for name, tables in held.items()
    }  # fmt: skip


def _numbered(tables: list[pa.Table]) -> pa.Table:
    runs = pa.concat_tables(tables) if tables else SCHEMAS["runs"].empty_table()
    return runs.append_column("run", pa.array(np.arange(runs.num_rows)))
