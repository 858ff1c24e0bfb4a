"""Who wrote what to the ledger, and when? `activity` lists the writes, latest first; with an id it shows one whole."""

from typing import Annotated, Any

import typer

from quality.activity_commands import ListActivity, ShowWrite
from quality.activity_words import KINDS
from quality.cli.output import instant, print_json, say, table, tell
from quality.cli.requests import build, moment
from quality.cli.root import Invocation, caller
from quality.errors import QualityError, did_you_mean

EXAMPLES = """\b
Examples:
  python -m quality activity
  python -m quality activity --actor ci --kind import_artifact --since 2026-03-01
  python -m quality activity --story STORY-7 --json
"""
LISTED = 50


def _option(kind: Any, *names: str, help: str) -> Any:
    return Annotated[kind, typer.Option(*names, help=help, show_default=False)]


def activity(
    context: typer.Context,
    write: Annotated[str | None, typer.Argument(help="Id of one write, to see its request and answer.")] = None,
    actor: _option(str | None, "--actor", help="Who wrote.") = None,
    kind: _option(list[str] | None, "--kind", help="Kind of write, such as add_rating; may be given again.") = None,
    story: _option(str | None, "--story", help="Id of a story, or of a run, response, ranking or evaluation.") = None,
    since: _option(str | None, "--since", help="At or after this time (ISO 8601).") = None,
    until: _option(str | None, "--until", help="Before this time (ISO 8601).") = None,
    before: _option(str | None, "--before", help="Only what was written before the write with this id.") = None,
    limit: Annotated[int, typer.Option("--limit", help="Writes listed, at most 1000.")] = LISTED,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Every write by whom and when, latest first."""
    invocation: Invocation = context.obj
    for name in kind or []:
        if name not in KINDS:
            raise QualityError(
                f"--kind {name}: no such kind: give one of {', '.join(KINDS)}.{did_you_mean(name, [*KINDS])}"
            )
    if write:
        question: Any = build(ShowWrite, actor=caller(), command_id=write)
    else:
        question = build(
            ListActivity, actor=caller(), by=actor, kinds=kind or None, about=story, since=moment("--since", since),
            until=moment("--until", until), before=before, limit=limit,
        )  # fmt: skip
    with invocation.door("activity") as door:
        found = door.ask(question)
    if as_json:
        print_json(found)
    elif write:
        _show(found)
    else:
        _list(found)


def _list(found: dict[str, Any]) -> None:
    rows = ([instant(one["recorded_at"]), one["actor"], one["words"], one["command_id"]] for one in found["writes"])
    table(["when (UTC)", "who", "what", "id"], rows)
    shown = len(found["writes"])
    if found["older"]:
        tell(f"{shown:,} of {found['total']:,} writes; go on with --before {found['older']}")


def _show(found: dict[str, Any]) -> None:
    say(f"{instant(found['recorded_at'])} UTC  {found['actor']} {found['words']}")
    for subject in found["subjects"]:
        say(f"  {subject['kind']} {subject['id']}")
    say("request")
    say(found["request"])
    say("answer")
    say(found["answer"])
