"""How is the ledger kept safe? `backup` writes it to a file while it is used, `restore` checks one and puts it in its place."""

from pathlib import Path
from typing import Annotated, Any

import typer

from quality.activity_words import label_of, some
from quality.backup_commands import BackUp, CheckBackup, ListBackups, Restore, Restored
from quality.cli.agreeing import agree
from quality.cli.output import UNKNOWN, instant, print_json, say, table, tell
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.commands import Examine
from quality.errors import LedgerUnusable
from quality.ledger.backup_restoring import restore_unopened
from quality.ledger.backups import SUFFIX, folder_of

BACKUP_EXAMPLES = """\b
Examples:
  python -m quality backup
  python -m quality backup /mnt/safe/ --json
  python -m quality backup --list
Also with the dashboard open: the process that holds the ledger writes the file.
"""
RESTORE_EXAMPLES = """\b
Examples:
  python -m quality restore ledger-20260301T093000Z.duckdb
  python -m quality restore /mnt/safe/ledger-20260301T093000Z.duckdb --yes --json
What is replaced is kept among the backups, so a restore can be taken back by another.
"""
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
REPLACES = "restore replaces the ledger"
MEGA = 1_000_000


def backup(
    context: typer.Context,
    path: Annotated[
        Path | None,
        typer.Argument(help="A new file, or a folder. Else the folder backups beside the ledger.", show_default=False),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the backups beside the ledger instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the whole ledger to a file of its own, checked after writing. It never overwrites."""
    invocation: Invocation = context.obj
    with invocation.door("backup") as door:
        if listed:
            found = door.ask(build(ListBackups, actor=caller()))
            print_json(found) if as_json else _list(found)
            return
        target = str(path.resolve()) if path else None
        done = door.execute(build(BackUp, actor=caller(), path=target))
    if as_json:
        print_json(done)
        return
    say(f"Backed up {some(done.runs, 'runs')} and {some(done.writes, 'writes')}, {_size(done.bytes)}, to")
    say(done.path)
    tell(f"SHA-256 {done.sha256}")


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The backup; one beside the ledger by its name alone.")],
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask: what was written since the backup is left out.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Replace the ledger by a backup, after checking it. What it replaces is kept."""
    invocation: Invocation = context.obj
    path = _found(invocation, file)
    unopened = _why_not_open(invocation)
    done = _unopened(invocation, path, unopened, yes) if unopened else _opened(invocation, path, yes)
    if as_json:
        print_json(done)
        return
    say(f"Restored {done.name}: {some(done.runs, 'runs')}, {some(done.writes, 'writes')}")
    if done.schema_before != done.schema_version:
        tell(f"it was brought from schema {done.schema_before} to {done.schema_version}; the backup is as it was")
    if done.kept:
        say(f"What it replaced is kept: {done.kept}")


def _opened(invocation: Invocation, path: str, yes: bool) -> Any:
    with invocation.door("restore") as door:
        found = door.ask(build(CheckBackup, actor=caller(), path=path))
        _tell_difference(found)
        agree(yes, "Replace the ledger by this backup?", REPLACES)
        return door.execute(build(Restore, actor=caller(), path=path, most_lost=found["lost"]))


def _unopened(invocation: Invocation, path: str, reason: str, yes: bool) -> Restored:
    tell(reason)
    agree(yes, "Put this backup there?", REPLACES)
    wait = invocation.loaded.values.limits.lock_seconds
    return restore_unopened(invocation.ledger, build(Restore, actor=caller(), path=path), wait)


def _why_not_open(invocation: Invocation) -> str | None:
    """Why there is nothing to compare a backup with; `None` where a ledger can be opened."""
    if not invocation.ledger.exists():
        return f"{invocation.ledger}: there is no ledger yet"
    try:
        with invocation.door("restore") as door:
            door.ask(build(Examine, actor=caller()))
    except LedgerUnusable as error:
        return str(error)
    return None


def _found(invocation: Invocation, file: Path) -> str:
    beside = folder_of(invocation.ledger.resolve()) / file
    return str(beside if not file.exists() and beside.exists() else file.resolve())


def _tell_difference(found: dict[str, Any]) -> None:
    for name, state in ((found["name"], found["backup"]), ("the ledger now", found["ledger"])):
        last = instant(state["last_write"]) or UNKNOWN
        tell(f"{name}: {some(state['runs'], 'runs')}, {some(state['writes'], 'writes')}, the last {last} UTC")
    if not found["lost"]:
        tell("nothing that was written since would be lost")
        return
    kinds = ", ".join(f"{count:,} × {label_of(kind).lower()}" for kind, count in found["lost_kinds"].items())
    tell(f"it would lose {some(found['lost'], 'writes')}: {kinds}")
    if found["forgotten"]:
        tell("! what was redacted in them would be in the ledger again: redact it anew")
    for one in found["lost_writes"]:
        tell(f"  {instant(one['recorded_at'])} {one['actor']} {one['words']}")
    if len(found["lost_writes"]) < found["lost"]:
        tell(f"  and {found['lost'] - len(found['lost_writes']):,} before them")


def _list(found: dict[str, Any]) -> None:
    rows = (
        [instant(b["made_at"]), b["name"], b["runs"], b["writes"], _size(b["bytes"]), b["actor"]]
        for b in found["backups"]
    )
    table(["made (UTC)", f"file in {found['folder']}", "runs", "writes", "size", "by"], rows)
    if not found["backups"]:
        tell(f"no {SUFFIX} file lies in {found['folder']} yet")


def _size(count: int) -> str:
    return f"{count / MEGA:,.1f} MB"
