"""How good is a prompt? `prompt` asks a judge, or scores a reply that was recorded."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from quality.cli.judging import open_for
from quality.cli.output import instant, pick, print_json, say, table, tell
from quality.cli.prompt_batch import evaluate_batch, show_batch
from quality.cli.prompt_sources import STDIN, batch, is_batch, prompt_text, reply_text
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.commands import EvaluatedPrompt, Examine, ListEvaluations, ShowStory, StoreEvaluations
from quality.errors import NotFound, QualityError
from quality.evaluation import Evaluation
from quality.prompts import (
    CRITERIA,
    DIMENSIONS,
    STORY_PROMPT,
    check_prompt,
    evaluate_prompt,
    score_reply,
    texts_of_story,
)

EXAMPLES = """\b
Examples:
  python -m quality prompt system.md --judge anthropic
  python -m quality prompt - --judge openai --model gpt-4o --json < system.md
  python -m quality prompt --reply judged.json --json
  python -m quality prompt prompts/ --judge openai --json > scores.json
  python -m quality prompt system.md --judge anthropic --store --name "support bot"
  python -m quality prompt --history --name "support bot"
  python -m quality prompt --story STORY-7 --judge anthropic --store
--story without a file takes the story's done criteria from the ledger, with --name prompt its prompt.
A folder, or a .jsonl with {"id", "text"} a line, is a batch. A ledger is touched with --store, --history or --story only;
what a judge answered is stored, usable or not, a judge that gave no answer is not.
--json: status, overall, label, colour, dimensions, suggestions, failure; with a judge also metadata and warnings.
Weights: EVAL_WEIGHT_STRUCTURE, _CLARITY, _COMPLETENESS, _SPECIFICITY, 0.25 each unless set.
Exit codes: 0 scored · 1 FAILED, or in a batch something failed or was rejected · 2 wrong usage or unreadable input.
"""
FAILED = 1
SCRIPTED = "Scripted judge: made up from a hash of the prompt, not a judgement."
HISTORY = ("name", "story_id", "version", "status", "overall", "label")


def prompt(
    context: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|-|FOLDER]", help="The prompt; - is standard input.", show_default=False),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="Who judges: anthropic, openai or scripted.", show_default=False)
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The judge's model. Else the one in the settings.", show_default=False)
    ] = None,
    reply: Annotated[
        str | None,
        typer.Option(metavar="FILE|-", help="Score this recorded reply of a judge; none is asked.", show_default=False),
    ] = None,
    store: Annotated[bool, typer.Option("--store", help="Keep the evaluation in the ledger.")] = False,
    name: Annotated[
        str | None,
        typer.Option(help="Which prompt it is a version of. Else its file, or a line's id.", show_default=False),
    ] = None,
    story: Annotated[
        str | None, typer.Option(help="The story it belongs to; without FILE, whose text it is.", show_default=False)
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="List what is stored; ask nobody.")] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Also who judged, weights, and the judge's raw reply.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Score a prompt by a judge on structure, clarity, completeness and specificity, 0–10."""
    invocation: Invocation = context.obj
    _refuse_contradictions(source, judge, model, reply, store, name, story, history)
    if history:
        _show_history(invocation, name, story, as_json)
        return
    if source is not None and is_batch(source):
        _run_batch(invocation, source, judge, model, store, name, story, as_json, details)
        return
    if source is None and story is not None:
        name = name or CRITERIA
        found, text = _of_story(invocation, story, name, judge, model, reply)
    else:
        found, text = _evaluated(invocation, source, judge, model, reply, store, story)
    if as_json:
        print_json(in_json(found, judged=judge is not None, details=details))
    else:
        _show(found, details)
    for warning in found.warnings:
        tell(f"warning: {warning}")
    if store and text is not None and answered(found):
        kept = EvaluatedPrompt(text=text, name=_name(source, name, story), story_id=story, evaluation=found)
        store_all(invocation, [kept])
    if found.status == "FAILED":
        raise typer.Exit(FAILED)


def in_json(found: Evaluation, judged: bool, details: bool) -> dict[str, Any]:
    """The seven keys of MODEL.md; what a judge adds; what was asked for besides."""
    document = found.answer()
    if judged or details:
        document |= found.model_dump(mode="json", include={"metadata", "warnings"})
    if details:
        document |= found.model_dump(mode="json", include={"weights", "reply"})
    return document


def answered(found: Evaluation) -> bool:
    """Whether there is a judge's answer to keep."""
    return found.reply is not None


def store_all(invocation: Invocation, kept: list[EvaluatedPrompt]) -> None:
    """Into the ledger, whoever holds it."""
    stamped = [one.model_copy(update={"occurred_at": one.occurred_at or datetime.now(UTC)}) for one in kept]
    with invocation.door("prompt", create=True) as door:
        door.execute(build(StoreEvaluations, actor=caller(), evaluations=stamped))


def _evaluated(
    invocation: Invocation, source: str | None, judge: str | None, model: str | None, reply: str | None, store: bool,
    story: str | None,
) -> tuple[Evaluation, str | None]:  # fmt: skip
    """The evaluation, and the prompt's text where it is needed."""
    if judge is None and not store:
        if source not in (None, STDIN) and not Path(str(source)).exists():
            raise NotFound(f"{source}: no such file: check the path, or leave it out")
        return score_reply(reply_text(str(reply))), None
    text = prompt_text(str(source))
    if store:
        _refuse_unusable(invocation, story)
    if judge is None:
        return score_reply(reply_text(str(reply))), text
    with open_for(invocation, judge, model) as asked:
        return evaluate_prompt(text, asked), text


