"""How do artifacts get in? `ingest` stores what they say, `inspect` only shows what would be read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

from quality.cli.finding import find
from quality.cli.output import cell, complain, print_json, say, table, tell
from quality.cli.requests import build, moment
from quality.cli.root import Invocation, caller
from quality.commands import ImportArtifact, Imported, RejectedRecord, StoryDetails
from quality.errors import QualityError
from quality.manifest import FaultyManifest, RunClaim
from quality.preview import examine
from quality.readers.base import Target

INGEST_EXAMPLES = """\b
Examples:
  python -m quality ingest rows.csv
  python -m quality ingest reviews/ --json
  python -m quality ingest review.txt --story STORY-7 --agent builder --model claude-sonnet-4-6
  python -m quality ingest ci.log --story STORY-7 --started-at 2026-03-01T09:30Z --discipline backend
  python -m quality ingest --manifest results/quality-manifest.json
  python -m quality ingest old-report.xml --story STORY-7 --accept-old
A folder is walked in order, hidden files are skipped. A manifest, named or found in a folder, says which files are
of which run; all of it is checked before anything is stored, and --story and the like are for the files that it does
not claim. Each file is stored whole or not at all; the same file again changes nothing.
Exit 1 when something was rejected, 2 when a file could not be read or a manifest is at fault.
"""
INSPECT_EXAMPLES = """\b
Examples:
  python -m quality inspect state.db
  python -m quality inspect review.txt --json
  python -m quality inspect results/
A folder's manifest is followed as by ingest.
"""
SHOWN_REJECTS = 20
UNREADABLE, REJECTED = 2, 1
SERVER_FAULT = 500
"""From this status on an error is about the ledger, not about one file."""

Story = Annotated[
    str | None, typer.Option("--story", help="The story, where the file does not name one.", show_default=False)
]
Agent = Annotated[
    str | None, typer.Option("--agent", help="The builder, where the file does not name one.", show_default=False)
]
Model = Annotated[str | None, typer.Option("--model", help="The builder's model, likewise.", show_default=False)]
Attempt = Annotated[int | None, typer.Option("--attempt", min=1, help="The attempt, likewise.", show_default=False)]
Title = Annotated[str | None, typer.Option("--title", help="The story's title, with --story.", show_default=False)]
Started = Annotated[
    str | None,
    typer.Option("--started-at", help="When the agent began the run (ISO 8601 with a zone).", show_default=False),
]
AcceptOld = Annotated[
    bool, typer.Option("--accept-old", help="Score reports from before the run's start too, stored ones as well.")
]
Again = Annotated[bool, typer.Option("--again", help="Store files too of which an import was withdrawn.")]
ManifestFile = Annotated[
    list[Path] | None,
    typer.Option("--manifest", help="A file that says which files are of which run.", show_default=False),
]


def _part(name: str, help: str) -> Any:
    return Annotated[str | None, typer.Option(f"--{name}", help=f"The kind of work: {help}.", show_default=False)]


Discipline, OrgDomain = _part("discipline", "discipline"), _part("org-domain", "domain of the organisation")
Industry, Phase = _part("industry", "industry"), _part("phase", "phase")
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def ingest(
    context: typer.Context,
    paths: Annotated[list[Path] | None, typer.Argument(metavar="PATH…", help="Files or folders.")] = None,
    story: Story = None,
    agent: Agent = None,
    model: Model = None,
    attempt: Attempt = None,
    title: Title = None,
    discipline: Discipline = None,
    org_domain: OrgDomain = None,
    industry: Industry = None,
    phase: Phase = None,
    started_at: Started = None,
    accept_old: AcceptOld = False,
    again: Again = False,
    manifest: ManifestFile = None,
    as_json: AsJson = False,
) -> None:
    """Read artifacts into the ledger."""
    invocation: Invocation = context.obj
    details = {
        "title": title, "discipline": discipline, "org_domain": org_domain, "industry": industry, "phase": phase,
    }  # fmt: skip
    stated = {
        "story_id": story, "agent": agent, "model_version": model, "attempt": attempt,
        "story": StoryDetails(**details), "started_at": moment("--started-at", started_at),
    }  # fmt: skip
    if any(details.values()) and not story:
        raise QualityError("--title, --discipline and the like are of a story: name it with --story")
    if not paths and not manifest:
        raise QualityError("nothing to read: name a file or folder, or give --manifest FILE")
    answers: list[Imported] = []
    unreadable: list[str] = []
    files = _found(paths or [], manifest or [], unreadable, answers)
    with invocation.door("ingest", create=True) as door, _progress(files) as advancing:
        for path, claim in advancing:
            try:
                _refuse_stream(path)
                path.open("rb").close()
                fields = claim.fields if claim else stated
                words = {"accept_old": accept_old, "again": again}
                command = build(ImportArtifact, actor=caller(), path=str(path), **words, **fields)
                answers.append(door.execute(command))
            except (QualityError, OSError) as error:
                if isinstance(error, QualityError) and error.status >= SERVER_FAULT:
                    raise
                _give_up(path, error, unreadable, answers)
    if as_json:
        runs = {run.run_id: run for answer in answers for run in answer.runs}
        print_json({"files": answers, "runs": list(runs.values())})
    else:
        _show_imports(answers)
    for fault in unreadable:
        complain(fault)
    if unreadable:
        raise typer.Exit(UNREADABLE)
    if any(answer.rejects or answer.counts.get("rejects") for answer in answers):
        raise typer.Exit(REJECTED)


def inspect(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="A file or folder.")],
    story: Story = None,
    agent: Agent = None,
    model: Model = None,
    attempt: Attempt = None,
    as_json: AsJson = False,
) -> None:
    """Show what would be read; nothing is stored and no ledger is needed."""
    unreadable: list[str] = []
    found: list[dict[str, Any]] = []
    settings = context.obj.loaded.values
    for file, claim in _found([path], [], unreadable, []):
        try:
            _refuse_stream(file)
            target = Target(story, agent, model, attempt)
            if claim:
                target = Target(claim.story_id, claim.agent, claim.model_version, claim.attempt)
            found.append(examine(file, target, settings))
        except (QualityError, OSError) as error:
            unreadable.append(_fault(file, error))
    if unreadable and not found:
        raise QualityError(unreadable[0])
    if as_json:
        print_json({"files": found} if path.is_dir() or len(found) > 1 else found[0])
    else:
        _show_findings(found)
    for fault in unreadable:
        complain(fault)
    if unreadable:
        raise typer.Exit(UNREADABLE)
    if any(file["counts"]["rejects"] for file in found):
        raise typer.Exit(REJECTED)


def _found(
    paths: list[Path], manifests: list[Path], unreadable: list[str], answers: list[Imported]
) -> list[tuple[Path, RunClaim | None]]:
    try:
        found = find(paths, manifests)
    except FaultyManifest as error:
        for fault in error.faults:
            complain(fault)
        raise typer.Exit(UNREADABLE) from error
    unreadable += found.unreadable
    for folder, error in found.empty:
        _give_up(folder, error, unreadable, answers)
    return found.files


def _refuse_stream(path: Path) -> None:
    """An artifact is read twice, for its hash and for its content; a pipe would wait for ever, or be empty then."""
    if path.exists() and not path.is_file():
        raise QualityError(f"{path}: a pipe or device, no file: save what it gives to a file first")


def _give_up(path: Path, error: Exception, unreadable: list[str], answers: list[Imported]) -> None:
    reason = _fault(path, error)
    unreadable.append(reason)
    reject = RejectedRecord(line=None, reason=reason, value=None)
    answers.append(Imported(path=str(path), format=None, sha256="", status="rejected", rejects=[reject]))


def _fault(path: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{path}: cannot be read ({error.strerror}): check the path and its permissions"
    return str(error)


@contextmanager
def _progress(
    files: list[tuple[Path, RunClaim | None]],
) -> Iterator[Iterator[tuple[Path, RunClaim | None]]]:
    """The files one by one, with a bar on a terminal."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Reading", total=len(files))

        def one_by_one() -> Iterator[tuple[Path, RunClaim | None]]:
            for path, claim in files:
                bar.update(task, description=cell(path.name))
                yield path, claim
                bar.advance(task)

        yield one_by_one()


