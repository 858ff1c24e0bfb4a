"""How does a reviewer work through the queue from a terminal? `review draw|queue|skip|give-back`; ratings by `score add`."""

from typing import Annotated, Any

import typer

from quality.cli.output import print_json, say, short, table, tell
from quality.cli.requests import build
from quality.cli.reviewing import app
from quality.cli.root import Invocation, caller
from quality.queue_commands import (
    MOST_DRAWN,
    USUALLY_DRAWN,
    DrawForReview,
    GiveBackDraws,
    ShowReviewQueue,
    ShowReviewTotals,
    SkipDraw,
)

DRAW_EXAMPLES = """\b
Examples:
  python -m quality review draw
  python -m quality review draw --count 5 --model gpt-5 --discipline backend
  python -m quality score add STORY-7 --run RUN-ID 7.5
Runs are reserved for you for half an hour since your last step; a rating of one carries the chance of its draw.
"""
QUEUE_EXAMPLES = """\b
Examples:
  python -m quality review queue
  python -m quality review queue --json
"""
SKIP_EXAMPLES = """\b
Examples:
  python -m quality review skip DRAW-ID
"""
GIVE_BACK_EXAMPLES = """\b
Examples:
  python -m quality review give-back
"""

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
AnyValue = list[str] | None


def _only(name: str, what: str) -> Any:
    return typer.Option(name, help=f"Only {what}; several times for any of them.", show_default=False)


@app.command("draw", epilog=DRAW_EXAMPLES)
def draw(
    context: typer.Context,
    count: Annotated[int, typer.Option(min=1, max=MOST_DRAWN, help="So many open in all.")] = USUALLY_DRAWN,
    model: Annotated[AnyValue, _only("--model", "runs of this model")] = None,
    discipline: Annotated[AnyValue, _only("--discipline", "this discipline")] = None,
    org_domain: Annotated[AnyValue, _only("--org-domain", "this part of the organisation")] = None,
    industry: Annotated[AnyValue, _only("--industry", "this industry")] = None,
    phase: Annotated[AnyValue, _only("--phase", "this phase")] = None,
    as_json: AsJson = False,
) -> None:
    """Draw runs that nobody has rated, likelier where a rating tells more; what is open already stays."""
    who, invocation = caller(), _invocation(context)
    wanted = {"model": model, "discipline": discipline, "org_domain": org_domain, "industry": industry, "phase": phase}
    with invocation.door("review draw") as door:
        drawn = door.execute(build(DrawForReview, actor=who, reviewer=who, count=count, **wanted))
    if as_json:
        print_json(drawn)
    else:
        say(f"Drawn: {drawn.drawn:,}. Open for {who}: {drawn.open:,}. See `review queue`.")


@app.command("queue", epilog=QUEUE_EXAMPLES)
def queue(context: typer.Context, as_json: AsJson = False) -> None:
    """Your open draws in their order, each with its reason and chance, and what became of all draws."""
    who, invocation = caller(), _invocation(context)
    with invocation.door("review queue") as door:
        found = door.ask(build(ShowReviewQueue, actor=who, reviewer=who))
        team = door.ask(build(ShowReviewTotals, actor=who))
    if as_json:
        print_json(found | {"team": team})
        return
    table(
        ["story", "run", "draw", "chance", "of", "why"],
        (
            [
                row["story_id"],
                row["run_id"],
                row["draw_id"],
                f"{row['probability']:.4g}",
                row["pool"],
                short(row["why"]),
            ]
            for row in found["queue"]
        ),
    )
    mine = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in found["all"].items())
    tell(f"{who}: {mine}")


@app.command("skip", epilog=SKIP_EXAMPLES)
def skip(
    context: typer.Context,
    draw_id: Annotated[str, typer.Argument(metavar="DRAW", help="The draw, by `review queue`.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Pass over a drawn run: it counts as not answered, and does not come again for you."""
    who, invocation = caller(), _invocation(context)
    with invocation.door("review skip") as door:
        skipped = door.execute(build(SkipDraw, actor=who, reviewer=who, draw_id=draw_id))
    if as_json:
        print_json(skipped)
    else:
        say(f"Skipped. Open for {who}: {skipped.left:,}.")


@app.command("give-back", epilog=GIVE_BACK_EXAMPLES)
def give_back(context: typer.Context, as_json: AsJson = False) -> None:
    """End your open draws, so that others can draw their runs at once."""
    who, invocation = caller(), _invocation(context)
    with invocation.door("review give-back") as door:
        given = door.execute(build(GiveBackDraws, actor=who, reviewer=who))
    if as_json:
        print_json(given)
    else:
        say(f"Given back: {given.given_back:,}.")


def _invocation(context: typer.Context) -> Invocation:
    return context.obj
