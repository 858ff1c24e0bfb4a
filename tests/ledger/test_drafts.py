"""Is what a reviewer is writing kept until it is stored, and is no rating stored over one that they have not seen?"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.commands import AddRating, UndoRating
from quality.draft_commands import DropRatingDraft, KeepRatingDraft, ListRatingDrafts, ShowRatingDraft
from quality.errors import Conflict, NotFound
from quality.ledger.ledger import Ledger
from quality.roles import Forbidden, Who


@pytest.fixture
def run_id(ledger):
    """The run of S-1, which lee rated 6."""
    first = AddRating(actor="lee", reviewer="lee", story_id="S-1", rating=6, note="first", create=True)
    return ledger.execute(first).run.run_id


def keep(ledger, run_id, by="dana", **fields):
    return ledger.execute(KeepRatingDraft(actor=by, reviewer=by, run_id=run_id, **fields))


def draft(ledger, run_id, by="dana"):
    return ledger.ask(ShowRatingDraft(run_id=run_id, reviewer=by))["draft"]


def rate(ledger, by, rating, **fields):
    return ledger.execute(AddRating(actor=by, reviewer=by, story_id="S-1", rating=rating, **fields))


def ratings(ledger):
    rows = ledger.store.rows("SELECT reviewer, quality FROM overrides WHERE withdraws IS NULL ORDER BY recorded_at")
    return [(row["reviewer"], row["quality"]) for row in rows]


def test_a_draft_is_kept_whole_and_replaced_whole(ledger, run_id):
    """0 is a rating, False an answer, and a note keeps its newlines; what the next one leaves out is gone."""
    kept = keep(ledger, run_id, rating=0, rework=False, note="a\n b", seen="none")
    found = draft(ledger, run_id)
    assert (found["rating"], found["rework"], found["note"], found["seen"]) == (0.0, False, "a\n b", "none")
    assert (found["revision"], found["recorded_at"]) == (kept.revision, kept.recorded_at)
    keep(ledger, run_id, note="b")
    found = draft(ledger, run_id)
    assert (found["rating"], found["rework"], found["note"]) == (None, None, "b")
    assert ledger.store.rows("SELECT count(*) AS n FROM rating_drafts") == [{"n": 1}]


def test_a_draft_is_nobodys_word_yet(ledger, run_id):
    """Score, history, audit and what is cached of the rows are as they were."""
    before = (ratings(ledger), ledger.scores_version, ledger.store.rows("SELECT count(*) FROM audit"))
    keep(ledger, run_id, rating=1, note="dreadful")
    ledger.execute(DropRatingDraft(actor="dana", reviewer="dana", run_id=run_id))
    assert (ratings(ledger), ledger.scores_version, ledger.store.rows("SELECT count(*) FROM audit")) == before


def test_a_draft_outlives_the_process(ledger, run_id):
    keep(ledger, run_id, rating=7.5)
    path = ledger.path
    ledger.close()
    with Ledger(path) as again:
        assert draft(again, run_id)["rating"] == 7.5


def test_each_reviewer_has_their_own_and_sees_no_other(ledger, run_id):
    """Also over HTTP: who asks is who may read."""
    keep(ledger, run_id, rating=3)
    keep(ledger, run_id, by="eli", rating=9)
    assert [draft(ledger, run_id, by)["rating"] for by in ("dana", "eli")] == [3.0, 9.0]
    eli = Who("eli", "reviewer")
    for question in (ShowRatingDraft(run_id=run_id, reviewer="dana"), ListRatingDrafts(reviewer="dana")):
        with pytest.raises(Forbidden, match="under no other name"):
            ledger.ask(question, eli)
    with pytest.raises(Forbidden, match="under no other name"):
        ledger.execute(DropRatingDraft(actor="eli", reviewer="dana", run_id=run_id), eli)


def test_a_stored_rating_ends_its_draft_and_no_other(ledger, run_id):
    """In one transaction; eli's draft of the run stays."""
    keep(ledger, run_id, rating=3)
    keep(ledger, run_id, by="eli", rating=9)
    rate(ledger, "dana", 3)
    assert draft(ledger, run_id) is None
    assert draft(ledger, run_id, "eli")["rating"] == 9.0


def test_a_refused_rating_leaves_its_draft(ledger, run_id):
    keep(ledger, run_id, rating=3, seen="none")
    with pytest.raises(Conflict, match=r"lee rated this run 6 since you looked"):
        rate(ledger, "dana", 3, seen="none")
    assert draft(ledger, run_id)["rating"] == 3.0


def test_a_late_draft_does_not_come_back(ledger, run_id):
    """It continues one that was stored meanwhile; one that says what it continues is told, one that does not is kept."""
    first = keep(ledger, run_id, rating=3, over="none")
    rate(ledger, "dana", 3)
    with pytest.raises(Conflict, match="it was stored or dropped meanwhile") as refused:
        keep(ledger, run_id, rating=3, over=first.revision)
    assert refused.value.details == {"draft": None}
    assert draft(ledger, run_id) is None
    keep(ledger, run_id, rating=4)
    assert draft(ledger, run_id)["rating"] == 4.0


