"""How is a verifier asked from a terminal or a CI job? `verify`: one question to a judge, its review stored as a verdict.

This process asks the judge; no ledger is held while it waits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console

from quality.cli.judging import open_for
from quality.cli.output import print_json, say, tell
from quality.cli.prompt_sources import reply_text
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.commands import RunRef, ShowRun, VerdictStored
from quality.errors import QualityError
from quality.judging import SCRIPTED, Judge, JudgeFailure, JudgeReply
from quality.tiers import CAVEATS
from quality.verifying import check_diff, family_warning, verdict_command, verification_request

EXAMPLES = """\b
Examples:
  git diff main...story-7 | python -m quality verify STORY-7 --diff - --judge anthropic
  python -m quality verify STORY-7 --diff story-7.patch --judge openai --model gpt-4o --json
  python -m quality verify STORY-7 --diff story-7.patch --judge scripted
  python -m quality verify STORY-7 --diff second.patch --judge anthropic --agent builder --attempt 2
A bare story means its latest run by its builder; the answer names the run. The judge sees the diff, the done criteria
and the signals of the run, never its scores. A diff longer than limits.diff_bytes is refused, never cut. The judge is
asked once; a review without a usable verdict block is a reject, and its words are shown.
scripted asks nobody: its verdict is made up, marked simulated, and stays in the history only.
--json: status (STORED, REJECTED or FAILED), verdict, rejects, failure, warnings, review, metadata.
Exit codes: 0 stored · 1 the review was rejected, or the judge gave none · 2 wrong usage or unreadable input.
"""
NOT_STORED = 1
USED = ("backend", "model", "input_tokens", "output_tokens", "latency_ms", "stop_reason", "cost_usd")


def verify(
    context: typer.Context,
    story: Annotated[str, typer.Argument(help="The story.")],
    diff: Annotated[str, typer.Option(metavar="FILE|-", help="The diff or patch; - is standard input.")],
    judge: Annotated[str, typer.Option(help="Who verifies: anthropic, openai or scripted.")],
    model: Annotated[
        str | None, typer.Option(help="The judge's model. Else the one in the settings.", show_default=False)
    ] = None,
    agent: Annotated[str | None, typer.Option(help="The run's agent.", show_default=False)] = None,
    builder_model: Annotated[str | None, typer.Option(help="The run's model.", show_default=False)] = None,
    attempt: Annotated[int | None, typer.Option(min=1, help="The run's attempt.", show_default=False)] = None,
    run: Annotated[str | None, typer.Option("--run", help="The run by its id.", show_default=False)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Ask a judge to review a run's diff, and store its verdict with the judge's own model."""
    invocation: Invocation = context.obj
    if run is not None and any(part is not None for part in (agent, builder_model, attempt)):
        raise QualityError("--run names the run: leave --agent, --builder-model and --attempt out")
    settings = invocation.loaded.values
    text = check_diff(reply_text(diff), settings.limits.diff_bytes)
    question = build(
        ShowRun, actor=caller(), story_id=story, run_id=run, agent=agent, model_version=builder_model, attempt=attempt
    )
    with open_for(invocation, judge, model) as asked:
        with invocation.door("verify") as door:
            found = door.ask(question)
        _warn_before(found, asked, settings.scoring.models)
        request = verification_request(found["run"], found["story"], text)
        with _waiting(f"Asking {asked.model}"):
            reply = asked.ask(request)
    if isinstance(reply, JudgeFailure):
        _failed(reply, request.prompt_version, as_json)
        raise typer.Exit(NOT_STORED)
    with invocation.door("verify") as door:
        stored = door.execute(verdict_command(reply, request, found["run"], text, caller()))
    _show(stored, reply, request.prompt_version, as_json)
    if stored.verdict_id is None:
        raise typer.Exit(NOT_STORED)


def _warn_before(found: dict[str, Any], judge: Judge, models: Any) -> None:
    if not found["story"]["done_criteria"]:
        tell("warning: no done criteria are recorded for this story: the verifier is told so, and judges without them")
    shared = family_warning(found["run"]["model_version"], judge.model, models)
    if shared and judge.backend != SCRIPTED:
        tell(f"warning: {shared}")


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(f"{what}…"):
        yield


def _failed(failure: JudgeFailure, prompt_version: str, as_json: bool) -> None:
    if as_json:
        print_json({
            "status": "FAILED", "verdict": None, "rejects": [],
            "failure": {"code": f"JUDGE_{failure.code.upper()}", "message": failure.message}, "warnings": [],
            "review": None, "metadata": _metadata(failure, prompt_version),
        })  # fmt: skip
    else:
        say(f"FAILED JUDGE_{failure.code.upper()}: {failure.message}")


def _show(stored: VerdictStored, reply: JudgeReply, prompt_version: str, as_json: bool) -> None:
    if as_json:
        rejects = [reject.model_dump() for reject in stored.rejects]
        print_json({
            "status": "STORED" if stored.verdict_id else "REJECTED",
            "verdict": stored.model_dump(exclude={"rejects", "warnings"}) if stored.verdict_id else None,
            "rejects": rejects, "failure": None, "warnings": stored.warnings, "review": reply.text,
            "metadata": _metadata(reply, prompt_version),
        })  # fmt: skip
    elif stored.verdict_id is None:
        for reject in stored.rejects:
            say(f"REJECTED: {reject.reason}")
        say(f"No verdict is stored for {_named(stored.run)}. The judge's words:")
        say(reply.text)
    else:
        say(f"Stored {stored.quality:.1f} by {stored.verifier_model} for {_named(stored.run)}.")
        if stored.simulated:
            say("The scripted judge made it up: it is simulated, in the history only.")
        _say_score(stored)
        say()
        say(reply.text)
    for warning in stored.warnings:
        tell(f"warning: {warning}")


def _say_score(stored: VerdictStored) -> None:
    row = stored.row
    if row["quality"] is None:
        say("The run is not scored.")
    else:
        say(f"Its score is {row['quality']:.1f}, from {row['signal_source']}.")
    if not stored.simulated and "same_family_verifier" in row["caveats"]:
        say(f"Caveat: {CAVEATS['same_family_verifier']}")


def _metadata(answer: JudgeReply | JudgeFailure, prompt_version: str) -> dict[str, Any]:
    return {name: getattr(answer, name, None) for name in USED} | {"prompt_version": prompt_version}


def _named(run: RunRef) -> str:
    return f"{run.story_id}, run {run.run_id} ({run.agent} / {run.model_version} / attempt {run.attempt})"
