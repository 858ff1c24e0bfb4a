"""What left the ledger comes back: a CSV gives the same rows, a full export the same ledger."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.commands import AddRating, AttestModel, ExportRows, ImportArtifact, ListScores, ShowStory, UndoRating
from quality.export import export_rows
from quality.ledger.ledger import Ledger
from quality.readers.full_jsonl import TABLES
from quality.review_commands import AddToReviewList, RemoveFromReviewList

FULL = ExportRows(format="jsonl", full=True)
OWN_OF_A_RESTORE = ("audit", "imports", "settings_sets")
"""A restore is recorded itself; what it restored is among these rows."""
NOT_IN_CSV = {"auto_at", "recorded_at", "settings_hash", "model_at_dispatch", "model_at_completion", "accepted"}
"""Columns of a row that the CSV does not carry (MODEL.md lists what it carries)."""

notes = st.text(st.sampled_from("ab=+-@'\"\t\r\n ,;é日🙂\u2028"), max_size=12)
ratings = st.floats(0, 10, allow_subnormal=False)


def rows_of(ledger: Ledger) -> dict[str, list[dict]]:
    tables = {table: ledger.store.rows(f"FROM {table}") for table in TABLES}
    return tables | {"ledger": ledger.store.rows("FROM ledger ORDER BY run_id")}


def restored(ledger: Ledger, path: Path):
    return ledger.execute(ImportArtifact(actor="eli", path=str(path)))


@pytest.fixture
def lived_in(tmp_path):
    """A ledger with ratings, a withdrawal and an attestation."""
    with Ledger(tmp_path / "first.duckdb") as ledger:
        for place, rating in enumerate((3, 9.5, 0)):
            note = f'"{place}"\n=é'
            ledger.execute(
                AddRating(
                    actor="eli", reviewer="dana", story_id=f"S-{place % 2}", rating=rating, note=note, create=True
                )
            )
        ledger.execute(UndoRating(actor="eli", reviewer="dana", story_id="S-1"))
        ledger.execute(AttestModel(actor="eli", story_id="S-1", model="gpt-5"))
        waits = ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["run_id"]
        ledger.execute(AddToReviewList(actor="lee", run_ids=[waits], why="שלום"))
        ledger.execute(RemoveFromReviewList(actor="lee", run_ids=[waits]))
        ledger.execute(AddToReviewList(actor="lee", run_ids=[waits]))
        yield ledger


def test_a_full_export_gives_the_same_ledger(lived_in, tmp_path):
    """Same ids, times, actors and order in every table; the derived rows are equal column by column."""
    export_rows(lived_in.store, FULL, tmp_path / "full.jsonl")
    before = rows_of(lived_in)
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = restored(second, tmp_path / "full.jsonl")
        assert answer.counts.items() >= {"stories": 2, "runs": 2, "overrides": 4, "rejects": 0}.items()
        after = rows_of(second)
    for table, rows in before.items():
        kept = [row for row in after[table] if row in rows] if table in OWN_OF_A_RESTORE else after[table]
        assert kept == rows, table


def test_a_restore_adds_only_what_is_missing(lived_in, tmp_path):
    """Over its own ledger it adds nothing; over an older state the newer part."""
    export_rows(lived_in.store, FULL, tmp_path / "old.jsonl")
    lived_in.execute(AddRating(actor="eli", reviewer="eli", story_id="S-0", rating=1))
    export_rows(lived_in.store, FULL, tmp_path / "new.jsonl")
    before = rows_of(lived_in)
    counts = restored(lived_in, tmp_path / "new.jsonl").counts
    assert counts["duplicates"] > 0
    assert sum(counts.values()) == counts["duplicates"]
    with Ledger(tmp_path / "second.duckdb") as second:
        restored(second, tmp_path / "old.jsonl")
        assert restored(second, tmp_path / "new.jsonl").counts["overrides"] == 1
        assert rows_of(second)["ledger"] == before["ledger"] == rows_of(lived_in)["ledger"]


def test_a_run_known_under_another_id_is_not_doubled(lived_in, tmp_path):
    """The same story, agent, model and attempt was rated here too: both ratings belong to one run, and it is said."""
    export_rows(lived_in.store, FULL, tmp_path / "full.jsonl")
    with Ledger(tmp_path / "second.duckdb") as second:
        mine = second.execute(AddRating(actor="eli", reviewer="eli", story_id="S-1", rating=2, create=True)).run
        answer = restored(second, tmp_path / "full.jsonl")
        assert answer.warnings == ["1 runs are here under another id already: what the file says was added to them"]
        story = second.ask(ShowStory(story_id="S-1"))
        (run,) = story["runs"]
        assert run["run_id"] == mine.run_id
        assert {rating["reviewer"] for rating in run["overrides"]} == {"dana", "eli"}


def edited(path: Path, find: str, change) -> int:
    """Change the first line that has `find`; returns its number."""
    lines = path.read_text().split("\n")
    place = next(n for n, line in enumerate(lines) if n and find in line)
    lines[place] = change(lines[place])
    path.write_text("\n".join(lines))
    return place + 1


@pytest.mark.parametrize(
    ("find", "change", "reason"),
    [
        ('"overrides"', lambda line: line.replace('"quality":3.0', '"quality":30'), "less than or equal to 10"),
        ('"overrides"', lambda line: line.replace('"quality":3.0', '"quality":null'), "either a quality or the id"),
        ('"overrides"', lambda line: line.replace('"quality":3.0', '"quality":"3"'), "valid number"),
        ('"runs"', lambda line: line.replace('"attempt":1', '"attempt":0'), "greater than or equal to 1"),
        ('"story_facts"', lambda line: line[: len(line) // 2], "not JSON"),
        ('"story_facts"', lambda line: line.replace('"table":"story_facts"', '"table":"secrets"'), "secrets"),
        (
            '"attestations"',
            lambda line: line.replace('"original"', '"orginal":1,"original"'),
            "orginal: no such field",
        ),
        ('"attestations"', lambda line: line.replace('Z"', '"'), "needs its zone"),
    ],
)
def test_a_line_that_does_not_fit_is_a_reject(lived_in, tmp_path, find, change, reason):
    """With its number, the reason and the line; the others are stored."""
    path = tmp_path / "full.jsonl"
    export_rows(lived_in.store, FULL, path)
    place = edited(path, find, change)
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = restored(second, path)
        reject = answer.rejects[0]
        assert (reject.line, answer.status) == (place, "imported")
        assert reason in reject.reason
        assert second.ask(ListScores())["total"] >= 1


def test_a_file_that_was_cut_short_says_so(lived_in, tmp_path):
    """The header knows how many records there were."""
    path = tmp_path / "full.jsonl"
    export_rows(lived_in.store, FULL, path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-3]))
    with Ledger(tmp_path / "second.duckdb") as second:
        assert (
            restored(second, path).rejects[-1].reason
            == f"the file ends early: {len(lines) - 4} of {len(lines) - 1} records are there"
        )


def test_a_record_about_no_run_is_a_reject(lived_in, tmp_path):
    """Its run was cut out of the file."""
    path = tmp_path / "full.jsonl"
    export_rows(lived_in.store, FULL, path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("\n".join(json.dumps(line) for line in lines if line.get("table") != "runs"))
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = restored(second, path)
        assert (answer.counts["runs"], answer.counts["overrides"]) == (0, 0)
        assert "about a run that is neither in the file nor here" in answer.rejects[-1].reason
        assert rows_of(second)["overrides"] == []


def test_a_newer_export_is_refused(tmp_path):
    """Rather than read with what this version knows."""
    path = tmp_path / "full.jsonl"
    path.write_text('{"format": "quality-tiers-ledger", "schema": 99, "rows": {}}\n')
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = restored(second, path)
        assert (answer.status, answer.rejects[0].line) == ("rejected", 1)
        assert "written by a newer version (schema 99" in answer.rejects[0].reason


@settings(max_examples=25)
@given(st.lists(st.tuples(notes, ratings, st.none() | st.booleans()), min_size=1, max_size=6))
def test_a_csv_gives_the_same_rows(tmp_path_factory, rated):
    """Into an empty ledger, column by column, whatever the notes are."""
    folder = tmp_path_factory.mktemp("csv")
    with Ledger(folder / "first.duckdb") as first:
        for place, (note, rating, rework) in enumerate(rated):
            first.execute(
                AddRating(
                    actor="eli",
                    reviewer=f"=dana {place}",
                    story_id=f"-S{place}'",
                    rating=rating,
                    note=note,
                    rework=rework,
                    agent="@b",
                    model_version="a/b",
                    create=True,
                )
            )
        export_rows(first.store, ExportRows(), folder / "rows.csv")
        before = rows_of(first)["ledger"]
    with Ledger(folder / "second.duckdb") as second:
        answer = second.execute(ImportArtifact(actor="eli", path=str(folder / "rows.csv")))
        assert answer.rejects == []
        after = rows_of(second)["ledger"]

    def carried(rows: list[dict]) -> list[dict]:
        kept = [{name: value for name, value in row.items() if name not in NOT_IN_CSV} for row in rows]
        return sorted(kept, key=lambda row: str(row["run_id"]))

    assert carried(after) == carried(before)


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet"])
def test_the_sample_comes_back_byte_for_byte(built_sample, tmp_path, file_format):
    """Exported, imported into an empty ledger and exported again: the same file, for 5,730 real rows."""
    question = ExportRows(format=file_format)
    with Ledger(shutil.copyfile(built_sample, tmp_path / "first.duckdb")) as first:
        export_rows(first.store, question, tmp_path / "once")
    with Ledger(tmp_path / "second.duckdb") as second:
        assert restored(second, tmp_path / "once").rejects == []
        export_rows(second.store, question, tmp_path / "twice")
    assert (tmp_path / "twice").read_bytes() == (tmp_path / "once").read_bytes()


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet"])
def test_an_export_imported_into_its_own_ledger_adds_no_rating(built_sample, tmp_path, file_format):
    """It names neither the ids of ratings nor the members of a panel; no rating counts twice for that."""
    question = ExportRows(format=file_format)
    with Ledger(shutil.copyfile(built_sample, tmp_path / "first.duckdb")) as ledger:
        ledger.execute(
            AddRating(actor="eli", reviewer="dana", story_id="HumanEval/99", rating=3, note="=n", rework=True)
        )
        export_rows(ledger.store, question, tmp_path / "once")
        answer = restored(ledger, tmp_path / "once")
        assert (answer.counts["verdicts"], answer.counts["overrides"], answer.rejects) == (0, 0, [])
        columns = "run_id, quality, n_human, reviewer, n_verifier, verifier_model, caveats, human_at, verifier_at"
        after = ledger.store.rows(f"SELECT {columns} FROM ledger ORDER BY run_id")
    with Ledger(shutil.copyfile(built_sample, tmp_path / "second.duckdb")) as untouched:
        before = untouched.store.rows(f"SELECT {columns} FROM ledger ORDER BY run_id")
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


def test_the_sample_is_restored_from_its_full_export(built_sample, tmp_path):
    """Every row of every table of 32,171 records."""
    with Ledger(shutil.copyfile(built_sample, tmp_path / "first.duckdb")) as first:
        export_rows(first.store, FULL, tmp_path / "full.jsonl")
        before = rows_of(first)
    with Ledger(tmp_path / "second.duckdb") as second:
        assert restored(second, tmp_path / "full.jsonl").rejects == []
        after = rows_of(second)
    for table in before.keys() - set(OWN_OF_A_RESTORE):
        assert after[table] == before[table], table


@pytest.mark.parametrize("file_format", ["csv", "jsonl", "parquet"])
def test_what_artifacts_left_in_doubt_comes_back(tmp_path, file_format):
    """Rows whose artifacts contradict each other, or that leave out an older report, keep saying so."""
    xml = '<testsuite name="s" timestamp="{}"><testcase classname="c" name="a"/>{}</testsuite>'
    (tmp_path / "old.xml").write_text(xml.format("2026-01-01T00:00:00Z", ""))
    (tmp_path / "new.xml").write_text(xml.format("2026-01-05T00:00:00Z", '<testcase classname="c" name="b"/>'))
    (tmp_path / "run.log").write_text("==== test session starts ====\n\n==== 1 failed, 1 passed in 0.10s ====\n")
    with Ledger(tmp_path / "first.duckdb") as first:
        for story, name in (
            ("S-1", "old.xml"),
            ("S-2", "old.xml"),
            ("S-2", "new.xml"),
            ("S-3", "new.xml"),
            ("S-3", "run.log"),
        ):
            key = {"story_id": story, "agent": "a", "model_version": "m", "started_at": "2026-01-04T00:00:00Z"}
            first.execute(ImportArtifact(actor="eli", path=str(tmp_path / name), **key))
        export_rows(first.store, ExportRows(format=file_format), tmp_path / "rows")
        columns = "story_id, quality, test_pass_rate, caveats"
        before = first.store.rows(f"SELECT {columns} FROM ledger ORDER BY story_id")
    said = [[caveat for caveat in row["caveats"] if caveat in ("older_report", "results_disagree")] for row in before]
    assert said == [["older_report"], ["older_report"], ["results_disagree"]]
    with Ledger(tmp_path / "second.duckdb") as second:
        assert restored(second, tmp_path / "rows").rejects == []
        assert second.store.rows(f"SELECT {columns} FROM ledger ORDER BY story_id") == before