def test_two_windows_of_one_reviewer_do_not_overwrite_each_other(ledger, run_id):
    """The second is told what the first kept."""
    first = keep(ledger, run_id, note="long thought", over="none")
    with pytest.raises(Conflict, match="another draft was kept at") as refused:
        keep(ledger, run_id, note="x", over="none")
    assert refused.value.details["draft"]["note"] == "long thought"
    keep(ledger, run_id, note="longer thought", over=first.revision)
    assert draft(ledger, run_id)["note"] == "longer thought"


def test_the_same_draft_sent_twice_is_kept_once(ledger, run_id):
    """The second answer is the first, though what it continues is not there any more."""
    command = KeepRatingDraft(actor="dana", reviewer="dana", run_id=run_id, rating=3, over="none")
    assert ledger.execute(command) == ledger.execute(command)


def test_drafts_are_listed_with_their_runs(ledger, run_id):
    other = ledger.execute(AddRating(actor="lee", reviewer="lee", story_id="S-2", rating=6, create=True)).run.run_id
    keep(ledger, run_id, rating=3)
    keep(ledger, other, note="b")
    keep(ledger, other, by="eli", note="c")
    found = ledger.ask(ListRatingDrafts(reviewer="dana", limit=1))
    assert found["total"] == 2
    assert [(row["story_id"], row["note"]) for row in found["drafts"]] == [("S-2", "b")]


def test_a_draft_is_of_a_run_that_there_is(ledger):
    with pytest.raises(NotFound, match="nope: no such run: the draft was not kept"):
        keep(ledger, "nope", rating=3)


def test_a_second_reviewer_is_told_of_the_first(ledger, run_id):
    """b23: dana opens the run at lee's 6, eli stores 8, dana's save is refused with both; asked for, it is stored on top."""
    seen = ledger.store.rows("SELECT override_id::VARCHAR AS id FROM overrides")[0]["id"]
    eli = rate(ledger, "eli", 8, note="second", rework=True, seen=seen)
    with pytest.raises(Conflict) as refused:
        rate(ledger, "dana", 6, note="only the note", seen=seen)
    assert refused.value.status == 409
    assert refused.value.details["seen"] == seen
    (since,) = refused.value.details["since"]
    assert (since["reviewer"], since["rating"], since["note"], since["rework"]) == ("eli", 8.0, "second", True)
    assert since["override_id"] == eli.override_id
    assert ratings(ledger) == [("lee", 6.0), ("eli", 8.0)]
    stored = rate(ledger, "dana", 6, note="only the note", seen=since["override_id"])
    assert stored.row["quality"] == 6.0
    assert ratings(ledger) == [("lee", 6.0), ("eli", 8.0), ("dana", 6.0)]


def test_a_script_that_does_not_say_what_it_saw_stores_as_before(ledger, run_id):
    rate(ledger, "dana", 2)
    assert ratings(ledger) == [("lee", 6.0), ("dana", 2.0)]


def test_what_was_withdrawn_stands_in_nobodys_way(ledger, run_id):
    """eli's 8 came and went; lee's 6, which dana saw, was taken back as well."""
    seen = ledger.store.rows("SELECT override_id::VARCHAR AS id FROM overrides")[0]["id"]
    rate(ledger, "eli", 8)
    for by in ("eli", "lee"):
        ledger.execute(UndoRating(actor=by, reviewer=by, story_id="S-1"))
    assert rate(ledger, "dana", 5, seen=seen).row["quality"] == 5.0


def test_a_rating_that_is_not_known_here_was_seen_at_no_time(ledger, run_id):
    """As after a restore of an older backup: everything that stands is new."""
    with pytest.raises(Conflict, match="lee rated this run 6"):
        rate(ledger, "dana", 5, seen="01920000-0000-7000-8000-000000000000")


def test_seen_is_an_id_or_none(ledger, run_id):
    with pytest.raises(ValueError, match="seen"):
        AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=5, seen="yesterday")


STEPS = st.lists(
    st.tuples(st.sampled_from(["dana", "eli", "lee"]), st.sampled_from(["look", "rate", "undo"])), max_size=12
)


@settings(max_examples=25)
@given(STEPS)
def test_nobody_rates_over_what_they_have_not_seen(tmp_path_factory, steps):
    """Whatever the order: a rating is stored where all that stands was there when its reviewer looked, and else refused."""
    with Ledger(tmp_path_factory.mktemp("law") / "l.duckdb") as ledger:
        first = ledger.execute(AddRating(actor="x", reviewer="x", story_id="S-1", rating=1, create=True))
        standing, seen = [first.override_id], {}
        for number, (who, what) in enumerate(steps):
            if what == "look" or who not in seen:
                seen[who] = (standing[-1] if standing else "none", set(standing))
            if what == "undo" and standing:
                last = ledger.execute(UndoRating(actor=who, reviewer="x", story_id="S-1", force=True))
                standing.remove(last.override_id)
            if what == "rate":
                known, there = seen.pop(who)
                command = AddRating(actor=who, reviewer="x", story_id="S-1", rating=number % 11, seen=known)
                if set(standing) <= there:
                    standing.append(ledger.execute(command).override_id)
                else:
                    with pytest.raises(Conflict, match="since you looked"):
                        ledger.execute(command)
