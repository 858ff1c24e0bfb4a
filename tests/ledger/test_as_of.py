"""The ledger as of an earlier instant is what it was then, to the byte, whatever was written since."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from quality.commands import AcceptReport, AddRating, ExportRows, Filters, Rebuild, UndoRating
from quality.errors import QualityError
from quality.export import open_export
from quality.ledger.as_of import snapshot_as_of
from quality.ledger.exporting import profiles_of
from quality.ledger.ledger import Ledger
from quality.ledger.sqlfiles import load_sql
from quality.observations import RunFact, SignalReading, Verdict
from quality.settings import ScoringSettings, Settings
from tests.ledger.test_rebuild import ATTESTS, IMPORTS, RATINGS, TURNS, UNDOS
from tests.ledger.test_story_corrections import CORRECTIONS, correct

SETTINGS = (
    ScoringSettings(),
    ScoringSettings.model_validate({"auto": {"weights": {"test_pass_rate": 1, "build_success": 1}}}),
    ScoringSettings.model_validate({"tiers": {"verifier": 0.5, "accepted_quality": 3}, "routing": {"weekly_decay": 0.5}}),
)  # fmt: skip
RESETS = st.tuples(st.just("settings"), st.integers(0, len(SETTINGS) - 1))
LATE = st.tuples(st.just("late"), st.sampled_from(["S-1", "S-2"]))
ACCEPTS = st.tuples(st.just("accept"))


def known(ledger, instant=None):
    """Every row of the ledger, its CSV, and its profiles with ages from `instant`; all as of it, or as they stand now."""
    with snapshot_as_of(ledger.store, instant, ledger.settings.scoring) as (snapshot, _):
        rows = snapshot.rows("SELECT * FROM ledger ORDER BY run_id")
    with open_export(ledger.store, ExportRows(as_of=instant), ledger.settings.scoring) as export:
        return rows, b"".join(export.chunks)


def profiles(ledger, instant, as_of=False):
    with snapshot_as_of(ledger.store, instant if as_of else None, ledger.settings.scoring) as (snapshot, scoring):
        relation = profiles_of(snapshot, Filters(), scoring, instant)
        return relation.first(snapshot, 100, "typed", relation.names).to_pylist()


def last_write(ledger):
    return ledger.store.rows("SELECT max(recorded_at) AS t FROM audit")[0]["t"]


def more(ledger, tell, action):
    """What `correct` does not know: a report from before its run began, and the word that it is of the run."""
    match action:
        case ("late", story):
            start = datetime(2026, 8, 2, tzinfo=UTC)
            run = RunFact(story_id=story, agent="codex", model_version="gpt-5", attempt=1, started_at=start)
            old = SignalReading(run=0, occurred_at=start - timedelta(days=1), test_pass_rate=0.25, tests_total=4)
            tell(run, old, into=ledger)
        case ("accept",):
            imports = ledger.store.rows("SELECT import_id::VARCHAR AS i FROM imports ORDER BY recorded_at DESC LIMIT 1")
            if imports:
                ledger.execute(AcceptReport(actor="dana", import_id=imports[0]["i"]))
        case _:
            correct(ledger, tell, action)


@settings(
    max_examples=25,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(
    actions=st.lists(
        st.one_of(IMPORTS, IMPORTS, RATINGS, UNDOS, ATTESTS, RESETS, LATE, ACCEPTS, TURNS, *CORRECTIONS),
        min_size=1,
        max_size=9,
    )
)
def test_as_of_every_write_the_ledger_is_what_it_was_after_it(tmp_path_factory, tell, actions):
    """Imports, ratings, undoings, attestations, confirmations, corrections and settings: rows, CSV, profiles, exactly."""
    path = tmp_path_factory.mktemp("as-of") / "l.duckdb"
    ledger = Ledger(path)
    moments = []
    try:
        for action in actions:
            if action[0] == "settings":
                ledger.close()
                ledger = Ledger(path, Settings(scoring=SETTINGS[action[1]]))
                ledger.execute(Rebuild(actor="ci"))
            else:
                try:
                    more(ledger, tell, action)
                except QualityError:
                    continue  # refused: nothing was written
            if (moment := last_write(ledger)) is not None:
                moments.append((moment, known(ledger), profiles(ledger, moment)))
        for moment, then, profiles_then in moments:
            assert known(ledger, moment) == then
            assert profiles(ledger, moment, as_of=True) == profiles_then
    finally:
        ledger.close()


def rate(ledger, story, rating):
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id=story, rating=rating, create=True))
    return last_write(ledger)


def test_before_anything_was_known_there_is_nothing(ledger):
    """The header stands; there is no row and no profile."""
    first = rate(ledger, "S-1", 8)
    rows, csv = known(ledger, first - timedelta(microseconds=1))
    assert rows == []
    assert csv.count(b"\r\n") == 1
    assert profiles(ledger, first - timedelta(microseconds=1), as_of=True) == []
    assert len(known(ledger, first)[0]) == 1


def test_a_rating_that_was_withdrawn_since_stands_then(ledger):
    """And one that was given since is not there yet."""
    first = rate(ledger, "S-1", 8)
    second = rate(ledger, "S-1", 2)
    ledger.execute(UndoRating(actor="dana", reviewer="dana", story_id="S-1"))
    assert [known(ledger, at)[0][0]["quality"] for at in (first, second, last_write(ledger))] == [8, 2, 8]


def test_ages_of_a_routing_score_are_measured_from_then(ledger, tell):
    """Ratings 10 three weeks and 4 one week before: 3 weeks weigh 0.85³, 1 week 0.85; two weeks later both have aged alike."""
    now = datetime.now(UTC)
    for story, quality, weeks in (("S-1", 10.0, 3), ("S-2", 4.0, 1)):
        run = RunFact(story_id=story, agent="a", model_version="m", attempt=1)
        tell(run, Verdict(run=0, quality=quality, occurred_at=now - timedelta(weeks=weeks, hours=1)))
    expected = (10 * 0.85**3 + 4 * 0.85) / (0.85**3 + 0.85)
    (profile,) = profiles(ledger, last_write(ledger), as_of=True)
    assert profile["routing_score"] == pytest.approx(expected, abs=1e-10)
    (earlier,) = profiles(ledger, now - timedelta(weeks=2))
    assert earlier["routing_score"] == pytest.approx((10 * 0.85 + 4) / 1.85, abs=1e-10)


def test_filters_choose_among_the_rows_of_then(ledger):
    """A run that a person rated since has its automatic or no score then."""
    first = rate(ledger, "S-1", 8)
    rate(ledger, "S-2", 9)
    for filters, rows in ((Filters(tier="human"), 1), (Filters(story_id="S-2"), 0)):
        with open_export(ledger.store, ExportRows(as_of=first, filters=filters)) as export:
            assert export.rows == rows


def test_the_present_is_as_it_was_beside_a_look_at_the_past(ledger):
    """The past stands in its snapshot alone: other reads and writes meanwhile are of the present."""
    first = rate(ledger, "S-1", 8)
    rate(ledger, "S-1", 2)
    with snapshot_as_of(ledger.store, first, ledger.settings.scoring) as (past, _):
        rate(ledger, "S-2", 5)
        assert past.rows("SELECT quality FROM ledger") == [{"quality": 8}]
        assert ledger.store.rows("SELECT quality FROM ledger ORDER BY quality") == [{"quality": 2}, {"quality": 5}]


def test_every_table_that_a_row_is_made_of_is_looked_at_for_changes():
    """A table that recompute.sql reads and as_of.sql does not would leave rows of the present in the past."""
    recompute = load_sql("recompute")
    read = set(re.findall(r"\b(?:FROM|JOIN) (\w+)", " ".join(recompute[name] for name in READ)))
    read -= {"chunk", "reported", "touched", "lined_up", "scored"}
    looked_at = set(re.findall(r"\b(?:FROM|JOIN) (\w+)", load_sql("as_of")["changed_since"]))
    assert {"runs", "overrides", "story_facts"} <= read
    assert read <= looked_at, f"name in sql/as_of.sql, changed_since: {read - looked_at}"


READ = ("runs", "facts", "stories", "signals", "reports", "verdicts", "overrides")
"""The statements of recompute.sql that observations are read with."""
