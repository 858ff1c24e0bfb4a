"""How good is an AI response? `respond FILE` scores the responses in a file, and stores them with `--store` only.

`respond` is a group: what follows it is a file, unless it is the name of one of its commands.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from quality.cli import responding
from quality.cli.output import instant, print_json, say, short, table, tell
from quality.cli.root import Invocation
from quality.errors import NotFound, QualityError
from quality.observations import Reject
from quality.readers.base import Artifact
from quality.readers.responses.base import FoundResponse, ResponseReading
from quality.readers.responses.formats import read_responses
from quality.readers.responses.snapshots import NoSnapshot, Snapshot, read_snapshot, together
from quality.response_models import ResponseRecord, ResponseScore
from quality.response_settings import ResponseSettings
from quality.response_spool import is_spool
from quality.responses import PARTS, score_record

EXAMPLES = """\b
Examples:
  python -m quality respond response.json --json
  python -m quality respond response.json --before pyright-before.json --after pyright-after.json
  python -m quality respond ~/.claude/projects/my-project/session.jsonl
  python -m quality respond rollout.jsonl --json | jq '.responses[].composite'
  python -m quality respond rollout.jsonl --store --story S-17
Options of a file: python -m quality respond FILE --help
FILE holds message metadata with its snapshots or a summary of it (JSON, or one a line), OpenTelemetry gen_ai spans
(OTLP JSON), or a session transcript of Claude Code or Codex CLI. A file named like a command: ./stats
--json: composite, sub_scores, effective_weights, missing, coverage; of a file that may hold many responses
{format, responses, rejects, warnings}, where each response also names its line, id, session, story, model and time.
Exit codes: 0 scored · 1 something was rejected · 2 wrong usage or unreadable input.
"""
REJECTED = 1
SHOWN_REJECTS = 20
NAMED = ("response_id", "session_id", "story_id", "agent", "provider", "model", "occurred_at")
"""What a response among many is told apart by."""
_FILE = "file"
"""The command that a file stands for."""


class FileOrCommand(TyperGroup):
    """A group whose first word is a file, unless it names a command or asks for help."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = {name for name in self.commands if name != _FILE} | {"--help", "-h"}
        if args and args[0] not in own:
            args = [_FILE, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=FileOrCommand, help="Score AI responses 0–100: FILE, or a command.", epilog=EXAMPLES, rich_markup_mode=None,
    no_args_is_help=True, options_metavar="", subcommand_metavar="FILE [OPTIONS] | COMMAND [ARGS]",
)  # fmt: skip


