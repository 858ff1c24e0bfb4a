"""How does a team say from a terminal what should be reviewed? `review list|add|remove`."""

from typing import Annotated

import typer

from quality.cli.output import instant, pick, print_json, say, short, table, tell
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.client import Door
from quality.commands import ShowRun
from quality.review_commands import AddToReviewList, RemoveFromReviewList, ShowReviewList

LIST_EXAMPLES = """\b
Examples:
  python -m quality review list
  python -m quality score list --on-review-list --model gpt-5 --json
"""
ADD_EXAMPLES = """\b
Examples:
  python -m quality review add STORY-7 STORY-9 --why "tiers disagree"
  python -m quality review add --run 0198c0de-0000-7000-8000-000000000001
A bare story means its latest run by its builder.
"""
REMOVE_EXAMPLES = """\b
Examples:
  python -m quality review remove STORY-7
"""
DEFAULT_LIMIT = 100
LIST_COLUMNS = ("agent", "model_version", "attempt", "quality", "listed_by")

app = typer.Typer(help="The review list: the runs that wait for somebody's rating.", rich_markup_mode=None)

Stories = Annotated[list[str] | None, typer.Argument(metavar="STORY…", help="The stories.", show_default=False)]
Runs = Annotated[list[str] | None, typer.Option("--run", help="A run by its id.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.callback(invoke_without_command=True)
def review(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list", epilog=LIST_EXAMPLES)
def list_waiting(
    context: typer.Context,
    limit: Annotated[int, typer.Option(min=0, max=1000, help="At most so many rows.")] = DEFAULT_LIMIT,
    offset: Annotated[int, typer.Option(min=0, help="Leave out so many rows first.")] = 0,
    as_json: AsJson = False,
) -> None:
    """What waits, the longest-waiting first: who put it on the list, when and why."""
    invocation: Invocation = context.obj
    with invocation.door("review list") as door:
        found = door.ask(build(ShowReviewList, actor=caller(), limit=limit, offset=offset))
    if as_json:
        print_json(found)
        return
    table(
        ["story", "title", "agent", "model", "try", "score", "asked by", "since (UTC)", "why"],
        (
            [
                row["story_id"],
                short(row["title"]),
                *pick(row, *LIST_COLUMNS),
                instant(row["listed_at"]),
                short(row["why"]),
            ]
            for row in found["rows"]
        ),
    )
    if len(found["rows"]) < found["waiting"]:
        tell(f"{len(found['rows']):,} of {found['waiting']:,} rows: see --limit and --offset")


@app.command("add", epilog=ADD_EXAMPLES)
def add(
    context: typer.Context,
    stories: Stories = None,
    run: Runs = None,
    why: Annotated[str | None, typer.Option(help="Why, for whoever reviews: plain text.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Ask for a rating of these runs; each leaves the list when somebody rates it."""
    invocation: Invocation = context.obj
    with invocation.door("review add") as door:
        ids = _run_ids(door, stories, run)
        listed = door.execute(build(AddToReviewList, actor=caller(), run_ids=ids, why=why))
    if as_json:
        print_json(listed)
    else:
        already = f" {listed.waiting_already:,} waited already." if listed.waiting_already else ""
        say(f"Put on the review list: {listed.added:,}.{already} Waiting now: {listed.waiting:,}.")


@app.command("remove", epilog=REMOVE_EXAMPLES)
def remove(context: typer.Context, stories: Stories = None, run: Runs = None, as_json: AsJson = False) -> None:
    """Take these runs off the list, whoever put them there."""
    invocation: Invocation = context.obj
    with invocation.door("review remove") as door:
        ids = _run_ids(door, stories, run)
        unlisted = door.execute(build(RemoveFromReviewList, actor=caller(), run_ids=ids))
    if as_json:
        print_json(unlisted)
    else:
        say(f"Taken off the review list: {unlisted.removed:,}. Waiting now: {unlisted.waiting:,}.")


def _run_ids(door: Door, stories: list[str] | None, runs: list[str] | None) -> list[str]:
    """The runs by id, and of each story the one that it means."""
    meant = [door.ask(build(ShowRun, actor=caller(), story_id=story))["run"]["run_id"] for story in stories or ()]
    return [*(runs or ()), *meant]
