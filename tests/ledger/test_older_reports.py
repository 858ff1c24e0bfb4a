"""A report from well before its run began waits for somebody's word; the caller of an import can say when that was."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from quality.commands import AcceptReport, ImportArtifact, Rebuild, ShowStory, StoryDetails
from quality.errors import NotFound, QualityError
from quality.ledger.recompute import derive
from quality.ledger.sqlfiles import load_sql
from quality.observations import Reject, RunFact, SignalReading, StoryFact
from quality.settings import ScoringSettings

START = datetime(2026, 8, 1, 12, tzinfo=UTC)
RUN = RunFact(story_id="S-1", agent="codex", model_version="m1", attempt=1)
BEGUN = RUN.model_copy(update={"started_at": START})


def at(hours, **more):
    """A report of this many hours after the start (before it, if negative)."""
    return SignalReading(
        run=0, occurred_at=START + timedelta(hours=hours), **({"test_pass_rate": 1.0, "tests_total": 9} | more)
    )


def row(ledger, columns="test_pass_rate, signal_source, older_report"):
    return tuple(ledger.store.rows(f"SELECT {columns} FROM ledger")[0].values())


def import_id(ledger):
    return ledger.store.rows("SELECT import_id::VARCHAR AS i FROM imports ORDER BY recorded_at LIMIT 1")[0]["i"]


def acceptances(ledger):
    return ledger.store.rows("SELECT count(*) AS n FROM report_acceptances")[0]["n"]


@pytest.fixture
def offer(tell):
    """Import an artifact of this content, with what the command states."""
    return lambda content, *records, **stated: tell(*records, content=content, **stated)


def rebuilt(ledger):
    before = ledger.store.rows("FROM ledger ORDER BY run_id")
    ledger.execute(Rebuild(actor="ci"))
    assert ledger.store.rows("FROM ledger ORDER BY run_id") == before


@pytest.mark.parametrize(
    ("hours", "stored"),
    [(-1.01, (None, None, True)), (-1, (1.0, "auto", False)), (3, (1.0, "auto", False))],
)
def test_a_report_from_more_than_an_hour_before_the_start_is_not_scored(ledger, tell, hours, stored):
    answer = tell(BEGUN, at(hours))
    assert row(ledger) == stored
    assert any("before the run began" in warning for warning in answer.warnings) == (hours < -1)
    assert ledger.store.rows("SELECT count(*) AS n FROM signal_readings") == [{"n": 1}], "stored all the same"
    rebuilt(ledger)


def test_only_the_older_ones_are_left_out(ledger, tell):
    """The old report would be the only failing build; the tests are of the new one."""
    tell(BEGUN, at(-48, test_pass_rate=0.0, build_success=False))
    tell(RUN, at(1))
    assert row(ledger, "test_pass_rate, build_success, caveats") == (1.0, None, ["low_coverage", "older_report"])
    rebuilt(ledger)


def test_a_start_learnt_later_decides_anew(ledger, tell):
    """And a start that is corrected does so again."""
    tell(RUN, at(-48))
    assert row(ledger) == (1.0, "auto", False)
    tell(BEGUN)
    assert row(ledger) == (None, None, True)
    tell(RUN.model_copy(update={"started_at": START - timedelta(hours=50)}))
    assert row(ledger) == (1.0, "auto", False)
    rebuilt(ledger)


def test_a_start_that_is_known_is_not_stored_again(ledger, tell):
    for _ in range(3):
        tell(BEGUN, at(1))
    assert ledger.store.rows("SELECT count(*) AS n FROM run_facts") == [{"n": 1}]


def test_a_confirmed_report_is_scored_from_then_on(ledger, tell):
    """Said twice, it is kept once, with who said it; before it was said the ledger was another."""
    tell(BEGUN, at(-48))
    reading = ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["readings"][0]
    assert (reading["is_older"], reading["accepted"]) == (True, False)
    before = ledger.store.rows("SELECT max(recorded_at) AS t FROM signal_readings")[0]["t"]
    for _ in range(2):
        answer = ledger.execute(AcceptReport(actor="dana", import_id=reading["import_id"]))
        assert [run.story_id for run in answer.runs] == ["S-1"]
    assert ledger.store.rows("SELECT actor FROM report_acceptances") == [{"actor": "dana"}]
    assert row(ledger) == (1.0, "auto", False)
    reading = ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["readings"][0]
    assert (reading["is_older"], reading["accepted"]) == (False, True)
    rebuilt(ledger)
    with ledger.store.transaction() as tx:
        tx.execute(load_sql("recompute")["touch_all"])
        past = [r for table in derive(tx, ScoringSettings(), as_of=before) for r in table.to_pylist()]
    assert [(r["test_pass_rate"], r["older_report"]) for r in past] == [(None, True)]


def test_one_run_of_several_can_be_confirmed(ledger, tell):
    other = BEGUN.model_copy(update={"story_id": "S-2"})
    tell(BEGUN, other, at(-48), at(-48).model_copy(update={"run": 1}))
    run_id = ledger.store.rows("SELECT run_id::VARCHAR AS r FROM ledger WHERE story_id = 'S-2'")[0]["r"]
    answer = ledger.execute(AcceptReport(actor="dana", import_id=import_id(ledger), run_id=run_id))
    assert [run.run_id for run in answer.runs] == [run_id]
    rows = ledger.store.rows("SELECT story_id, older_report FROM ledger ORDER BY story_id")
    assert [tuple(r.values()) for r in rows] == [("S-1", True), ("S-2", False)]


def test_what_cannot_be_confirmed_is_named(ledger, tell):
    tell(BEGUN, at(-48))
    nowhere = "01a22fa9-e472-7244-957f-cdee5d608a76"
    for wanted in ("x", nowhere):
        with pytest.raises(NotFound, match=f"{wanted}: no such import"):
            ledger.execute(AcceptReport(actor="dana", import_id=wanted))
    with pytest.raises(NotFound, match=f"no readings of run {nowhere}"):
        ledger.execute(AcceptReport(actor="dana", import_id=import_id(ledger), run_id=nowhere))
    assert acceptances(ledger) == 0


def test_a_report_that_is_accepted_as_it_comes_is_scored(ledger, offer):
    answer = offer("a", BEGUN, at(-48), accept_old=True)
    assert (answer.status, answer.warnings, row(ledger)) == ("imported", [], (1.0, "auto", False))
    rebuilt(ledger)


def test_an_artifact_that_is_stored_can_be_accepted_by_offering_it_again(ledger, offer):
    """Nothing else is stored; a third time there is nothing new."""
    offer("a", BEGUN, at(-48))
    assert row(ledger) == (None, None, True)
    answer = offer("a", BEGUN, at(-48), accept_old=True)
    assert (answer.status, set(answer.counts.values()), answer.warnings) == ("imported", {0}, [])
    assert [run.story_id for run in answer.runs] == ["S-1"]
    assert row(ledger) == (1.0, "auto", False)
    assert offer("a", BEGUN, at(-48), accept_old=True).status == "unchanged"
    kept = ("report_acceptances", "signal_readings", "imports", "run_facts")
    assert [ledger.store.rows(f"SELECT count(*) AS n FROM {t}")[0]["n"] for t in kept] == [1, 1, 1, 1]
    rebuilt(ledger)


def test_the_same_reading_in_another_artifact_can_be_accepted(ledger, offer):
    """It is stored once, with the first artifact; the word for the second reaches it."""
    offer("a", BEGUN, at(-48))
    answer = offer("b", RUN, at(-48), accept_old=True)
    assert (answer.counts["duplicates"], row(ledger)) == (1, (1.0, "auto", False))
    rebuilt(ledger)


def test_a_report_without_a_time_is_scored_with_a_warning(ledger, tell):
    answer = tell(BEGUN, SignalReading(run=0, build_success=True))
    assert answer.warnings == ["the report states no time (with zone): that it is of this run cannot be checked"]
    assert row(ledger, "build_success, older_report") == (True, False)
    assert tell(RUN.model_copy(update={"story_id": "S-2"}), SignalReading(run=0, build_success=True)).warnings == []


def test_the_caller_says_what_the_artifact_does_not(ledger, offer):
    """A title and a start go to the story that the command names, and the answer names the run."""
    details = StoryDetails(title="Fix it", discipline="data")
    answer = offer(
        "a",
        StoryFact(story_id="S-1", title="From the file"),
        RUN,
        at(2),
        story_id="S-1",
        story=details,
        started_at=START,
    )
    assert [run.model_dump(exclude={"run_id"}) for run in answer.runs] == [
        {"story_id": "S-1", "agent": "codex", "model_version": "m1", "attempt": 1}
    ]
    assert row(ledger, "title, discipline, phase, started_at") == ("Fix it", "data", None, START)
    rebuilt(ledger)


def test_a_new_title_for_a_stored_artifact_is_stored_and_nothing_else(ledger, offer):
    """Its undated reading is not taken for a newer one; with nothing new said the artifact is unchanged."""
    undated = SignalReading(run=0, test_pass_rate=0.5, tests_total=4)
    offer("a", RUN, undated, story_id="S-1")
    offer("b", RUN, undated.model_copy(update={"test_pass_rate": 1.0}), story_id="S-1")
    answer = offer("a", RUN, undated, Reject(reason="no"), story_id="S-1", story=StoryDetails(title="New"))
    assert (answer.status, {k: v for k, v in answer.counts.items() if v}) == ("imported", {"stories": 1})
    assert row(ledger, "title, test_pass_rate") == ("New", 1.0)
    assert offer("a", RUN, undated, story_id="S-1", story=StoryDetails(title="New")).status == "unchanged"
    answer = offer("a", RUN, undated, story_id="S-1", story=StoryDetails(title="New"), started_at=START)
    assert (answer.status, row(ledger, "title, started_at")) == ("imported", ("New", START))
    assert ledger.store.rows("SELECT count(*) AS n FROM signal_readings") == [{"n": 2}]
    rebuilt(ledger)


def test_a_title_is_not_given_to_stories_that_the_command_does_not_name(ledger, offer):
    offer(
        "a",
        RUN,
        RUN.model_copy(update={"story_id": "S-2"}),
        story_id="S-2",
        story=StoryDetails(title="Mine"),
        started_at=START,
    )
    rows = ledger.store.rows("SELECT story_id, title, started_at FROM ledger ORDER BY story_id")
    assert [tuple(r.values()) for r in rows] == [("S-1", None, None), ("S-2", "Mine", START)]


def test_what_the_caller_states_is_in_the_imports_target_only_where_it_is_stated(ledger, offer):
    """So that files imported by the version before are known again."""
    offer("a", RUN, at(2), story_id="S-1")
    offer("b", RUN, at(3), story_id="S-1", story=StoryDetails(title="T"), started_at=START)
    targets = [json.loads(r["target"]) for r in ledger.store.rows("SELECT target FROM imports ORDER BY recorded_at")]
    run = {"story_id": "S-1", "agent": None, "model_version": None, "attempt": None}
    assert targets == [run, run | {"story": {"title": "T"}, "started_at": START.isoformat()}]


def test_a_start_needs_a_zone_and_lies_in_the_past(ledger, offer):
    with pytest.raises(ValidationError, match="timezone"):
        ImportArtifact(actor="ci", path="x", started_at=datetime(2026, 8, 1))
    with pytest.raises(QualityError, match=r"started_at .*: lies in the future: give when the run began"):
        offer("a", RUN, at(2), started_at=datetime.now(UTC) + timedelta(days=1))
    assert ledger.store.rows("FROM imports") == []
