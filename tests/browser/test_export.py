"""Does what a reader chooses on Export arrive as a file that opens again, in every format?"""

import csv
import io
import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Page, expect

from quality.commands import ImportArtifact
from quality.ledger.ledger import Ledger
from tests.browser.settling import settle
from tests.serving import Dashboard

pytestmark = pytest.mark.browser

RUNS = 5_730
"""Of the sample, those of its workspace included."""


def choose(page: Page, name: str) -> None:
    """Click, and wait for the link to the file of this choice."""
    settle(page)
    before = page.get_by_role("link", name="Download").get_attribute("href")
    page.get_by_role("radio", name=name, exact=True).click()
    # While the page is drawn anew, the link of before and the new one can both be there.
    expect(page.locator(f'a[href="{before}"]')).to_have_count(0)
    settle(page)


def download(page: Page, tmp_path: Path) -> Path:
    """Follow the link; the file under the name that the server gives it."""
    settle(page)
    with page.expect_download() as arriving:
        page.get_by_role("link", name="Download").click()
    target = tmp_path / arriving.value.suggested_filename
    arriving.value.save_as(target)
    return target


def test_each_format_arrives_as_a_file_that_opens_again(page: Page, dashboard: Dashboard, tmp_path: Path):
    """CSV, CSV for Excel, Parquet, JSON lines and everything; one of them is imported, and one is of chosen columns."""
    page.goto(f"{dashboard.address}/export")
    expect(page.get_by_text(re.compile(r"^5,730 rows · quality-tiers-runs-\d{4}-\d\d-\d\d\.csv$"))).to_be_visible()

    plain = download(page, tmp_path)
    rows = list(csv.DictReader(io.StringIO(plain.read_text(encoding="utf-8"), newline="")))
    assert (len(rows), list(rows[0])[:3]) == (RUNS, ["run_id", "address", "story_id"])
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = second.execute(ImportArtifact(actor="eli", path=str(plain)))
        assert (answer.rejects, answer.counts["runs"]) == ([], RUNS)

    choose(page, "CSV for Excel")
    assert download(page, tmp_path).read_bytes().startswith(b"\xef\xbb\xbfrun_id,")

    choose(page, "Parquet")
    choose(page, "Scores only")
    table = pq.read_table(download(page, tmp_path))
    assert table.num_rows == RUNS
    assert "note" not in table.column_names
    assert {row["quality"] for row in table.to_pylist()} == {
        float(row["quality"]) if row["quality"] else None for row in rows
    }

    choose(page, "JSON lines")
    choose(page, "Profiles")
    file = download(page, tmp_path)
    profiles = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert file.name.startswith("quality-tiers-profiles-")
    assert sum(profile["n_runs"] for profile in profiles) <= RUNS
    assert {"model", "routing_score", "override_share"} <= profiles[0].keys()

    choose(page, "Everything")
    file = download(page, tmp_path)
    assert json.loads(file.read_text(encoding="utf-8").splitlines()[0])["rows"]["runs"] == RUNS
    assert file.name.startswith("quality-tiers-everything-")


def test_a_link_shows_a_colleague_the_same_choice(page: Page, dashboard: Dashboard, tmp_path: Path):
    """Format, rows, columns, day and filter are in the URL; before the ledger was begun nothing was known."""
    page.goto(f"{dashboard.address}/export?rows=Profiles&format=CSV+for+Excel&as_of=2020-01-31&tier=human")
    expect(page.get_by_text("0 profiles · quality-tiers-profiles-human-as-of-2020-01-31.csv")).to_be_visible()
    expect(
        page.get_by_text("As it was known at the end of that day in Europe/Berlin: 2020-01-31 22:59 UTC.")
    ).to_be_visible()
    assert download(page, tmp_path).read_text(encoding="utf-8-sig").startswith("address,discipline,")
    page.goto(f"{dashboard.address}/export?columns_of_runs=My+own&own_of_runs=quality&own_of_runs=story_id")
    settle(page)
    assert download(page, tmp_path).read_text(encoding="utf-8").startswith("quality,story_id\n")
