"""Does the Overview show the three tiers side by side, and say what the numbers leave out?"""

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
