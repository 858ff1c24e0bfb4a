"""`python -m bench [--runs N]`: every target beside the bare minimum (DuckDB alone, reading and hashing), in one run.

Ratios are what to read: the machine's speed cancels out. Nothing here is a test.
"""

import argparse
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from bench import bare
from bench.formats import SMALL_FILES, report_formats, report_small_files
from bench.measure import in_fresh_process, milliseconds, row
from bench.seeded import observations, rating_file
from bench.steps import export, ingest, rebuild
from quality.commands import AddRating, Filters
from quality.ledger import queries
from quality.ledger.ledger import Ledger
from quality.settings import load_settings


def report_ingest(folder: Path, runs: int) -> None:
    for suffix in (".csv", ".parquet"):
        source, ledger = folder / f"rows{suffix}", folder / f"from{suffix}.duckdb"
        in_fresh_process(rating_file, source, runs)
        ours = in_fresh_process(ingest, str(ledger), str(source))
        minimum = in_fresh_process(bare.create_table, str(folder / f"bare{suffix}.duckdb"), str(source))
        speed = f"{runs / ours.seconds:,.0f} rows/s, peak {ours.peak_mb:,.0f} MB (bare {minimum.peak_mb:,.0f} MB)"
        row(f"ingest {suffix[1:]} {runs:,}", ours.seconds, minimum.seconds, "s", "≤ 6, ≥ 100,000 rows/s", speed)


def report_rebuild(folder: Path, runs: int) -> None:
    ledger = folder / "rebuilt.duckdb"
    in_fresh_process(observations, ledger, runs)
    ours = in_fresh_process(rebuild, str(ledger))
    minimum = in_fresh_process(bare.rebuild_by_hand, str(ledger))
    peak = f"peak {ours.peak_mb:,.0f} MB (bare {minimum.peak_mb:,.0f} MB)"
    row(f"rebuild {runs:,}", ours.seconds, minimum.seconds, "s", "≤ 3, < 3 GB at 10 M", peak)


def report_export(folder: Path, runs: int) -> None:
    ledger = folder / "rebuilt.duckdb"
    ours = in_fresh_process(export, str(ledger), str(folder / "out.csv"), repeats=3)
    minimum = in_fresh_process(bare.copy_csv, str(ledger), str(folder / "bare.csv"), repeats=3)
    peak = f"peak {ours.peak_mb:,.0f} MB (bare {minimum.peak_mb:,.0f} MB)"
    row(f"export csv {runs:,}", ours.seconds, minimum.seconds, "s", "≤ 1.5, memory flat", peak)


def report_one_at_a_time(folder: Path, runs: int) -> None:
    scoring = load_settings().values.scoring
    with Ledger(folder / "rebuilt.duckdb", purpose="bench") as ledger:
        store = ledger.store
        run = queries.runs_page(store, Filters(), limit=1).to_pylist()[0]
        rate = AddRating(
            actor="bench", reviewer="bench", story_id=run["story_id"], run_id=run["run_id"], rating=7, note="a note"
        )
        p50, p95 = milliseconds(
            lambda: ledger.execute(rate.model_copy(update={"idempotency_key": str(datetime.now(UTC))}))
        )
        with duckdb.connect(str(folder / "one.duckdb")) as connection:
            bare.prepare_one(connection)
            least, _ = milliseconds(lambda: bare.insert_one(connection))
        row(f"one override, {runs:,} runs, p50", p50, least, "ms", "p50 ≤ 10 ms", f"p95 {p95:.1f} ms")
        pages = {
            "leaderboard": (lambda: queries.leaderboard(store, Filters(), scoring), bare.LEADERBOARD),
            "stories, first page": (lambda: queries.runs_page(store, Filters()), bare.FIRST_PAGE),
            "stories, by note, page 400": (
                lambda: queries.runs_page(store, Filters(), sort="note", offset=20_000),
                bare.FAR_PAGE,
            ),
            "stories, search": (lambda: queries.runs_page(store, Filters(text="naming 77")), bare.SEARCH),
            "totals": (lambda: queries.totals(store, Filters()), bare.TOTALS),
            "facets": (lambda: queries.facets(store), bare.FACETS),
            "one run": (lambda: queries.run(store, run["run_id"]), bare.ONE_RUN.format(run_id=run["run_id"])),
        }
        for name, (ours, sql) in pages.items():
            p50, p95 = milliseconds(ours, 15)
            least, _ = milliseconds(lambda sql=sql: store.table(sql), 15)
            row(name, p50, least, "ms", "p95 ≤ 150 ms", f"p95 {p95:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--only", choices=("ingest", "rebuild", "formats", "files"), help="leave the other steps out")
    parser.add_argument(
        "--megabytes", type=int, nargs="+", default=[1, 10], metavar="MB", help="sizes of the artifacts of each format"
    )
    parser.add_argument("--format", help="only formats whose name holds this")
    parser.add_argument("--files", type=int, default=SMALL_FILES, help="small files in a folder")
    options = parser.parse_args()
    print(f"duckdb {duckdb.__version__}, {options.runs:,} runs")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.only in (None, "ingest"):
            report_ingest(folder, options.runs)
        if options.only in (None, "rebuild"):
            report_rebuild(folder, options.runs)
        if options.only is None:
            report_export(folder, options.runs)
            report_one_at_a_time(folder, options.runs)
        if options.only in (None, "formats"):
            report_formats(folder, options.megabytes, options.format)
        if options.only in (None, "files"):
            report_small_files(folder, options.files)


if __name__ == "__main__":
    main()
