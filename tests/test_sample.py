"""Is the sample what data/README.md says it is, and is the data dictionary the export's?"""

import csv
import re
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest

from quality.commands import Examine, ExportRows, Filters
from quality.definitions import define
from quality.errors import NotFound
from quality.export import preview
from quality.ledger import queries
from quality.ledger.ledger import Ledger
from quality.readers.columns import ALIASES, KNOWN
from quality.sample import FILES, SAMPLE, build_sample

README = (SAMPLE.parent / "README.md").read_text(encoding="utf-8")
TYPES = {
    pa.string(): "text", pa.float64(): "number", pa.int32(): "integer", pa.bool_(): "boolean", pa.list_(pa.string()): "list",
}  # fmt: skip
NARROWER = {"duration_vs_estimate": "> 0", "review_probability": "> 0, ≤ 1"}
"""Ranges whose bound itself is not allowed, which the catalogue of definitions has no words for."""


def table_under(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading of data/README.md, without its header."""
    lines = README.split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines()
    rows = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


@pytest.fixture(scope="module")
def ledger(built_sample: Path):
    with Ledger(built_sample) as ledger:
        yield ledger


def grades() -> dict[tuple[str, str], dict[str, list[Fraction]]]:
    """CoNaLa's file by hand: run → tier → ratings."""
    found: dict[tuple[str, str], dict[str, list[Fraction]]] = {}
    with (SAMPLE / "conala-ratings.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            tiers = found.setdefault((row["story_id"], row["model"]), {"human": [], "verifier": []})
            tiers[row["source"]].append(Fraction(row["quality"]))
    return found


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def test_the_sample_holds_what_its_readme_says(ledger):
    """2,500 CoNaLa runs, 3,220 HumanEval runs of 161 tasks, 10 workspace stories of which one has no run."""
    totals = {name: queries.totals(ledger.store, Filters(org_domain=name)) for name in ("conala", "humaneval")}
    stories = [queries.count_stories(ledger.store, Filters(org_domain=name)) for name in totals]
    assert (totals["conala"]["runs"], totals["conala"]["human"]) == (2500, 2500)
    assert (totals["humaneval"]["runs"], totals["humaneval"]["human"]) == (3220, 0)
    assert stories == [500, 161]
    assert totals["humaneval"]["verifier"] == 3220 - 23
    assert totals["humaneval"]["auto"] == 23
    state = ledger.ask(Examine())
    assert state["stories"] == 500 + 161 + 10


def test_prose_in_a_judge_cell_is_a_reject_and_never_a_score(ledger):
    """23 of HumanEval's cells are words, and two of synlynk's recovered ratings (85 and −3) are out of range."""
    state = ledger.ask(Examine())
    assert state["rejects"] == 23 + 2


def test_graders_without_times_count_as_their_mean(ledger):
    """Each CoNaLa run's human score is the plain mean of its graders, n shown."""
    expected = {run: mean(tiers["human"]) for run, tiers in grades().items()}
    found = {}
    for offset in (0, 1000, 2000):
        for row in queries.ledger_rows(ledger.store, Filters(org_domain="conala"), 1000, offset):
            run = row["story_id"], row["model_version"]
            found[run] = row["quality_human"]
            assert row["n_human"] == len(grades_of(run))
    assert found == pytest.approx({run: float(value) for run, value in expected.items()})


GRADES = grades()


def grades_of(run: tuple[str, str]) -> list[Fraction]:
    return GRADES[run]["human"]


def test_the_judge_is_the_one_that_saw_no_reference():
    """It is 1.60 points above the human mean; with nine in ten human grades hidden, the effective mean is 1.44 above."""
    gap = mean([mean(tiers["verifier"]) - mean(tiers["human"]) for tiers in GRADES.values()])
    assert float(gap) == pytest.approx(1.602, abs=0.0005)
    assert float(gap * Fraction(9, 10)) == pytest.approx(1.44, abs=0.005)


def test_building_the_sample_again_changes_nothing(sample_copy):
    """Every file is known by its content."""
    with Ledger(sample_copy) as ledger:
        before = ledger.ask(Examine())
        build_sample(ledger)
        assert ledger.ask(Examine()) == before


def test_progress_goes_from_nothing_to_the_whole(sample_copy):
    """A step a file, and one at the end."""
    told: list[tuple[str, float]] = []
    with Ledger(sample_copy) as ledger:
        build_sample(ledger, lambda doing, done: told.append((doing, done)))
    shares = [done for _, done in told]
    assert len(told) == len(FILES) + 1
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_missing_sample_files_are_named(tmp_path):
    """As in an installation without the repository."""
    with Ledger(tmp_path / "ledger.duckdb") as ledger, pytest.raises(NotFound, match=r"synlynk-state\.db: no such"):
        build_sample(ledger, folder=tmp_path)


def test_every_file_of_the_sample_has_its_origin_and_licence():
    """Nothing is shipped that data/README.md does not account for."""
    told = {Path(name).name for name in re.findall(r"`sample/([^`]+)`", README)}
    assert told == {path.name for path in SAMPLE.iterdir()}


def test_the_dictionary_lists_the_columns_of_the_export_in_order(ledger):
    """Name, type, unit, range and meaning are the export's and the catalogue's."""
    schema = preview(ledger.store, ExportRows(), 1).table.schema
    rows = table_under("The export")
    assert [row[0] for row in rows] == [f"`{name}`" for name in schema.names]
    for field, (_, kind, unit, values, meaning, empty) in zip(schema, rows):
        definition = define(field.name)
        wanted = "time" if pa.types.is_timestamp(field.type) else TYPES[without_names(field.type)]
        assert (kind, unit, meaning) == (wanted, definition.unit, definition.sentence), field.name
        if definition.low is not None:
            assert values == NARROWER.get(field.name, definition.range), field.name
        assert empty, field.name


def test_what_the_dictionary_calls_never_empty_is_not(ledger):
    """Checked on every run of the sample, whose sources leave out much."""
    table = preview(ledger.store, ExportRows(), 10_000).table
    holes = {row[0].strip("`") for row in table_under("The export") if table[row[0].strip("`")].null_count}
    assert not {
        row[0] for row in table_under("The export") if row[5].startswith("never empty") and row[0].strip("`") in holes
    }


def without_names(kind: pa.DataType) -> pa.DataType:
    return pa.list_(kind.value_type) if pa.types.is_list(kind) else kind


def test_the_dictionary_lists_every_column_that_is_imported(ledger):
    """A known column is one of the export, or is described with the import, and so is each of its other names."""
    exported = {row[0].strip("`") for row in table_under("The export")}
    imported = {row[0].strip("`"): row[1].strip("`") for row in table_under("The import")}
    assert set(KNOWN) == exported | imported.keys()
    assert {alias: name for name, alias in imported.items() if alias} == ALIASES


def test_the_exported_csv_has_the_dictionarys_header(ledger, tmp_path):
    """The file's first line is the dictionary's first column."""
    from quality.export import export_rows

    export_rows(ledger.store, ExportRows(), tmp_path / "rows.csv")
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    assert [f"`{name}`" for name in header] == [row[0] for row in table_under("The export")]
