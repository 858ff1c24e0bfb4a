"""What people write (MODEL.md, Tier 3 and Resolution)."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from quality.commands import AddRating, AttestModel, ListModels, ShowStory, UndoRating
from quality.errors import Conflict, NotFound, QualityError
from quality.ledger.ledger import Ledger
from quality.observations import RunFact, SignalReading


@pytest.fixture
def ledger(tmp_path):
    with Ledger(tmp_path / "l.duckdb") as opened:
        yield opened


def rate(ledger, rating, reviewer="dana", story="S-1", **more):
    more = {"create": True, "model_version": None} | more
    return ledger.execute(AddRating(actor=reviewer, reviewer=reviewer, story_id=story, rating=rating, **more))


def undo(ledger, reviewer="dana", **more):
    return ledger.execute(UndoRating(actor=reviewer, reviewer=reviewer, story_id="S-1", **more))


def history(ledger):
    return ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["overrides"]


def test_a_rating_is_the_effective_score_at_once(ledger):
    row = rate(ledger, 9, note="nailed it", agent="codex", model_version="gpt-5-codex").row
    assert (row["quality"], row["signal_source"], row["signal_weight"], row["low_confidence"]) == (
        9,
        "human",
        1.0,
        False,
    )
    assert (row["note"], row["reviewer"], row["review_reason"], row["accepted"]) == (
        "nailed it",
        "dana",
        "choice",
        True,
    )


def test_a_high_rating_with_rework_is_not_accepted(ledger):
    row = rate(ledger, 8, rework=True).row
    assert (row["rework"], row["accepted"], row["rework_count"], row["correct"]) == (True, False, None, None)


def test_exactly_seven_is_accepted(ledger, tell):
    """build 25·10 + CI 15·10 + no rework 15·10 + one cycle 15·8 + on time 10·10 + tests 30·0 = 770; of 110 that is 7."""
    tell(RunFact(story_id="S-1"), SignalReading(
        run=0, test_pass_rate=0.0, build_success=True, verified_by_ci=True, rework_count=0, pr_review_cycles=1,
        duration_vs_estimate=1.0,
    ))  # fmt: skip
    (run,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    assert run["quality"] == pytest.approx(7)
    assert run["accepted"]


def test_a_second_rating_adds_to_the_history_and_counts(ledger):
    rate(ledger, 6)
    assert rate(ledger, 8).row["quality"] == 8
    assert [(h["quality"], h["withdrawn_at"]) for h in history(ledger)] == [(8, None), (6, None)]


def test_undo_brings_the_rating_before_it_back(ledger):
    rate(ledger, 6, note="first")
    rate(ledger, 8)
    withdrawn = undo(ledger)
    assert (withdrawn.rating, withdrawn.row["quality"], withdrawn.row["note"]) == (8, 6, "first")
    assert undo(ledger).row["quality"] is None
    assert [h["withdrawn_by"] for h in history(ledger)] == ["dana", "dana"], "nothing is deleted"


def test_undo_takes_the_reviewers_own_rating_not_the_latest(ledger):
    rate(ledger, 6, "dana")
    rate(ledger, 9, "eli")
    assert undo(ledger, "dana").row["quality"] == 9


def test_anothers_rating_needs_force_and_is_audited(ledger):
    rate(ledger, 6, "dana")
    with pytest.raises(Conflict, match=r"eli has no rating to withdraw; the latest is by dana: .* --force"):
        undo(ledger, "eli")
    answer = undo(ledger, "eli", force=True)
    assert (answer.reviewer, answer.row["quality"]) == ("dana", None)
    assert history(ledger)[0]["withdrawn_by"] == "eli"


def test_undo_without_any_rating_says_so(ledger):
    rate(ledger, 6)
    undo(ledger)
    with pytest.raises(NotFound, match="S-1: has no rating to withdraw"):
        undo(ledger)
    with pytest.raises(NotFound, match="S-9: no such story"):
        ledger.execute(UndoRating(actor="dana", reviewer="dana", story_id="S-9"))


def test_an_unknown_story_suggests_near_ids(ledger):
    rate(ledger, 6, story="story-4d22b156")
    with pytest.raises(NotFound, match=r"no such story\. Did you mean: story-4d22b156\? Use --create"):
        rate(ledger, 6, story="story-4d22b165", create=False)


def test_a_bare_story_means_its_latest_run(ledger):
    rate(ledger, 5, agent="a", model_version="m1", attempt=1)
    rate(ledger, 5, agent="a", model_version="m1", attempt=2)
    assert rate(ledger, 7, create=False).run.attempt == 2


def test_a_run_that_does_not_fit_lists_those_that_exist(ledger):
    rate(ledger, 5, agent="a", model_version="m1")
    with pytest.raises(NotFound, match=r"no run fits what was asked; its runs are: a / m1 / attempt 1"):
        rate(ledger, 5, agent="b", create=False)


def test_a_run_id_of_another_story_is_refused(ledger):
    run_id = rate(ledger, 5, story="S-2").run.run_id
    with pytest.raises(NotFound, match="no run fits"):
        rate(ledger, 5), rate(ledger, 5, run_id=run_id, create=False)
    with pytest.raises(NotFound, match="no run fits"):
        rate(ledger, 5, run_id="not-an-id", create=False)


def test_a_note_is_kept_byte_for_byte(ledger):
    note = '  =HYPERLINK("x")\r\nzweite Zeile\n<script>alert(1)</script> 日本語 \u202e עברית\x00'
    assert rate(ledger, 5, note=note).row["note"] == note
    assert history(ledger)[0]["note"] == note


def test_a_negative_zero_is_stored_as_zero(ledger):
    assert str(rate(ledger, -0.0).row["quality"]) == "0.0"


@pytest.mark.parametrize("rating", [-0.1, 10.5, float("nan"), float("inf")])
def test_a_rating_outside_the_scale_is_no_command(rating):
    with pytest.raises(ValueError, match="rating"):
        AddRating(actor="d", reviewer="d", story_id="S", rating=rating)


def test_attesting_names_the_model_and_keeps_the_original(ledger):
    rate(ledger, 8)
    assert ledger.ask(ListModels())["models"][0]["model"] == "unknown"
    answer = ledger.execute(AttestModel(actor="eli", story_id="S-1", model="claude-sonnet-4-6"))
    assert (answer.original, answer.row["model_version"], answer.row["caveats"]) == ("unknown", "claude-sonnet-4-6", [])
    assert ledger.ask(ListModels())["models"][0]["model"] == "claude-sonnet-4-6"
    kept = ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["attestations"][0]
    assert (kept["original"], kept["actor"]) == ("unknown", "eli")


def test_a_known_model_cannot_be_attested(ledger):
    rate(ledger, 8, agent="a", model_version="m1")
    with pytest.raises(Conflict, match="its model is recorded as m1"):
        ledger.execute(AttestModel(actor="eli", story_id="S-1", model="m2"))


def test_a_rating_given_in_the_future_is_refused(ledger):
    """It would count before every rating that is given until then; a clock a minute ahead is no future."""
    with pytest.raises(QualityError, match="lies in the future: give the time of the rating"):
        rate(ledger, 7, given_at=datetime(2999, 1, 1))
    assert rate(ledger, 7, given_at=datetime.now(UTC) + timedelta(minutes=1)).row["quality"] == 7


@pytest.mark.parametrize("field", ["story", "reviewer"])
def test_a_blank_name_is_no_name(ledger, field):
    with pytest.raises(ValidationError, match="empty or blank: give a name"):
        rate(ledger, 7, **{field: " "})


def test_a_word_is_no_rating(ledger):
    with pytest.raises(ValidationError, match="not a number: give a number from 0 to 10"):
        rate(ledger, True)


def test_only_a_rating_can_start_a_story(ledger):
    """So only its refusal offers --create."""
    rate(ledger, 7, story="S-2")
    with pytest.raises(NotFound, match=r"no such story\. Did you mean: S-2\? Use --create"):
        rate(ledger, 7, create=False)
    with pytest.raises(NotFound, match=r"no such story\. Did you mean: S-2\?$"):
        undo(ledger)


def test_an_attestation_can_be_corrected_and_both_are_kept(ledger):
    rate(ledger, 8)
    for model in ("claude-sonnet-4-5", "claude-sonnet-4-6"):
        answer = ledger.execute(AttestModel(actor="eli", story_id="S-1", model=model))
    assert answer.row["model_version"] == "claude-sonnet-4-6"
    history = ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["attestations"]
    assert [a["model_version"] for a in history] == ["claude-sonnet-4-6", "claude-sonnet-4-5"]
