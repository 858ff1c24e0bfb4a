"""Responses leave with a full export, statements, feedback, every score and regression, and come back as they were."""

from datetime import UTC, datetime, timedelta

import pytest

from quality.commands import AddRating, ExportRows, ImportArtifact
from quality.export import export_rows
from quality.ledger.ledger import Ledger
from quality.response_commands import AddFeedback, AddFeedbacks, ShowResponse, StoreResponses

FULL = ExportRows(format="jsonl", full=True)
TABLES = (
    "responses",
    "response_feedback",
    "response_scores",
    "response_regressions",
    "response_settings",
    "response_rows",
)


def response(n, **more):
    at = datetime(2026, 3, 2, tzinfo=UTC) + timedelta(hours=n)
    return {"metadata": {"response_id": f"r{n}", "model": "m", "occurred_at": at} | more}


def rows_of(ledger):
    return {table: ledger.store.rows(f"FROM {table} ORDER BY ALL") for table in TABLES}


def restored(ledger, path):
    return ledger.execute(ImportArtifact(actor="eli", path=str(path)))


@pytest.fixture
def lived_in(tmp_path):
    """A ledger with a regression, a response stated anew, one without id, model and time, and feedback that is held."""
    with Ledger(tmp_path / "first.duckdb") as ledger:
        ledger.execute(AddRating(actor="eli", reviewer="dana", story_id="S-1", rating=9, create=True))
        bare = {"metadata": {"tool_results": [{"name": "=é", "status": "error"}], "error": "a\n\u2028b"}}
        own = {"weights": {"correctness": 1, "user_feedback": 1, "static_analysis": 1}}
        snapshots = {"lsp_before": {"errors": 1, "warnings": 0}, "lsp_after": {"errors": 0, "warnings": 3}}
        records = [bare, *(response(n) for n in range(7)), response(8) | own | snapshots]
        ledger.execute(StoreResponses(actor="ci", responses=records))
        ledger.execute(StoreResponses(actor="ci", responses=[response(2, tools_failed=1, tokens={"input": 5})]))
        for signal in ("revert", "revert", "accept"):
            ledger.execute(AddFeedback(actor="dana", response_id="r6", signal=signal))
        ledger.execute(AddFeedbacks(actor="dana", events=[{"response_id": "r9", "signal": "redo", "event_id": "e"}]))
        yield ledger


def test_a_full_export_gives_the_same_responses(lived_in, tmp_path):
    """Column by column in every table, the derived one too; what is held still counts when its response comes."""
    export_rows(lived_in.store, FULL, tmp_path / "full.jsonl")
    before = rows_of(lived_in)
    assert all(before.values())
    with Ledger(tmp_path / "second.duckdb") as second:
        counts = restored(second, tmp_path / "full.jsonl").counts
        assert (counts["responses"], counts["feedback"], counts["rejects"], counts["runs"]) == (10, 4, 0, 1)
        assert rows_of(second) == before
        second.execute(StoreResponses(actor="ci", responses=[response(9)]))
        assert second.ask(ShowResponse(response_id="r9"))["redo"] == 1


def test_a_restore_adds_only_what_is_missing(lived_in, tmp_path):
    """Over itself nothing; over an older state what came later, and the rows follow."""
    export_rows(lived_in.store, FULL, tmp_path / "old.jsonl")
    lived_in.execute(AddFeedback(actor="dana", response_id="r3", signal="redo"))
    lived_in.execute(StoreResponses(actor="ci", responses=[response(10, tools_failed=1)]))
    export_rows(lived_in.store, FULL, tmp_path / "new.jsonl")
    before = rows_of(lived_in)
    assert restored(lived_in, tmp_path / "new.jsonl").counts["responses"] == 0
    assert rows_of(lived_in) == before
    with Ledger(tmp_path / "second.duckdb") as second:
        restored(second, tmp_path / "old.jsonl")
        counts = restored(second, tmp_path / "new.jsonl").counts
        assert (counts["responses"], counts["feedback"]) == (1, 1)
        assert rows_of(second) == before


def test_an_export_of_responses_alone_is_worth_importing(tmp_path):
    """A ledger needs no run to be restored."""
    with Ledger(tmp_path / "first.duckdb") as first:
        first.execute(StoreResponses(actor="ci", responses=[response(0)]))
        export_rows(first.store, FULL, tmp_path / "full.jsonl")
    with (tmp_path / "full.jsonl").open("a") as file:
        file.write('{"table": "response_scores", "composite": 101}\n')
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = restored(second, tmp_path / "full.jsonl")
        assert (answer.status, answer.counts["responses"], len(answer.rejects)) == ("imported", 1, 1)
        assert second.ask(ShowResponse(response_id="r0"))["composite"] == 86.0
