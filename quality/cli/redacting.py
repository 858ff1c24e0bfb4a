"""How are words forgotten from a terminal? `redact WHAT ID --reason … --yes`, for good; `redact --list` says what was."""

import sys
from typing import Annotated, Any

import typer

from quality.activity_words import some
from quality.cli.agreeing import agree
from quality.cli.output import instant, print_json, say, short, table, tell
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.errors import QualityError, did_you_mean
from quality.redaction_commands import WHAT, ListRedactions, Redact, SupposeRedaction

EXAMPLES = """\b
Examples:
  python -m quality redact rating 0198c0de-0000-7000-8000-000000000001 --reason "names a customer"
  python -m quality redact title STORY-7 --reason "a person's name" --yes
  echo "sk-live-…" | python -m quality redact text - --reason "a key" --yes --json
  python -m quality redact --list
The ids of ratings, verdicts and evidence are in `show STORY --json`, of imports in `imports`. It cannot be undone.
Older backups hold the words still; they are named, to be deleted.
"""
KINDS = ", ".join(WHAT)
FROM_INPUT = "-"


def redact(
    context: typer.Context,
    kind: Annotated[str | None, typer.Argument(metavar="WHAT", help=f"One of {KINDS}.", show_default=False)] = None,
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="Id of the rating, verdict, evidence, import or story; of text the text, or - for input.",
            show_default=False,
        ),
    ] = None,
    reason: Annotated[
        str | None, typer.Option(help="Why; kept, so not the words themselves.", show_default=False)
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="List what was redacted instead.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Take words out of the ledger for good: from every table, answer, export and byte of its file. Numbers stay."""
    invocation: Invocation = context.obj
    if listed:
        with invocation.door("redact") as door:
            found = door.ask(build(ListRedactions, actor=caller()))
        print_json(found) if as_json else _list(found)
        return
    meant = _meant(kind, which)
    if not reason:
        raise QualityError("--reason is missing: say why, in other words than those that are to be forgotten")
    command = build(Redact, actor=caller(), reason=reason, **meant)
    with invocation.door("redact") as door:
        if not yes:
            _tell(door.ask(build(SupposeRedaction, actor=caller(), **meant)))
        agree(yes, "Take it out for good? It cannot be undone.", "nothing was redacted, and it cannot be undone")
        done = door.execute(command)
    if as_json:
        print_json(done)
        return
    say(f"Redacted {WHAT[done.kind]}: {some(done.characters, 'characters')} in {some(done.places, 'places')}.")
    for where in done.remains:
        tell(f"! it stands on as part of a name: {where}")
    _tell_older(done.older_files)


def _meant(kind: str | None, which: str | None) -> dict[str, Any]:
    if kind not in WHAT:
        hint = did_you_mean(kind or "", [*WHAT])
        raise QualityError(f"{kind or 'nothing is named'}: give one of {KINDS}.{hint}")
    if which is None:
        raise QualityError(f"{kind}: give the id, or of text the text itself (- reads it from input)")
    if kind != "text":
        return {"kind": kind, "id": which}
    return {"kind": kind, "text": sys.stdin.read().strip("\r\n") if which == FROM_INPUT else which}


def _tell(found: dict[str, Any]) -> None:
    run = found["run"]
    of = f" of {run['story_id']} ({run['agent']} / {run['model_version']})" if run else f" of {found['story_id']}"
    tell(f"{WHAT[found['kind']]}{of if run or found['story_id'] else ''}, in {some(found['places'], 'places')}:")
    for text in found["shown"]:
        tell(f"  {short(text)}")
    _tell_older(found["older_files"])


def _tell_older(files: list[str]) -> None:
    if files:
        tell(f"! {some(len(files), 'files')} from before may hold the words: delete what is not needed")
        for path in files:
            tell(f"  {path}")


def _list(found: dict[str, Any]) -> None:
    rows = (
        [instant(one["recorded_at"]), one["actor"], WHAT.get(one["kind"], one["kind"]), one["story_id"] or one["target"],
         one["places"], short(one["reason"])]
        for one in found["redactions"]
    )  # fmt: skip
    table(["when (UTC)", "who", "what", "of", "places", "why"], rows)
