"""How good is each model? Scores side by side, the calibrated ones first, optionally at one kind of work."""

from typing import Annotated

import typer

from quality import moments
from quality.cli.output import percent, pick, print_json, say, table, tell
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.commands import ListModels
from quality.tiers import TIERS
from quality.trust_words import remark

EXAMPLES = """\b
Examples:
  python -m quality models
  python -m quality models --discipline backend --industry payments --json
  python -m quality models --as-of 2026-03-01
"""
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Discipline = Annotated[str | None, typer.Option(help="The kind of work.", show_default=False)]
OrgDomain = Annotated[str | None, typer.Option(help="The organisation's domain.", show_default=False)]
Industry = Annotated[str | None, typer.Option(help="The industry.", show_default=False)]
Phase = Annotated[str | None, typer.Option(help="The phase.", show_default=False)]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", help="As was known then: a date (its end, UTC) or a time with its zone.", show_default=False
    ),
]
TIED = "Models of one tie group cannot be told apart; the leader of a group is surely better than the groups below."


def models(
    context: typer.Context,
    discipline: Discipline = None,
    org_domain: OrgDomain = None,
    industry: Industry = None,
    phase: Phase = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Scores a model: calibrated with its 95 % interval where five or more runs are reviewed, then by routing score."""
    invocation: Invocation = context.obj
    asked = build(
        ListModels, actor=caller(), discipline=discipline, org_domain=org_domain, industry=industry, phase=phase,
        as_of=as_of and moments.as_of(as_of),
    )  # fmt: skip
    with invocation.door("models") as door:
        found = door.ask(asked)
    if as_json:
        print_json(found)
        return
    if found["widened"]:
        tell(f"note: no scored row there: without {', '.join(found['widened'])} it is")
    table(
        ["model", "calibrated", "from", "to", "ties", "mean", "routing", *TIERS, "n", *(f"n {tier}" for tier in TIERS),
         "low confidence", "remark"],
        ([*pick(row, "model", "calibrated_score", "ci_low", "ci_high", "tie_group", "effective_mean", "routing_score"),
          *pick(row, *(f"mean_{tier}" for tier in TIERS), "n", *(f"n_{tier}" for tier in TIERS)),
          percent(row["low_confidence_share"]), remark(row)] for row in found["models"]),
    )  # fmt: skip
    if any(row["tie_group"] for row in found["models"]):
        say(TIED)
