"""Does a run's history say what its score was after each thing that was recorded of it?"""

from datetime import UTC, datetime

import pytest

from quality.commands import AddRating, UndoRating
from quality.correction_commands import ListImports, ReinstateImport, WithdrawImport
from quality.ledger.run_history import around, events_of
from quality.observations import RunFact, SignalReading, StoryFact, Verdict
from quality.settings import ScoringSettings
from quality.story_commands import MergeStories

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
RUN = RunFact(story_id="S-1", agent="a", model_version="m", attempt=1)


@pytest.fixture
def run_id(ledger, tell):
    """Build 10, then a verdict of 8, a rating of 6, one of 5.5, and that one withdrawn."""
    tell(StoryFact(story_id="S-1", title="One"), RUN, SignalReading(run=0, build_success=True, occurred_at=NOON))
    tell(RUN, Verdict(run=0, quality=8.0, verifier_agent="v", verifier_model="judge-1"))
    for rating in (6.0, 5.5):
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=rating))
    ledger.execute(UndoRating(actor="dana", reviewer="dana", story_id="S-1"))
    return ledger.store.rows("SELECT run_id::VARCHAR AS r FROM ledger")[0]["r"]


def test_each_event_has_the_score_from_then_on(ledger, run_id):
    """10 by the build, 8 by the verifier, 6 and 5.5 by dana, and 6 again; changes −2, −2, −0.5 and +0.5."""
    events = events_of(ledger.store, run_id, ScoringSettings())
    assert [(e.kind, e.who, e.value, e.quality, e.signal_source, e.changed) for e in reversed(events)] == [
        ("signals", "ci", None, 10.0, "auto", None),
        ("verdict", "v / judge-1", 8.0, 8.0, "verifier", -2.0),
        ("rating", "dana", 6.0, 6.0, "human", -2.0),
        ("rating", "dana", 5.5, 5.5, "human", -0.5),
        ("withdrawal", "dana", 5.5, 6.0, "human", 0.5),
    ]


def test_the_latest_score_is_the_ledgers(ledger, run_id):
    row = ledger.store.rows("SELECT quality, signal_source FROM ledger")[0]
    latest = events_of(ledger.store, run_id, ScoringSettings())[0]
    assert (latest.quality, latest.signal_source) == (row["quality"], row["signal_source"])


def test_reading_a_history_changes_nothing(ledger, run_id):
    before = {t: ledger.store.rows(f"SELECT count(*) FROM {t}") for t in ("runs", "overrides", "verdicts", "ledger")}
    events_of(ledger.store, run_id, ScoringSettings())
    assert {t: ledger.store.rows(f"SELECT count(*) FROM {t}") for t in before} == before


def test_a_run_that_there_is_not_has_no_history(ledger):
    assert events_of(ledger.store, "nonsense", ScoringSettings()) == []
    assert around(ledger.store, "nonsense") == []


def test_the_runs_around_it_are_of_its_story_and_of_its_model(ledger, tell):
    """Four runs in the order they became known: A by m1, A by m2, B by m1, A by m1 again."""
    for story, model, attempt in (("A", "m1", 1), ("A", "m2", 1), ("B", "m1", 1), ("A", "m1", 2)):
        tell(RunFact(story_id=story, agent="a", model_version=model, attempt=attempt))
    ids = {
        (row["story_id"], row["model"], row["attempt"]): row["r"]
        for row in ledger.store.rows("SELECT run_id::VARCHAR AS r, story_id, model, attempt FROM ledger")
    }
    found = {(row["of"], row["side"]): row["run_id"] for row in around(ledger.store, ids["A", "m1", 1])}
    assert found == {("story_id", "after"): ids["A", "m2", 1], ("model", "after"): ids["B", "m1", 1]}
    found = {(row["of"], row["side"]): row["run_id"] for row in around(ledger.store, ids["B", "m1", 1])}
    assert found == {("model", "before"): ids["A", "m1", 1], ("model", "after"): ids["A", "m1", 2]}


def test_a_withdrawn_import_is_an_event_and_what_it_said_counted_until_then(ledger, tell):
    """Build 10; a verdict of 4; the verdict's file withdrawn, so 10 again; reinstated, so 4. Merged in between."""
    tell(StoryFact(story_id="S-1"), StoryFact(story_id="S-2"), RUN, SignalReading(run=0, build_success=True))
    tell(RUN, Verdict(run=0, quality=4.0, verifier_model="judge-1"))
    (run_id,) = (row["r"] for row in ledger.store.rows("SELECT run_id::VARCHAR AS r FROM ledger"))
    one = ledger.ask(ListImports())["imports"][0]["import_id"]
    ledger.execute(WithdrawImport(actor="lee", import_id=one, reason="x"))
    withdrawn = events_of(ledger.store, run_id, ScoringSettings())
    ledger.execute(MergeStories(actor="lee", from_id="S-1", into_id="S-2", reason="one"))
    ledger.execute(ReinstateImport(actor="mia", import_id=one))
    told = [(e.kind, e.who, e.quality) for e in reversed(events_of(ledger.store, run_id, ScoringSettings()))]
    assert told == [
        ("signals", "ci", 10.0), ("verdict", "judge-1", 4.0), ("taken_out", "lee", 10.0), ("merge", "lee", 10.0),
        ("brought_back", "mia", 4.0),
    ]  # fmt: skip
    assert [(e.kind, e.quality) for e in reversed(withdrawn)] == [(kind, quality) for kind, _, quality in told[:3]]
    assert ledger.store.rows("SELECT quality, story_id FROM ledger") == [{"quality": 4.0, "story_id": "S-2"}]
