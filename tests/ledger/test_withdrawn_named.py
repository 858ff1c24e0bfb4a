"""Which run does an import mean, where one that fits lies aside with a withdrawn import?"""

from quality.commands import AttestModel, Rebuild
from quality.observations import RunFact, Verdict
from quality.story_commands import MergeStories
from tests.ledger.test_rebuild import all_rows
from tests.ledger.test_withdrawals import BUILD, latest, reinstate, withdraw

UNKNOWN = RunFact(story_id="S-1", attempt=1)
OTHER = RunFact(story_id="S-1", agent="codex", model_version="gpt-5", attempt=1)
IN_PART = RunFact(story_id="S-1")
"""Fits every run of S-1; what it leaves out reads as the key of `UNKNOWN`."""


def runs(ledger):
    """Each run that counts with its automatic and verifier score; a rebuild finds the same."""
    rows = all_rows(ledger)
    ledger.execute(Rebuild(actor="ci"))
    assert all_rows(ledger) == rows
    return {row["run_id"]: (row["quality_auto"], row["quality_verifier"]) for row in rows}


def put_aside(ledger, tell, run):
    """Bring in this run with a build, and withdraw it; its id and its import."""
    tell(run, BUILD, into=ledger)
    (known,) = (row["run_id"] for row in all_rows(ledger))
    withdraw(ledger, latest(ledger))
    return known, latest(ledger)


def test_named_in_part_the_run_that_stands_is_meant(ledger, tell):
    """The one that lies aside is left there although its key is the one that reads from the part, and comes back as it was."""
    aside, first = put_aside(ledger, tell, UNKNOWN)
    tell(OTHER, BUILD)
    (stands,) = runs(ledger)
    tell(IN_PART, Verdict(run=0, quality=8))
    assert runs(ledger) == {stands: (10, 8)}
    reinstate(ledger, first)
    assert runs(ledger) == {aside: (10, None), stands: (10, 8)}


def test_named_in_part_where_none_stands_the_run_aside_is_meant(ledger, tell):
    """It is back under its id, without what the withdrawn import said of it."""
    aside, _ = put_aside(ledger, tell, UNKNOWN)
    tell(IN_PART, Verdict(run=0, quality=8))
    assert runs(ledger) == {aside: (None, 8)}


def test_named_by_id_no_other_run_of_that_key_is_meant(ledger, tell):
    """The id counts, whatever key stands beside it: what lies aside under that key stays there."""
    put_aside(ledger, tell, UNKNOWN)
    tell(OTHER, BUILD)
    (stands,) = runs(ledger)
    tell(UNKNOWN.model_copy(update={"run_id": str(stands)}), Verdict(run=0, quality=8))
    assert runs(ledger) == {stands: (10, 8)}


def test_named_by_the_id_of_a_run_aside_it_is_meant(ledger, tell):
    """Even where a run stands that fits the key."""
    aside, _ = put_aside(ledger, tell, UNKNOWN)
    tell(OTHER, BUILD)
    (stands,) = runs(ledger)
    tell(IN_PART.model_copy(update={"run_id": str(aside)}), Verdict(run=0, quality=8))
    assert runs(ledger) == {aside: (None, 8), stands: (10, None)}


def test_named_by_the_attested_model_the_run_aside_is_meant(ledger, tell):
    """No second run of that model comes about."""
    tell(UNKNOWN, BUILD)
    ledger.execute(AttestModel(actor="dana", story_id="S-1", model="gpt-5"))
    (aside,) = runs(ledger)
    withdraw(ledger, latest(ledger))
    tell(RunFact(story_id="S-1", agent="unknown", model_version="gpt-5", attempt=1), Verdict(run=0, quality=8))
    assert runs(ledger) == {aside: (None, 8)}


def test_named_by_a_merged_id_the_run_that_stands_is_meant(ledger, tell):
    """S-1 was merged into S-2, whose run fits; that of S-1 lies aside and stays there."""
    put_aside(ledger, tell, UNKNOWN)
    tell(OTHER, BUILD)
    tell(OTHER.model_copy(update={"story_id": "S-2"}), BUILD)
    ledger.execute(MergeStories(actor="lee", from_id="S-1", into_id="S-2", reason="the same"))
    before = runs(ledger)
    tell(IN_PART, Verdict(run=0, quality=8))
    after = runs(ledger)
    assert after.keys() == before.keys()
    assert sorted(verifier or 0 for _, verifier in after.values()) == [0, 8]
