"""Does one walk from run to run in the order of the list, and does an open run tell what became of it?"""

import pytest

from pages.components import neighbours
from quality.commands import AddRating, UndoRating
from tests.pages.test_stories import metrics, table

ORDER = ["S-2", "S-1", "S-3"]
"""By effective score, 7, 6 and 5."""


def walk(open_page, run_id, **state):
    page = open_page("stories", run=run_id, reviewer_name="dana", **state)
    page.query_params["by"] = "quality"
    return page.run()


def place(page):
    return next(caption.value for caption in page.caption if " of " in caption.value or "Not among" in caption.value)


def opened(page):
    return page.query_params["run"]


def test_next_and_previous_follow_the_list(ledger, open_page, run_ids):
    page = walk(open_page, run_ids["S-2"])
    assert place(page) == "1 of 3"
    assert page.button(key="previous_run").disabled
    for story, where in (("S-1", "2 of 3"), ("S-3", "3 of 3")):
        page.button(key="next_run").click().run()
        assert run_ids[story] in opened(page)
        assert place(page) == where
    assert page.button(key="next_run").disabled
    page.button(key="previous_run").click().run()
    assert run_ids["S-1"] in opened(page)


def test_filters_hold_for_the_walk(ledger, open_page, run_ids):
    """Of model m1 there are two."""
    assert place(walk(open_page, run_ids["S-1"], model=["m1"])) == "2 of 2"
    assert place(walk(open_page, run_ids["S-3"], model=["m1"])) == "Not among the 2 that fit the filters"


def test_a_rating_does_not_change_what_is_next(ledger, open_page, run_ids):
    """Rated 1, S-2 is the last of the list; from where it was opened the next is S-1 all the same, and back is S-2."""
    page = walk(open_page, run_ids["S-2"])
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-2", rating=1.0))
    page.run()
    assert place(page) == "1 of 3"
    page.button(key="next_run").click().run()
    assert run_ids["S-1"] in opened(page)
    page.button(key="previous_run").click().run()
    assert run_ids["S-2"] in opened(page)
    assert place(page) == "1 of 3"


def test_keys_are_those_of_the_reviewers(ledger, open_page, run_ids):
    assert (neighbours.NEXT_KEY, neighbours.PREVIOUS_KEY) == ("n", "p")


def test_the_history_has_the_score_after_each_event(ledger, open_page, run_ids):
    """S-1: signals and verdict in one import make 8, dana's rating 6, its withdrawal 8 again."""
    ledger.execute(UndoRating(actor="eli", reviewer="dana", story_id="S-1", force=True))
    page = open_page("stories", run=run_ids["S-1"])
    events = table(page, "score_change")
    assert events["event"].tolist() == [
        "Rating withdrawn 6.0",
        "Rating 6.0",
        "Signals read: ci/tests.log",
        "Verdict 8.0",
    ]
    assert events["quality"].tolist() == [8.0, 6.0, 8.0, 8.0]
    assert events["score_change"].tolist()[:2] == [2.0, -2.0]
    assert metrics(page)["Effective"] == "8.0"


@pytest.mark.parametrize(("story", "others"), [("S-1", {"S-2"}), ("S-3", set())])
def test_the_runs_beside_it_are_one_click_away(ledger, open_page, run_ids, story, others):
    """S-1 and S-2 are of model m1 and came together; S-3 is alone."""
    page = open_page("stories", run=run_ids[story])
    beside = [button for button in page.button if (button.key or "").startswith("beside-")]
    assert len(beside) == len(others)
    for button in beside:
        button.click().run()
        assert run_ids["S-2"] in opened(page)
