"""`python -m bench.pages`: the pages on a million runs, in a real browser.

Server time is what the page's own debug panel says. "Cold" is after a write, so that nothing is answered from a cache;
"literal" is the same page again, all of whose data is at hand. A page switch stands beside that of an app of two empty
pages.
"""

import argparse
import os
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench.measure import in_fresh_process
from bench.seeded import observations
from bench.steps import rebuild
from quality.client import open_door
from quality.commands import AddRating, Filters, ListScores
from quality.settings import load_settings
from tests.serving import serving, serving_script

VISITS = 20
RATED = 500  # runs that are rated in turn: a hundred ratings of one run would make its own page long
PAGES = {
    "Overview": "/",
    "Models, one opened": "/models?model=model-7",
    "Models, two side by side": "/models?model=model-7&with=model-8",
    "Stories": "/stories",
    "Stories, text search": "/stories?q=naming+77",
    "Stories, a run": "/stories?run={run}",
    "Export": "/export",
}
DONE = "[data-testid=stApp][data-test-script-state=notRunning]"
SAID = re.compile(r"([\d.,]+) ms from the first line to the last, of which ([\d.,]+) ms in (\d+) questions")
SERVER_TARGET, RELOAD_TARGET, SWITCH_TARGET = "p95 ≤ 150 ms", "≤ 1.3", "≤ 2"


def server_time(page: Page) -> tuple[float, float]:
    """Milliseconds of the whole page, and of its questions to the ledger."""
    text = page.get_by_text("from the first line to the last").inner_text()
    whole, asking, _ = SAID.search(text).groups()  # type: ignore[union-attr]
    return float(whole.replace(",", "")), float(asking.replace(",", ""))


def visit(page: Page, address: str) -> float:
    """Seconds until all of the page is drawn."""
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator(f"{DONE} h1").first.wait_for()
    return time.perf_counter() - start


def report_page(page: Page, name: str, address: str, write: Callable[[], None], visits: int) -> None:
    whole, asking, cold, literal = [], [], [], []
    separator = "&" if "?" in address else "?"
    visit(page, address)
    for _ in range(visits):
        write()
        visit(page, f"{address}{separator}debug=1")
        ms, asked = server_time(page)
        whole.append(ms)
        asking.append(asked)
        write()
        cold.append(visit(page, address))
        literal.append(visit(page, address))
    p95 = statistics.quantiles(asking, n=20)[-1]
    ratio = statistics.median(cold) / statistics.median(literal)
    print(
        f"{name:<26} server {statistics.median(whole):>6.0f} ms, of it asking p50 {statistics.median(asking):>5.0f} "
        f"p95 {p95:>5.0f} ms ({SERVER_TARGET})   reload {statistics.median(cold):.2f} s beside literal "
        f"{statistics.median(literal):.2f} s: {ratio:.2f} ({RELOAD_TARGET})",
        flush=True,
    )


def switches(page: Page, names: list[str], visits: int) -> float:
    """Median seconds from a click in the navigation until the other page is drawn."""
    taken = []
    for turn in range(visits):
        name = names[turn % len(names)]
        start = time.perf_counter()
        page.get_by_test_id("stSidebarNavLink").filter(has_text=re.compile(f"{name}$")).click()
        page.locator(f"{DONE} h1").filter(has_text=re.compile(f"^{name}$")).wait_for()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def report_switch(browser: Browser, ours: str, folder: Path, visits: int) -> None:
    page = opened(browser, ours)
    names = ["Stories", "Export"]
    switches(page, names, 2)
    mine = switches(page, names, visits)
    with serving_script("bench/empty_app.py", folder / "empty.log") as address:
        page = opened(browser, address)
        switches(page, ["Second", "First"], 2)
        least = switches(page, ["Second", "First"], visits)
    print(
        f"{'page switch':<26} {mine:.3f} s beside {least:.3f} s of an empty app: {mine / least:.2f} ({SWITCH_TARGET})"
    )


def opened(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(120_000)
    visit(page, address)
    return page


@contextmanager
def ledger_of(folder: Path, runs: int, kept: Path | None) -> Iterator[Path]:
    """A ledger of so many made-up runs: a copy of the one kept from another time, or a new one."""
    path = folder / "ledger.duckdb"
    if kept and kept.exists():
        shutil.copy2(kept, path)
    else:
        in_fresh_process(observations, path, runs)
        in_fresh_process(rebuild, str(path))
        if kept:
            shutil.copy2(path, kept)
    yield path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--visits", type=int, default=VISITS, help="of each page, cold and literal")
    parser.add_argument("--keep", type=Path, help="a file to keep the made-up ledger in for another time")
    parser.add_argument("--page", help="only pages whose name holds this")
    chosen = parser.parse_args()
    print(f"load of this machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    with (
        tempfile.TemporaryDirectory() as name,
        ledger_of(Path(name), chosen.runs, chosen.keep) as path,
        serving(path, Path(name) / "server.log") as dashboard,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = opened(browser, dashboard.address)
        with open_door(path, load_settings(path).values, purpose="bench") as door:
            rows = door.ask(ListScores(filters=Filters(model_version="model-7"), limit=RATED))["rows"]
            run, *others = [{key: row[key] for key in ("story_id", "run_id")} for row in rows]
            turns = cycle(others)

            def write() -> None:
                door.execute(AddRating(actor="bench", reviewer="bench", rating=7, **next(turns)))

            for title, place in PAGES.items():
                if not chosen.page or chosen.page in title:
                    report_page(page, title, dashboard.address + place.format(run=run["run_id"]), write, chosen.visits)
        report_switch(browser, dashboard.address, Path(name), chosen.visits)
        browser.close()


if __name__ == "__main__":
    main()
