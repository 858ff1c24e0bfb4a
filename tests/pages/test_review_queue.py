"""Does the Review page lead from draw to draw, hide what it promises to hide, and count only ratings as done?

The runs are those of conftest.py: S-1 is rated by dana, S-3 is of an unknown model, so S-2 alone can be drawn; `several` has
four runs of a model that nobody has rated, each verified 8 with four of five tests passed.
"""

import pytest

from pages.components import review_queue_choice, viewer
from quality.commands import AddRating
from quality.queue_commands import DrawForReview, ShowReviewQueue
from quality.roles import Who
from tests.pages.conftest import HOSTILE, texts
from tests.trust_by_hand import fill, run

NAME = {"reviewer_name": "lee"}


@pytest.fixture
def several(empty, tmp_path):
    rows = [
        run(f"S{place}", "m", verifier=8, test_pass_rate=0.8, title=f"Part {place}", branch="main")
        for place in range(4)
    ]
    fill(empty, tmp_path, rows)
    return empty


def queue(ledger):
    return ledger.ask(ShowReviewQueue(reviewer="lee"))


def press(page, key):
    page.button(key=key).click().run()
    assert not page.exception, page.exception
    return page


def rate(page, ledger, run_id, rating):
    """By number, and saved."""
    page.number_input[0].set_value(rating).run()
    return press(page, f"save-{run_id}")


def keys(page):
    return {button.key for button in page.button}


def said(page):
    return "\n".join(str(element.value) for element in (*page.caption, *page.text, *page.markdown))


def test_nothing_is_drawn_by_looking(several, open_page):
    """Neither without a name nor with one; how it goes is said first."""
    page = open_page("review")
    assert "review_draw" not in keys(page)
    assert "Give your name first" in said(page)
    page = open_page("review", **NAME)
    assert "drawn by lot" in said(page)
    assert queue(several)["all"]["drawn"] == 0


def test_a_press_draws_and_shows_the_first_with_its_reason(several, open_page):
    """Of four equal runs: a chance of 1.0 × plain lot."""
    page = press(open_page("review", **NAME), "review_draw")
    first = queue(several)["queue"][0]
    assert (
        "m has too few human ratings for a score; its tiers are 0.0 apart; drawn 1.0 × as likely as by plain lot."
        in said(page)
    )
    assert f"Part {first['story_id'][1]}" in texts(page)
    assert "4 left" in said(page)
    assert page.get("progress")[0].proto.value == 0


def test_blind_shows_no_score_before_the_rating(several, open_page):
    """No metric, no table of signals, no caveat, no history; where the work is may be seen."""
    page = press(open_page("review", **NAME), "review_draw")
    assert (len(page.metric), len(page.dataframe), len(page.get("plotly_chart"))) == (0, 0, 0)
    assert "8.0" not in said(page)
    assert "80" not in said(page)
    assert "branch: main" in said(page)


def test_the_tiers_stand_beside_the_rating_once_it_is_given(several, open_page):
    """Tests 8.0, verifier 8.0, human 6.0; a change is a second rating, and the first is told."""
    page = press(open_page("review", **NAME), "review_draw")
    first = queue(several)["queue"][0]
    rate(page, several, first["run_id"], 6.0)
    assert [metric.value for metric in page.metric] == ["6.0", "8.0", "8.0", "6.0"]
    assert "You rated 6." in texts(page)
    assert "3 left" in said(page)
    assert page.get("progress")[0].proto.value == 25
    rate(page, several, first["run_id"], 7.5)
    assert "You rated 7.5, and 6 first; both are kept." in texts(page)
    assert several.store.rows("SELECT quality, review_reason FROM overrides ORDER BY recorded_at") == [
        {"quality": 6.0, "review_reason": "queue"}, {"quality": 7.5, "review_reason": "queue"},
    ]  # fmt: skip
    press(page, "review_next")
    assert len(page.metric) == 0
    assert f"Part {queue(several)['queue'][0]['story_id'][1]}" in texts(page)


def test_a_rating_that_is_taken_back_is_not_done(several, open_page):
    """The run is in turn again; its scores are no secret any more."""
    page = press(open_page("review", **NAME), "review_draw")
    first = queue(several)["queue"][0]
    rate(page, several, first["run_id"], 6.0)
    press(page, "undo")
    assert "4 left" in said(page)
    assert page.get("progress")[0].proto.value == 0
    assert len(page.metric) == 4
    assert "review_next" not in keys(page)


