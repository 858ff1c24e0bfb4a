"""Responses are stored from a terminal, hear what people did with them, and add up: each command a process of its own."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.cli.responding_csv import csv_of, inert
from quality.ledger.exporting import make_macros
from quality.ledger.ledger import Ledger
from quality.response_commands import StoreResponses
from quality.response_spool import Spool

FORMULA = "=SUM(1,2)"
NEUTRAL = 86.0
"""All tools succeeded, no feedback, no diagnostics: (40·100 + 35·70) / 75."""
RECORDS = [
    {"metadata": {"response_id": name, "model": model, "session_id": session, "occurred_at": at, "tool_results": tools}}
    for name, model, session, at, tools in (
        ("r1", "m", "s-1", "2026-03-02T10:00:00Z", []),
        ("r2", "m", "s-2", "2026-03-02T11:00:00Z", [{"name": "edit", "status": end} for end in ("success", "error")]),
        ("r3", FORMULA, "s-2", "2026-03-02T12:00:00Z", []),
    )
]
HALF = 59.33
"""Half the tools failed: (40·50 + 35·70) / 75."""


@pytest.fixture
def stored(ledger_path):
    """A ledger with three responses of two models in two sessions."""
    with Ledger(ledger_path) as ledger:
        ledger.execute(StoreResponses(actor="ci", responses=RECORDS))


def read(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_file_is_stored_once(process, tmp_path):
    """The answer says what was new; the same file again changes nothing."""
    (tmp_path / "many.jsonl").write_text("\n".join(map(json.dumps, RECORDS)))
    first = process("respond", "many.jsonl", "--store", "--json")
    assert (first.code, first.json["stored"]["stored"], first.json["stored"]["unchanged"]) == (0, 3, 0)
    assert [one["response_id"] for one in first.json["stored"]["responses"]] == ["r1", "r2", "r3"]
    again = process("respond", "many.jsonl", "--store")
    assert again.code == 0
    assert "Stored 0, stated anew 0, unchanged 3." in again.out


def test_a_spool_is_imported(process, ledger_path):
    """A line each, responses and feedback; the ledger's own is gone then."""
    record = {"spool": "response", "record": RECORDS[0]}
    event = {"spool": "feedback", "event": {"response_id": "r1", "signal": "accept", "event_id": "e"}}
    spool = Spool(ledger_path)
    spool.path.write_text(json.dumps(record) + "\n" + json.dumps(event) + "\n")
    refused = process("respond", spool.path.name)
    assert refused.code == 2
    assert "add --store to import them" in refused.err
    done = process("respond", spool.path.name, "--store")
    assert (done.code, done.out) == (0, "Imported 1 responses and 1 feedback events.\n")
    assert spool.waiting() == []


def test_responses_that_wait_name_their_own_story(process, ledger_path):
    """So what the command line would say of all of them is refused, and they go on waiting."""
    spool = Spool(ledger_path)
    spool.path.write_text(json.dumps({"spool": "response", "record": RECORDS[0]}) + "\n")
    for option in ("--story", "--session", "--agent"):
        refused = process("respond", spool.path.name, "--store", option, "x")
        assert refused.code == 2
        assert "responses that wait name their own story, session and agent: leave these options out" in refused.err
    assert spool.waiting() == [spool.path]


def test_old_responses_are_removed_when_asked(process, stored, ledger_path):
    """Counted from when they were stored; younger ones stay, and their number is said."""
    with Ledger(ledger_path) as ledger:
        for table in ("responses", "response_rows"):
            ledger.store.cursor().execute(
                f"UPDATE {table} SET recorded_at = recorded_at - INTERVAL 40 DAY WHERE response_id <> 'r3'"
            )
    assert process("respond", "prune").out.startswith("Removed 0 responses, 0 feedback events, 0 scores")
    gone = process("respond", "prune", "--older-than", "30", "--json")
    assert (gone.code, gone.json) == (0, {"responses": 2, "feedback": 0, "scores": 2, "regressions": 0})
    assert process("respond", "stats", "--json").json["overall"]["n"] == 1
    assert process("respond", "prune", "--older-than", "0").code == 2


