"""Are the statistics of trust fed the right runs, and kept as long as they are true? Numbers as in tests/trust_by_hand.py."""

from datetime import UTC, datetime, timedelta

import pytest

from quality.commands import AddRating, ListModels
from quality.errors import NotFound, QualityError
from quality.trust_commands import ListPairs, RankKinds, RankModels, ShowRoute, ShowTrends, ShowTrust
from tests.trust_by_hand import EFFECTIVE, ESTIMATE, HALF, ONE_MODEL, REVIEW, REVIEWED, fill, run

QUESTIONS = [RankModels(), RankKinds(), ShowRoute(), ShowTrust(), ShowTrends(), ListModels()]


def ranked(ledger, **asked):
    """Model → its row, in the order of the answer."""
    return {row["model"]: row for row in ledger.ask(RankModels(**asked))["models"]}


def test_a_calibrated_score_takes_the_verifiers_lenience_off(ledger, tmp_path):
    """6.51 ± 0.05, not the 6.88 that mixes five people with three kind verifications."""
    fill(ledger, tmp_path, ONE_MODEL)
    row = ranked(ledger)["claude-opus-4"]
    assert row["calibrated_score"] == pytest.approx(ESTIMATE, abs=1e-4)
    assert row["ci_low"] == pytest.approx(ESTIMATE - HALF, abs=1e-4)
    assert row["ci_high"] == pytest.approx(ESTIMATE + HALF, abs=1e-4)
    assert row["lam"] == pytest.approx(0.952)
    assert row["effective_mean"] == pytest.approx(EFFECTIVE)
    assert (row["n"], row["n_with_auto"], row["n_with_verifier"], row["n_with_human"]) == (8, 0, 8, 5)
    assert (row["tie_group"], row["n_needed"], row["n_choice"], row["n_random"], row["n_queue"]) == (1, 0, 5, 0, 0)
    assert row["lenience_words"] == "the verifier is 0.4 lenient here"


def test_models_all_of_whose_runs_are_reviewed_have_their_human_mean(ledger, tmp_path):
    """9, 6, and for the third two reviews too few: it has no score, and no group, and says what is missing."""
    fill(ledger, tmp_path, REVIEWED)
    rows = ranked(ledger)
    assert list(rows) == ["gpt-5", "claude-opus-4", "gemini-2.5-pro"]
    assert [row["calibrated_score"] for row in rows.values()] == pytest.approx([9, 6, None])
    assert [row["tie_group"] for row in rows.values()] == [1, 2, None]
    assert [row["n_needed"] for row in rows.values()] == [0, 0, 2]
    assert (rows["gpt-5"]["ci_low"], rows["gpt-5"]["ci_high"]) == pytest.approx((9, 9))


def test_reasons_and_chances_of_reviews_are_read(ledger, tmp_path):
    """One drawn at random, one by the queue, the rest as somebody chose."""
    reasons = [{"review_reason": "random"}, {"review_reason": "queue", "review_probability": 0.25}, {}, {}, {}]
    fill(ledger, tmp_path, [run(f"S{place}", "m", human=7, **reason) for place, reason in enumerate(reasons)])
    row = ranked(ledger)["m"]
    assert (row["n_random"], row["n_queue"], row["n_choice"]) == (1, 1, 3)


def test_runs_of_an_unknown_model_are_no_models_and_still_tell_of_verifiers(ledger, tmp_path):
    """Nothing can be routed to them; ten pairs of a verifier are ten pairs."""
    fill(ledger, tmp_path, [run(f"S{place}", "", verifier=8, human=7) for place in range(10)])
    assert ranked(ledger) == {}
    assert ledger.ask(ShowRoute())["words"] == "not enough evidence: no scored run of a known model"
    (card,) = ledger.ask(ShowTrust())["verifiers"]
    assert (card["verifier_model"], card["n_pairs"], card["bias"]) == ("gpt-5-mini", 10, 1)


def test_split_models_and_synthetic_stories_are_left_out(ledger, tmp_path):
    """As from every model score."""
    split = {"model_at_dispatch": "m", "model_at_completion": "n"}
    fill(ledger, tmp_path, [run("S1", "m", human=7), run("S2", "m", human=1, **split)])
    assert ranked(ledger)["m"]["n"] == 1


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_an_empty_ledger_answers_everything(ledger, question):
    """Without a number and without a fault."""
    found = ledger.ask(question)
    assert found.get("models", found.get("kinds", found.get("verifiers"))) == []


def test_without_a_human_row_nothing_is_calibrated(ledger, tmp_path):
    """What to review is said instead, and which model."""
    fill(ledger, tmp_path, [run(f"S{place}", "m", verifier=8) for place in range(6)])
    row = ranked(ledger)["m"]
    assert (row["calibrated_score"], row["ci_low"], row["tie_group"], row["n_needed"]) == (None, None, None, 5)
    assert row["lenience_words"] == ""
    assert ledger.ask(ShowRoute())["words"] == "not enough evidence: review 5 more of m"


