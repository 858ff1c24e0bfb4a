"""How are responses kept from a terminal, and what do they add up to? `respond … --store`, `feedback` and `stats`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from quality.cli.output import instant, percent, pick, print_json, say, table, tell
from quality.cli.requests import build, moment
from quality.cli.responding_csv import csv_of
from quality.cli.root import Invocation, caller
from quality.client import Door
from quality.errors import QualityError
from quality.response_commands import (
    MOST_RESPONSES,
    AddFeedback,
    FeedbackStored,
    ListResponses,
    ResponseFilters,
    ResponsesStored,
    ResponseStats,
    StoreResponses,
)
from quality.response_models import SIGNALS, ResponseRecord
from quality.response_spool import Spool, SpoolImported, import_spool

FEEDBACK_EXAMPLES = """\b
Examples:
  python -m quality respond feedback msg_01 accept
  python -m quality respond feedback msg_01 edit-after-apply --event-id 7c1f
Exit codes: 0 counted, or this event id counts already · 2 no such response, or wrong usage.
"""
STATS_EXAMPLES = """\b
Examples:
  python -m quality respond stats
  python -m quality respond stats --model claude-sonnet-4-6 --since 2026-03-01 --json
  python -m quality respond stats --export csv > models.csv
  python -m quality respond stats --session s-17 --rows --export csv > responses.csv
--export csv|json writes a row a model, with --rows a row a response (latest first).
trend: the mean of the model's latest week (ISO, UTC) minus that of the week before.
"""
PAGE_ROWS = 10_000
"""Responses that are asked for at once."""
SHOWN_RESPONSES = 50
"""Of them on a terminal."""
MODEL_COLUMNS = (
    "model", "n", "n_scored", "mean", "p25", "median", "p75", "lowest", "highest", "mean_correctness",
    "mean_user_feedback", "mean_static_analysis", "rolling_mean", "week", "week_mean", "week_n", "week_before_mean",
    "week_before_n", "trend", "minor", "moderate", "severe", *SIGNALS, "input_tokens", "output_tokens", "first_at", "last_at",
)  # fmt: skip
ROW_COLUMNS = (
    "response_id", "ts", "model", "provider", "agent", "session_id", "story_id", "composite", "correctness",
    "user_feedback", "static_analysis", "coverage", "rolling_mean", "delta", "severity", "alert", "tools_ok",
    "tools_failed", "tools_unknown", "response_error", "error", "new_errors", "new_warnings", "resolved_errors",
    "resolved_warnings", *SIGNALS, "input_tokens", "output_tokens", "reasoning_tokens", "cache_read_tokens",
    "cache_write_tokens", "settings_hash", "recorded_at",
)  # fmt: skip


def store(invocation: Invocation, records: list[ResponseRecord]) -> ResponsesStored:
    """Keep the responses, whoever holds the ledger, and what waits in its spool besides."""
    whole: ResponsesStored | None = None
    with invocation.door("respond", create=True) as door:
        for start in range(0, len(records), MOST_RESPONSES):
            part = records[start : start + MOST_RESPONSES]
            answer = door.execute(build(StoreResponses, actor=caller(), responses=part))
            whole = _together(whole, answer)
        take_spool(invocation, door)
    assert whole is not None
    return whole


def say_stored(stored: ResponsesStored) -> None:
    """What became of the responses, for people."""
    say(f"Stored {stored.stored:,}, stated anew {stored.restated:,}, unchanged {stored.unchanged:,}.")
    for alert in stored.alerts[:SHOWN_RESPONSES]:
        say(f"{alert.severity} regression: {alert.response_id}, {alert.composite:.1f}")
    for conflict in stored.conflicts:
        tell(f"feedback left out: event id {conflict}")


def store_spool(invocation: Invocation, path: Path) -> SpoolImported:
    """Import a spool file. The ledger's own is removed then, another stays; either counts once."""
    spool = Spool(invocation.ledger)
    with invocation.door("respond", create=True) as door:
        if path.resolve() in [waiting.resolve() for waiting in spool.waiting()]:
            return spool.import_waiting(door, caller())
        done = import_spool(path, door, caller())
        take_spool(invocation, door)
        return done


def take_spool(invocation: Invocation, door: Door) -> None:
    """Import what scorers left beside the ledger while nobody answered."""
    done = Spool(invocation.ledger).import_waiting(door, caller())
    if done.responses or done.feedback:
        tell(
            f"note: {done.responses:,} responses and {done.feedback:,} feedback events waited beside the ledger: imported"
        )
    for reject in done.rejects:
        tell(f"rejected, kept beside the ledger: line {reject.line}: {reject.reason}")


