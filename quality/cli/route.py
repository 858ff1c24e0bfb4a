"""Which model should this kind of work go to? The tied best with their chances, and what to review to know more."""

from typing import Any

import typer

from quality import moments
from quality.cli.models import AsJson, AsOf, Discipline, Industry, OrgDomain, Phase
from quality.cli.output import percent, pick, print_json, say, table
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.trust_commands import ShowRoute

EXAMPLES = """\b
Examples:
  python -m quality route --discipline backend
  python -m quality route --discipline backend --org-domain payments --industry retail --phase build --json
"""
WHY = {"few": "it has no calibrated score yet", "tied": "it cannot be told from the best"}


def route(
    context: typer.Context,
    discipline: Discipline = None,
    org_domain: OrgDomain = None,
    industry: Industry = None,
    phase: Phase = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Where to send a kind of work: widened, and said so, where nothing is known of exactly it."""
    invocation: Invocation = context.obj
    asked = build(
        ShowRoute, actor=caller(), discipline=discipline, org_domain=org_domain, industry=industry, phase=phase,
        as_of=as_of and moments.as_of(as_of),
    )  # fmt: skip
    with invocation.door("route") as door:
        found = door.ask(asked)
    if as_json:
        print_json(found)
        return
    say(found["words"])
    if found["models"]:
        say()
        columns = ["model", "calibrated", "from", "to", "ties", "P(best)", "expected loss", "$ an accepted story", "n",
                   "n human"]  # fmt: skip
        table(columns, (_cells(row) for row in found["models"]))
    for one in found["review"]:
        say(f"review {one['review_more']} more of {one['model']}: {WHY[one['reason']]}")


def _cells(row: dict[str, Any]) -> list[Any]:
    loss, cost = row["expected_loss"], row["cost_per_accepted"]
    return [
        *pick(row, "model", "calibrated_score", "ci_low", "ci_high", "tie_group"), percent(row["p_best"]),
        None if loss is None else f"{loss:.2f}", None if cost is None else f"{cost:.4f}", *pick(row, "n", "n_with_human"),
    ]  # fmt: skip