def test_a_kind_of_work_has_scores_of_its_own(ledger, tmp_path):
    """Backend 9, docs 3; a value that no run has leaves nothing, several values take any."""
    rows = [run(f"{kind}{place}", "m", human=score, discipline=kind) for kind, score in (("backend", 9), ("docs", 3))
            for place in range(5)]  # fmt: skip
    fill(ledger, tmp_path, rows)
    assert ranked(ledger, discipline="docs")["m"]["calibrated_score"] == pytest.approx(3)
    assert ranked(ledger, discipline=["docs", "backend"])["m"]["calibrated_score"] == pytest.approx(6)
    assert ranked(ledger, discipline="haskell") == {}
    kinds = ledger.ask(RankKinds())["kinds"]
    assert [(row["model"], row["discipline"], row["phase"]) for row in kinds] == [
        ("m", "backend", None),
        ("m", "docs", None),
    ]
    assert [row["calibrated_score"] for row in kinds] == pytest.approx([9, 3])
    by_phase = ledger.ask(RankKinds(by="phase", discipline="docs"))["kinds"]
    assert [(row["model"], row["phase"], row["calibrated_score"]) for row in by_phase] == [
        ("m", None, pytest.approx(3))
    ]
    assert "discipline" not in by_phase[0]


def test_route_names_the_best_its_chance_and_what_it_costs(ledger, tmp_path):
    """Both are known without error: 9 beats 6 for sure. Five dollars bought five accepted stories; 6 is not accepted."""
    fill(ledger, tmp_path, REVIEWED)
    found = ledger.ask(ShowRoute(discipline="backend"))
    assert (found["decided"], found["best"], found["dropped"]) == (True, ["gpt-5"], [])
    assert found["words"] == "gpt-5 is the best"
    best, other, lacking = found["models"]
    assert (best["p_best"], best["expected_loss"], best["cost_per_accepted"]) == (1, 0, 1)
    assert (other["p_best"], other["expected_loss"]) == pytest.approx((0, 3))
    assert (other["cost_per_accepted"], other["n_with_cost"]) == (None, 5)
    assert (lacking["model"], lacking["p_best"], lacking["n_needed"]) == ("gemini-2.5-pro", None, 2)
    assert found["review"] == [{"model": "gemini-2.5-pro", "review_more": 2, "reason": "few"}]


def test_route_widens_where_nothing_is_known_and_says_so(ledger, tmp_path):
    """Nobody has done haskell: phase goes first, then the discipline, and the answer is for all work."""
    fill(ledger, tmp_path, REVIEWED)
    found = ledger.ask(ShowRoute(discipline="haskell", phase="build"))
    assert found["dropped"] == ["phase", "discipline"]
    assert found["best"] == ["gpt-5"]
    assert "no evidence for exactly this" in found["words"]


def test_a_card_says_bias_error_and_against_whom(ledger, tmp_path):
    """Ten pairs, always one point up: bias 1, error 1, limits of agreement 1 to 1, on its own family (gpt) as on others."""
    rows = [run(f"S{place}", ("gpt-5", "claude-opus-4")[place % 2], verifier=place % 5 + 2, human=place % 5 + 1)
            for place in range(10)]  # fmt: skip
    fill(ledger, tmp_path, rows)
    found = ledger.ask(ShowTrust())
    (card,) = found["verifiers"]
    assert (card["n_verified"], card["n_pairs"]) == (10, 10)
    assert (card["bias"], card["mae"], card["limit_low"], card["limit_high"]) == pytest.approx((1, 1, 1, 1))
    # Of 1…5 twice each: Σ(x − y)² = 10, expected 10·(2 + 2 + 1) = 50, so 1 − 10/50.
    assert card["weighted_kappa"] == pytest.approx(0.8)
    assert {row["family"]: (row["n_pairs"], row["bias"]) for row in card["families"]} == {
        "anthropic": (5, 1), "openai": (5, 1),
    }  # fmt: skip
    assert [(row["week"].isoformat(), row["n_pairs"]) for row in card["weeks"]] == [("2026-03-02", 10)]
    assert card["against_auto"]["reason"] == "0 of 10 reviewed runs have both a verifier's and an automatic score"
    (family,) = found["self_preference"]["verifier_families"]
    assert (family["verifier_family"], family["self_preference"]) == ("openai", 0)
    assert found["low_confidence"]["reason"] == "0 pairs of 10: review 10 more"
    assert found["reviewers"]["reason"] == "0 runs of 10 have two or more reviewers"


def test_pairs_of_a_verifier_are_those_that_both_have_rated(ledger, tmp_path):
    """Five of eight; another name is an error that names the nearest."""
    fill(ledger, tmp_path, ONE_MODEL)
    found = ledger.ask(ListPairs(verifier_model="gpt-5-mini"))
    assert found["n_pairs"] == 5
    assert [(one["verifier"], one["human"]) for one in found["pairs"]] == [(9, 8), (8, 7), (7, 6), (6, 5), (9, 8)]
    with pytest.raises(NotFound, match=r"gpt-5-minn: has verified no run\. Did you mean: gpt-5-mini"):
        ledger.ask(ListPairs(verifier_model="gpt-5-minn"))


