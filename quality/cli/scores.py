"""How does a person rate from a terminal? `score add|list|undo|attest`."""

import os
from typing import Annotated

import typer

from quality.cli.output import instant, pick, print_json, say, short, table, tell
from quality.cli.requests import NumberFriendly, build, moment, rating, with_filters
from quality.cli.root import Invocation, caller
from quality.commands import AddRating, AttestModel, Filters, ListScores, RunRef, UndoRating
from quality.errors import QualityError

ADD_EXAMPLES = """\b
Examples:
  python -m quality score add STORY-7 8.5 --note "clean, small diff"
  python -m quality score add STORY-7 3 --rework --agent builder --model gpt-5
  python -m quality score add NEW-1 7 --create
A bare story means its latest run by its builder; the answer names the run.
"""
LIST_EXAMPLES = """\b
Examples:
  python -m quality score list --tier auto --limit 20
  python -m quality score list --model gpt-5 --since 2026-01-01 --json
"""
UNDO_EXAMPLES = """\b
Examples:
  python -m quality score undo STORY-7
  python -m quality score undo STORY-7 --reviewer dana
"""
ATTEST_EXAMPLES = """\b
Examples:
  python -m quality score attest STORY-7 --model claude-sonnet-4-6
"""
DEFAULT_LIMIT = 100
LIST_COLUMNS = (
    "agent", "model_version", "attempt", "quality", "signal_source", "quality_auto", "quality_verifier", "quality_human",
    "reviewer",
)  # fmt: skip

app = typer.Typer(help="Ratings: give, list, withdraw; state a run's model.", rich_markup_mode=None)

