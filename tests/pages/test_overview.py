"""Does the Overview show the three tiers side by side, and say what the numbers leave out?"""

import json
from datetime import UTC, date, datetime

import pytest

from quality import moments
from quality.commands import AddRating


def metrics(page):
    return {metric.label: metric.value for metric in page.metric}


def test_the_headline_counts_what_is_there(ledger, open_page):
    """Three runs of three stories, all scored, one by a human, one of three by signals alone."""
    assert metrics(open_page("overview")) == {
        "Runs": "3", "Stories": "3", "Scored": "3", "Human-reviewed": "1", "Low confidence": "33 %",
    }  # fmt: skip


def test_a_model_is_one_row_with_its_tiers(ledger, open_page):
    """m1: auto 10 of one run, verifier (8 + 7) / 2 = 7.5, human 6, effective (6 + 7) / 2 = 6.5 of two runs."""
    table = open_page("overview").dataframe[0].value.set_index("model")
    m1 = table.loc["m1"]
    assert (m1["mean_auto"], m1["mean_verifier"], m1["mean_human"], m1["effective_mean"]) == (10.0, 7.5, 6.0, 6.5)
    assert (m1["n_with_auto"], m1["n_with_verifier"], m1["n_with_human"], m1["n"]) == (1, 2, 1, 2)
    assert m1["tier_mix"] == "■ 50 %  ● 50 %"
    assert table.loc["unknown", "low_confidence_share"] == 100.0


def test_a_rating_shows_in_the_next_run(ledger, open_page):
    """What is cached is keyed by the ledger's version: nobody waits for an expiry."""
    page = open_page("overview")
    ledger.execute(AddRating(actor="eli", reviewer="eli", story_id="S-2", rating=1.0))
    page.run()
    assert metrics(page)["Human-reviewed"] == "2"
    assert page.dataframe[0].value.set_index("model").loc["m1", "mean_human"] == 3.5


def test_the_mean_is_explained_next_to_the_table(ledger, open_page):
    """A reader is told that the effective mean is no fair comparison, and to read n."""
    captions = " ".join(caption.value for caption in open_page("overview").caption)
    assert "not a fair comparison" in captions
    assert "read each number with its n" in captions


def test_filters_narrow_every_figure(ledger, open_page):
    """One of three runs is of the discipline docs; the way back is on the page."""
    page = open_page("overview", discipline="docs")
    assert metrics(page)["Runs"] == "1"
    page.button(key="clear_above").click().run()
    assert metrics(page)["Runs"] == "3"


def test_an_empty_ledger_says_what_to_do(empty, open_page):
    page = open_page("overview")
    assert [heading.value for heading in page.subheader] == ["No runs yet"]
    assert page.code[0].value == "python -m quality ingest PATH…"


def test_filters_that_nothing_fits_say_so(ledger, open_page):
    assert [heading.value for heading in open_page("overview", q="zzz").subheader] == ["Nothing fits these filters"]


def figure(page, key):
    """What a chart of the page was told to draw."""
    (chart,) = [
        chart.proto for chart in page.get("plotly_chart") if chart.proto.id.endswith(f"-{key}") or chart.key == key
    ]
    return json.loads(chart.spec)


def test_the_kind_of_work_and_the_score_of_the_heat_map_are_chosen(ledger, open_page):
    """By discipline: m1 6.0 in backend and 7.0 in docs, unknown 5.0; by the verifier m1 has 8.0 and 7.0."""
    page = open_page("overview")
    assert [row[:3] for row in figure(page, "kinds")["data"][0]["text"][0]] == ["6.0", "7.0"]
    page.segmented_control(key="score").set_value("Verifier").run()
    assert [row[:3] for row in figure(page, "kinds")["data"][0]["text"][0]] == ["8.0", "7.0"]
    page.segmented_control(key="by").set_value("Industry").run()
    assert figure(page, "kinds")["layout"]["xaxis"]["ticktext"] == ["not recorded"]


def test_a_score_that_no_run_has_is_said(ledger, open_page):
    """Of the runs that a human did not rate, none has a human score."""
    page = open_page("overview", tier="verifier", score="Human")
    assert any("No run that fits has this score" in caption.value for caption in page.caption)


def test_coverage_and_weeks_are_on_the_page(ledger, open_page):
    """S-1 has all tiers, S-2 the verifier's, S-3 the automatic one; all were scored in one week."""
    page = open_page("overview")
    assert figure(page, "coverage")["data"][0]["text"] == ["1 · 33 %", "1 · 33 %", "1 · 33 %"]
    assert figure(page, "weeks")["data"][3]["text"] == ["3"]


def test_every_chart_has_a_description(ledger, open_page):
    """For a reader who does not see it."""
    charts = open_page("overview").get("plotly_chart")
    assert len(charts) == 4
    assert all(chart.proto.alt for chart in charts)


@pytest.mark.parametrize("name", ["overview", "models"])
def test_an_earlier_day_shows_what_was_known_by_its_end(ledger, open_page, monkeypatch, name):
    """A rating came since: then m1 had one human score, 6, and now (6 + 1) / 2 = 3.5; calibrated scores are asked of then too."""
    then = datetime.now(UTC)
    ledger.execute(AddRating(actor="eli", reviewer="eli", story_id="S-2", rating=1.0))
    monkeypatch.setattr(moments, "end_of", lambda day, zone: then)
    for day, human in ((None, 3.5), (date(2026, 1, 1), 6.0)):
        page = open_page(name, **({"as_of": day} if day else {}))
        assert page.dataframe[0].value.set_index("model").loc["m1", "mean_human"] == human
        told = [caption.value for caption in page.caption if "As it was known by" in caption.value]
        assert len(told) == (1 if day else 0)


def test_a_models_page_of_an_earlier_day_has_the_stories_of_then(ledger, open_page, monkeypatch):
    """The rating of S-2 is not there yet."""
    then = datetime.now(UTC)
    ledger.execute(AddRating(actor="eli", reviewer="eli", story_id="S-2", rating=1.0))
    monkeypatch.setattr(moments, "end_of", lambda day, zone: then)
    page = open_page("models", model=["m1"], as_of=date(2026, 1, 1))
    stories = page.dataframe[-1].value.set_index("story_id")
    assert stories["mean_human"].dropna().to_dict() == {"S-1": 6.0}


def test_a_day_before_everything_says_so(ledger, open_page):
    page = open_page("overview", as_of=date(2020, 1, 1))
    assert [heading.value for heading in page.subheader] == ["Nothing was known by then"]
