"""Does the queue reserve what it draws, and does each draw end as what happened says? On ledgers worked out by hand."""

from datetime import UTC, datetime, timedelta

import pytest

from quality.commands import AddRating, ExportRows, ImportArtifact, ListScores, UndoRating
from quality.correction_commands import ReinstateImport, WithdrawImport
from quality.draft_commands import KeepRatingDraft
from quality.errors import Conflict, NotFound
from quality.export import export_rows
from quality.ledger import review_queue, store
from quality.ledger.ledger import Ledger
from quality.ledger.review_queue import RESERVED_FOR
from quality.queue_commands import DrawForReview, GiveBackDraws, ShowReviewQueue, ShowReviewTotals, SkipDraw
from quality.trust.weights import review_weights
from quality.trust_commands import RankModels
from tests.trust_by_hand import fill, run

MINUTE = timedelta(minutes=1)


class Clock(datetime):
    """The clock of the ledger, which stands until it is put forward."""

    stands = datetime(2026, 5, 4, 9, tzinfo=UTC)

    @classmethod
    def now(cls, tz=None):
        return cls.stands


@pytest.fixture
def clock(monkeypatch):
    """`clock(minutes)` puts it forward."""
    monkeypatch.setattr(store, "datetime", Clock)
    monkeypatch.setattr(Clock, "stands", datetime.now(UTC) + MINUTE)

    def forward(minutes):
        Clock.stands += minutes * MINUTE

    return forward


@pytest.fixture
def three(ledger, tmp_path):
    """Three runs of model m that nobody has rated."""
    fill(ledger, tmp_path, [run(f"S{place}", "m", verifier=8) for place in range(3)])


def draw(ledger, reviewer="dana", count=10, **more):
    return ledger.execute(DrawForReview(actor=reviewer, reviewer=reviewer, count=count, **more))


def shown(ledger, reviewer="dana"):
    return ledger.ask(ShowReviewQueue(reviewer=reviewer))


def queue(ledger, reviewer="dana"):
    return shown(ledger, reviewer)["queue"]


def counts(ledger, reviewer="dana", of="all"):
    """drawn, rated, skipped, given back, expired, left."""
    return tuple(shown(ledger, reviewer)[of].values())


def rate(ledger, of, reviewer="dana", rating=6.0, **more):
    command = AddRating(
        actor=reviewer, reviewer=reviewer, story_id=of["story_id"], run_id=of["run_id"], rating=rating, **more
    )
    return ledger.execute(command).row


def skip(ledger, of, reviewer="dana"):
    return ledger.execute(SkipDraw(actor=reviewer, reviewer=reviewer, draw_id=of["draw_id"]))


def test_a_draw_stores_its_chances_before_any_rating(ledger, three):
    """Three equal runs of one model: 1/3 of 3, then 1/2 of 2, then the last for sure."""
    answer = draw(ledger)
    assert (answer.drawn, answer.open, answer.pool) == (3, 3, 3)
    found = queue(ledger)
    assert [(one["probability"], one["pool"]) for one in found] == [(pytest.approx(1 / 3), 3), (0.5, 2), (1, 1)]
    assert [(one["model_probability"], one["model_pool"]) for one in found] == [
        (pytest.approx(1 / 3), 3),
        (0.5, 2),
        (1, 1),
    ]
    assert {one["story_id"] for one in found} == {"S0", "S1", "S2"}
    assert found[0]["why"].startswith(
        "m has too few human ratings for a score; one tier alone has scored it; drawn 1.0 ×"
    )
    assert found[0]["expires_at"] - found[0]["drawn_at"] == RESERVED_FOR


def test_who_has_open_draws_keeps_them_and_gets_what_is_missing(ledger, three):
    """A page that is loaded again draws nothing anew; the same command sent twice draws once."""
    command = DrawForReview(actor="dana", reviewer="dana", count=2)
    first = ledger.execute(command)
    before = queue(ledger)
    assert ledger.execute(command) == first
    assert (draw(ledger, count=2).drawn, queue(ledger)) == (0, before)
    more = draw(ledger, count=3)
    assert (more.drawn, more.open, more.pool) == (1, 3, 1)
    assert [one["run_id"] for one in queue(ledger)][:2] == [one["run_id"] for one in before]


