"""Do Trust, Route, Trend and the ranking show what the statistics say, and say so where there is too little? Numbers by hand."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest

from pages.components import overview_charts, ranking, trust_data
from quality.commands import AddRating
from quality.queue_commands import DrawForReview, ShowReviewQueue, SkipDraw
from tests.trust_by_hand import ONE_MODEL, REVIEWED, fill, run


def said(page):
    """Every line that is shown."""
    return "\n".join(str(element.value) for element in (*page.caption, *page.text, *page.markdown))


def figure(page, key):
    """What a chart was told to draw."""
    (chart,) = [
        chart.proto for chart in page.get("plotly_chart") if chart.proto.id.endswith(f"-{key}") or chart.key == key
    ]
    return json.loads(chart.spec)


def table(page):
    """The first table of the page."""
    return page.dataframe[0].value


@pytest.fixture
def reviewed(empty, tmp_path):
    """gpt-5 9, claude-opus-4 6, gemini-2.5-pro two reviews short."""
    fill(empty, tmp_path, REVIEWED)
    return empty


@pytest.fixture
def verified(empty, tmp_path):
    """Ten pairs, the verifier (openai) one point up, half of them on its own family; and who rated them twice."""
    rows = [run(f"S{place}", ("gpt-5", "claude-opus-4")[place % 2], verifier=place % 5 + 2, human=place % 5 + 1)
            for place in range(10)]  # fmt: skip
    fill(empty, tmp_path, rows)
    return empty


def test_the_overview_ranks_by_calibrated_score(empty, tmp_path, open_page):
    """6.5 (6.5 to 6.6) in place of 6.9, and who was lenient; the mean stands beside it."""
    fill(empty, tmp_path, ONE_MODEL)
    page = open_page("overview")
    row = table(page).set_index("model").loc["claude-opus-4"]
    assert [round(row[name], 2) for name in ("calibrated_score", "ci_low", "ci_high", "effective_mean")] == [
        6.51, 6.46, 6.57, 6.88,
    ]  # fmt: skip
    assert (row["tie_group"], row["trust_remark"]) == (1, "the verifier is 0.4 lenient here")
    assert figure(page, "ranking")["data"][0]["text"] == ["6.5"]


def test_the_overview_says_what_a_model_is_short_of(reviewed, open_page):
    """Ranked ones first; the one without a score has a dash, and how many reviews it takes."""
    page = open_page("overview")
    shown = table(page)
    assert shown["model"].tolist() == ["gpt-5", "claude-opus-4", "gemini-2.5-pro"]
    assert shown["tie_group"].tolist()[:2] == [1, 2]
    assert shown["trust_remark"].tolist()[2] == "review 2 more"
    assert "95 % intervals" in said(page)
    assert [row.split("<br>")[0] for row in figure(page, "ranking")["layout"]["yaxis"]["ticktext"]] == [
        "gpt-5", "claude-opus-4",
    ]  # fmt: skip


def test_the_heat_map_shows_calibrated_scores_with_their_intervals(reviewed, open_page):
    """gpt-5 9 and claude-opus-4 6 in backend, each known without doubt; gemini-2.5-pro has none, and of docs nobody has."""
    page = open_page("overview", score="Calibrated")
    cells = figure(page, "kinds")["data"][0]["text"]
    assert [row[0].replace("<span style='font-size:11px'>", "").replace("</span>", "") for row in cells[:2]] == [
        "9.0<br>9.0–9.0", "6.0<br>6.0–6.0",
    ]  # fmt: skip
    assert cells[2:] == [[""]]
    assert overview_charts.NONE_CALIBRATED in said(open_page("overview", score="Calibrated", model=["gemini-2.5-pro"]))


def test_filters_by_rating_do_not_bend_the_calibrated_score(reviewed, open_page):
    """Of human-rated runs alone it is the same score, and that is said; of other work it is another."""
    page = open_page("overview", tier=["human"])
    assert table(page)["calibrated_score"].tolist()[:2] == [9, 6]
    assert ranking.OTHERS in said(page)
    assert ranking.OTHERS not in said(open_page("overview", discipline=["backend"]))


def test_without_human_ratings_the_overview_ranks_as_before(ledger, open_page):
    """m1 has one human row: four more."""
    page = open_page("overview")
    assert table(page).set_index("model").loc["m1", "trust_remark"] == "review 4 more"
    assert ranking.NO_SCORE in said(page)


def test_a_large_ledger_is_drawn_before_its_scores_are_there(reviewed, open_page, monkeypatch):
    """First by routing score, with a word; the next run has them, and a rating starts anew."""
    monkeypatch.setattr(trust_data, "AT_ONCE", 0)
    page = open_page("overview")
    assert ranking.COMPUTING in said(page)
    assert table(page)["tie_group"].isna().all()
    trust_data.ranking(ranking.Filters())
    page.run()
    assert table(page)["tie_group"].tolist()[:2] == [1, 2]
    reviewed.execute(AddRating(actor="dana", reviewer="dana", story_id="B0", rating=1))
    page.run()
    assert ranking.COMPUTING in said(page)


def test_a_card_shows_bias_error_and_kappa_with_their_intervals(verified, open_page):
    """Bias and error 1 point, kappa 0.8 (tests/ledger/test_trust.py); the chart has ten points."""
    page = open_page("trust")
    assert {metric.label: metric.value for metric in page.metric} == {
        "Bias": "+1.0", "Mean error": "1.00", "Weighted kappa": "0.80",
    }  # fmt: skip
    assert len(figure(page, "pairs")["data"][0]["x"]) == 10
    assert figure(page, "bland_altman")["layout"]["annotations"][0]["text"] == "+1.0"
    assert "10 of 10 runs it verified are human-reviewed" in said(page)
    assert "openai: no preference can be told" in said(page)
    assert table(page).set_index("family").loc["anthropic", "bias"] == 1
    assert "0 of 10 reviewed runs have both" in said(page)
    assert "0 runs of 10 have two or more reviewers" in said(page)


def test_too_few_pairs_are_words_and_no_number(ledger, open_page):
    """judge-1 has one pair with a person."""
    page = open_page("trust")
    assert not page.metric
    assert "Too few pairs for a number: 1 pair of 10: review 9 more." in said(page)


def test_draws_that_nobody_answered_are_counted(verified, open_page):
    """Of two draws one is rated and one skipped: half. Before any there is no share."""
    assert "No draw of the review queue is over yet" in said(open_page("trust"))
    fill(verified, verified.path.parent, [run(f"T{place}", "gpt-5", verifier=5) for place in range(2)], "more.csv")
    dana = {"actor": "dana", "reviewer": "dana"}
    verified.execute(DrawForReview(count=2, **dana))
    first, second = verified.ask(ShowReviewQueue(reviewer="dana"))["queue"]
    verified.execute(SkipDraw(draw_id=first["draw_id"], **dana))
    verified.execute(AddRating(story_id=second["story_id"], run_id=second["run_id"], rating=5, review_reason="queue",
                               review_probability=second["probability"], **dana))  # fmt: skip
    assert "50 % of the draws that are over were not answered (1 skipped, 0 left until they expired; 1 rated)" in said(
        open_page("trust")
    )


@pytest.mark.parametrize("name", ["trust", "route", "trend"])
def test_an_empty_ledger_says_what_is_missing(empty, open_page, name):
    """No number, and no fault."""
    words = {
        "trust": "No run is verified yet",
        "route": "no scored run of a known model",
        "trend": "No run of a known model",
    }
    assert words[name] in said(open_page(name))


def test_route_answers_in_a_sentence_with_chances_and_costs(reviewed, open_page):
    """gpt-5 for sure: 9 against 6, a dollar an accepted story; the third model wants two reviews."""
    page = open_page("route", work_discipline="backend")
    assert "Gpt-5 is the best." not in said(page)
    assert "gpt-5 is the best." in said(page)
    row = table(page).set_index("model").loc["gpt-5"]
    assert (row["p_best"], row["expected_loss"], row["cost_per_accepted"]) == (100, 0, 1)
    assert "2 more of gemini-2.5-pro: it has no calibrated score for this yet" in said(page)


def test_route_says_what_was_widened(reviewed, open_page):
    """Nobody did haskell."""
    assert "it was widened: any discipline" in said(open_page("route", work_discipline="haskell"))


def test_a_screen_as_of_an_earlier_day_knows_what_was_known_then(reviewed, open_page):
    """Nothing was, and the screen says which time it shows."""
    page = open_page("route", as_of=date(2020, 1, 1))
    assert "As it was known by 2020-01-01" in said(page)
    assert "no scored run of a known model" in said(page)


def test_a_trend_calls_a_drop_and_shows_gaps(empty, tmp_path, open_page):
    """Twenty runs a week around 8, a week without, then around 5."""
    rows = []
    for week, centre in ((0, 8), (1, 8), (2, 8), (4, 5), (5, 5)):
        day = (datetime(2026, 3, 2, 9, tzinfo=UTC) + timedelta(weeks=week)).isoformat()
        rows += [
            run(f"S{week}-{place}", "m", verifier=centre + place % 2 - 0.5, ts=day, verifier_at=day)
            for place in range(20)
        ]
    fill(empty, tmp_path, rows)
    page = open_page("trend")
    assert figure(page, "trend")["data"][0]["y"] == pytest.approx([8, 8, 8, None, 5, 5])
    assert "Dropped in the week of 2026-03-30: from 8.0 (n 60) to 5.0 (n 40)" in said(page)
    assert table(page).set_index("model").loc["m", "trend_verdict"] == "dropped"


def test_a_short_trend_says_that_nothing_can_be_told(ledger, open_page):
    """Two runs of m1 are no series."""
    assert "Nothing can be said of a drop: 2 of 35 runs" in said(open_page("trend"))