def test_doctor_asks_for_a_rebuild_of_responses(process, stored, tmp_path):
    """After a change of their weights; a rebuild scores them with it."""
    (tmp_path / "quality.toml").write_text("[responses.weights]\ncorrectness = 1\n")
    assert process("doctor", "--json").json["advice"] == ["3 responses are scored with other settings: run rebuild"]
    assert process("rebuild", "--json").json["responses"] == 3
    assert process("doctor", "--json").json["advice"] == []


def test_an_event_counts_once(process, stored):
    """The score moves by what a revert takes, (40·100 + 35·40) / 75, and stays there."""
    first = process("respond", "feedback", "r1", "revert", "--event-id", "e")
    assert (first.code, first.out) == (0, "revert: r1 goes from 86.0 to 72.0.\n")
    again = process("respond", "feedback", "r1", "revert", "--event-id", "e", "--json")
    assert again.code == 0
    assert again.json == {"response_id": "r1", "status": "known", "before": 72.0, "composite": 72.0, "severity": None}
    assert process("respond", "feedback", "r9", "revert").code == 2


def test_the_models_as_csv(process, stored):
    """A row a model; one that begins like a formula is inert."""
    done = process("respond", "stats", "--export", "csv")
    rows = {row["model"]: row for row in read(done.out)}
    assert (done.code, done.err) == (0, "")
    assert set(rows) == {"m", "'" + FORMULA}
    assert (rows["m"]["n"], round(float(rows["m"]["mean"]), 2)) == ("2", round((NEUTRAL + 4450 / 75) / 2, 2))
    assert (rows["'" + FORMULA]["n"], rows["'" + FORMULA]["trend"]) == ("1", "")


def test_the_models_as_json(process, stored):
    """Names as they are, since no spreadsheet reads them; unknown is null."""
    done = process("respond", "stats", "--export", "json")
    assert done.code == 0
    models = {row["model"]: row for row in done.json["models"]}
    assert set(models) == {"m", FORMULA}
    assert (models[FORMULA]["mean"], models[FORMULA]["trend"]) == (NEUTRAL, None)


def test_one_model(process, stored):
    done = process("respond", "stats", "--model", FORMULA, "--json")
    assert [(row["model"], row["n"]) for row in done.json["models"]] == [(FORMULA, 1)]
    assert done.json["overall"]["n"] == 1


def test_the_responses_of_a_session(process, stored):
    """Latest first, a row a response."""
    done = process("respond", "stats", "--session", "s-2", "--rows", "--export", "csv")
    rows = read(done.out)
    assert [(row["response_id"], row["model"]) for row in rows] == [("r3", "'" + FORMULA), ("r2", "m")]
    assert [round(float(row["composite"]), 2) for row in rows] == [NEUTRAL, HALF]


def test_the_responses_as_json(process, stored):
    done = process("respond", "stats", "--rows", "--export", "json")
    assert done.json["total"] == 3
    assert [row["response_id"] for row in done.json["responses"]] == ["r3", "r2", "r1"]


def test_an_unknown_form_of_export_is_wrong_usage(process, stored):
    done = process("respond", "stats", "--export", "xml")
    assert done.code == 2
    assert "--export xml: not available: give csv or json" in done.err


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A text → the cell that the export of the ledger makes of it, read back."""
    with Ledger(tmp_path_factory.mktemp("cells") / "l.duckdb") as ledger, ledger.store.snapshot() as snapshot:
        make_macros(snapshot)

        def cell(text):
            line = "x," + snapshot.value("SELECT text_cell($text)", {"text": text}) + "\r\n"
            return next(csv.reader(io.StringIO(line, newline="")))[1]

        yield cell


CELLS = [
    "=1+1",
    "+1",
    "-1",
    "@a",
    "\tx",
    "\rx",
    "'=1",
    "''@x",
    "'quoted'",
    " =1",
    "a=1",
    "\n=1",
    "日本, é",
    '"',
    "'",
    "'\t",
]


@given(st.one_of(st.sampled_from(CELLS), st.text("=+-@\t\r\n' ,\"aé", max_size=6)))
def test_the_same_cells_as_the_export(exported, text):
    """What one makes inert the other does, and both leave the rest as it is."""
    made = next(csv.reader(io.StringIO("x," + csv_of(["c"], [{"c": text}]).decode().split("\r\n", 1)[1], newline="")))
    assert made[1] == inert(text) == exported(text)
