"""A withdrawn import counts nowhere, and comes back whole."""

from datetime import UTC, datetime

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from quality.commands import AddRating, Examine, ExportRows, ImportArtifact, ListScores, Rebuild, ShowStory
from quality.correction_commands import ListImports, ReinstateImport, ShowImport, WithdrawImport
from quality.errors import Conflict, NotFound, QualityError
from quality.export import export_rows
from quality.ledger.as_of import snapshot_as_of
from quality.ledger.ledger import Ledger
from quality.ledger.sqlfiles import load_sql
from quality.ledger.withdrawals import TWINS
from quality.observations import Override, RunFact, SignalReading, StoryFact, Verdict
from quality.readers import formats
from quality.readers.full_jsonl import TABLES, FullJsonl
from quality.roles import Forbidden, Who
from tests.ledger.test_rebuild import ATTESTS, IMPORTS, RATINGS, TURNS, UNDOS, all_rows, carry_out

OWN = ("audit", "settings_sets")
"""What a rebuild adds to by itself."""
RUN = RunFact(story_id="S-1", agent="codex", model_version="gpt-5", attempt=1)
OTHER = RUN.model_copy(update={"story_id": "S-2"})
BUILD = SignalReading(run=0, build_success=True, occurred_at=datetime(2026, 8, 1, tzinfo=UTC))


def latest(ledger):
    return ledger.ask(ListImports())["imports"][0]["import_id"]


def withdraw(ledger, import_id, reason="the wrong file"):
    return ledger.execute(WithdrawImport(actor="lee", import_id=import_id, reason=reason))


def reinstate(ledger, import_id):
    return ledger.execute(ReinstateImport(actor="lee", import_id=import_id))


def scores(ledger):
    return {row["story_id"]: row["quality"] for row in ledger.ask(ListScores())["rows"]}


@pytest.fixture
def two(ledger, tell):
    """S-1 by the first import, with build 10 and dana's 6; S-1 again and S-2, a verdict of 8 each, by the second."""
    tell(StoryFact(story_id="S-1", title="Old"), RUN, BUILD)
    first = latest(ledger)
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6))
    second = [StoryFact(story_id="S-1", title="New"), RUN, OTHER, Verdict(run=0, quality=8), Verdict(run=1, quality=8)]
    tell(*second)
    return first, latest(ledger)


def test_what_it_brought_is_gone_and_the_rest_loses_evidence(ledger, two):
    """S-2 was only in the second import; S-1 has its old title again, and its verdict no more."""
    answer = withdraw(ledger, two[1])
    assert answer.brought.model_dump() == {
        "runs_gone": 1, "runs_kept": 1, "ratings_waiting": 0, "signals": 0, "verdicts": 2, "overrides": 0, "stories": 1,
        "rejects": 0,
    }  # fmt: skip
    assert scores(ledger) == {"S-1": 6}
    (run,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    assert (run["title"], run["quality_verifier"], run["quality_auto"], run["verdicts"]) == ("Old", None, 10, [])
    with pytest.raises(NotFound, match="S-2: no such story"):
        ledger.ask(ShowStory(story_id="S-2"))
    counts = ledger.ask(Examine())
    assert (counts["stories"], counts["runs"], counts["verdicts"], counts["imports"]) == (1, 1, 0, 1)


def test_a_persons_rating_waits_for_the_run(ledger, tell):
    """It goes with the run, is told before, and counts when the import is reinstated."""
    tell(RUN, BUILD)
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6, note="kept"))
    before, one = all_rows(ledger), latest(ledger)
    assert ledger.ask(ShowImport(import_id=one))["brought"]["ratings_waiting"] == 1
    withdraw(ledger, one)
    assert (scores(ledger), ledger.ask(Examine())["overrides"]) == ({}, 0)
    answer = reinstate(ledger, one)
    assert (answer.runs, answer.runs_back) == (1, 1)
    assert all_rows(ledger) == before