def _of_story(
    invocation: Invocation, story: str, name: str, judge: str | None, model: str | None, reply: str | None
) -> tuple[Evaluation, str]:
    """The evaluation of a text that the ledger holds about the story, and the text."""
    with invocation.door("prompt") as door:
        known = door.ask(build(ShowStory, actor=caller(), story_id=story))
    texts = texts_of_story(*reversed(known["runs"]), known["story"])
    if name not in texts:
        held = f"has {' and '.join(texts)}" if texts else f"has neither {CRITERIA} nor {STORY_PROMPT}"
        raise QualityError(f"{story}: no text '{name}': the story {held}; name a file, or ingest the text first")
    text = check_prompt(texts[name])
    if judge is None:
        return score_reply(reply_text(str(reply))), text
    with open_for(invocation, judge, model) as asked:
        return evaluate_prompt(text, asked), text


def _run_batch(
    invocation: Invocation, source: str, judge: str | None, model: str | None, store: bool, name: str | None,
    story: str | None, as_json: bool, details: bool,
) -> None:  # fmt: skip
    if judge is None or name is not None:
        raise QualityError(
            f"{source}: a batch: leave --name out, its prompts have names" if judge else
            f"{source}: a batch needs a judge: add --judge, a recorded reply belongs to one prompt"
        )  # fmt: skip
    sources = batch(source)
    if store:
        _refuse_unusable(invocation, story)

    def keep(done: list[tuple[Any, Evaluation]]) -> None:
        kept = [
            EvaluatedPrompt(text=one.text, name=one.name, story_id=story, evaluation=found)
            for one, found in done
            if answered(found)
        ]
        if kept:
            store_all(invocation, kept)

    with open_for(invocation, judge, model) as asked:
        concurrency = invocation.loaded.values.judges.concurrency
        found = evaluate_batch(sources.prompts, asked, concurrency, keep if store else None)
    if as_json:
        print_json({
            "prompts": [
                {"id": one.id, "file": one.file, "line": one.line, **in_json(result, judged=True, details=details)}
                for one, result in zip(sources.prompts, found)
            ],
            "rejects": sources.rejects,
        })  # fmt: skip
    else:
        show_batch(sources, found)
    if sources.rejects or any(result.status == "FAILED" for result in found):
        raise typer.Exit(FAILED)


def _refuse_contradictions(
    source: str | None, judge: str | None, model: str | None, reply: str | None, store: bool, name: str | None,
    story: str | None, history: bool,
) -> None:  # fmt: skip
    if history:
        if source or judge or reply or store:
            raise QualityError("--history lists what is stored: leave prompt, --judge, --reply and --store out")
        return
    if judge is not None and reply is not None:
        raise QualityError("--reply is scored without a judge: leave --judge out, or --reply")
    if judge is None and reply is None:
        raise QualityError("nobody to judge: add --judge anthropic, openai or scripted, or --reply FILE")
    if source is None and story is None and (judge is not None or store):
        raise QualityError("which prompt? Name its file, - for standard input, a folder, or a --story that has one")
    if model is not None and judge is None:
        raise QualityError(f"--model {model}: a recorded reply has its model behind it: leave --model out")
    if not store and source is not None and (name is not None or story is not None):
        raise QualityError("--name and --story say under what to keep it: add --store, or leave them out")
    if store and source == STDIN and name is None and story is None:
        raise QualityError("a prompt from standard input has no name to be stored under: add --name")
    if store and source == STDIN and reply == STDIN:
        raise QualityError("prompt and reply cannot both be standard input: name a file for one of them")


def _name(source: str | None, name: str | None, story: str | None) -> str:
    return name or (STORY_PROMPT if story else str(source))


def _refuse_unusable(invocation: Invocation, story: str | None) -> None:
    """Nobody pays a judge for what cannot be stored."""
    with invocation.door("prompt", create=True) as door:
        door.ask(Examine(actor=caller()))
        if story is not None:
            door.ask(build(ShowStory, actor=caller(), story_id=story))


def _show(found: Evaluation, details: bool) -> None:
    if found.metadata.scripted:
        say(SCRIPTED)
    if found.failure:
        say(f"FAILED {found.failure.code}: {found.failure.message}")
    else:
        say(f"Overall {found.overall:.1f}, {found.label} ({found.colour})")
        labels = {d.key: d.label for d in DIMENSIONS}
        table(
            ["dimension", "score", "weight", "feedback"],
            ([labels[p.key], p.score, f"{p.weight:.3g}", p.feedback] for p in found.dimensions),
        )
        for suggestion in found.suggestions:
            say(f"- {' '.join(suggestion.split())}")
    if details:
        for key, value in found.metadata.model_dump(exclude_none=True).items():
            say(f"{key}: {value}")
        if found.reply is not None:
            say("The judge's words:")
            say(found.reply)


def _show_history(invocation: Invocation, name: str | None, story: str | None, as_json: bool) -> None:
    question = build(ListEvaluations, actor=caller(), prompt_name=name, story_id=story)
    with invocation.door("prompt") as door:
        found = door.ask(question)
    if as_json:
        print_json(found)
        return
    table(
        ["name", "story", "version", "status", "overall", "label", "judge", "model", "recorded (UTC)"],
        (
            [*pick(row, *HISTORY), *pick(row["metadata"], "backend", "model"), instant(row["recorded_at"])]
            for row in found["evaluations"]
        ),
    )
    if found["total"] > len(found["evaluations"]):
        tell(
            f"{len(found['evaluations']):,} of {found['total']:,} evaluations: name one prompt with --name to see its own"
        )