def test_reviewers_agree_as_far_as_their_latest_ratings_do(ledger, tmp_path):
    """Ten runs rated by two each, dana's second thoughts counting; what was taken back does not."""
    fill(ledger, tmp_path, [run(f"S{place}", "m", verifier=5) for place in range(10)])
    for place in range(10):
        for who, rating in (("dana", 9), ("dana", place), ("eli", place)):
            ledger.execute(AddRating(actor=who, reviewer=who, story_id=f"S{place}", rating=rating))
    found = ledger.ask(ShowTrust())["reviewers"]
    assert (found["n_rated_twice"], found["n_ratings"], found["alpha"]) == (10, 20, 1)


def test_a_trend_has_gaps_and_says_when_nothing_can_be_told(ledger, tmp_path):
    """A week with one run, a week without, a week with one."""
    weeks = {"S1": "2026-03-02", "S2": "2026-03-16"}
    rows = [
        run(story, "m", verifier=8, verifier_at=f"{day}T10:00:00Z", ts=f"{day}T09:00:00Z")
        for story, day in weeks.items()
    ]
    fill(ledger, tmp_path, rows)
    (found,) = ledger.ask(ShowTrends())["models"]
    assert [(week["week"].isoformat(), week["n_week"], week["week_mean"]) for week in found["weeks"]] == [
        ("2026-03-02", 1, 8), ("2026-03-09", 0, None), ("2026-03-16", 1, 8),
    ]  # fmt: skip
    assert (found["drop"], found["reason"]) == (None, "2 of 35 runs that a drop is told from")


def test_a_drop_is_called_with_what_it_was_and_is(ledger, tmp_path):
    """Twenty runs a week at 8 ± 0.5 for three weeks, then at 5 ± 0.5: three points."""
    rows = []
    for week, centre in enumerate((8, 8, 8, 5, 5)):
        day = datetime(2026, 3, 2, 9, tzinfo=UTC) + timedelta(weeks=week)
        for place in range(20):
            rows.append(run(f"S{week}-{place}", "m", verifier=centre + (place % 2 - 0.5), ts=day.isoformat(),
                            verifier_at=day.isoformat()))  # fmt: skip
    fill(ledger, tmp_path, rows)
    (found,) = ledger.ask(ShowTrends())["models"]
    drop = found["drop"]
    assert (drop["drop_week"].isoformat(), drop["n_before"], drop["n_after"]) == ("2026-03-23", 60, 40)
    assert (drop["before"], drop["after"]) == pytest.approx((8, 5))
    assert 0 < drop["surest_drop"] < 3


def test_a_rating_shows_at_once_and_nothing_else_is_read_again(ledger, tmp_path):
    """Kept while no score changes, read anew when one does."""
    fill(ledger, tmp_path, ONE_MODEL)
    assert not ledger.trust.is_ready(ledger.scores_version)
    ranked(ledger)
    assert ledger.trust.is_ready(ledger.scores_version)
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="A6", rating=0))
    assert not ledger.trust.is_ready(ledger.scores_version)
    assert ranked(ledger)["claude-opus-4"]["n_with_human"] == 6


def test_as_of_is_what_was_known_then(ledger, tmp_path):
    """Before the second file there was no score of the other models, whatever was rated since."""
    fill(ledger, tmp_path, ONE_MODEL)
    then = ledger.store.rows("SELECT max(recorded_at) AS at FROM overrides")[0]["at"]
    fill(ledger, tmp_path, REVIEWED, "more.csv")
    assert set(ranked(ledger)) == {"claude-opus-4", "gpt-5", "gemini-2.5-pro"}
    before = ranked(ledger, as_of=then)
    assert {model: row["calibrated_score"] for model, row in before.items()} == {
        "claude-opus-4": pytest.approx(ESTIMATE, abs=1e-4)
    }
    assert [row["model"] for row in ledger.ask(ListModels(as_of=then))["models"]] == ["claude-opus-4"]
    assert ledger.ask(ShowRoute(as_of=then))["best"] == ["claude-opus-4"]
    assert ledger.ask(ShowTrust(as_of=then))["n_reviewed"] == 5
    with pytest.raises(QualityError, match="is yet to come"):
        ranked(ledger, as_of=datetime.now(UTC) + timedelta(days=1))


def test_a_reviewers_time_of_rating_is_not_part_of_the_runs(ledger, tmp_path):
    """`REVIEW` names the reviewer; who it was changes no score."""
    fill(
        ledger, tmp_path, [row | (REVIEW | {"reviewer": "eli"} if "quality_human" in row else {}) for row in ONE_MODEL]
    )
    assert ranked(ledger)["claude-opus-4"]["calibrated_score"] == pytest.approx(ESTIMATE, abs=1e-4)
