"""A full export carries named tests, runners, starts and confirmations, and refuses those that do not fit."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from quality.commands import AcceptReport, ExportRows, ImportArtifact, Rebuild
from quality.export import export_rows
from quality.ledger.ledger import Ledger
from quality.observations import Batch, Evidence, RunFact, SignalReading
from quality.readers import formats
from quality.readers.full_jsonl import TABLES

START = datetime(2026, 8, 1, 12, tzinfo=UTC)


class Told:
    format = "told"
    records: tuple = ()

    def recognises(self, artifact):
        return artifact.head.startswith(b"told")

    def read(self, artifact, target):
        yield Batch.of(*self.records)


@pytest.fixture
def exported(tmp_path, monkeypatch):
    """Two reports and a log of a run with a start; the older report is confirmed. 2 of 3 tests passed."""
    reader = Told()
    monkeypatch.setattr(formats, "READERS", (*formats.READERS, reader))
    run = RunFact(story_id="S-1", agent="codex", model_version="m1", attempt=1, started_at=START)
    early = START - timedelta(days=1)
    reports = [
        SignalReading(run=0, test_ids=[-(2**63), 2**63 - 1], test_outcomes="pf", test_pass_rate=0.5, tests_total=2,
                      occurred_at=early),
        SignalReading(run=0, test_ids=[7], test_outcomes="y", test_pass_rate=1.0, tests_total=1),
        SignalReading(run=0, runner="pytest", test_pass_rate=2 / 3, tests_total=3, tests_passed=2, tests_failed=1),
    ]  # fmt: skip
    with Ledger(tmp_path / "first.duckdb") as ledger:
        for number, report in enumerate(reports):
            (tmp_path / "report").write_text(f"told {number}")
            kept = Evidence(run=0, signal="test_pass_rate", text="2 passed", line=3, first_line=3, member="a/log.txt")
            reader.records = (run, report, kept)
            ledger.execute(ImportArtifact(actor="ci", path=str(tmp_path / "report")))
        (first,) = ledger.store.rows("SELECT import_id::VARCHAR AS i FROM signal_readings WHERE test_outcomes = 'pf'")
        ledger.execute(AcceptReport(actor="dana", import_id=first["i"]))
        export_rows(ledger.store, ExportRows(format="jsonl", full=True), tmp_path / "full.jsonl")
        rows = {table: ledger.store.rows(f"FROM {table}") for table in (*TABLES, "ledger")}
    return tmp_path / "full.jsonl", rows


def restored(path, change=lambda text: text):
    path.write_text(change(path.read_text()))
    with Ledger(path.parent / "second.duckdb") as second:
        answer = second.execute(ImportArtifact(actor="eli", path=str(path)))
        ledger = second.store.rows("FROM ledger")
        second.execute(Rebuild(actor="eli"))
        assert second.store.rows("FROM ledger") == ledger
        return answer, {table: second.store.rows(f"FROM {table}") for table in (*TABLES, "ledger")}


def test_everything_comes_back(exported):
    path, before = exported
    answer, after = restored(path)
    assert answer.rejects == []
    assert [run.story_id for run in answer.runs] == ["S-1"]
    for table in ("run_facts", "signal_readings", "report_acceptances", "evidence", "ledger"):
        assert after[table] == before[table], table
    row = after["ledger"][0]
    assert (row["test_pass_rate"], row["tests_total"], row["caveats"]) == (2 / 3, 3, ["low_coverage"])


@pytest.mark.parametrize(
    ("find", "instead", "reason"),
    [
        ('"test_outcomes":"pf"', '"test_outcomes":"p"', "test_outcomes: has a letter of p, y, f, e, s for each"),
        ('"test_outcomes":"pf"', '"test_outcomes":"pz"', "test_outcomes: has a letter of p, y, f, e, s for each"),
        ('"test_outcomes":"pf"', '"test_outcomes":null', "test_outcomes: has a letter of p, y, f, e, s for each"),
        ("9223372036854775807", "9223372036854775808", "less than or equal to 9223372036854775807"),
        ('"line":3', f'"line":{10**30}', "less than or equal to 9223372036854775807"),
        ('"started_at":"2026-08-01T12:00:00Z"', '"started_at":"2026-08-01T12:00:00"', "needs its zone"),
    ],
)
def test_what_does_not_fit_is_a_reject(exported, find, instead, reason):
    path, _ = exported
    assert find in path.read_text()
    answer, _ = restored(path, lambda text: text.replace(find, instead))
    assert answer.status == "imported"
    assert reason in answer.rejects[0].reason


def test_an_export_of_schema_1_is_read(exported):
    """It has neither the new columns nor the new table: what they would say is unknown."""
    path, _ = exported
    new = {"test_ids", "test_outcomes", "runner", "started_at", "first_line", "member"}

    def as_before(text):
        header, *lines = [json.loads(line) for line in text.splitlines()]
        header |= {"schema": 1}
        del header["rows"]["report_acceptances"]
        kept = [
            {k: v for k, v in line.items() if k not in new} for line in lines if line["table"] != "report_acceptances"
        ]
        return "\n".join(json.dumps(line) for line in (header, *kept))

    answer, after = restored(path, as_before)
    assert answer.rejects == []
    row = after["ledger"][0]
    assert (row["test_pass_rate"], row["tests_total"], row["started_at"], row["older_report"]) == (
        2 / 3,
        3,
        None,
        False,
    )
