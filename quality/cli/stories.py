"""How does a team correct its stories from a terminal? `story edit|undo|merge|split|history`."""

from typing import Annotated, Any

import typer

from quality.cli.agreeing import agree
from quality.cli.output import UNKNOWN, instant, print_json, say, short, table, tell
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.client import Door
from quality.command_base import Command
from quality.story_commands import (
    EditStory,
    FieldChange,
    MergeStories,
    RowsChanged,
    ShowStoryCorrections,
    SplitStory,
    StoryCorrection,
    SupposeStoryChange,
    UndoStoryEdit,
)
from quality.story_words import changed, happened, told

EDIT_EXAMPLES = """\b
Examples:
  python -m quality story edit STORY-7 --title "Read nested suites" --phase build
  python -m quality story edit STORY-7 --estimate 40000 --reason "was in thousands" --json
What you say counts before what any file says, now and later, until `story undo`.
"""
UNDO_EXAMPLES = """\b
Examples:
  python -m quality story undo STORY-7
  python -m quality story undo STORY-7 --edit 0198c0de-0000-7000-8000-000000000001
Without --edit it takes the latest correction back that stands.
"""
MERGE_EXAMPLES = """\b
Examples:
  python -m quality story merge STORY-7b STORY-7 --reason "filed twice"
  python -m quality story merge STORY-7b STORY-7 --reason "filed twice" --yes --json
The old id still finds the story, and later files that name it reach it. `story split` takes it back.
"""
SPLIT_EXAMPLES = """\b
Examples:
  python -m quality story split STORY-7b
Give the id that was merged; it is a story of its own again, as it was.
"""
HISTORY_EXAMPLES = """\b
Examples:
  python -m quality story history STORY-7
  python -m quality story history STORY-7 --json
"""
DEFAULT_LIMIT = 100
KEPT = {"actor", "idempotency_key"}
"""Fields of a command that say who asks, not what."""

app = typer.Typer(help="Stories: correct what is known of them, merge, split again.", rich_markup_mode=None)