def test_two_reviewers_never_get_the_same_run(ledger, three):
    """Two of three are dana's; eli gets the third, and then nothing is left."""
    draw(ledger, "dana", 2)
    assert draw(ledger, "eli", 2).drawn == 1
    assert not {one["run_id"] for one in queue(ledger, "dana")} & {one["run_id"] for one in queue(ledger, "eli")}
    assert draw(ledger, "lee").drawn == 0


def test_a_rating_of_a_drawn_run_carries_the_chance_of_the_draw(ledger, three):
    """Whatever the command says of why; a correction of it does too, and both ratings stay."""
    draw(ledger)
    second = queue(ledger)[1]
    row = rate(ledger, second)
    assert (row["review_reason"], row["review_probability"]) == ("queue", 0.5)
    row = rate(ledger, second, rating=7, review_reason="choice")
    assert (row["quality_human"], row["review_reason"], row["review_probability"]) == (7, "queue", 0.5)
    assert counts(ledger) == (3, 1, 0, 0, 0, 2)


def test_a_rating_of_another_reviewer_answers_nobodys_draw(ledger, three):
    """It was not drawn for them, so they picked it; the draw stays open for its own reviewer."""
    draw(ledger)
    row = rate(ledger, queue(ledger)[0], reviewer="eli")
    assert (row["review_reason"], row["review_probability"]) == ("choice", None)
    assert counts(ledger) == (3, 0, 0, 0, 0, 3)


def test_a_rating_that_is_taken_back_opens_its_draw_again(ledger, three):
    """An item without a rating is not done."""
    draw(ledger)
    first = queue(ledger)[0]
    rate(ledger, first)
    assert (counts(ledger)[1], len(queue(ledger))) == (1, 2)
    ledger.execute(UndoRating(actor="dana", reviewer="dana", story_id=first["story_id"]))
    assert counts(ledger) == (3, 0, 0, 0, 0, 3)
    assert queue(ledger)[0]["draw_id"] == first["draw_id"]


def test_a_skipped_run_is_not_answered_and_comes_again_for_others_only(ledger, three):
    draw(ledger)
    first = queue(ledger)[0]
    assert skip(ledger, first).left == 2
    assert counts(ledger) == (3, 0, 1, 0, 0, 2)
    assert draw(ledger).drawn == 0
    assert draw(ledger, "eli").drawn == 1
    assert queue(ledger, "eli")[0]["run_id"] == first["run_id"]
    row = rate(ledger, first)
    assert (row["review_reason"], row["review_probability"]) == ("choice", None)
    assert counts(ledger)[1:3] == (0, 1)


def test_only_an_open_draw_of_ones_own_can_be_skipped(ledger, three):
    draw(ledger)
    first, second = queue(ledger)[:2]
    skip(ledger, first)
    rate(ledger, second)
    with pytest.raises(Conflict, match="is skipped already"):
        skip(ledger, first)
    with pytest.raises(Conflict, match="is rated already"):
        skip(ledger, second)
    with pytest.raises(NotFound, match="no such draw of eli"):
        skip(ledger, queue(ledger)[0], "eli")
    with pytest.raises(NotFound, match="nonsense: no such draw"):
        skip(ledger, {"draw_id": "nonsense"})


def test_what_is_given_back_is_free_at_once(ledger, three):
    """The one that was looked at counts as skipped: its reviewer knew what they left."""
    draw(ledger)
    first = queue(ledger)[0]
    answer = ledger.execute(GiveBackDraws(actor="dana", reviewer="dana", looked_at=first["draw_id"]))
    assert (answer.given_back, answer.skipped) == (2, 1)
    assert counts(ledger) == (3, 0, 1, 2, 0, 0)
    assert draw(ledger, "eli").drawn == 3
    again = ledger.execute(GiveBackDraws(actor="dana", reviewer="dana"))
    assert (again.given_back, again.skipped) == (0, 0)


def test_a_reservation_ends_after_half_an_hour_without_a_sign(ledger, clock, three):
    """The runs are free then, for the same reviewer too, and the old draws count as not answered."""
    draw(ledger)
    old = queue(ledger)[0]
    clock(29)
    assert len(queue(ledger)) == 3
    assert draw(ledger, "eli").drawn == 0
    clock(2)
    assert counts(ledger) == (3, 0, 0, 0, 3, 0)
    assert draw(ledger, "eli", 2).drawn == 2
    assert draw(ledger).drawn == 1
    assert counts(ledger) == (4, 0, 0, 0, 3, 1)
    assert counts(ledger, of="round") == (1, 0, 0, 0, 0, 1)
    mine = {one["run_id"] for one in queue(ledger)}
    row = rate(ledger, old) if old["run_id"] not in mine else {"review_reason": "choice"}
    assert row["review_reason"] == "choice"


