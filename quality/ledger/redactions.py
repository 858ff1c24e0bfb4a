"""How are words forgotten? Wherever they stand of what is meant, a mark takes their place; scores and numbers stay.

Every text column of the file is looked through, whatever table it is of, except for those that hold names and hashes
(quality/redaction.py); so a table that comes later is not forgotten. Then the file is written afresh (rewriting.py).
"""

import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic_core import to_json

from quality.errors import Conflict, NotFound, QualityError
from quality.ledger.backups import SUFFIX, folder_of
from quality.ledger.recompute import recompute_touched
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.ledger.story_identity import ids_of
from quality.redaction import LEAST_WITHIN, Words, is_name, words
from quality.redaction_commands import WHAT, ListRedactions, Redact, Redacted, Supposed, SupposeRedaction, Target
from quality.settings import Settings

OF_STORIES = ("title", "criteria")
LEAST: dict[str, int] = {"rejects": 4, "text": 1}
"""Kind → characters from which its texts are also taken out of longer ones, where that is not `LEAST_WITHIN`."""
APART = ("meta", "settings_sets", "response_settings", "response_scores", "story_survivors", "redactions")
"""Tables that hold nobody's words."""
DERIVED = ("ledger", "response_rows")
"""Tables that repeat others'; what stands there is not counted again."""
TEXTS_SHOWN, SHOWN = 20, 2_000
"""Texts that are shown before, and characters of each."""
KEY_BYTES = 32


@dataclass
class Scope:
    """What the words are looked for in. Nothing stated: everything."""

    runs: set[str] = field(default_factory=set)
    stories: set[str] = field(default_factory=set)
    imports: set[str] = field(default_factory=set)
    instants: set[datetime] = field(default_factory=set)
    """Writes, by when they were made."""
    everywhere: bool = False


@dataclass(frozen=True)
class Meant:
    """The words, where they are looked for, and the run or story that they are of."""

    words: Words
    scope: Scope
    run_id: str | None
    story_id: str | None


@dataclass(frozen=True)
class Change:
    """The values of one column that change."""

    table: str
    column: str
    changed: pa.Table
    """`place` (the row) and `value`, as it will be."""
    runs: set[str]
    stories: set[str]


def redact(tx: Transaction, command: Redact, settings: Settings) -> Redacted:
    """Take the words out, leave who did it and why, and bring the rows of the runs up to date.

    Raises:
        NotFound: there is nothing of that id, or the text stands nowhere.
        Conflict: there are no words to take out, as after the first time.
        QualityError: the reason repeats them.
    """
    meant = _meant(tx, command)
    for text in meant.words.texts:
        if len(text) >= LEAST_WITHIN and text in command.reason:
            raise QualityError("the reason repeats the words that are to be forgotten: say it in other words")
    taken = _take_out(tx, meant, settings)
    if not taken:
        raise NotFound(f"{WHAT[command.kind]}: it stands nowhere: nothing was changed")
    tx.execute(_sql("note_pending"))
    facts = _facts(tx, command, meant, taken)
    stone = {name: facts[name] for name in ("kind", "story_id", "texts", "characters", "places")}
    stone |= {"run_id": meant.run_id, "target": command.id, "keyed_hash": _keyed_hash(tx, meant.words)}
    stamp = {"reason": command.reason, "now": tx.now, "actor": command.actor}
    redaction_id = tx.value(_sql("add"), stone | stamp)
    return Redacted(
        **facts, redaction_id=redaction_id, remains=_remains(tx, meant.words) if meant.scope.everywhere else [],
        older_files=older_files(Path(tx.value(_sql("path")))),
    )  # fmt: skip


def suppose_redaction(store: Store, question: SupposeRedaction) -> dict[str, Any]:
    """What the redaction would take out, as `Supposed`.

    Raises:
        NotFound, Conflict: as `redact`.
    """
    with store.snapshot() as tx:
        meant = _meant(tx, question)
        found = {(change.table, change.column): change.changed.num_rows for change in _changes(tx, meant)}
        if not found:
            raise NotFound(f"{WHAT[question.kind]}: it stands nowhere")
        facts = _facts(tx, question, meant, found)
    shown = [text[:SHOWN] for text in meant.words.texts[:TEXTS_SHOWN]]
    return Supposed(**facts, shown=shown, older_files=older_files(store.path)).model_dump()