Story = Annotated[str, typer.Argument(help="The story.")]
Reviewer = Annotated[
    str | None, typer.Option(help="Who rates. Else QUALITY_REVIEWER, else the user of the system.", show_default=False)
]
Agent = Annotated[str | None, typer.Option(help="The run's agent.", show_default=False)]
Attempt = Annotated[int | None, typer.Option(min=1, help="The run's attempt.", show_default=False)]
Run = Annotated[str | None, typer.Option("--run", help="The run by its id.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.callback(invoke_without_command=True)
def score(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("add", epilog=ADD_EXAMPLES, cls=NumberFriendly)
def add(
    context: typer.Context,
    story: Story,
    value: Annotated[str, typer.Argument(metavar="RATING", help="0–10, decimals allowed.")],
    note: Annotated[str | None, typer.Option(help="Why: plain text.", show_default=False)] = None,
    rework: Annotated[
        bool | None, typer.Option("--rework/--no-rework", help="It needs rework.", show_default=False)
    ] = None,
    correct: Annotated[
        bool | None, typer.Option("--correct/--incorrect", help="It does what it should.", show_default=False)
    ] = None,
    reviewer: Reviewer = None,
    agent: Agent = None,
    model: Annotated[str | None, typer.Option(help="The run's model.", show_default=False)] = None,
    attempt: Attempt = None,
    run: Run = None,
    reason: Annotated[str, typer.Option(help="Why it was reviewed: random, queue or choice.")] = "choice",
    probability: Annotated[
        float | None,
        typer.Option(help="With which probability it was drawn, for random and queue.", show_default=False),
    ] = None,
    given_at: Annotated[
        str | None, typer.Option(help="When it was given, if not now (ISO 8601).", show_default=False)
    ] = None,
    create: Annotated[bool, typer.Option("--create", help="Start the story, or the run, if it is not known.")] = False,
    as_json: AsJson = False,
) -> None:
    """Rate a run, 0–10. It is stored before the answer comes."""
    invocation: Invocation = context.obj
    _refuse_two_ways(run, agent, model, attempt)
    command = build(
        AddRating, actor=caller(), story_id=story, rating=rating(value), reviewer=_reviewer(reviewer), note=note,
        rework=rework, correct=correct, agent=agent, model_version=model, attempt=attempt, run_id=run, create=create,
        review_reason=reason, review_probability=probability, given_at=moment("--given-at", given_at),
    )  # fmt: skip
    with invocation.door("score add", create) as door:
        stored = door.execute(command)
    if as_json:
        print_json(stored)
    else:
        started = " A new run was started." if stored.created else ""
        say(f"Stored {command.rating:.1f} by {command.reviewer} for {_named(stored.run)}.{started}")
        _say_score(stored.row)


@app.command("list", epilog=LIST_EXAMPLES)
@with_filters
def list_scores(
    context: typer.Context,
    filters: Filters,
    limit: Annotated[int, typer.Option(min=0, max=1000, help="At most so many rows.")] = DEFAULT_LIMIT,
    offset: Annotated[int, typer.Option(min=0, help="Leave out so many rows first.")] = 0,
    as_json: AsJson = False,
) -> None:
    """The rows of the ledger, latest first, all tiers side by side."""
    invocation: Invocation = context.obj
    with invocation.door("score list") as door:
        found = door.ask(build(ListScores, actor=caller(), filters=filters, limit=limit, offset=offset))
    if as_json:
        print_json(found)
        return
    table(
        [
            "story",
            "title",
            "agent",
            "model",
            "try",
            "score",
            "from",
            "auto",
            "verifier",
            "human",
            "reviewer",
            "given (UTC)",
        ],
        (
            [row["story_id"], short(row["title"]), *pick(row, *LIST_COLUMNS), instant(row["ts"])]
            for row in found["rows"]
        ),
    )
    if len(found["rows"]) < found["total"]:
        tell(f"{len(found['rows']):,} of {found['total']:,} rows: see --limit and --offset")


@app.command("undo", epilog=UNDO_EXAMPLES)
def undo(
    context: typer.Context,
    story: Story,
    reviewer: Reviewer = None,
    run: Run = None,
    force: Annotated[
        bool, typer.Option("--force", help="Withdraw another reviewer's rating; who did it is kept.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Withdraw the reviewer's latest rating of a story; the one before it counts again. Nothing is deleted."""
    invocation: Invocation = context.obj
    command = build(UndoRating, actor=caller(), story_id=story, reviewer=_reviewer(reviewer), run_id=run, force=force)
    with invocation.door("score undo") as door:
        withdrawn = door.execute(command)
    if as_json:
        print_json(withdrawn)
    else:
        reviewer = withdrawn.reviewer or "an unnamed reviewer"
        say(f"Withdrawn: {withdrawn.rating:.1f} by {reviewer} for {_named(withdrawn.run)}.")
        _say_score(withdrawn.row)


@app.command("attest", epilog=ATTEST_EXAMPLES)
def attest(
    context: typer.Context,
    story: Story,
    model: Annotated[str, typer.Option(help="The model that did it.")],
    agent: Agent = None,
    attempt: Attempt = None,
    run: Run = None,
    as_json: AsJson = False,
) -> None:
    """State which model did a run whose model is unknown or split; the original is kept."""
    invocation: Invocation = context.obj
    _refuse_two_ways(run, agent, None, attempt)
    command = build(AttestModel, actor=caller(), story_id=story, model=model, agent=agent, attempt=attempt, run_id=run)
    with invocation.door("score attest") as door:
        attested = door.execute(command)
    if as_json:
        print_json(attested)
    else:
        say(f"Attested: {_named(attested.run)}; recorded before as {attested.original}.")


def _reviewer(given: str | None) -> str:
    return given if given is not None else os.environ.get("QUALITY_REVIEWER") or caller()


def _refuse_two_ways(run: str | None, *parts: object) -> None:
    if run is not None and any(part is not None for part in parts):
        raise QualityError("--run names the run: leave --agent, --model and --attempt out")


def _named(run: RunRef) -> str:
    return f"{run.story_id}, run {run.run_id} ({run.agent} / {run.model_version} / attempt {run.attempt})"


def _say_score(row: dict) -> None:
    if row["quality"] is None:
        say("The run is not scored now.")
    else:
        say(f"Its score is {row['quality']:.1f} now, from {row['signal_source']}.")