def _show_imports(answers: list[Imported]) -> None:
    counted = ("stories", "runs", "signals", "verdicts", "overrides", "duplicates", "rejects")
    table(
        ["file", "format", "status", *counted],
        ([a.path, a.format, a.status, *(a.counts.get(name) for name in counted)] for a in answers),
    )
    for answer in answers:
        if answer.format is not None:
            _show_remarks(answer.path, [r.model_dump() for r in answer.rejects], answer.warnings)


def _show_findings(found: list[dict[str, Any]]) -> None:
    counted = list(dict.fromkeys(name for file in found for name in file["counts"]))
    table(
        ["file", "format", *counted],
        ([f["path"], f["format"], *(f["counts"].get(name, 0) for name in counted)] for f in found),
    )
    for file in found:
        if file["tests"]:
            say(f"{file['path']}: tests: {', '.join(f'{number:,} {word}' for word, number in file['tests'].items())}")
        for signal, value in file["signals"].items():
            say(
                f"{file['path']}: {signal} = {value:.3g}"
                if isinstance(value, float)
                else f"{file['path']}: {signal} = {value}"
            )
        _show_remarks(file["path"], file["rejects"], file["warnings"])


def _show_remarks(path: str, rejects: list[dict[str, Any]], warnings: list[str]) -> None:
    for reject in rejects[:SHOWN_REJECTS]:
        place = path if reject["line"] is None else f"{path}:{reject['line']}"
        value = "" if reject["value"] is None else f" ({reject['value']})"
        say(f"rejected {place}: {reject['reason']}{value}")
    if len(rejects) > SHOWN_REJECTS:
        say(f"… and {len(rejects) - SHOWN_REJECTS:,} more: --json lists them")
    for warning in warnings:
        tell(f"warning: {path}: {warning}")
