"""What was brought in, and how is it taken back? `imports` lists it, `withdraw` and `reinstate` change whether it counts."""

from pathlib import PurePath
from typing import Annotated, Any
from uuid import UUID

import typer

from quality.activity_words import some
from quality.cli.agreeing import agree
from quality.cli.output import UNKNOWN, instant, print_json, say, table, tell
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.client import Door
from quality.correction_commands import Brought, ListImports, ReinstateImport, ShowImport, WithdrawImport
from quality.correction_words import brought, changes
from quality.errors import NotFound, QualityError

IMPORTS_EXAMPLES = """\b
Examples:
  python -m quality imports
  python -m quality imports --file junit --json
  python -m quality imports results/junit.xml
With a file or an id it shows one import, and what would be without it.
"""
WITHDRAW_EXAMPLES = """\b
Examples:
  python -m quality withdraw results/junit.xml --reason "of another branch"
  python -m quality withdraw 0198c0de-0000-7000-8000-000000000001 --reason "twice" --yes --json
Nothing is thrown away: `reinstate` brings all of it back.
"""
REINSTATE_EXAMPLES = """\b
Examples:
  python -m quality reinstate results/junit.xml
  python -m quality reinstate 0198c0de-0000-7000-8000-000000000001 --reason "it was ours" --json
"""
DEFAULT_LIMIT = 100
NAMED = 5
"""Imports of one file that a refusal names."""
Which = Annotated[str, typer.Argument(metavar="IMPORT", help="The import by its id, or by its file where that is one.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def imports(
    context: typer.Context,
    which: Annotated[
        str | None, typer.Argument(metavar="IMPORT", help="One import by id or file.", show_default=False)
    ] = None,
    file: Annotated[str | None, typer.Option(help="Only files whose name contains this.", show_default=False)] = None,
    withdrawn: Annotated[
        bool | None,
        typer.Option("--withdrawn/--counting", help="Only what is withdrawn, or only what counts.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, max=1000, help="At most so many.")] = DEFAULT_LIMIT,
    offset: Annotated[int, typer.Option(min=0, help="Leave out so many first.")] = 0,
    as_json: AsJson = False,
) -> None:
    """The files that were brought in, the latest first, with what became of each."""
    invocation: Invocation = context.obj
    with invocation.door("imports") as door:
        if which is not None:
            found = _shown(door, which)
        else:
            asked = {"file": file, "withdrawn": withdrawn, "limit": limit, "offset": offset}
            found = door.ask(build(ListImports, actor=caller(), **asked))
    if as_json:
        print_json(found)
    elif which is not None:
        _show(found)
    else:
        _list(found)


def withdraw(
    context: typer.Context,
    which: Which,
    reason: Annotated[str, typer.Option(help="Why, for whoever asks later.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: AsJson = False,
) -> None:
    """Let nothing that an import brought count any more; it is set aside whole, and can be reinstated."""
    invocation: Invocation = context.obj
    with invocation.door("withdraw") as door:
        found = _shown(door, which)
        command = build(WithdrawImport, actor=caller(), import_id=found["import_id"], reason=reason)
        if not found["withdrawn"]:  # else the ledger says so
            _tell_changes(found)
            agree(yes, "Withdraw it?", f"{found['label']}: was not withdrawn")
        done = door.execute(command)
    if as_json:
        print_json(done)
    else:
        say(f"Withdrawn: {done.label}. {_gone(done.brought)} Back by: reinstate {done.import_id}")


def reinstate(
    context: typer.Context,
    which: Which,
    reason: Annotated[str | None, typer.Option(help="Why, for whoever asks later.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Let what a withdrawn import brought count again, as if it had never been withdrawn."""
    invocation: Invocation = context.obj
    with invocation.door("reinstate") as door:
        import_id = _shown(door, which)["import_id"]
        done = door.execute(build(ReinstateImport, actor=caller(), import_id=import_id, reason=reason))
    if as_json:
        print_json(done)
    else:
        say(f"Reinstated: {done.label}. It speaks of {some(done.runs, 'runs')}; back: {done.runs_back:,}.")


def _shown(door: Door, which: str) -> dict[str, Any]:
    return door.ask(build(ShowImport, actor=caller(), import_id=_id_of(door, which)))


def _id_of(door: Door, which: str) -> str:
    """The import that is meant: by its id, else the only one of a file of that name or path."""
    if _is_id(which):
        return which
    found = door.ask(build(ListImports, actor=caller(), file=which))["imports"]
    fits = [one for one in found if which in (one["label"], PurePath(one["label"]).name)]
    if len(fits) == 1:
        return fits[0]["import_id"]
    if not fits:
        raise NotFound(f"{which}: no such import: give a file or an id that `imports` lists")
    ids = ", ".join(f"{one['import_id']} ({instant(one['recorded_at'])})" for one in fits[:NAMED])
    raise QualityError(f"{which}: {len(fits)} imports are of such a file: give the id of one: {ids}")


def _is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False


def _list(found: dict[str, Any]) -> None:
    rows = (
        [instant(one["recorded_at"]), one["actor"], one["label"], one["format"], brought(one["counts"]), _state(one),
         one["import_id"]]
        for one in found["imports"]
    )  # fmt: skip
    table(["when (UTC)", "who", "file", "format", "brought", "state", "id"], rows)
    if len(found["imports"]) < found["total"]:
        tell(f"{len(found['imports']):,} of {found['total']:,} imports: see --limit, --offset and --file")


def _state(one: dict[str, Any]) -> str:
    return "withdrawn" if one["withdrawn"] else "counts"


def _show(found: dict[str, Any]) -> None:
    say(f"{found['label']}  ({found['format']}, {found['bytes']:,} bytes)")
    say(
        f"  {instant(found['recorded_at'])} UTC by {found['actor'] or UNKNOWN}, {_state(found)}, id {found['import_id']}"
    )
    say(f"  SHA-256 {found['sha256']}")
    say(f"  brought {brought(found['counts'])}")
    for turn in found["turns"]:
        why = f": {turn['reason']}" if turn["reason"] else ""
        did = "reinstated" if turn["reinstates"] else "withdrawn"
        say(f"  {did} {instant(turn['recorded_at'])} UTC by {turn['actor'] or UNKNOWN}{why}")
    if not found["withdrawn"]:
        _say_changes(found)


def _say_changes(found: dict[str, Any]) -> None:
    say("Without it")
    for line in changes(Brought(**found["brought"])):
        say(f"  {line}")


def _tell_changes(found: dict[str, Any]) -> None:
    tell(f"{found['label']}, {instant(found['recorded_at'])} UTC by {found['actor'] or UNKNOWN}. Without it")
    for line in changes(Brought(**found["brought"])):
        tell(f"  {line}")


def _gone(was: Brought) -> str:
    return f"Runs gone: {was.runs_gone:,}, other runs that lost evidence: {was.runs_kept:,}."
