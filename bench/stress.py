"""`python -m bench.stress`: nothing acknowledged is lost, whatever happens at once.

1. Eight writers × 250 overrides, half through the command line's door and half over plain HTTP, while an import
   runs and pages refresh, all against one owner.
2. kill −9 at 50 random moments of an import: the ledger opens, holds whole imports only, a re-run completes it.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import duckdb
import httpx

from bench.seeded import rating_file
from quality.client import open_door
from quality.commands import AddRating, Filters, ImportArtifact
from quality.ledger import queries
from quality.ledger.ledger import Ledger
from quality.ledger.owner import OwnerFile
from quality.settings import load_settings
from tests.serving import serving

IMPORT = "import sys; from bench.steps import ingest; print('started', flush=True); ingest(*sys.argv[1:])"


def many_writers(folder: Path, writers: int, ratings: int, runs: int) -> None:
    """All writers, an import and page reads at once; every rating must be there afterwards, each once."""
    path, source, settings = folder / "busy.duckdb", folder / "busy.csv", load_settings().values
    rating_file(source, runs)
    with Ledger(path, purpose="bench") as ledger:
        for writer in range(writers):
            ledger.execute(rating_of(writer, 0, create=True))
    faults: list[str] = []

    def through_the_door(writer: int) -> None:
        with open_door(path, settings, purpose="bench") as door:
            for n in range(1, ratings + 1):
                door.execute(rating_of(writer, n))

    def over_http(writer: int) -> None:
        holder = OwnerFile(path).read()
        headers = {"Authorization": f"Bearer {holder.secret}"}
        with httpx.Client(base_url=holder.address, headers=headers, timeout=120, trust_env=False) as client:
            for n in range(1, ratings + 1):
                client.post(
                    "/api/v1/commands/add_rating", json=rating_of(writer, n).model_dump(mode="json")
                ).raise_for_status()

    def importing(_: int) -> None:
        with open_door(path, settings, purpose="bench") as door:
            door.execute(ImportArtifact(actor="bench", path=str(source)))

    def guarded(work, number: int) -> None:
        try:
            work(number)
        except Exception as error:
            faults.append(f"{work.__name__} {number}: {error!r}")

    with serving(path, folder / "log") as dashboard:
        while not (holder := OwnerFile(path).read()) or not holder.address:
            time.sleep(0.1)
        done = threading.Event()
        pages = threading.Thread(target=refresh, args=(dashboard.address, done, faults))
        works = [
            threading.Thread(target=guarded, args=(over_http if n % 2 else through_the_door, n)) for n in range(writers)
        ]
        works.append(threading.Thread(target=guarded, args=(importing, 0)))
        start = time.perf_counter()
        for thread in (pages, *works):
            thread.start()
        for thread in works:
            thread.join()
        seconds = time.perf_counter() - start
        done.set()
        pages.join()
    with Ledger(path, purpose="bench") as ledger:
        notes = [row["note"] for row in ledger.store.rows("SELECT note FROM overrides WHERE actor <> 'bench'")]
        total = queries.count_runs(ledger.store, Filters())
    expected = {f"{writer}-{n}" for writer in range(writers) for n in range(ratings + 1)}
    lost, twice = expected - set(notes), len(notes) - len(set(notes))
    print(f"{writers} writers × {ratings}: {len(notes)} ratings in {seconds:.0f} s, {len(lost)} lost, {twice} twice, "
          f"{total:,} runs, {len(faults)} faults {faults[:2]}")  # fmt: skip


def rating_of(writer: int, n: int, create: bool = False) -> AddRating:
    name = f"writer-{writer}"
    return AddRating(
        actor=name, reviewer=name, story_id=f"busy-{writer}", rating=n % 11, note=f"{writer}-{n}", create=create
    )


def refresh(address: str, done: threading.Event, faults: list[str]) -> None:
    """Load pages of the dashboard, as a person who reloads all the time."""
    with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
        while not done.wait(0.5):
            if client.get("/").status_code != 200:
                faults.append("a page did not load")


def kills(folder: Path, times: int, runs: int) -> None:
    """Kill an import at random moments; each time the file must open and hold whole imports only."""
    path, source = folder / "killed.duckdb", folder / "killed.csv"
    rating_file(source, runs)
    clean = folder / "clean.duckdb"
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", IMPORT, str(clean), str(source)], check=True, stdout=subprocess.DEVNULL)
    whole = time.perf_counter() - start
    chance, completed = random.Random(7), 0
    for _ in range(times):
        for leftover in folder.glob("killed.duckdb*"):
            leftover.unlink()
        process = subprocess.Popen([sys.executable, "-c", IMPORT, str(path), str(source)], stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(chance.uniform(0, whole))
        process.kill()
        process.communicate()
        with Ledger(path, purpose="bench") as ledger:
            before = {
                t: ledger.store.rows(f"SELECT count(*) AS n FROM {t}")[0]["n"] for t in ("runs", "ledger", "imports")
            }
            assert (before["runs"], before["ledger"], before["imports"]) in {(0, 0, 0), (runs, runs, 1)}, before
            completed += before["imports"]
            again = ledger.execute(ImportArtifact(actor="bench", path=str(source)))
            assert again.status == ("unchanged" if before["imports"] else "imported")
            assert queries.count_runs(ledger.store, Filters()) == runs
    print(
        f"{times} kills during imports of {runs:,} rows: {completed} came after the commit, all ledgers whole and completed"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--ratings", type=int, default=250)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--runs", type=int, default=100_000)
    options = parser.parse_args()
    print(f"duckdb {duckdb.__version__}")
    with tempfile.TemporaryDirectory() as name:
        many_writers(Path(name), options.writers, options.ratings, options.runs)
        kills(Path(name), options.kills, options.runs // 2)


if __name__ == "__main__":
    main()