@pytest.mark.parametrize("sign", ["rating", "skip", "draft"])
def test_who_does_something_keeps_what_is_reserved(ledger, clock, three, sign):
    """25 minutes, a sign, 25 minutes more: it is theirs still; 6 minutes later it is not."""
    draw(ledger)
    first = queue(ledger)[0]
    clock(25)
    if sign == "rating":
        rate(ledger, first)
    elif sign == "skip":
        skip(ledger, first)
    else:
        said = {"run_id": first["run_id"], "note": "hm"}
        ledger.execute(KeepRatingDraft(actor="dana", reviewer="dana", **said))
    left = 3 if sign == "draft" else 2
    clock(25)
    assert len(queue(ledger)) == left
    clock(6)
    assert queue(ledger) == []


def test_a_sign_after_the_end_brings_nothing_back(ledger, clock, three):
    """Somebody else may have the runs by then."""
    draw(ledger)
    clock(31)
    draw(ledger, "eli", 2)
    row = ledger.ask(ListScores())["rows"][0]
    rate(ledger, row)
    assert len(queue(ledger)) == 0
    assert len(queue(ledger, "eli")) == 2


def test_a_kind_of_work_or_a_model_narrows_what_may_come(ledger, tmp_path):
    rows = [
        run(f"{model}{kind}", model, verifier=7, discipline=kind)
        for model in ("m", "n")
        for kind in ("docs", "backend")
    ]
    fill(ledger, tmp_path, rows)
    assert draw(ledger, discipline="docs").pool == 2
    assert {one["story_id"] for one in queue(ledger)} == {"mdocs", "ndocs"}
    assert draw(ledger, "eli", model="n").drawn == 1
    assert [one["story_id"] for one in queue(ledger, "eli")] == ["nbackend"]
    assert draw(ledger, "lee", discipline="haskell").drawn == 0


def test_rated_runs_and_those_of_an_unknown_model_never_come(ledger, tmp_path):
    """Nothing can be routed to the unknown; who was rated is known."""
    fill(ledger, tmp_path, [run("S1", "m", human=7), run("S2", "", verifier=7), run("S3", "m", verifier=7)])
    draw(ledger)
    assert [one["story_id"] for one in queue(ledger)] == ["S3"]


def test_an_empty_ledger_draws_nothing(ledger):
    answer = draw(ledger)
    assert (answer.drawn, answer.open, answer.pool) == (0, 0, None)
    assert shown(ledger)["queue"] == []
    assert ledger.ask(ShowReviewTotals())["skipped_share"] is None


def test_totals_of_the_team_say_what_share_was_not_answered(ledger, three):
    """dana rates one and skips one, eli gives one back unseen: 1 of 2 that are over."""
    draw(ledger, "dana", 2)
    draw(ledger, "eli")
    before = datetime.now(UTC)
    first, second = queue(ledger)
    rate(ledger, first)
    skip(ledger, second)
    ledger.execute(GiveBackDraws(actor="eli", reviewer="eli"))
    found = ledger.ask(ShowReviewTotals())
    assert found == {
        "drawn": 3, "rated": 1, "skipped": 1, "given_back": 1, "expired": 0, "left": 0, "skipped_share": 0.5,
    }  # fmt: skip
    then = ledger.ask(ShowReviewTotals(as_of=before))
    assert (then["drawn"], then["rated"], then["left"], then["skipped_share"]) == (3, 0, 3, None)


def test_draws_go_with_their_runs_and_come_back(ledger, three):
    """A withdrawn import takes its runs out of the queue; reinstated, the draws stand as they stood."""
    draw(ledger)
    before = queue(ledger)
    (found,) = ledger.store.rows("SELECT import_id::VARCHAR AS import_id FROM imports")
    ledger.execute(WithdrawImport(actor="ada", reason="wrong file", **found))
    assert (queue(ledger), counts(ledger)) == ([], (0, 0, 0, 0, 0, 0))
    ledger.execute(ReinstateImport(actor="ada", reason="right after all", **found))
    assert queue(ledger) == before


