"""`export` from a terminal: columns, Excel, profiles, an earlier day and the dictionary, with one line for what is wrong."""

import csv
import io

import pyarrow.parquet as pq
import pytest


@pytest.fixture
def exporting(process, ledger_path, tmp_path):
    """`export` on a ledger with one rating, each call a process of its own; gives how it ended and the file."""
    done = process("score", "add", "S-1", "8.5", "--create", "--model", "m1", "--note", "=7/10", "--reviewer", "dana")
    assert done.code == 0, done.err

    def run(*options, name="out.csv"):
        target = tmp_path / name
        done = process("export", "--output", str(target), *options)
        return done, target.read_bytes() if target.exists() else b""

    return run


def test_columns_stand_in_the_order_they_are_named(exporting):
    done, content = exporting("--columns", "quality, note,story_id")
    assert (done.code, content) == (0, b'quality,note,story_id\r\n8.5,"\'=7/10",S-1\r\n')
    assert done.out.startswith("Wrote 1 row to ")


def test_a_file_for_excel_and_what_its_columns_mean(exporting, tmp_path):
    done, content = exporting("--format", "excel", "--columns", "note,quality", "--dictionary", str(tmp_path / "d.csv"))
    assert (done.code, content.decode()) == (0, '\ufeffnote,quality\r\n"\'=7/10",8.5\r\n')
    rows = csv.DictReader(io.StringIO((tmp_path / "d.csv").read_text(encoding="utf-8-sig"), newline=""))
    assert [row["column"] for row in rows] == ["note", "quality"]


def test_the_dictionary_alone_needs_no_ledger(process, tmp_path):
    done = process(
        "--ledger", str(tmp_path / "none.duckdb"), "export", "--dictionary", str(tmp_path / "d.csv"), "--profiles"
    )
    assert done.code == 0, done.err
    assert "override_share" in (tmp_path / "d.csv").read_text(encoding="utf-8-sig")


def test_profiles_of_an_earlier_day_in_any_format(exporting, tmp_path):
    """Nothing was known in 2020; now there is one profile."""
    done, _ = exporting("--profiles", "--format", "parquet", name="now.parquet")
    assert done.out.startswith("Wrote 1 profile to ")
    assert pq.read_table(tmp_path / "now.parquet").to_pylist()[0]["effective_mean"] == 8.5
    done, _ = exporting("--profiles", "--as-of", "2020-01-31", "--format", "parquet", name="then.parquet")
    assert done.out.startswith("Wrote 0 profiles as of 2020-01-31 23:59:59 UTC to ")
    assert pq.read_table(tmp_path / "then.parquet").num_rows == 0


def test_json_says_what_was_written(exporting):
    done, _ = exporting("--as-of", "2020-01-31T10:00+02:00", "--json")
    document = done.json
    assert document.pop("output").endswith("out.csv")
    assert document == {
        "format": "csv", "full": False, "rows": 0, "profiles": False, "as_of": "2020-01-31T08:00:00Z", "dictionary": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--columns", "quality,storyid"], "storyid: no such column of the rows. Did you mean: story_id"),
        (["--columns", "note,note"], "note: is chosen twice"),
        (["--columns", ""], "no column is chosen"),
        (["--profiles", "--columns", "note"], "note: no such column of profiles"),
        (["--as-of", "yesterday"], "as of yesterday: not a time"),
        (["--as-of", "2020-01-31T10:00"], "has no time zone"),
        (["--as-of", "9000-01-01"], "is yet to come"),
        (["--full", "--format", "jsonl", "--profiles"], "leave --profiles out"),
        (["--full", "--format", "jsonl", "--as-of", "2020-01-31"], "leave --as-of out"),
        (["--full", "--format", "jsonl", "--dictionary", "d.csv"], "leave --full out"),
        (["--format", "excel", "--bom"], "--bom is for csv, not excel"),
    ],
)
def test_what_does_not_fit_is_one_line_and_no_file(run, ledger_path, tmp_path, options, reason):
    run("score", "add", "S-1", "8", "--create", "--reviewer", "dana")
    done = run("export", "--output", str(tmp_path / "out.csv"), *options)
    assert done.code == 2
    assert reason in done.err
    assert not (tmp_path / "out.csv").exists()


def test_a_file_must_be_named(run):
    done = run("export")
    assert (done.code, "name the file (--output)" in done.err) == (2, True)
