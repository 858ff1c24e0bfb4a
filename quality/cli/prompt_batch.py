"""How are many prompts judged? Several at once, with a bar on a terminal; what is done is kept, whatever comes after."""

from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from quality.cli.output import say, table, tell
from quality.cli.prompt_sources import Source, Sources
from quality.evaluation import Evaluation
from quality.judges import ask_many
from quality.judging import Judge
from quality.prompts import evaluation_of, prompt_request

STORED_AT_ONCE = 50
"""Evaluations that are stored together while the rest is under way."""
SHOWN_REJECTS = 20
SCRIPTED = "Scripted judge: made up from a hash of each prompt, no judgement."

Done = list[tuple[Source, Evaluation]]


def evaluate_batch(
    prompts: list[Source], judge: Judge, concurrency: int, keep: Callable[[Done], None] | None = None
) -> list[Evaluation]:
    """The evaluations in the order of the prompts; `keep` gets them in parts as they come, also when interrupted."""
    requests = [prompt_request(one.text) for one in prompts]
    done: dict[int, Evaluation] = {}
    waiting: Done = []

    def flush() -> None:
        if keep and waiting:
            ready, waiting[:] = list(waiting), []
            keep(ready)

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("Judging"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Judging", total=len(prompts))

        def arrived(place: int, answer: object) -> None:
            done[place] = evaluation_of(prompts[place].text, requests[place], answer)  # type: ignore[arg-type]
            waiting.append((prompts[place], done[place]))
            bar.advance(task)
            if len(waiting) >= STORED_AT_ONCE:
                flush()

        try:
            ask_many(judge, requests, concurrency, arrived)
        finally:
            flush()
    return [done[place] for place in range(len(prompts))]


def show_batch(sources: Sources, found: list[Evaluation]) -> None:
    """A row a prompt, then what was rejected."""
    if any(result.metadata.scripted for result in found):
        say(SCRIPTED)
    table(
        ["prompt", "status", "overall", "label", "colour", "failure"],
        (
            [one.id, r.status, r.overall, r.label, r.colour, r.failure and f"{r.failure.code}: {r.failure.message}"]
            for one, r in zip(sources.prompts, found)
        ),
    )
    for reject in sources.rejects[:SHOWN_REJECTS]:
        place = reject["file"] if reject["line"] is None else f"{reject['file']}:{reject['line']}"
        say(f"rejected {place}: {reject['reason']}")
    if len(sources.rejects) > SHOWN_REJECTS:
        say(f"… and {len(sources.rejects) - SHOWN_REJECTS:,} more: --json lists them")
    for warning in dict.fromkeys(warning for result in found for warning in result.warnings):
        tell(f"warning: {warning}")