def test_somebody_who_was_quicker_is_never_drawn_over(ledger, three, monkeypatch):
    """Between lot and reservation eli takes two of the three: dana is drawn anew, from what is left."""
    choose, quick = review_queue.choose, []

    def chosen_late(*asked):
        found = choose(*asked)
        if not quick:
            quick.append(True)
            draw(ledger, "eli", 2)
        return found

    monkeypatch.setattr(review_queue, "choose", chosen_late)
    assert draw(ledger, "dana", 3).drawn == 1
    assert len(queue(ledger, "eli")) == 2
    assert not {one["run_id"] for one in queue(ledger, "dana")} & {one["run_id"] for one in queue(ledger, "eli")}


def test_weights_of_two_models_by_hand(ledger, tmp_path):
    """Models a and b with four runs each, verified 8; the tests say 8, 8, 8 and 4, so the disputes are 0.5, 0.5, 0.5 and 4.5.

    Nobody is reviewed, so width and closeness are the same for all and π of the first draw is 0.25/8 + 0.75·dispute/12. A
    rating weighs by its chance within its model.
    """
    rows = [
        run(f"{model}{place}", model, verifier=8, test_pass_rate=0.8 if place else 0.4)
        for model in "ab"
        for place in range(4)
    ]
    fill(ledger, tmp_path, rows)
    likely, other = 0.25 / 8 + 0.75 * 4.5 / 12, 0.25 / 8 + 0.75 * 0.5 / 12
    draw(ledger, count=1)
    (first,) = queue(ledger)
    pi = likely if first["story_id"].endswith("0") else other
    assert first["probability"] == pytest.approx(pi)
    assert first["model_probability"] == pytest.approx(pi / (likely + 3 * other))
    assert (first["pool"], first["model_pool"]) == (8, 4)
    rate(ledger, first)
    runs = ledger.trust.present(ledger.scores_version).everything
    (row,) = runs.reviewed_rows
    assert (runs.probability[row], runs.pool[row]) == (pytest.approx(first["model_probability"]), 4)


def test_a_queue_rating_without_a_draw_keeps_its_own_chance(ledger, tmp_path):
    """As one that another tool brought: 1/p, with no pool."""
    fill(ledger, tmp_path, [run("S1", "m", human=7, review_reason="queue", review_probability=0.25)])
    runs = ledger.trust.present(ledger.scores_version).everything
    assert (runs.probability[0], runs.pool[0] != runs.pool[0]) == (0.25, True)
    assert ledger.ask(RankModels())["models"][0]["n_queue"] == 1


def test_the_weights_take_back_that_disputed_runs_come_first(ledger, tmp_path, monkeypatch):
    """Eight runs, four of them disputed by 4 points and worth 9, four agreed on and worth 3: the mean is 6.

    A pair is drawn, rated, read and taken back, forty times. The plain mean of the ratings is near 8, the weighted one is 6
    within three standard errors (0.9).
    """
    rows = [run(f"S{place}", "m", verifier=8, test_pass_rate=0.4 if place < 4 else 0.8) for place in range(8)]
    fill(ledger, tmp_path, rows)
    seeds = iter(range(1, 1000))
    monkeypatch.setattr(review_queue.secrets, "randbits", lambda bits: next(seeds))
    plain, weighted = [], []
    for _ in range(40):
        draw(ledger, count=2)
        drawn = queue(ledger)
        for one in drawn:
            rate(ledger, one, rating=9 if one["story_id"] in ("S0", "S1", "S2", "S3") else 3)
        runs = ledger.trust.present(ledger.scores_version).everything
        human = runs.human[runs.reviewed_rows]
        plain.append(human.mean())
        weighted.append((review_weights(runs) * human).mean())
        for one in drawn:
            ledger.execute(UndoRating(actor="dana", reviewer="dana", story_id=one["story_id"]))
        ledger.execute(GiveBackDraws(actor="dana", reviewer="dana"))
    assert sum(plain) / 40 > 7.5
    assert sum(weighted) / 40 == pytest.approx(6, abs=0.9)


def test_the_queue_survives_export_and_restore(ledger, three, tmp_path):
    """Open, rated and skipped ones alike, with every number."""
    draw(ledger)
    first, second = queue(ledger)[:2]
    rate(ledger, first)
    skip(ledger, second)
    export_rows(ledger.store, ExportRows(format="jsonl", full=True), tmp_path / "full.jsonl")
    with Ledger(tmp_path / "second.duckdb") as other:
        other.execute(ImportArtifact(actor="ada", path=str(tmp_path / "full.jsonl")))
        assert shown(other) == shown(ledger)
        table = "FROM review_draws ORDER BY event_id"
        assert other.store.rows(table) == ledger.store.rows(table)