def list_redactions(store: Store, question: ListRedactions) -> dict[str, Any]:
    """`redactions`, the latest first."""
    with store.snapshot() as tx:
        stories = ids_of(tx, question.story_id) if question.story_id else None
        asked = {"run_id": question.run_id, "story_ids": stories, "limit": question.limit}
        return {"redactions": tx.rows(_sql("list"), asked)}


def redact_again(tx: Transaction, redaction_ids: list[str]) -> None:
    """Take out here what another ledger has forgotten, as far as it is known by its id. Its rows are the caller's to bring
    up to date: the runs are added to `touched`."""
    for kind, target in _named(tx, redaction_ids):
        try:
            meant = _meant(tx, Target(kind=kind, id=target))
        except (NotFound, Conflict):
            continue  # it came without the words
        _write_all(tx, meant)
        tx.execute(_sql("note_pending"))


def older_files(ledger: Path) -> list[str]:
    """Other files beside the ledger that hold an earlier state of it."""
    copies = ledger.parent.glob(f"{ledger.name}.before-*")
    backups = folder_of(ledger).glob(f"*{SUFFIX}*")
    return sorted(str(path) for path in (*copies, *backups) if path.is_file() and path.suffix != ".json")


def _named(tx: Transaction, redaction_ids: list[str]) -> Iterator[tuple[Any, str]]:
    for row in tx.rows(_sql("targets"), {"ids": redaction_ids}):
        yield row["kind"], row["target"]


def _meant(tx: Transaction, target: Target) -> Meant:
    if target.kind == "text":
        return Meant(words([target.text], LEAST["text"]), Scope(everywhere=True), None, None)
    assert target.id is not None, "the model has seen to it"
    ids = ids_of(tx, target.id) if target.kind in OF_STORIES else None
    found = tx.rows(_sql(f"of_{target.kind}"), {"ids": ids} if ids else {"id": target.id})
    if not found:
        raise NotFound(f"{target.id}: no such thing: {WHAT[target.kind]} is named by its id")
    texts = words([row["text"] for row in found], LEAST.get(target.kind, LEAST_WITHIN))
    if not texts.texts:
        raise Conflict(f"{target.id}: {WHAT[target.kind]}: there are no words, or they were redacted already")
    scope = Scope(
        runs={row["run_id"] for row in found if row["run_id"]}, stories=set(ids or ()),
        imports={row["import_id"] for row in found if row["import_id"]} if target.kind in ("evidence", "rejects") else set(),
        instants={row["recorded_at"] for row in found},
    )  # fmt: skip
    run_id = next((row["run_id"] for row in found if row["run_id"]), None)
    if ids:
        scope.runs |= {row["run_id"] for row in tx.rows(_sql("runs_of_stories"), {"ids": ids})}
    return Meant(texts, scope, run_id, ids[0] if ids else None)


def _take_out(tx: Transaction, meant: Meant, settings: Settings) -> dict[tuple[str, str], int]:
    """Change the values, and bring the rows that follow from them up to date; table and column → how many values."""
    tx.execute(load_sql("recompute")["touch_none"])
    taken = _write_all(tx, meant)
    recompute_touched(tx, settings.scoring)
    return taken


def _write_all(tx: Transaction, meant: Meant) -> dict[tuple[str, str], int]:
    taken: dict[tuple[str, str], int] = {}
    runs, stories = set(meant.scope.runs), set(meant.scope.stories)
    for change in _changes(tx, meant):
        with tx.seeing(changed=change.changed):
            tx.execute(_for("write", change.table, change.column))
        taken[change.table, change.column] = change.changed.num_rows
        runs |= change.runs
        stories |= change.stories
    if taken:
        tx.execute(_sql("touch"), {"runs": sorted(runs), "stories": sorted(stories)})
    return taken


