"""Does the review list hold what waits for a rating, and nothing else? Worked out on three stories of a run each."""

import pytest

from quality.commands import COMMANDS, AddRating, Filters, ListScores, UndoRating
from quality.errors import NotFound
from quality.ledger import queries
from quality.ledger.review_list import entries_of
from quality.review_commands import AddToReviewList, RemoveFromReviewList, ShowReviewList


@pytest.fixture
def runs(ledger):
    """Story → its run; S-3 has a note by dana, nobody else has any."""
    for story, rating, note in (("S-1", 6.0, None), ("S-2", 7.0, None), ("S-3", 8.0, "see b")):
        command = AddRating(actor="dana", reviewer="dana", story_id=story, rating=rating, note=note, create=True)
        ledger.execute(command)
    return {row["story_id"]: row["run_id"] for row in ledger.ask(ListScores())["rows"]}


def listed(ledger):
    return [row["story_id"] for row in ledger.ask(ShowReviewList())["rows"]]


def add(ledger, *run_ids, why=None):
    return ledger.execute(AddToReviewList(actor="lee", run_ids=run_ids, why=why))


def rate(ledger, story):
    return ledger.execute(AddRating(actor="eli", reviewer="eli", story_id=story, rating=4.0))


def test_an_entry_says_who_when_and_why(ledger, runs):
    """Picked by choice, so with no probability; the run as it stands is told beside."""
    answer = add(ledger, runs["S-1"], why="two models, two opinions")
    assert (answer.added, answer.waiting_already, answer.waiting) == (1, 0, 1)
    found = ledger.ask(ShowReviewList())
    assert found["waiting"] == 1
    row = found["rows"][0]
    assert (row["story_id"], row["quality"], row["reason"], row["probability"]) == ("S-1", 6.0, "choice", None)
    assert (row["listed_by"], row["why"]) == ("lee", "two models, two opinions")
    assert row["listed_at"] is not None


def test_a_run_waits_once(ledger, runs):
    """The same run named twice, or put there again, is one entry."""
    add(ledger, runs["S-1"], runs["S-1"])
    again = add(ledger, runs["S-1"], runs["S-2"])
    assert (again.added, again.waiting_already, again.waiting) == (1, 1, 2)
    assert listed(ledger) == ["S-1", "S-2"]


def test_anybodys_rating_ends_the_wait_and_its_withdrawal_begins_it_again(ledger, runs):
    add(ledger, runs["S-1"], runs["S-2"])
    rate(ledger, "S-1")
    assert listed(ledger) == ["S-2"]
    ledger.execute(UndoRating(actor="eli", reviewer="eli", story_id="S-1"))
    assert listed(ledger) == ["S-1", "S-2"]


def test_a_rated_run_can_be_put_there_again(ledger, runs):
    add(ledger, runs["S-1"])
    rate(ledger, "S-1")
    assert add(ledger, runs["S-1"]).added == 1
    assert listed(ledger) == ["S-1"]


def test_what_is_taken_off_stays_in_the_history(ledger, runs):
    """Two rows of the run: the removal, and the entry that it ended."""
    add(ledger, runs["S-1"], why="odd")
    answer = ledger.execute(RemoveFromReviewList(actor="eli", run_ids=[runs["S-1"], runs["S-2"]]))
    assert (answer.removed, answer.waiting) == (1, 0)
    assert [(row["reason"], row["actor"], row["waits"]) for row in entries_of(ledger.store, runs["S-1"])] == [
        ("removed", "eli", False),
        ("choice", "lee", False),
    ]


def test_a_run_that_there_is_not_changes_nothing(ledger, runs):
    for unknown in ("nonsense", "0198c0de-0000-7000-8000-000000000001"):
        with pytest.raises(NotFound, match=f"{unknown}: no such run: nothing was changed"):
            add(ledger, runs["S-1"], unknown)
    assert listed(ledger) == []


def test_the_filter_knows_who_waits(ledger, runs):
    add(ledger, runs["S-2"])

    def stories(**filters):
        return {row["story_id"] for row in ledger.ask(ListScores(filters=Filters(**filters)))["rows"]}

    assert stories(on_review_list=True) == {"S-2"}
    assert stories(on_review_list=False) == {"S-1", "S-3"}
    assert stories(has_note=True) == {"S-3"}
    assert stories(has_note=False) == {"S-1", "S-2"}


def test_of_several_values_any_will_do_and_every_filter_must_hold(ledger, runs):
    """Nobody's model is known: of two models one fits all three; the tier narrows nothing, another agent everything."""

    def count(**filters):
        return queries.count_runs(ledger.store, Filters(**filters))

    assert count(model_version=["m9", "unknown"]) == 3
    assert count(model_version=["m9", "unknown"], tier=["auto", "human"]) == 3
    assert count(model_version=["m9", "unknown"], tier=["auto", "verifier"]) == 0
    assert count(reviewer=["dana", "eli"], caveat=["unknown_model", "few_tests"]) == 3
    assert count(agent=[]) == 3


def test_one_value_may_stand_for_itself():
    assert Filters(tier="human") == Filters(tier=["human"])
    assert COMMANDS["list_scores"].model_validate({"filters": {"tier": "human"}}).filters.tier == ("human",)
