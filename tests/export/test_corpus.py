"""b18 and b19 of the corpus: formulas and multi-line notes leave the ledger inert and whole, and come back byte for byte."""

import csv
import io
from pathlib import Path

import pytest

from quality.commands import ExportRows, ImportArtifact
from quality.export import export_rows
from quality.ledger.ledger import Ledger

ASSETS = Path(__file__).resolve().parents[1] / "assets" / "readers"
FORMS = [
    {"format": "csv"}, {"format": "csv", "bom": True}, {"format": "excel"}, {"format": "jsonl"}, {"format": "parquet"},
    {"format": "jsonl", "full": True},
]  # fmt: skip
TEXTS = "SELECT story_id, title, note, quality_human FROM ledger ORDER BY story_id"
B18 = [
    ("S-1", '=HYPERLINK("http://x.invalid","click")', "+1 good", 7.0),
    ("S-2", "-2 regressions fixed", "@todo follow up", 0.0),
    ("S-3", "\tTab first", "|pipe", 6.5),
    ("S-4", "Größe prüfen — 数量", "ok ✓", 8.0),
]
B19 = [
    ("S-1", None, 'line one\r\nline two, with comma\n"quoted" and ; semicolon', 7.0),
    ("S-2", None, "   ", 4.0),
    ("S-3", None, None, 5.0),
]


def brought_in(path, name):
    with Ledger(path) as ledger:
        assert ledger.execute(ImportArtifact(actor="ci", path=str(name))).rejects == []
        return [tuple(row.values()) for row in ledger.store.rows(TEXTS)]


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize(("name", "rows"), [("b18_ledger_formulas.csv", B18), ("b19_multiline_notes.csv", B19)])
def test_in_out_and_in_again(tmp_path, form, name, rows):
    """The title with its tab, the notes with their newlines and blanks, −0 as 0, an unknown note as unknown."""
    assert brought_in(tmp_path / "first.duckdb", ASSETS / name) == rows
    with Ledger(tmp_path / "first.duckdb") as ledger:
        export_rows(ledger.store, ExportRows(**form), tmp_path / "out")
    assert brought_in(tmp_path / "second.duckdb", tmp_path / "out") == rows


@pytest.mark.parametrize("file_format", ["csv", "excel"])
def test_b18_is_inert_in_a_spreadsheet(tmp_path, file_format):
    """Texts that would run get an apostrophe; numbers do not, −0 is 0."""
    brought_in(tmp_path / "l.duckdb", ASSETS / "b18_ledger_formulas.csv")
    with Ledger(tmp_path / "l.duckdb") as ledger:
        export_rows(ledger.store, ExportRows(format=file_format), tmp_path / "out")
    content = (tmp_path / "out").read_bytes().decode("utf-8-sig")
    found = [(row["title"], row["note"], row["quality"]) for row in csv.DictReader(io.StringIO(content, newline=""))]
    assert sorted(found, key=lambda row: float(row[2])) == [
        ("'-2 regressions fixed", "'@todo follow up", "0.0"),
        ("'\tTab first", "|pipe", "6.5"),
        ("'=HYPERLINK(\"http://x.invalid\",\"click\")", "'+1 good", "7.0"),
        ("Größe prüfen — 数量", "ok ✓", "8.0"),
    ]  # fmt: skip
