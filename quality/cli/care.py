"""Is the ledger well? `rebuild` scores it anew, `doctor` says what is in force and what stands in it."""

import platform
from importlib.metadata import version
from typing import Annotated, Any

import typer

from quality.cli.output import instant, print_json, say, table, tell
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.client import is_running
from quality.commands import Examine, Rebuild
from quality.errors import LedgerBusy, QualityError
from quality.ledger.owner import OwnerFile
from quality.settings import flat_values

REBUILD_EXAMPLES = """\b
Examples:
  python -m quality rebuild
After a change of weights every row shows the new score.
"""
DOCTOR_EXAMPLES = """\b
Examples:
  python -m quality doctor
  python -m quality --ledger team.duckdb doctor --json
"""
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
UNUSABLE = 2


def rebuild(context: typer.Context, as_json: AsJson = False) -> None:
    """Recompute every row with the settings in force."""
    invocation: Invocation = context.obj
    with invocation.door("rebuild") as door:
        rebuilt = door.execute(build(Rebuild, actor=caller()))
    if as_json:
        print_json(rebuilt)
    else:
        say(f"Scored {rebuilt.runs:,} runs with settings {rebuilt.settings_hash}")


def doctor(context: typer.Context, as_json: AsJson = False) -> None:
    """Each setting with where it comes from, what the ledger holds, and who holds the ledger."""
    invocation: Invocation = context.obj
    state = _diagnosis(invocation)
    if as_json:
        print_json(state)
    else:
        _show(state)
    if state["problem"] and not state["holder"]:
        raise typer.Exit(UNUSABLE)


def _diagnosis(invocation: Invocation) -> dict[str, Any]:
    loaded = invocation.loaded
    path = invocation.ledger
    examined, problem, advice = None, None, []
    if path.exists():
        try:
            with invocation.door("doctor") as door:
                holder = _holder(invocation)
                examined = door.ask(build(Examine, actor=caller()))
        except LedgerBusy as busy:
            problem, holder = str(busy), _holder(invocation)
        except QualityError as error:
            problem, holder = str(error), None
    else:
        holder = None
        advice.append("there is no ledger yet: ingest something, or rate a story with --create")
    if examined and examined["rows_with_other_settings"]:
        advice.append(f"{examined['rows_with_other_settings']:,} rows are scored with other settings: run rebuild")
    if examined and examined["rewrites_to_do"]:
        advice.append(
            "bytes of redacted words may be in the file still: make room on the disk, then open the ledger anew"
        )
    if examined and examined["responses_with_other_settings"]:
        advice.append(
            f"{examined['responses_with_other_settings']:,} responses are scored with other settings: run rebuild"
        )
    return {
        "ledger": str(path.resolve()), "exists": path.exists(), "problem": problem, "advice": advice, "holder": holder,
        "state": examined, "settings_hash": loaded.values.scoring.hash,
        "config": None if loaded.config_path is None else str(loaded.config_path),
        "settings": [
            {"name": name, "value": value, "origin": loaded.origins.get(name, "default")}
            for name, value in flat_values(loaded.values).items()
        ],
        "versions": {"python": platform.python_version(), "duckdb": version("duckdb"), "pyarrow": version("pyarrow")},
    }  # fmt: skip


def _holder(invocation: Invocation) -> dict[str, Any] | None:
    """Who holds the ledger, without the secret."""
    found = OwnerFile(invocation.ledger.resolve()).read()
    return None if found is None or not is_running(found.pid) else found.model_dump(mode="json", exclude={"secret"})


def _show(state: dict[str, Any]) -> None:
    say(f"ledger    {state['ledger']}{'' if state['exists'] else '  (not there yet)'}")
    if state["holder"]:
        holder = state["holder"]
        serving = f", serves {holder['address']}" if holder["address"] else ""
        say(f"held by   process {holder['pid']} ({holder['purpose']}, since {instant(holder['since'])} UTC{serving})")
    examined = state["state"] or {}
    for name in ("schema", "stories", "runs", "signal_readings", "verdicts", "overrides", "imports", "rejects"):
        if name in examined:
            say(f"{name.replace('_', ' '):<16}{examined[name]:>12,}")
    say("versions  " + ", ".join(f"{name} {number}" for name, number in state["versions"].items()))
    say(f"settings  {state['settings_hash']}")
    table(["setting", "value", "from"], ([s["name"], _exact(s["value"]), s["origin"]] for s in state["settings"]))
    for text in filter(None, [state["problem"], *state["advice"]]):
        tell(f"! {text}")


def _exact(value: Any) -> Any:
    """A setting as it is, not rounded for reading."""
    return f"{value:g}" if isinstance(value, float) else value