def test_a_skipped_run_is_told_and_not_done(several, open_page):
    page = press(open_page("review", **NAME), "review_draw")
    first = queue(several)["queue"][0]
    press(page, "skip_run")
    assert "1 skipped" in said(page)
    assert page.get("progress")[0].proto.value == 0
    assert queue(several)["queue"][0]["run_id"] != first["run_id"]


def test_a_round_that_is_over_says_what_is_missing(ledger, open_page):
    """One run can be drawn. Rated it is done; skipped it is over, and then there is nothing to draw."""
    page = press(open_page("review", **NAME), "review_draw")
    press(page, "skip_run")
    assert [message.value for message in page.success] == ["This round is over."]
    press(page, "review_draw")
    assert page.info[0].value.startswith("Nothing can be drawn now")
    other = open_page("review", reviewer_name="eli")
    press(other, "review_draw")
    (mine,) = ledger.ask(ShowReviewQueue(reviewer="eli"))["queue"]
    rate(other, ledger, mine["run_id"], 5.0)
    press(other, "review_next")
    assert [message.value for message in other.success] == ["This round is done: every run has a rating."]


def test_what_is_open_is_there_again_after_a_reload(several, open_page):
    press(open_page("review", **NAME), "review_draw")
    before = queue(several)
    page = open_page("review", **NAME)
    assert f"Part {before['queue'][0]['story_id'][1]}" in texts(page)
    assert queue(several) == before


def test_who_stops_gives_the_rest_back(several, open_page):
    """The one in front of them counts as skipped."""
    page = press(open_page("review", **NAME), "review_draw")
    press(page, "review_stop")
    counted = queue(several)["all"]
    assert (counted["skipped"], counted["given_back"], counted["left"]) == (1, 3, 0)


def test_without_blind_everything_is_shown_at_once(several, open_page):
    page = open_page("review", **NAME)
    page.toggle(key="review_blind").set_value(False).run()
    press(page, "review_draw")
    assert [metric.value for metric in page.metric][:2] == ["8.0", "8.0"]


def test_a_narrower_choice_draws_only_from_it(several, open_page):
    page = open_page("review", **NAME)
    page.multiselect(key="review_model").set_value(["m"]).run()
    page.segmented_control(key="review_count").set_value(5).run()
    press(page, "review_draw")
    assert len(queue(several)["queue"]) == 4


def test_what_others_say_is_hidden_first_and_text_then(ledger, open_page):
    """dana rates the run that was drawn for lee: neither score nor note is told before lee has rated."""
    ledger.execute(DrawForReview(actor="lee", reviewer="lee"))
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-2", rating=3, note=HOSTILE))
    page = open_page("review", **NAME)
    assert HOSTILE not in texts(page)
    assert "dana" not in said(page)
    (mine,) = queue(ledger)["queue"]
    rate(page, ledger, mine["run_id"], 4.0)
    assert HOSTILE in texts(page)
    assert not any("<script>" in element.value for element in page.markdown)


def test_who_may_not_review_is_told_what_it_takes(several, open_page, monkeypatch):
    monkeypatch.setattr(viewer, "who", lambda: Who("vic", "viewer"))
    page = open_page("review", **NAME)
    assert "Reviewing runs that are drawn needs the role reviewer; yours is viewer." in said(page)
    assert "review_draw" not in keys(page)


def test_an_empty_ledger_says_what_fills_it(empty, open_page):
    page = open_page("review", **NAME)
    assert page.subheader[0].value == "No runs yet"


def test_the_team_sees_what_was_not_answered(several, open_page):
    several.execute(DrawForReview(actor="eli", reviewer="eli", count=2))
    page = press(open_page("review", **NAME), "review_draw")
    press(page, "skip_run")
    assert "All reviewers: 4 drawn" in said(page)
    assert "not answered 100 %" in said(page)


def test_a_link_narrows_the_draw_and_says_so(several, open_page):
    """As Route leads here; what is chosen stands beside the button, not only behind it."""
    query = review_queue_choice.of_work("m", {"discipline": "backend", "phase": None})
    assert query == {"review_model": "m", "review_discipline": "backend"}
    page = open_page("review", **NAME, review_model=["m"], review_discipline=["backend"])
    assert "Only Model m; Discipline backend" in texts(page)
