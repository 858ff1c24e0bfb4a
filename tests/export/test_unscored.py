"""A run without a score comes back from its export as it was, its time included."""

from quality.commands import ExportRows, ImportArtifact
from quality.export import export_rows
from quality.ledger.ledger import Ledger


def test_a_run_without_a_score_survives_the_way_out_and_back(tmp_path):
    first, second, third = (tmp_path / name for name in ("rework.csv", "out.csv", "again.csv"))
    first.write_text("story_id,agent,model,rework_count\nS-1,codex,m1,2\n")
    for source, ledger_path, out in ((first, "a.duckdb", second), (second, "b.duckdb", third)):
        with Ledger(tmp_path / ledger_path) as ledger:
            ledger.execute(ImportArtifact(actor="ci", path=str(source)))
            assert export_rows(ledger.store, ExportRows(), out) == 1
    assert third.read_bytes() == second.read_bytes()
    assert b",2," in second.read_bytes()