@app.command(_FILE, epilog=EXAMPLES, hidden=True)
def respond(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The responses.")],
    before: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Diagnostics before: LSP, pyright, ruff or eslint JSON.", show_default=False),
    ] = None,
    after: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Diagnostics after, of the same tool.", show_default=False)
    ] = None,
    story: Annotated[
        str | None, typer.Option(help="The story they belong to: a transcript names none.", show_default=False)
    ] = None,
    session: Annotated[str | None, typer.Option(help="Their session.", show_default=False)] = None,
    agent: Annotated[str | None, typer.Option(help="The agent that answered.", show_default=False)] = None,
    store: Annotated[bool, typer.Option("--store", help="Keep them in the ledger; the same one again is one.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Score the responses in a file; a ledger is touched with --store only."""
    invocation: Invocation = context.obj
    said = _said(story_id=story, session_id=session, agent=agent)
    if is_spool(file):
        if said:
            raise QualityError(
                f"{file}: responses that wait name their own story, session and agent: leave these options out"
            )
        _import_spool(invocation, file, store, as_json)
        return
    settings = invocation.loaded.values.responses
    reading = read_file(file)
    found = [of_these(one, said) for one in with_snapshots(list(reading.items), before, after)]
    responses = [one for one in found if isinstance(one, FoundResponse)]
    rejects = [one for one in found if isinstance(one, Reject)]
    scores = [score_record(one.record, settings) for one in responses]
    kept = responding.store(invocation, [one.record for one in responses]) if store and responses else None
    if as_json:
        alone = reading.one and not rejects and len(scores) == 1
        document = scores[0].answer() if alone else _document(reading, responses, scores, rejects)
        print_json(document | ({"stored": kept} if kept else {}))
    else:
        _show(responses, scores, settings)
        if kept:
            responding.say_stored(kept)
        complain_of(file, rejects)
        for warning in reading.warnings:
            tell(f"note: {warning}")
    if rejects:
        raise typer.Exit(REJECTED)


def _import_spool(invocation: Invocation, file: Path, store: bool, as_json: bool) -> None:
    if not store:
        raise QualityError(f"{file}: responses that wait for the ledger: add --store to import them")
    done = responding.store_spool(invocation, file)
    if as_json:
        print_json(done)
    else:
        say(f"Imported {done.responses:,} responses and {done.feedback:,} feedback events.")
        complain_of(file, done.rejects)
    if done.rejects:
        raise typer.Exit(REJECTED)


def read_file(path: Path) -> ResponseReading:
    """The responses in a file, by what its bytes say.

    Raises:
        QualityError: it is not there, or no file.
    """
    return read_responses(_artifact(path))


def with_snapshots(
    found: Iterator[FoundResponse | Reject] | list[FoundResponse | Reject], before: Path | None, after: Path | None
) -> list[FoundResponse | Reject]:
    """The one response of a file with the snapshots of these files; without any, everything as it is.

    Raises:
        QualityError: only one of them is named, a file is no snapshot, or there is not exactly one response.
    """
    items = list(found)
    if before is None and after is None:
        return items
    if before is None or after is None:
        raise QualityError("--before and --after belong together: name both files")
    responses = [one for one in items if isinstance(one, FoundResponse)]
    if len(responses) != 1:
        raise QualityError(
            f"--before and --after are of one response, the file holds {len(responses)}: put the snapshots in the file"
        )
    pair = together(_snapshot(before), _snapshot(after))
    changes = dict(zip(("lsp_before", "lsp_after"), pair))
    return [
        FoundResponse(one.line, one.record.model_copy(update=changes)) if one is responses[0] else one for one in items
    ]


def of_these(one: FoundResponse | Reject, said: dict[str, str]) -> FoundResponse | Reject:
    """A response with what the command line says of all of them, which wins over the file."""
    if not said or isinstance(one, Reject):
        return one
    metadata = one.record.metadata.model_copy(update=said)
    return FoundResponse(one.line, one.record.model_copy(update={"metadata": metadata}))


def _said(**options: str | None) -> dict[str, str]:
    stated = {name: value.strip() for name, value in options.items() if value is not None}
    for name, value in stated.items():
        if not value:
            raise QualityError(f"--{name.removesuffix('_id')} is empty: name one, or leave it out")
    return stated


def complain_of(file: Path, rejects: list[Reject]) -> None:
    """Rejects for people, the first of them with file, line and reason."""
    for one in rejects[:SHOWN_REJECTS]:
        tell(f"rejected {file}:{one.line}: {one.reason}")
    if len(rejects) > SHOWN_REJECTS:
        tell(f"… and {len(rejects) - SHOWN_REJECTS:,} more rejects; --json lists them all")


def _artifact(path: Path) -> Artifact:
    if not path.exists():
        raise NotFound(f"{path}: no such file: check the path")
    if not path.is_file():
        raise QualityError(f"{path}: not a file: name one file")
    return Artifact(path)


def _snapshot(path: Path) -> Snapshot:
    try:
        return read_snapshot(_artifact(path))
    except NoSnapshot as error:
        raise QualityError(str(error)) from error


def _document(
    reading: ResponseReading, responses: list[FoundResponse], scores: list[ResponseScore], rejects: list[Reject]
) -> dict[str, Any]:
    return {
        "format": reading.format,
        "responses": [
            {"line": one.line, **_named(one.record), **score.answer()} for one, score in zip(responses, scores)
        ],
        "rejects": [one.model_dump(mode="json") for one in rejects],
        "warnings": reading.warnings,
    }


def _named(record: ResponseRecord) -> dict[str, Any]:
    return record.metadata.model_dump(mode="json", include=set(NAMED))


def _show(responses: list[FoundResponse], scores: list[ResponseScore], settings: ResponseSettings) -> None:
    if len(scores) == 1:
        _show_parts(scores[0], responses[0].record, settings)
    elif scores:
        table(
            ["line", "response", "model", "ended (UTC)", "score", *PARTS],
            ([one.line, *_row(one.record), score.composite, *score.sub_scores.values()]
             for one, score in zip(responses, scores)),
        )  # fmt: skip


def _row(record: ResponseRecord) -> list[Any]:
    meta = record.metadata
    at = meta.occurred_at.isoformat() if meta.occurred_at else None
    return [short(meta.response_id), meta.model, instant(at)]


def _show_parts(score: ResponseScore, record: ResponseRecord, settings: ResponseSettings) -> None:
    say(
        f"score {score.composite:.1f} of 100"
        if score.composite is not None
        else "not scored: nothing that counts is known"
    )
    stated = record.weights or settings.weights
    table(
        ["part", "score", "weight", "used weight", "contributes"],
        (
            [
                name,
                part,
                getattr(stated, name),
                f"{score.effective_weights.get(name, 0):.4f}",
                score.contributions.get(name),
            ]
            for name, part in score.sub_scores.items()
        ),
    )
    if score.missing:
        say(f"missing: {', '.join(score.missing)}; the weight is shared out")
