"""How are improvement candidates scored from a terminal or a pipeline? `discriminate`: a file in, a ranking out.

Everything is checked before a judge is asked or a file is written. `scripts/score.py` is the same command.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from quality.candidate_folders import Folders, default_roots, look_into
from quality.candidate_input import FaultyCandidates, ReadCandidates, many_objects, read_candidates
from quality.candidate_output import Ranking
from quality.candidate_ranking import callers, rank
from quality.cli.output import complain, print_json, say, short, table, tell
from quality.cli.requests import build
from quality.cli.root import Invocation, caller
from quality.errors import NotFound, QualityError
from quality.export import write_whole
from quality.judges.candidates import Judged, judge_candidates
from quality.judges.choice import backend_of
from quality.problems import one_line
from quality.ranking_commands import RankingStored, StoreRanking

EXAMPLES = """\b
Examples:
  python -m quality discriminate --input candidates.json
  python -m quality discriminate --input candidates.json --panel --llm-judge mock --output scored.json
  python -m quality discriminate --input candidates.json --use-evaluator-evidence --root skills/
  python -m quality discriminate --input candidates.json --llm-judge claude --json | jq .summary
Blends: heuristic alone; 70/30 with evidence; 60/40 with a judge; 50/30/20 with both (heuristic, judge, evidence). With a
panel each of the four reviewers scores, and asks the judge, by itself.
A judge without its key is replaced by mock, which is made up; one that fails is left out of the blend. Both are said in
the ranking and on stderr. Evidence looks up five names in the folder of each target, inside --root and nowhere else.
A ledger is touched with --store only.
Exit codes: 0 ranked · 1 ranked, but not stored in the ledger · 2 wrong usage or input that cannot be scored: nothing is written.
"""
STDIN = "-"
STATE, RANKINGS = Path("state"), "rankings"
SHOWN_ROWS = 50
NOT_STORED, WRONG = 1, 2


def discriminate(
    context: typer.Context,
    source: Annotated[
        str, typer.Option("--input", metavar="FILE|-", help="The candidates, JSON; - is standard input.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", help="The ranking. Else {state-root}/rankings/{run_id}.json.", show_default=False),
    ] = None,
    state_root: Annotated[Path, typer.Option("--state-root", help="Where rankings are kept.")] = STATE,
    with_panel: Annotated[
        bool, typer.Option("--panel", help="Four reviewers score blind; their agreement decides.")
    ] = False,
    llm_judge: Annotated[
        str | None, typer.Option("--llm-judge", help="Ask a judge: claude, openai or mock.", show_default=False)
    ] = None,
    use_evaluator_evidence: Annotated[
        bool, typer.Option("--use-evaluator-evidence", help="Count how the target's folder is built.")
    ] = False,
    root: Annotated[
        Path | None,
        typer.Option(help="The folder of the targets. Else the input's and the working folder.", show_default=False),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The judge's model. Else the one in the settings.", show_default=False)
    ] = None,
    store: Annotated[bool, typer.Option("--store", help="Keep the ranking in the ledger as well.")] = False,
    path_only: Annotated[
        bool, typer.Option("--path-only", help="Print the path of the ranking, nothing else.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the ranking as one JSON document.")] = False,
) -> None:
    """Score improvement candidates, rank them, and recommend what to do with each."""
    invocation: Invocation = context.obj
    settings = invocation.loaded.values
    if path_only and as_json:
        raise QualityError("--path-only prints a path, --json the ranking: leave one out")
    if model is not None and llm_judge is None:
        raise QualityError(f"--model {model}: no judge is asked: add --llm-judge, or leave --model out")
    if llm_judge is not None:
        backend_of(llm_judge)
    with many_objects():
        try:
            read = read_candidates(_content(source))
            path = _output(output, state_root, read.file.run_id)
            folders = _folders(read, source, root or settings.candidates.root) if use_evaluator_evidence else None
        except FaultyCandidates as error:
            _refuse(source, error, as_json)
            raise typer.Exit(WRONG) from None
        judged = None
        if llm_judge is not None:
            asked = callers(with_panel)
            with _bar(len(read.file.candidates) * asked) as on_done:
                judged = judge_candidates(read.file.candidates, asked, llm_judge, settings.judges, model, on_done)
        ranking = _ranked(read, source, with_panel, folders, judged, settings.candidates.protected_paths)
        _write(path, ranking)
        stored, not_stored = _stored(invocation, ranking) if store else (None, None)
        for warning in ranking.warnings:
            tell(f"warning: {one_line(warning)}")
        if as_json:
            print_json(ranking.document())
        elif path_only:
            print(path)
        else:
            _show(ranking, path, stored)
        if not_stored is not None:
            complain(f"ranked, but not stored in the ledger: {one_line(not_stored)}")
            raise typer.Exit(NOT_STORED)


def _ranked(
    read: ReadCandidates, source: str, with_panel: bool, folders: Folders | None, judged: Judged | None,
    protected_paths: tuple[str, ...],
) -> Ranking:  # fmt: skip
    ranking = rank(
        read.file,
        with_panel=with_panel,
        folders=folders,
        verdicts=judged and judged.verdicts,
        judge=judged and judged.use,
        protected_paths=protected_paths,
        source=source,
        sha256=read.sha256,
        warnings=judged.warnings if judged else (),
    )
    return ranking.model_copy(update={"created_at": datetime.now(UTC).replace(microsecond=0)})


def _content(source: str) -> bytes:
    if source == STDIN:
        return sys.stdin.buffer.read()
    path = Path(source)
    if not path.exists():
        raise NotFound(f"{source}: no such file: check the path")
    if path.is_dir():
        raise QualityError(f"{source}: is a folder: name the file of candidates in it")
    try:
        return path.read_bytes()
    except OSError as error:
        raise QualityError(f"{source}: cannot be read ({error.strerror}): check permissions") from error


def _output(output: Path | None, state_root: Path, run_id: str) -> Path:
    """Where the ranking goes; refused before anything is done if it cannot go there."""
    path = output or state_root / RANKINGS / f"{run_id}.json"
    if path.is_dir():
        raise QualityError(f"{path}: is a folder: name a file in it")
    above = next((folder for folder in path.absolute().parents if folder.exists()), None)
    if above is not None and not above.is_dir():
        raise QualityError(f"{path}: {above} is a file, not a folder: choose another place")
    return path


def _folders(read: ReadCandidates, source: str, root: Path | None) -> Folders:
    roots = [root] if root is not None else default_roots(None if source == STDIN else Path(source))
    return look_into(read.file.candidates, roots)


def _write(path: Path, ranking: Ranking) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise QualityError(f"{path.parent}: cannot be made ({error.strerror}): choose another place") from error
    write_whole(path, ranking.chunks())


def _stored(invocation: Invocation, ranking: Ranking) -> tuple[RankingStored | None, str | None]:
    """Into the ledger, whoever holds it; or why not: the ranking is written already, and is shown all the same."""
    protected = invocation.loaded.values.candidates.protected_paths
    try:
        with invocation.door("discriminate", create=True) as door:
            return door.execute(build(StoreRanking, actor=caller(), ranking=ranking, protected_paths=protected)), None
    except QualityError as error:
        return None, str(error)


def _refuse(source: str, error: FaultyCandidates, as_json: bool) -> None:
    faults = [one_line(f"{source}: {fault}") for fault in error.faults]
    for fault in faults:
        complain(fault)
    if as_json:
        print_json({"error": faults[0], "errors": faults, "exit_code": WRONG})


@contextmanager
def _bar(total: int) -> Iterator:
    """A bar on a terminal; what it gives is called as each answer comes."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("Judging"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Judging", total=total)
        yield lambda *_: bar.advance(task)


def _show(ranking: Ranking, path: Path, stored: RankingStored | None) -> None:
    shown = ranking.scored_candidates[:SHOWN_ROWS]
    labels = [one.panel.cognitive_label if one.panel else None for one in shown]
    table(
        ["candidate", "score", "recommendation", *(["panel"] if any(labels) else []), "blockers"],
        (
            [short(one.id), f"{one.score:.2f}", one.recommendation, *([label] if any(labels) else []), one.blockers]
            for one, label in zip(shown, labels)
        ),
    )
    if (beyond := len(ranking.scored_candidates) - len(shown)) > 0:
        say(f"… and {beyond:,} more: they are in the file")
    counts = ranking.summary
    say(
        f"{len(ranking.scored_candidates):,} candidates: {counts.accept_for_execution:,} accept_for_execution, "
        f"{counts.hold:,} hold, {counts.reject:,} reject ({ranking.critic_mode})"
    )
    say(f"Wrote {path}")
    if stored is not None:
        say(f"{'Stored' if stored.status == 'stored' else 'Already stored'} as {stored.ranking_id}")
