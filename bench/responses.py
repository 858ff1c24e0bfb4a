"""`python -m bench.responses`: handing over a response, storing 100,000 in a batch, one feedback event among them.

Each beside the least that would do. A hand-over beside `queue.Queue.put_nowait` into an empty queue, call by call in turn,
while the scorer's thread stores what was handed over before. The batch beside a DuckDB insert of the same statements from
the same Arrow table, with its commit. The event beside a DuckDB insert of one row, with its commit.
"""

import argparse
import os
import queue
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb

from bench.bare import insert_one, prepare_one
from bench.measure import row
from quality.ledger.ledger import Ledger
from quality.ledger.responses_columns import statements_of
from quality.response_commands import AddFeedback, StoreResponses
from quality.response_models import SIGNALS, ResponseRecord
from quality.response_scorer import ResponseScorer

SEED = 20261202
MODELS = 5
START = datetime(2026, 11, 1, tzinfo=UTC)
WAITING = 5_000
"""Responses handed over before the clock runs, so that the scorer's thread has work for longer than the calls take."""
PAUSE_SECONDS = 0.0005
"""Between two calls: in it the thread runs."""
SUBMIT_TARGET, BATCH_TARGET, FEEDBACK_TARGET = "p99 ≤ 50 µs", "≤ 10 s", "p50 ≤ 10 ms"


def made_up(count: int) -> list[dict]:
    """So many responses of a few models, with tools, tokens and snapshots, a minute apart."""
    draw = random.Random(SEED)
    return [
        {
            "metadata": {
                "response_id": f"response-{place:06}", "model": f"model-{draw.randrange(MODELS)}",
                "session_id": f"session-{place // 50}", "tools_ok": draw.randrange(6), "tools_failed": draw.randrange(2),
                "occurred_at": START + timedelta(seconds=place),
                "tokens": {"input": draw.randrange(10_000), "output": draw.randrange(2_000)},
            },
            "lsp_before": {"errors": draw.randrange(3), "warnings": draw.randrange(3)},
            "lsp_after": {"errors": draw.randrange(3), "warnings": draw.randrange(3)},
        }
        for place in range(count)
    ]  # fmt: skip


def report_submit(folder: Path, calls: int) -> None:
    many = made_up(WAITING + calls)
    bare: queue.Queue = queue.Queue()
    ours_us, bare_us = [], []
    with ResponseScorer(folder / "submit.duckdb", queue_size=len(many) + 1) as scorer:
        for one in many[:WAITING]:
            scorer.submit(**_handed(one))
        for one in many[WAITING:]:
            handed = _handed(one)
            ours_us.append(_seconds(scorer.submit, **handed) * 1e6)
            bare_us.append(_seconds(bare.put_nowait, handed) * 1e6)
            bare.get_nowait()
            time.sleep(PAUSE_SECONDS)
        counts = scorer.counts
        busy = "the thread at work to the end" if counts.settled < counts.accepted else "THE THREAD HAD FINISHED"
        assert counts.dropped == 0
    row("submit, p50", statistics.median(ours_us), statistics.median(bare_us), "µs", "", busy)
    row("submit, p99", _p99(ours_us), _p99(bare_us), "µs", SUBMIT_TARGET, f"of {calls:,}")


def report_ledger(folder: Path, count: int, events: int) -> None:
    stated = made_up(count)
    start = time.perf_counter()
    records = [ResponseRecord.model_validate(one) for one in stated]
    checked = time.perf_counter() - start
    statements = statements_of(records)
    with duckdb.connect(str(folder / "bare.duckdb")) as bare, Ledger(folder / "l.duckdb") as ledger:
        bare.register("statements", statements)
        bare.execute("CREATE TABLE responses AS FROM statements LIMIT 0")
        bare_seconds = _seconds(bare.execute, "INSERT INTO responses FROM statements")
        seconds = _seconds(lambda: ledger.execute(StoreResponses(actor="bench", responses=records)))
        more = f"{count:,} at once; {checked:.2f} s more to check them"
        row("score and store a batch", seconds, bare_seconds, "s", BATCH_TARGET, more)
        prepare_one(bare)
        draw = random.Random(SEED)
        ours_ms, bare_ms = [], []
        for _ in range(events):
            response_id = records[draw.randrange(count)].metadata.response_id
            command = AddFeedback(actor="bench", response_id=response_id, signal=draw.choice(SIGNALS))
            ours_ms.append(_seconds(ledger.execute, command) * 1e3)
            bare_ms.append(_seconds(insert_one, bare) * 1e3)
    row("one feedback event, p50", statistics.median(ours_ms), statistics.median(bare_ms), "ms", FEEDBACK_TARGET)
    ours_p95, bare_p95 = (statistics.quantiles(taken, n=20)[-1] for taken in (ours_ms, bare_ms))
    row("one feedback event, p95", ours_p95, bare_p95, "ms", "", f"of {events:,}")


def _handed(one: dict) -> dict:
    return {"metadata": one["metadata"], "lsp_before": one["lsp_before"], "lsp_after": one["lsp_after"]}


def _seconds(step: Callable[..., object], *args: object, **named: object) -> float:
    start = time.perf_counter()
    step(*args, **named)
    return time.perf_counter() - start


def _p99(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=100)[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--responses", type=int, default=100_000, help="stored in one batch")
    parser.add_argument("--calls", type=int, default=3_000, help="of submit")
    parser.add_argument("--events", type=int, default=200, help="of feedback, one by one")
    parser.add_argument("--only", choices=["submit", "ledger"])
    chosen = parser.parse_args()
    print(f"load of this machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        if chosen.only != "ledger":
            report_submit(Path(folder), chosen.calls)
        if chosen.only != "submit":
            report_ledger(Path(folder), chosen.responses, chosen.events)


if __name__ == "__main__":
    main()