Story = Annotated[str, typer.Argument(help="The story.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def _why(help: str = "Why, for whoever asks later.") -> Any:
    return typer.Option("--reason", help=help, show_default=False)


def _text(name: str, help: str) -> Any:
    return Annotated[str | None, typer.Option(name, help=help, show_default=False)]


@app.callback(invoke_without_command=True)
def story(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("edit", epilog=EDIT_EXAMPLES)
def edit(
    context: typer.Context,
    story: Story,
    title: _text("--title", "What it is called.") = None,
    discipline: _text("--discipline", "The kind of work: discipline.") = None,
    org_domain: _text("--org-domain", "The kind of work: domain of the organisation.") = None,
    industry: _text("--industry", "The kind of work: industry.") = None,
    phase: _text("--phase", "The kind of work: phase.") = None,
    estimate: Annotated[int | None, typer.Option(help="Its estimate in tokens.", show_default=False)] = None,
    done_criteria: _text("--done-criteria", "When it is done.") = None,
    reason: Annotated[str | None, _why()] = None,
    as_json: AsJson = False,
) -> None:
    """Correct what is known of a story; what is not given stays. The runs' rows and scores follow at once."""
    said = {
        "title": title, "discipline": discipline, "org_domain": org_domain, "industry": industry, "phase": phase,
        "estimated_tokens": estimate, "done_criteria": done_criteria,
    }  # fmt: skip
    done = _done(context, build(EditStory, actor=caller(), story_id=story, reason=reason, **said))
    if as_json:
        print_json(done)
        return
    say(f"Corrected {done.story_id}. {told(EditStory.name, done.rows)}.")
    _say_changes(done.changes)
    tell(f"back by: story undo {done.story_id} --edit {done.edit_id}")


@app.command("undo", epilog=UNDO_EXAMPLES)
def undo(
    context: typer.Context,
    story: Story,
    edit: Annotated[str | None, typer.Option(help="The correction by its id.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Take a correction back: what is known without it counts again. Both stay in the history."""
    done = _done(context, build(UndoStoryEdit, actor=caller(), story_id=story, edit_id=edit))
    if as_json:
        print_json(done)
        return
    say(f"Taken back: a correction of {done.story_id}. {told(UndoStoryEdit.name, done.rows)}.")
    _say_changes(done.changes)


@app.command("merge", epilog=MERGE_EXAMPLES)
def merge(
    context: typer.Context,
    story: Annotated[str, typer.Argument(metavar="STORY", help="The story that is another one.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The story that it is.")],
    reason: Annotated[str, _why()],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Say that two ids are one story: runs and ratings of the first are the second's from now on."""
    command = build(MergeStories, actor=caller(), from_id=story, into_id=into, reason=reason)
    done = _agreed(context, command, yes, f"Merge {story} into {into}?", f"{story}: was not merged")
    if as_json:
        print_json(done)
        return
    say(f"Merged {done.from_id} into {done.story_id}. {told(command.name, done.rows)}.")
    tell(f"back by: story split {done.from_id}")


@app.command("split", epilog=SPLIT_EXAMPLES)
def split(context: typer.Context, story: Story, yes: Yes = False, as_json: AsJson = False) -> None:
    """Take a merge back: the id is a story of its own again, with its runs and its ratings."""
    command = build(SplitStory, actor=caller(), story_id=story)
    done = _agreed(context, command, yes, f"Split {story} off?", f"{story}: was not split off")
    if as_json:
        print_json(done)
    else:
        say(f"Split {done.from_id} off {done.story_id}. {told(command.name, done.rows)}.")


@app.command("history", epilog=HISTORY_EXAMPLES)
def history(
    context: typer.Context,
    story: Story,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many.")] = DEFAULT_LIMIT,
    as_json: AsJson = False,
) -> None:
    """What people corrected of a story, the latest first, and which ids were merged into it."""
    invocation: Invocation = context.obj
    with invocation.door("story history") as door:
        found = door.ask(build(ShowStoryCorrections, actor=caller(), story_id=story, limit=limit))
    if as_json:
        print_json(found)
        return
    if found["merged"]:
        say(f"{found['story_id']}, with {', '.join(found['merged'])} merged into it")
    corrections = [StoryCorrection(**one) for one in found["corrections"]]
    table(
        ["when (UTC)", "who", "what", "changes", "reason", "counts", "id"],
        (
            [instant(one.recorded_at.isoformat()), one.actor, happened(one), _in_a_line(one.changes), short(one.reason),
             one.stands, one.id]
            for one in corrections
        ),
    )  # fmt: skip
    if not corrections:
        tell("nobody has corrected it")


def _done(context: typer.Context, command: Command) -> Any:
    invocation: Invocation = context.obj
    with invocation.door(f"story {command.name}") as door:
        return door.execute(command)


def _agreed(context: typer.Context, command: Command, yes: bool, question: str, otherwise: str) -> Any:
    """The answer to the command, after its numbers were shown and somebody agreed to them."""
    invocation: Invocation = context.obj
    with invocation.door(f"story {command.name}") as door:
        tell(f"{question.removesuffix('?')}: {told(command.name, _supposed(door, command))}")
        agree(yes, question, otherwise)
        return door.execute(command)


def _supposed(door: Door, command: Command) -> RowsChanged:
    change = command.model_dump(mode="json", exclude=KEPT, exclude_none=True)
    found = door.ask(build(SupposeStoryChange, actor=caller(), kind=command.name, change=change))
    return RowsChanged(**found["rows"])


def _say_changes(changes: list[FieldChange]) -> None:
    if changes:
        table(["", "before", "now"], ([what, short(before), short(now)] for what, before, now in map(changed, changes)))


def _in_a_line(changes: list[FieldChange]) -> str:
    told_of = ((what, short(before) or UNKNOWN, short(now) or UNKNOWN) for what, before, now in map(changed, changes))
    return "; ".join(f"{what}: {before} → {now}" for what, before, now in told_of)
