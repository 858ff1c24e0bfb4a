"""What leaves the ledger: CSV, JSONL and Parquet of the same rows, whole files or none."""

import csv
import io
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quality.export
import quality.ledger.exporting
from quality.commands import AddRating, ExportRows, Filters
from quality.errors import QualityError
from quality.export import export_rows, write_whole
from quality.ledger.ledger import Ledger
from quality.ledger.migrations import SCHEMA_VERSION
from quality.readers.full_jsonl import ARROW, SCHEMA

GIVEN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path):
    with Ledger(tmp_path / "ledger.duckdb") as ledger:
        yield ledger


def rate(ledger: Ledger, story: str, rating: float = 8.25, **fields) -> str:
    command = AddRating(
        actor="dana", reviewer="dana", story_id=story, rating=rating, given_at=GIVEN, create=True, agent="builder",
        model_version="gpt-5", **fields,
    )  # fmt: skip
    return ledger.execute(command).run.run_id


def exported(ledger: Ledger, tmp_path: Path, **question) -> bytes:
    export_rows(ledger.store, ExportRows(**question), tmp_path / "out")
    return (tmp_path / "out").read_bytes()


def test_a_csv_row_by_hand(ledger, tmp_path):
    """CRLF, quotes only where they are needed, unknown = empty, UTC with Z."""
    run_id = rate(ledger, "S-1", note='say "hi",\r\nbye', rework=False)
    head, _, row = exported(ledger, tmp_path).partition(b"\r\n")
    assert head.startswith(b"run_id,address,story_id,title,agent,model_version,attempt,discipline")
    assert row.decode() == (
        f"{run_id},tokq://capability/unknown/unknown/unknown/gpt-5,S-1,,builder,gpt-5,1,,,,,human,1.0,8.25,false,,"
        ",,,,,,,,,0.0,,,,,,8.25,1,dana,"
        '"say ""hi"",\r\nbye",false,,2026-03-01T09:30:00Z,choice,,false,2026-03-01T09:30:00Z\r\n'
    )


@pytest.mark.parametrize(
    ("note", "cell"),
    [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("\tx", "'\tx"), ("\rx", "'\rx"),
        ("'=1", "''=1"), ("''@x", "'''@x"), ("'quoted'", "'quoted'"), (" =1", " =1"), ("a=1", "a=1"), ("", ""),
        ("\n=1", "\n=1"), ("日本, é", "日本, é"), ('"', '"'),
    ],
)  # fmt: skip
def test_a_text_cell_is_inert_in_a_spreadsheet(ledger, tmp_path, note, cell):
    """One more ' before '…'= + - @ tab CR, and nothing else is changed."""
    rate(ledger, "S-1", note=note)
    (row,) = csv.DictReader(io.StringIO(exported(ledger, tmp_path).decode(), newline=""))
    assert row["note"] == cell
    if note == "":
        assert b',dana,"",' in exported(ledger, tmp_path), "an empty note is not an unknown one"


def test_numbers_keep_their_last_digit_and_have_no_minus_zero(ledger, tmp_path):
    """0.1 + 0.2 comes back as it was; −0 is 0."""
    rate(ledger, "S-1", 0.1 + 0.2)
    rate(ledger, "S-2", -0.0)
    rows = {row["story_id"]: row for row in csv.DictReader(io.StringIO(exported(ledger, tmp_path).decode()))}
    assert float(rows["S-1"]["quality"]) == 0.1 + 0.2
    assert rows["S-2"]["quality_human"] == "0.0"


