"""How fast is each format read, does time grow with the bytes alone, and how much memory does the largest take?

Beside it: reading the same bytes and hashing them, in a process of its own, in the same run.
"""

import hashlib
import subprocess
import sys
import time
from pathlib import Path

from bench import artifacts
from bench.measure import Measure, in_fresh_process
from quality.readers.base import Artifact, Target
from quality.readers.formats import read_artifact

MEGABYTE = 1_000_000
SMALL_FILES = 1_000


def read(path: str) -> None:
    """Read as `inspect` does, and let go of each batch."""
    reading = read_artifact(Artifact(Path(path)), Target("S-1", "builder", "m", 1))
    told = 0
    for batch in reading.batches:
        told += sum(batch.count(table) for table in ("signals", "verdicts", "overrides", "evidence"))
        told += batch.diagnostics is not None
    assert told, f"{path} is read as {reading.format} and says nothing"


def read_and_hash(path: str) -> None:
    """What cannot be saved: every byte is read and hashed once."""
    digest = hashlib.sha256()
    for file in sorted(Path(path).iterdir()) if Path(path).is_dir() else [Path(path)]:
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                digest.update(block)


def report_formats(folder: Path, megabytes: list[int], only: str | None) -> None:
    """A row a format: MB/s at each size, how the two largest compare, memory, and the ratio to reading and hashing.

    A speed at another size than the column's names it.
    """
    columns = sorted(megabytes)
    head = " ".join(f"{f'{size} MB':>9}" for size in columns)
    print(f"{'MB/s of':<22} {head}  {'linear':>6}  {'peak MB':>7} {'(bare)':>7}  {'× read and hash':>15}")
    for name in artifacts.NAMES:
        if only and only not in name:
            continue
        speeds: list[float] = []
        made = artifacts.sizes(name, columns)
        for size in made:
            path = folder / "artifact"
            in_fresh_process(artifacts.make, path, name, size * MEGABYTE)
            real = path.stat().st_size / MEGABYTE
            ours, bare = _both(path, 3 if size <= 1 else 1)
            speeds.append(real / ours.seconds)
            path.unlink()
        linear = f"{speeds[-1] / speeds[-2]:.2f}" if len(speeds) > 1 else "–"
        cells = [
            f"{speed:.1f}" + ("" if size in columns else f" @{size}") for size, speed in zip(made, speeds, strict=True)
        ]
        told = " ".join(f"{cell:>9}" for cell in cells + ["–"] * (len(columns) - len(cells)))
        memory = f"{ours.peak_mb:>7,.0f} {f'({bare.peak_mb:,.0f})':>7}"
        print(f"{name:<22} {told}  {linear:>6}  {memory}  {ours.seconds / bare.seconds:>15.1f}", flush=True)


def _both(path: Path, repeats: int) -> tuple[Measure, Measure]:
    return in_fresh_process(read, str(path), repeats=repeats), in_fresh_process(
        read_and_hash, str(path), repeats=repeats
    )


def report_small_files(folder: Path, files: int) -> None:
    """`ingest FOLDER` as a user starts it, beside reading and hashing the files; the second time all are known."""
    inside = folder / "small"
    inside.mkdir()
    artifacts.small(inside, files)
    bare = in_fresh_process(read_and_hash, str(inside), repeats=3)
    start = _command(folder, "--version")
    for what in ("ingest", "ingest again"):
        seconds = _command(folder, "ingest", str(inside), "--story", "S-1", "--agent", "builder", "--model", "m")
        print(
            f"{what} of {files:,} small files: {seconds:.1f} s, {files / seconds:.0f} files/s, of which {start:.1f} s to start;"
            f" {(seconds - start) / files * 1e3:.1f} ms a file beside {bare.seconds / files * 1e3:.3f} ms to read and hash it:"
            f" ratio {(seconds - start) / bare.seconds:,.0f}",
            flush=True,
        )


def _command(folder: Path, *arguments: str) -> float:
    """Seconds that the command line takes on a ledger in the folder."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "quality", "--ledger", str(folder / "small.duckdb"), *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stderr
    return time.perf_counter() - start
