"""How are old responses removed from a terminal? `respond prune`, for those who cannot wait for the next store."""

from typing import Annotated

import typer

from quality.cli.output import print_json, say
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.response_commands import PruneResponses

EXAMPLES = """\b
Examples:
  python -m quality respond prune
  python -m quality respond prune --older-than 30 --json
Each store removes what is older than responses.retention_days by itself; nothing brings back what was removed.
"""


def prune(
    context: typer.Context,
    older_than: Annotated[
        int | None,
        typer.Option(metavar="DAYS", help="By default responses.retention_days (1–36500).", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Remove responses stored long ago, with their feedback, history and regressions."""
    invocation: Invocation = context.obj
    command = build(PruneResponses, actor=caller(), older_than_days=older_than)
    with invocation.door("respond") as door:
        done = door.execute(command)
    if as_json:
        print_json(done)
    else:
        say(
            f"Removed {done.responses:,} responses, {done.feedback:,} feedback events, {done.scores:,} scores "
            f"and {done.regressions:,} regressions."
        )
