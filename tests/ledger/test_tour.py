"""Is a step of the tour taken only when it was done, and only in the sample?"""

import pytest

from quality.commands import AddRating
from quality.errors import Conflict
from quality.ledger.backups import mark_as_sample
from quality.ledger.ledger import Ledger
from quality.tour_commands import HideTour, ShowTour, TakeTourStep


@pytest.fixture
def sample(tmp_path):
    with Ledger(tmp_path / "sample.duckdb") as ledger:
        mark_as_sample(ledger.store)
        yield ledger


def rate(ledger, who):
    ledger.execute(AddRating(actor=who, reviewer=who, story_id="S-1", rating=5, create=True))


def test_steps_are_told_in_the_order_of_the_tour_by_person_or_of_all(sample):
    """Ana took two, Ben one; all of them together are three."""
    sample.execute(TakeTourStep(actor="ana", step="export"))
    sample.execute(TakeTourStep(actor="ana", step="tiers"))
    rate(sample, "ben")
    assert sample.ask(ShowTour(by="ana"))["taken"] == ("tiers", "export")
    assert sample.ask(ShowTour(by="ben"))["taken"] == ("rate",)
    assert sample.ask(ShowTour())["taken"] == ("tiers", "rate", "export")


def test_a_step_taken_twice_is_taken_once_and_is_no_activity(sample):
    for _ in range(2):
        sample.execute(TakeTourStep(actor="ana", step="tiers"))
    assert sample.store.rows("SELECT value FROM meta WHERE key LIKE 'tour%'") == [{"value": "ana"}]
    assert not sample.store.rows("SELECT * FROM audit")


def test_the_tour_is_put_away_and_brought_back(sample):
    """By one person for themselves; by nobody in particular for all."""
    for who in ("ana", "ben"):
        sample.execute(HideTour(actor=who))
    assert not sample.execute(HideTour(actor="ana", hidden=False, by="ana")).hidden
    assert sample.ask(ShowTour(by="ben"))["hidden"]
    sample.execute(HideTour(actor="ana", hidden=False))
    assert not sample.ask(ShowTour())["hidden"]


@pytest.mark.parametrize(
    "command",
    [TakeTourStep(actor="ana", step="tiers"), HideTour(actor="ana"), HideTour(actor="ana", hidden=False)],
    ids=["step", "hide", "bring back"],
)
def test_no_other_ledger_has_a_tour(tmp_path, command):
    with Ledger(tmp_path / "own.duckdb") as own, pytest.raises(Conflict, match="the tour is of the sample ledger"):
        own.execute(command)