def feedback(
    context: typer.Context,
    response_id: Annotated[str, typer.Argument(metavar="ID", help="The response's id.")],
    signal: Annotated[str, typer.Argument(help="accept, revert, redo or edit-after-apply.")],
    event_id: Annotated[
        str | None, typer.Option(help="The event's own id: the same one counts once.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Count what a person did with a response."""
    invocation: Invocation = context.obj
    command = build(AddFeedback, actor=caller(), response_id=response_id, signal=signal, event_id=event_id)
    with invocation.door("respond") as door:
        take_spool(invocation, door)
        done: FeedbackStored = door.execute(command)
    if as_json:
        print_json(done)
    elif done.status == "known":
        say(f"Event {event_id} counts already. {response_id} stays at {_score(done.composite)}.")
    else:
        severity = f", a {done.severity} regression" if done.severity else ""
        say(f"{command.signal}: {response_id} goes from {_score(done.before)} to {_score(done.composite)}{severity}.")


def stats(
    context: typer.Context,
    model: Annotated[str | None, typer.Option(help="One model.", show_default=False)] = None,
    session: Annotated[str | None, typer.Option(help="One session.", show_default=False)] = None,
    story: Annotated[str | None, typer.Option(help="One story.", show_default=False)] = None,
    since: Annotated[str | None, typer.Option(help="At or after this time (ISO 8601).", show_default=False)] = None,
    until: Annotated[str | None, typer.Option(help="Before this time (ISO 8601).", show_default=False)] = None,
    rows: Annotated[bool, typer.Option("--rows", help="The responses themselves, latest first.")] = False,
    export: Annotated[
        str | None, typer.Option(metavar="csv|json", help="Write them to standard output.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --export json.")] = False,
) -> None:
    """What the stored responses add up to: per model n, mean, median, p25–p75, trend and regressions."""
    invocation: Invocation = context.obj
    if export not in (None, "csv", "json") or (as_json and export == "csv"):
        raise QualityError(f"--export {export}: not available{' with --json' if as_json else ''}: give csv or json")
    form = "json" if as_json else export
    filters = build(
        ResponseFilters, model=model, session_id=session, story_id=story, since=moment("--since", since),
        until=moment("--until", until),
    )  # fmt: skip
    with invocation.door("respond") as door:
        if rows:
            _rows(door, filters, form)
        else:
            _models(door.ask(ResponseStats(actor=caller(), filters=filters)), form)


def _models(found: dict[str, Any], form: str | None) -> None:
    if form == "json":
        print_json(found)
    elif form == "csv":
        _write(csv_of(MODEL_COLUMNS, found["models"]))
    elif not found["models"]:
        say("No responses: store some with respond FILE --store.")
    else:
        _show_models(found)


def _show_models(found: dict[str, Any]) -> None:
    overall = found["overall"]
    say(
        f"{overall['n']:,} responses, {overall['n_scored']:,} scored: mean {_score(overall['mean'])}, "
        f"median {_score(overall['median'])}"
    )
    columns = ("n", "mean", "median", "p25", "p75", "rolling_mean", "trend")
    table(
        [
            "model",
            "n",
            "mean",
            "median",
            "p25",
            "p75",
            "last 20",
            "trend",
            "minor",
            "moderate",
            "severe",
            "latest (UTC)",
        ],
        (
            [row["model"], *pick(row, *columns), *pick(row, "minor", "moderate", "severe"), instant(row["last_at"])]
            for row in found["models"]
        ),
    )


def _rows(door: Door, filters: ResponseFilters, form: str | None) -> None:
    if form is None:
        found = door.ask(ListResponses(actor=caller(), filters=filters, limit=SHOWN_RESPONSES))
        table(
            ["response", "ended (UTC)", "model", "session", "score", "last 20", "delta", "regression", "coverage"],
            (
                [
                    row["response_id"], instant(row["ts"]),
                    *pick(row, "model", "session_id", "composite", "rolling_mean", "delta", "severity"),
                    percent(row["coverage"]),
                ]
                for row in found["responses"]
            ),
        )  # fmt: skip
        if found["total"] > SHOWN_RESPONSES:
            tell(f"{SHOWN_RESPONSES} of {found['total']:,} responses: --export writes all of them")
        return
    every = list(_every(door, filters))
    if form == "json":
        print_json({"total": len(every), "responses": every})
    else:
        _write(csv_of(ROW_COLUMNS, every))


def _every(door: Door, filters: ResponseFilters) -> Iterator[dict[str, Any]]:
    """All that fit, page by page; one that a new arrival pushes onto the next page comes once."""
    seen: set[str] = set()
    offset = 0
    while True:
        page = door.ask(ListResponses(actor=caller(), filters=filters, limit=PAGE_ROWS, offset=offset))["responses"]
        fresh = [row for row in page if row["response_id"] not in seen]
        seen.update(row["response_id"] for row in fresh)
        yield from fresh
        if len(page) < PAGE_ROWS:
            return
        offset += PAGE_ROWS


def _together(one: ResponsesStored | None, other: ResponsesStored) -> ResponsesStored:
    if one is None:
        return other
    both = {name: getattr(one, name) + getattr(other, name) for name in type(one).model_fields}
    return ResponsesStored(**both)


def _score(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.1f}"


def _write(content: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
