"""A CSV for Excel opens there as it is meant: nothing runs, nothing is changed, times are times, no cell is too long."""

import csv
import io
from datetime import UTC, datetime

import pytest

from quality.commands import AddRating, ExportRows, ImportArtifact
from quality.export import export_rows
from quality.ledger.ledger import Ledger
from quality.spreadsheet import CUT, MOST_CHARACTERS

GIVEN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
MARKED = (
    "=1+1", "'=1", "+1", "-1", "@a", "\tx", "\rx", "007", "'007", "1-2", "3/4", "10:30", "2026-01-02", "1.10", "0.5", "1,5",
    "1e5", "50%", "$5", "(5)", "12345678901234567890", "MAR1", "May 2026", "1-Sep", "TRUE", "false", " 007 ", "＝1+1", "＠x",
)  # fmt: skip
"""Excel runs these or makes something else of them: they get a leading apostrophe."""
LEFT = (
    "", "a", "12", "123456789012345", "0", "STORY-7", "'quoted'", "'", " =1", "a=1", "marketing 12", "gpt-5", "4-backend",
    "2026-01-02T10:00Z", "maybe", "March", "...", "日本", "x\n007", "http://x/1",
)  # fmt: skip
"""These stay as they are."""


@pytest.fixture
def ledger(tmp_path):
    with Ledger(tmp_path / "ledger.duckdb") as ledger:
        yield ledger


def rate(ledger, note, story="S-1"):
    ledger.execute(
        AddRating(
            actor="dana", reviewer="dana", story_id=story, rating=8.25, note=note, given_at=GIVEN, create=True, agent="b",
            model_version="5.2",
        )
    )  # fmt: skip


def exported(ledger, tmp_path, **question):
    export_rows(ledger.store, ExportRows(format="excel", **question), tmp_path / "out.csv")
    return (tmp_path / "out.csv").read_bytes()


def test_a_row_by_hand(ledger, tmp_path):
    """UTF-8 with a byte order mark, CRLF, a time that Excel takes for one, a model version that stays 5.2."""
    rate(ledger, "a;b,é")
    columns = ("story_id", "model_version", "quality", "low_confidence", "note", "human_at")
    content = exported(ledger, tmp_path, columns=columns)
    assert content.decode() == (
        "\ufeffstory_id,model_version,quality,low_confidence,note,human_at\r\n"
        'S-1,"\'5.2",8.25,false,"a;b,é",2026-03-01 09:30:00\r\n'
    )


@pytest.fixture
def noted(ledger):
    """A run a note, with the note's number as its story."""
    for number, note in enumerate((*MARKED, *LEFT)):
        rate(ledger, note, f"S-{number}")
    return ledger


def written(path):
    """Note → its cell."""
    rows = csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline=""))
    by_story = {row["story_id"]: row["note"] for row in rows}
    return {note: by_story[f"S-{number}"] for number, note in enumerate((*MARKED, *LEFT))}


def test_what_excel_would_run_or_change_gets_an_apostrophe_and_nothing_else_does(noted, tmp_path):
    exported(noted, tmp_path)
    assert written(tmp_path / "out.csv") == {note: f"'{note}" for note in MARKED} | {note: note for note in LEFT}


@pytest.mark.parametrize("bom", [False, True])
def test_the_plain_csv_marks_what_a_spreadsheet_would_run(noted, tmp_path, bom):
    """And a note that looks as if it had been marked for Excel, so that an import gives it back."""
    export_rows(noted.store, ExportRows(bom=bom), tmp_path / "out.csv")
    runs = {"=1+1", "'=1", "+1", "-1", "@a", "\tx", "\rx", "'007"}
    assert written(tmp_path / "out.csv") == {note: f"'{note}" if note in runs else note for note in (*MARKED, *LEFT)}


@pytest.mark.parametrize("file_format", ["csv", "excel"])
def test_every_note_comes_back(noted, tmp_path, file_format):
    export_rows(noted.store, ExportRows(format=file_format), tmp_path / "out.csv")
    said = "SELECT story_id, note FROM ledger ORDER BY story_id"
    with Ledger(tmp_path / "second.duckdb") as second:
        assert second.execute(ImportArtifact(actor="eli", path=str(tmp_path / "out.csv"))).rejects == []
        assert second.store.rows(said) == noted.store.rows(said)


@pytest.mark.parametrize(("letter", "units"), [("x", 1), ("日", 1), ("🙂", 2)])
def test_a_cell_is_no_longer_than_excel_allows(ledger, tmp_path, letter, units):
    """32,767 characters, of which those beyond the basic plane count twice: what fits stays whole, the rest says so."""
    fits = letter * (MOST_CHARACTERS // units)
    rate(ledger, fits, "S-1")
    rate(ledger, fits + letter, "S-2")
    rows = csv.DictReader(io.StringIO(exported(ledger, tmp_path).decode("utf-8-sig"), newline=""))
    notes = {row["story_id"]: row["note"] for row in rows}
    assert notes["S-1"] == fits
    assert notes["S-2"].endswith(CUT)
    assert len(notes["S-2"].encode("utf-16-le")) // 2 <= MOST_CHARACTERS


def test_times_come_back_from_excels_form(ledger, tmp_path):
    """A time without a zone is taken as UTC, and that is said."""
    rate(ledger, "n")
    exported(ledger, tmp_path)
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = second.execute(ImportArtifact(actor="eli", path=str(tmp_path / "out.csv")))
        assert any("UTC" in warning for warning in answer.warnings)
        assert second.store.rows("SELECT human_at, ts FROM ledger") == [{"human_at": GIVEN, "ts": GIVEN}]