def test_the_three_forms_hold_the_same_rows(ledger, tmp_path):
    """Parquet and JSONL typed, caveats as a list; the same columns in the same order."""
    for number in range(3):
        rate(ledger, f"S-{number}", number)
    header = exported(ledger, tmp_path).split(b"\r\n")[0].decode().split(",")
    lines = [json.loads(line) for line in exported(ledger, tmp_path, format="jsonl").splitlines()]
    table = pq.read_table(pa.BufferReader(exported(ledger, tmp_path, format="parquet")))
    assert table.column_names == header == list(lines[0])
    assert table["caveats"].type == pa.list_(pa.string())
    assert table["ts"].type.tz.endswith("UTC")
    assert table["quality"].to_pylist() == [line["quality"] for line in lines]
    assert sorted(line["quality"] for line in lines) == [0.0, 1.0, 2.0]
    assert lines[0]["ts"] == "2026-03-01T09:30:00Z"
    assert lines[0]["caveats"] == []


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet"])
def test_windows_neither_lose_nor_repeat_a_row(ledger, tmp_path, monkeypatch, file_format):
    """All times are equal here, so that the windows cut between ids."""
    for number in range(7):
        rate(ledger, f"S-{number}")
    whole = exported(ledger, tmp_path, format=file_format)
    for size in (1, 2, 3, 7):
        monkeypatch.setattr(quality.ledger.exporting, "WINDOW_ROWS", size)
        cut = exported(ledger, tmp_path, format=file_format)
        if file_format == "parquet":
            assert pq.read_table(pa.BufferReader(cut)).equals(pq.read_table(pa.BufferReader(whole)))
        else:
            assert cut == whole


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet"])
def test_no_row_that_fits_gives_a_file_with_columns(ledger, tmp_path, file_format):
    """And the number of rows is 0."""
    question = ExportRows(format=file_format, filters=Filters(story_id="none"))
    assert export_rows(ledger.store, question, tmp_path / "out") == 0
    if file_format == "parquet":
        assert "quality" in pq.read_table(tmp_path / "out").column_names
    else:
        assert (tmp_path / "out").read_bytes().count(b"\n") == (1 if file_format == "csv" else 0)


def test_a_failure_leaves_nothing_under_the_targets_name(tmp_path):
    """Neither the target nor a part of it; an older file stays."""
    target = tmp_path / "rows.csv"
    target.write_text("older")

    def breaking():
        yield b"half"
        raise QualityError("the owner went away")

    with pytest.raises(QualityError, match="went away"):
        write_whole(target, breaking())
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("rows.csv", "older")]


def test_a_pipe_stays_a_pipe_and_a_link_a_link(tmp_path):
    """A rename would put a file in their place: as root even in place of /dev/stdout."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(tmp_path / "rows.csv")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, iter([b"a", b"b"]))
        assert (os.read(reader, 9), pipe.is_fifo()) == (b"ab", True)
    finally:
        os.close(reader)
    write_whole(link, iter([b"c"]))
    assert (link.is_symlink(), (tmp_path / "rows.csv").read_bytes()) == (True, b"c")


def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    """/dev/full stands for it."""
    monkeypatch.setattr(quality.export.os, "fdopen", lambda handle, mode: Path("/dev/full").open(mode))  # noqa: SIM115
    with pytest.raises(QualityError, match=r"rows\.csv: not written \(No space left on device\): make room"):
        write_whole(tmp_path / "rows.csv", iter([b"x" * 100]))
    assert list(tmp_path.iterdir()) == []


def test_a_write_meanwhile_does_not_show_in_an_export(ledger, tmp_path):
    """Every byte is of one moment."""
    rate(ledger, "S-1")
    with quality.export.open_export(ledger.store, ExportRows(format="jsonl")) as export:
        rate(ledger, "S-2")
        lines = b"".join(export.chunks).splitlines()
    assert (export.rows, len(lines)) == (1, 1)


def test_the_full_export_has_every_column_of_every_table(ledger):
    """The models of its lines follow the schema."""
    assert SCHEMA == SCHEMA_VERSION
    for table, schema in ARROW.items():
        columns = ledger.store.table(f"FROM {table} LIMIT 0").column_names  # a name of ours
        assert set(schema.names) == set(columns), table
