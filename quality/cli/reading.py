"""What stands in the ledger? `show` a story."""

from typing import Annotated, Any

import typer

from quality.cli.output import cell, instant, pick, print_json, say, short, table
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.commands import ShowStory
from quality.tiers import CAVEATS

SHOW_EXAMPLES = """\b
Examples:
  python -m quality show STORY-7
  python -m quality show STORY-7 --json
"""
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
TIER_COLUMNS = ("quality", "signal_source", "quality_auto", "quality_verifier", "quality_human")


def show(
    context: typer.Context, story: Annotated[str, typer.Argument(help="The story.")], as_json: AsJson = False
) -> None:
    """A story with its runs: what each scores, and everything behind it."""
    invocation: Invocation = context.obj
    with invocation.door("show") as door:
        found = door.ask(build(ShowStory, actor=caller(), story_id=story))
    if as_json:
        print_json(found)
        return
    facts = found["story"]
    say(f"{facts['story_id']}  {facts['title'] or ''}".rstrip())
    kind = [facts[name] for name in ("discipline", "org_domain", "industry", "phase") if facts[name]]
    if kind:
        say(" / ".join(kind))
    for run in found["runs"]:
        _show_run(run)


def _show_run(run: dict[str, Any]) -> None:
    say()
    say(f"run {run['run_id']}  {run['agent']} / {run['model_version']} / attempt {run['attempt']}")
    table(
        ["score", "from", "auto", "verifier", "human", "given (UTC)"], [[*pick(run, *TIER_COLUMNS), instant(run["ts"])]]
    )
    parts = [part for part in run["auto"]["parts"] if part["points"] is not None]
    if parts:
        say()
        rows = [[*pick(part, "signal", "raw", "points", "weight", "contribution")] for part in parts]
        table(["signal", "value", "points", "weight", "contributes"], ([n, _raw(v), *rest] for n, v, *rest in rows))
        if run["auto"]["cap"]:
            say(f"capped: {run['auto']['cap']:.1f}")
    ratings = [
        *(["verifier", v["verifier_model"] or v["verifier_agent"], v["quality"], v["given_at"], _standing(v), v["note"]]
          for v in run["verdicts"]),
        *(["human", o["reviewer"], o["quality"], o["given_at"], _standing(o), o["note"]] for o in run["overrides"]),
    ]  # fmt: skip
    if ratings:
        say()
        table(
            ["tier", "by", "rating", "given (UTC)", "", "note"],
            ([tier, by, score, instant(at), standing, short(note)] for tier, by, score, at, standing, note in ratings),
        )
    for caveat in run["caveats"]:
        say(f"! {CAVEATS.get(caveat, caveat)}")


def _raw(value: Any) -> str:
    """A signal as measured: 0.94, not 0.9."""
    return f"{value:.3g}" if isinstance(value, float) else cell(value)


def _standing(rating: dict[str, Any]) -> str:
    if rating.get("withdrawn_at"):
        return f"withdrawn by {rating['withdrawn_by']}"
    return "simulated" if rating.get("simulated") else "stands"
