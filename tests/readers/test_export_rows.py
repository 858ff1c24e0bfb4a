"""Export-shaped rows: a run with its tiers side by side. Our own export gives the same rows back."""

import pytest

from quality.commands import AddRating, ExportRows, ImportArtifact
from quality.export import export_rows
from quality.ledger.ledger import Ledger

NOT_EXPORTED = {
    "recorded_at", "auto_at", "model_at_dispatch", "model_at_completion", "human_spread", "verifier_spread", "human_disagree",
    "verifier_disagree", "human_correct", "verifier_correct", "human_rework", "verifier_rework",
}  # fmt: skip
"""Columns of the ledger that say how a row came about."""


def ledger_rows(ledger):
    found = ledger.store.rows("SELECT * REPLACE (run_id::VARCHAR AS run_id) FROM ledger ORDER BY run_id")
    return [{name: value for name, value in row.items() if name not in NOT_EXPORTED} for row in found]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_the_sample_exported_and_imported_gives_the_same_rows(built_sample, tmp_path, form):
    path, second = tmp_path / f"rows.{form}", tmp_path / f"again.{form}"
    with Ledger(built_sample) as ledger:
        export_rows(ledger.store, ExportRows(format=form), path)
        expected = ledger_rows(ledger)
    with Ledger(tmp_path / "other.duckdb") as other:
        answer = other.execute(ImportArtifact(actor="test", path=str(path)))
        assert (answer.format, answer.status, answer.rejects, answer.warnings) == (form, "imported", [], [])
        assert ledger_rows(other) == expected
        export_rows(other.store, ExportRows(format=form), second)
    assert second.read_bytes() == path.read_bytes() or form == "parquet"


def test_a_note_of_formulas_and_lines_survives_export_and_import(ledger, tmp_path):
    """b18 and b19's neighbours: apostrophes, blanks, CR LF, quotes, the empty note."""
    notes = ["=1+1", "'=1+1", "''x", "'x", "  ", "", "a\r\nb", "\r", 'say "x", y', "\tt", "-3", "@a", "+", "'"]
    for n, note in enumerate(notes):
        ledger.execute(AddRating(actor="t", story_id=f"S-{n:02}", rating=5, reviewer="dana", note=note, create=True))
    export_rows(ledger.store, ExportRows(), tmp_path / "rows.csv")
    with Ledger(tmp_path / "other.duckdb") as other:
        other.execute(ImportArtifact(actor="test", path=str(tmp_path / "rows.csv")))
        assert [r["note"] for r in other.store.rows("SELECT note FROM ledger ORDER BY story_id")] == notes


def test_signals_stand_where_the_rating_beside_them_is_bad(read):
    said = read("story_id,test_pass_rate,build_success,quality_human\nS-1,0.5,true,85\nS-2,1.5,yes,8\n")
    assert [(s.get("test_pass_rate"), s["build_success"]) for s in said.signals] == [(0.5, True), (None, True)]
    assert [o["quality"] for o in said.overrides] == [8.0]
    assert said.reasons == [(2, "quality_human", "85"), (3, "test_pass_rate", "1.5")]


def test_a_row_without_any_observation_is_still_a_run(read):
    said = read("story_id,agent,quality,quality_auto,signal_source\nS-1,codex,9,9,auto\n")
    assert [(r["story_id"], r["agent"], "attributes" in r) for r in said.runs] == [("S-1", "codex", False)]
    assert set(said.tables) == {"runs", "stories"}


def test_computed_columns_are_derived_never_trusted(ingest, rows):
    ingest(
        "story_id,quality,quality_auto,coverage,low_confidence,accepted,signal_weight,build_success\nS-1,1,1,0,false,false,9,true\n"
    )
    assert rows("quality, quality_auto, low_confidence, accepted, signal_weight") == [(10.0, 10.0, True, True, 0.6)]


@pytest.mark.parametrize(
    ("row", "human", "verifier"),
    [
        ("8,3,6,1", True, False),
        ("8,1,6,3", False, True),
        ("8,3,6,3", True, False),
        ("8,1,6,1", True, False),
        (",,6,3", None, True),
    ],
)
def test_raters_who_disagree_are_of_the_tier_that_has_several(read, row, human, verifier):
    said = read(
        f"story_id,quality_human,n_human,quality_verifier,n_verifier,caveats\nS-1,{row},few_tests;raters_disagree\n"
    )
    assert [o["raters_disagree"] for o in said.overrides] == ([] if human is None else [human])
    assert [v["raters_disagree"] for v in said.verdicts] == [verifier]


def test_caveats_that_are_facts_are_taken_and_others_are_not(read):
    said = read(
        "story_id,quality_verifier,caveats,split_model\nS-1,8,synthetic;conflicting_verdicts;few_tests,true\nS-2,8,,false\n"
    )
    assert [s.get("synthetic") for s in said.stories] == [True, None]
    assert [v["conflicting"] for v in said.verdicts] == [True, False]
    assert [r.get("split_model") for r in said.runs] == [True, None]


def test_correct_and_rework_belong_to_the_highest_tier_that_rated(read):
    head = "story_id,quality_human,quality_verifier,correct,rework,verified_by_ci\n"
    said = read(head + "S-1,8,7,true,false,\nS-2,,7,false,true,true\nS-3,8,,true,,true\nS-4,,,false,,\n")
    assert [(o.get("correct"), o.get("rework")) for o in said.overrides] == [(True, False), (None, None)]
    assert [(v.get("correct"), v.get("rework")) for v in said.verdicts] == [(None, None), (False, True)]
    assert said.reasons == [(5, "correct", "false")]


def test_what_no_rating_of_its_row_can_carry_is_an_attribute(read):
    said = read("story_id,agent,note,verifier_model\nS-1,codex,look again,judge-1\n")
    assert said.runs[0]["attributes"] == '{"note": "look again", "verifier_model": "judge-1"}'


def test_a_bad_time_takes_with_it_what_it_dates(read):
    said = read(
        "story_id,build_success,quality_human,human_at,ts\nS-1,true,8,soon,2026-08-01T10:00:00Z\nS-2,true,8,2026-08-02T10:00:00Z,soon\n"
    )
    assert [s["line"] for s in said.signals] == [2]
    assert [o["line"] for o in said.overrides] == [3]
    assert said.reasons == [(2, "human_at", "soon"), (3, "ts", "soon")]


@pytest.mark.parametrize("attempt", ["0", "1.5", "first"])
def test_a_run_that_cannot_be_named_is_a_reject(read, attempt):
    said = read(f"story_id,attempt,quality_human\nS-1,{attempt},8\nS-2,2,8\n")
    assert said.reasons == [(2, "attempt", attempt)]
    assert [(r["story_id"], r["attempt"]) for r in said.runs] == [("S-2", 2)]


def test_a_run_id_is_used_as_given_and_another_systems_is_an_attribute(read):
    uuid = "0198f3a0-0000-7000-8000-000000000001"
    said = read(f"run_id,story_id,quality_human\n{uuid},S-1,8\nrun-17,S-2,8\n")
    assert [(r.get("run_id"), r.get("attributes")) for r in said.runs] == [(uuid, None), (None, '{"run_id": "run-17"}')]