def test_another_import_of_the_run_brings_it_back_with_its_rating(ledger, tell):
    """Under its id. What the new import repeats of the withdrawn one is stored, for nothing else says it."""
    tell(RUN, BUILD)
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6))
    run_id = all_rows(ledger)[0]["run_id"]
    withdraw(ledger, latest(ledger))
    assert tell(RUN, BUILD).counts["signals"] == 1
    (row,) = all_rows(ledger)
    assert (row["run_id"], row["quality_auto"], row["quality_human"]) == (run_id, 10, 6)


def test_an_import_that_only_names_the_run_keeps_it(ledger, tell):
    """Nothing is said of it: it has no auto score, and dana's rating counts."""
    tell(RUN, BUILD)
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6))
    withdraw(ledger, latest(ledger))
    tell(RUN)
    assert [(row["quality_auto"], row["quality_human"]) for row in all_rows(ledger)] == [(None, 6)]


def test_a_rating_that_creates_the_run_takes_up_the_one_aside(ledger, tell):
    """No second run of the key comes about, and the earlier rating is in its history."""
    tell(RUN, BUILD)
    key = {"story_id": "S-1", "agent": "codex", "model_version": "gpt-5"}
    ledger.execute(AddRating(actor="dana", reviewer="dana", rating=6, **key))
    one = latest(ledger)
    withdraw(ledger, one)
    ledger.execute(AddRating(actor="eli", reviewer="eli", rating=4, create=True, **key))
    (run,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    assert (run["quality"], run["quality_auto"], len(run["overrides"])) == (4, None, 2)
    reinstate(ledger, one)
    assert [(row["quality_auto"], row["quality_human"]) for row in all_rows(ledger)] == [(10, 4)]


def test_a_run_of_two_imports_goes_with_the_second_and_comes_with_either(ledger, tell):
    """Which of them is reinstated makes no difference to whether it is there."""
    tell(RUN, BUILD)
    first = latest(ledger)
    tell(RUN, Verdict(run=0, quality=8))
    second = latest(ledger)
    withdraw(ledger, first)
    assert scores(ledger) == {"S-1": 8}
    withdraw(ledger, second)
    assert scores(ledger) == {}
    reinstate(ledger, second)
    assert scores(ledger) == {"S-1": 8}


def test_the_same_file_is_refused_until_it_is_said_again(ledger, tell):
    """With both ways out; `again` stores a new import of it."""
    tell(RUN, BUILD, content="x")
    one = latest(ledger)
    withdraw(ledger, one)
    with pytest.raises(
        Conflict, match=f"withdrawn: reinstate import {one}, or store the file as a new import \\(--again\\)"
    ):
        tell(RUN, BUILD, content="x")
    assert tell(RUN, BUILD, content="x", again=True).status == "imported"
    assert (scores(ledger), ledger.ask(ListImports())["withdrawn"]) == ({"S-1": 10}, 1)
    assert tell(RUN, BUILD, content="x").status == "unchanged"


def test_what_cannot_be_withdrawn_says_why(ledger, two):
    """Nothing changes."""
    with pytest.raises(NotFound, match="no such import"):
        withdraw(ledger, "nothing")
    with pytest.raises(Conflict, match="is not withdrawn: what it brought counts"):
        reinstate(ledger, two[0])
    withdraw(ledger, two[0])
    with pytest.raises(Conflict, match="is withdrawn already"):
        withdraw(ledger, two[0])
    with pytest.raises(ValueError, match="reason"):
        WithdrawImport(actor="lee", import_id=two[0], reason="")


def test_only_an_admin_may(ledger, two):
    """A reviewer and a token are refused."""
    command = WithdrawImport(actor="eli", import_id=two[0], reason="x")
    for who in (Who("eli", "reviewer"), Who("eli", "admin", frozenset({"ingest", "review", "read"}))):
        with pytest.raises(Forbidden):
            ledger.execute(command, who)


def test_before_the_withdrawal_it_was_known(ledger, two):
    """As of the instant before, the rows are what they were; as of the withdrawal they are what they are."""
    before, then = all_rows(ledger), ledger.store.rows("SELECT max(recorded_at) AS t FROM audit")[0]["t"]
    withdraw(ledger, two[1])
    without, between = all_rows(ledger), ledger.store.rows("SELECT max(recorded_at) AS t FROM audit")[0]["t"]
    reinstate(ledger, two[1])
    assert rows_as_of(ledger, then) == before
    assert rows_as_of(ledger, between) == without


def rows_as_of(ledger, instant):
    with snapshot_as_of(ledger.store, instant, ledger.settings.scoring) as (snapshot, _):
        return snapshot.rows("SELECT * FROM ledger ORDER BY run_id")


def test_every_turn_is_kept_with_who_and_why(ledger, two):
    """The latest first."""
    withdraw(ledger, two[0], "not ours")
    reinstate(ledger, two[0])
    turns = ledger.ask(ShowImport(import_id=two[0]))["turns"]
    assert [(t["reinstates"], t["actor"], t["reason"]) for t in turns] == [
        (True, "lee", None),
        (False, "lee", "not ours"),
    ]


@pytest.mark.parametrize("table", TWINS)
def test_a_twin_has_the_columns_of_its_table(ledger, table):
    """Else what is set aside would lose some."""
    named = "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = $table AND schema_name = $schema ORDER BY 1"
    twins = [ledger.store.rows(named, {"table": table, "schema": schema}) for schema in ("main", "withdrawn")]
    assert twins[0] == twins[1] != []


def everything(ledger):
    """Every observation with where it lies, the derived rows, and nothing that depends on the order."""
    sql = load_sql("queries/full")
    assert set(sql) >= set(TABLES)
    found = {name: sorted(map(repr, ledger.store.rows(f"FROM {name}"))) for name in TABLES if name not in OWN}
    found |= {f"withdrawn.{name}": sorted(map(repr, ledger.store.rows(f"FROM withdrawn.{name}"))) for name in TWINS}
    return found | {"ledger": all_rows(ledger)}


def assert_same_rebuilt_and_restored(folder, tell, monkeypatch, actions, carry_out):
    """What the actions leave follows from the rows: a rebuild changes nothing, another ledger restored from them is equal."""
    with Ledger(folder / "first.duckdb") as first, Ledger(folder / "second.duckdb") as second:
        for action in actions:
            try:
                carry_out(first, tell, action)
            except QualityError:
                continue
        before = everything(first)
        first.execute(Rebuild(actor="ci"))
        assert everything(first) == before
        export_rows(first.store, ExportRows(format="jsonl", full=True), folder / "full.jsonl")
        with monkeypatch.context() as patch:
            patch.setattr(formats, "READERS", (FullJsonl(),))
            second.execute(ImportArtifact(actor="eli", path=str(folder / "full.jsonl")))
        after = everything(second)
        own = [row for row in after["imports"] if row not in before["imports"]]
        assert len(own) == 1, "the import of the export is one more"
        for name in before.keys() - {"imports"}:
            assert after[name] == before[name], name


@settings(
    max_examples=25, phases=[Phase.explicit, Phase.reuse, Phase.generate],
)  # fmt: skip
@given(actions=st.lists(st.one_of(IMPORTS, IMPORTS, RATINGS, UNDOS, ATTESTS, TURNS, TURNS), min_size=2, max_size=10))
def test_rebuilt_or_exported_whole_and_restored_it_is_the_same(tmp_path_factory, tell, monkeypatch, actions):
    """Which rows lie aside follows from the rows alone, whatever was withdrawn and reinstated in whatever order."""
    assert_same_rebuilt_and_restored(tmp_path_factory.mktemp("turns"), tell, monkeypatch, actions, carry_out)


def test_ratings_within_a_withdrawn_file_go_with_it(ledger, tell):
    """They came by the import; a person's own of the same run stays."""
    tell(RUN, BUILD)
    tell(RUN, Override(run=0, quality=3, reviewer="eli"))
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=6))
    withdraw(ledger, latest(ledger))
    (run,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    assert [(one["reviewer"], one["quality"]) for one in run["overrides"]] == [("dana", 6)]