def _changes(tx: Transaction, meant: Meant) -> Iterator[Change]:
    """Column by column, what changes in it."""
    for found in tx.rows(_sql("columns")):
        scope = _within(found["name"], found["columns"], meant.scope)
        if found["name"] in APART or scope is None:
            continue
        where, params = scope
        for column in found["texts"] or ():
            if is_name(column):
                continue
            places = {
                "/* run */": "run_id" if "run_id" in found["columns"] else "NULL::UUID",
                "/* story */": "story_id" if "story_id" in found["columns"] else "NULL::VARCHAR",
                "/* scope */": where,
            }
            statement = _for("holding", found["table"], column)
            for place, text in places.items():
                statement = statement.replace(place, text)
            change = _change(
                tx.rows(statement, {**params, "needles": meant.words.needles}), meant.words, found["table"], column
            )
            if change.changed.num_rows:
                yield change


def _change(rows: list[dict[str, Any]], taken: Words, table: str, column: str) -> Change:
    changed = [row | {"new": new} for row in rows if (new := taken.taken_from(column, row["value"])) != row["value"]]
    return Change(
        table, column,
        pa.table({"place": pa.array([row["place"] for row in changed], pa.int64()),
                  "value": pa.array([row["new"] for row in changed], pa.string())}),
        {str(row["run_id"]) for row in changed if row["run_id"]}, {row["story_id"] for row in changed if row["story_id"]},
    )  # fmt: skip


def _within(table: str, columns: list[str], scope: Scope) -> tuple[str, dict[str, Any]] | None:
    """The condition on the rows of a table with its parameters; `None` where nothing of it is meant."""
    if scope.everywhere:
        return "true", {}
    if table == "audit":
        names = [*scope.runs, *(to_json(story).decode() for story in scope.stories)]
        return _sql("within_audit"), {"instants": sorted(scope.instants), "names": sorted(names)}
    if table == "prompt_texts":
        return (_sql("within_prompt_texts"), {"stories": sorted(scope.stories)}) if scope.stories else None
    meant = {
        "run_id": ("runs", scope.runs),
        "story_id": ("stories", scope.stories),
        "import_id": ("imports", scope.imports),
    }
    used = {column: named for column, named in meant.items() if column in columns and named[1]}
    if not used:
        return None
    where = " OR ".join(_sql(f"within_{column}") for column in used)
    return where, {name: sorted(ids) for name, ids in used.values()}


def _facts(tx: Transaction, target: Target, meant: Meant, found: dict[tuple[str, str], int]) -> dict[str, Any]:
    texts, run = meant.words.texts, tx.row(_sql("run_of"), {"run_id": meant.run_id})
    places = sum(n for (table, _), n in found.items() if table.split(".")[-1] not in DERIVED)
    return {
        "kind": target.kind, "id": target.id, "run": run, "story_id": meant.story_id, "texts": len(texts),
        "characters": sum(map(len, texts)), "places": places,
    }  # fmt: skip


def _remains(tx: Transaction, taken: Words) -> list[str]:
    """Columns in which the text is part of a name: nothing is taken out of those."""
    (text,) = taken.texts
    return [
        f"{found['table']}.{column}"
        for found in tx.rows(_sql("columns"))
        for column in found["texts"] or ()
        if found["name"] not in APART and tx.value(_for("remaining", found["table"], column), {"text": text})
    ]


def _keyed_hash(tx: Transaction, taken: Words) -> str:
    """HMAC-SHA-256 of the texts, by a key that only this file has: it tells nothing to whoever has the hash alone."""
    key = tx.value(_sql("key"))
    if key is None:
        key = secrets.token_hex(KEY_BYTES)
        tx.execute(_sql("keep_key"), {"key": key})
    return hmac.digest(bytes.fromhex(key), to_json(taken.texts), "sha256").hex()


def _for(step: str, table: str, column: str) -> str:
    return _sql(step).replace("/* table */", table).replace("/* column */", column)


def _sql(name: str) -> str:
    return load_sql("redactions")[name]
