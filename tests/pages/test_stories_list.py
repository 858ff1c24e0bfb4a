"""Does the list filter, sort, page and remember what waits for review, and does a link say what it cannot show?"""

import pytest

from pages.components import ordering, runs_table
from quality.commands import AddRating
from quality.ledger.queries import MAX_ROWS
from quality.review_commands import AddToReviewList, ShowReviewList
from quality.settings import LimitSettings
from tests.pages.conftest import texts
from tests.pages.test_stories import table


def stories(page):
    return table(page, "quality_auto")["story_id"].tolist()


def waiting(ledger):
    return [row["story_id"] for row in ledger.ask(ShowReviewList())["rows"]]


def tick(page, monkeypatch, *run_ids):
    """Rows are ticked on a canvas, which this harness has not: what the page is told is put in its place."""
    from pages.components import review_bar

    real = review_bar.of_ticked
    monkeypatch.setattr(review_bar, "of_ticked", lambda ticked: real(list(run_ids)))
    return page.run()


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ({"tier": ["auto", "human"]}, {"S-1", "S-3"}),
        ({"model": ["m1"]}, {"S-1", "S-2"}),
        ({"model": ["m1", "unknown"], "agent": ["a2"]}, {"S-3"}),
        ({"discipline": ["docs", "backend"]}, {"S-1", "S-2", "S-3"}),
        ({"confidence": "low"}, {"S-3"}),
        ({"caveat": ["few tests", "tiers disagree"]}, {"S-1", "S-3"}),
        ({"reviewer": ["dana"]}, {"S-1"}),
        ({"note": "with"}, {"S-1"}),
        ({"note": "without"}, {"S-2", "S-3"}),
        ({"list": "on it"}, {"S-2"}),
        ({"list": "not on it"}, {"S-1", "S-3"}),
        ({"q": "parser"}, {"S-1"}),
        ({"q": "s-2 DOCS"}, {"S-2"}),
        ({"q": "שלום"}, {"S-1"}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_each_filter_leaves_what_fits(ledger, open_page, run_ids, state, expected):
    """S-1: auto 10, human 6, a note; S-2 is on the review list; S-3: auto alone, few tests."""
    ledger.execute(AddToReviewList(actor="lee", run_ids=[run_ids["S-2"]]))
    assert set(stories(open_page("stories", **state))) == expected


def test_every_column_is_one_to_sort_by():
    assert set(runs_table.COLUMNS) == set(ordering.OFFERED)


@pytest.mark.parametrize("column", ordering.OFFERED)
def test_a_column_sorts_all_rows(ledger, open_page, column):
    """By name in a link; down and up are the same rows."""
    page = open_page("stories")
    page.query_params["by"] = column
    down = set(stories(page.run()))
    page.query_params["order"] = "ascending"
    assert set(stories(page.run())) == down == {"S-1", "S-2", "S-3"}
    assert not page.warning


def test_a_page_is_never_longer_than_a_thousand_rows(ledger):
    """The setting cannot ask for more, and the ledger refuses it."""
    assert LimitSettings(page_rows=MAX_ROWS).page_rows == 1000
    with pytest.raises(ValueError, match="less than or equal to 1000"):
        LimitSettings(page_rows=MAX_ROWS + 1)


@pytest.mark.parametrize(("named", "shown"), [("x", 1), ("0", 1), ("99", 2), ("9" * 5000, 1)])
def test_a_page_that_is_not_there_is_said(ledger, open_page, monkeypatch, named, shown):
    """With 2 rows a page there are 2 pages."""
    limits = ledger.settings.limits.model_copy(update={"page_rows": 2})
    monkeypatch.setattr(ledger, "settings", ledger.settings.model_copy(update={"limits": limits}))
    page = open_page("stories")
    page.query_params["p"] = named
    page.run()
    assert page.warning[0].value == "This link names something that is not in the open ledger."
    assert f"p = {named[:80]}: shown is page {shown} of 2" in texts(page)


def test_a_value_that_no_run_has_is_said(ledger, open_page):
    page = open_page("stories", model=["gpt-9", "m1"])
    assert "model = gpt-9: no run has it" in texts(page)
    assert set(stories(page)) == {"S-1", "S-2"}


def test_an_order_that_is_not_there_is_said(ledger, open_page):
    page = open_page("stories")
    page.query_params["by"] = "<b>nope</b>"
    assert len(stories(page.run())) == 3


def test_ticked_runs_go_on_the_review_list_and_off_again(ledger, open_page, run_ids, monkeypatch):
    """With who and why; the count beside the table follows."""
    page = open_page("stories", reviewer_name="dana")
    tick(page, monkeypatch, run_ids["S-2"], run_ids["S-3"])
    page.text_input(key="review_why").set_value("odd *ones*")
    page.button(key="list_add").click().run()
    assert waiting(ledger) == ["S-2", "S-3"]
    assert ledger.ask(ShowReviewList())["rows"][0]["why"] == "odd *ones*"
    assert page.button(key="show_list").label == "Review list: 2"
    page.button(key="list_remove").click().run()
    assert waiting(ledger) == []


def test_the_list_needs_a_name(ledger, open_page, run_ids, monkeypatch):
    page = tick(open_page("stories"), monkeypatch, run_ids["S-2"])
    page.button(key="list_add").click().run()
    assert "give your name first" in texts(page)
    assert waiting(ledger) == []


def test_the_open_run_goes_on_the_list_until_it_is_rated(ledger, open_page, run_ids):
    page = open_page("stories", run=run_ids["S-2"], reviewer_name="dana")
    page.button(key="run_list_add").click().run()
    assert waiting(ledger) == ["S-2"]
    assert page.button(key="run_list_remove")
    ledger.execute(AddRating(actor="eli", reviewer="eli", story_id="S-2", rating=4.0))
    page.run()
    assert page.button(key="run_list_add")
