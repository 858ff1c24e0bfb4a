"""Can a story be corrected, merged and split on the screen, with the numbers before and a way back after?"""

import pytest

from pages.components import viewer
from quality.commands import ShowStory
from quality.roles import Who
from quality.story_commands import EditStory, MergeStories
from tests.pages.conftest import HOSTILE, texts


def corrected(open_page, story="S-1", **state):
    """The story's view, by dana unless told otherwise."""
    page = open_page("stories", **{"reviewer_name": "dana", **state})
    page.query_params["correct"] = story
    return checked(page.run())


def checked(page):
    assert not page.exception, page.exception
    return page


def field(page, kind, name):
    """The widget of a field: its key says which, and what was known."""
    return next(found for found in getattr(page, kind) if (found.key or "").startswith(name))


def metrics(page):
    return {metric.label: metric.value for metric in page.metric}


def row(ledger, story="S-1"):
    return ledger.ask(ShowStory(story_id=story))["runs"][0]


def buttons(page):
    return {button.key: button for button in page.button}


def find_other(page, words, other):
    """Search, choose, and say why."""
    checked(field(page, "text_input", "merge-words").set_value(words).run())
    checked(field(page, "selectbox", "merge-other").set_value(other).run())
    return checked(field(page, "text_input", "merge-why").set_value("filed twice").run())


def test_a_run_leads_to_its_story_and_back(ledger, open_page, run_ids):
    """By a button on its page; the link names the story, and the run stays open behind it."""
    page = open_page("stories", run=run_ids["S-1"], reviewer_name="dana")
    checked(page.button(key="correct").click().run())
    assert page.query_params["correct"] == "S-1"
    assert page.title[0].value == "Correct a story"
    checked(page.button(key="correct_back").click().run())
    assert "correct" not in page.query_params
    assert page.title[0].value == "Run"


def test_an_edit_shows_before_and_after_and_is_stored(ledger, open_page):
    """One run of S-1: its kind of work changes and its score does not. Then there is nothing left to save."""
    page = corrected(open_page)
    assert buttons(page)["save_correction"].disabled
    field(page, "selectbox", "correct-discipline").set_value("docs")
    checked(field(page, "text_input", "correct-title").set_value("Fix it").run())
    assert {"Fix the *parser*  →  Fix it", "backend  →  docs"} <= set(texts(page))
    assert metrics(page) == {"Runs": "1", "Scores changed": "0", "Kind changed": "1"}
    checked(field(page, "text_input", "correct-why").set_value("a typo").run())
    checked(page.button(key="save_correction").click().run())
    assert page.success[0].value == "Stored. Runs: 1, scores changed: 0, kind changed: 1."
    assert (row(ledger)["title"], row(ledger)["discipline"]) == ("Fix it", "docs")
    assert field(page, "text_input", "correct-title").value == "Fix it"
    assert buttons(page)["save_correction"].disabled
    assert {"Corrected S-1", "a typo"} <= set(texts(page))


def test_what_is_emptied_stays_as_it_is_known(ledger, open_page):
    """An empty field says nothing, so there is nothing to save."""
    page = checked(field(corrected(open_page), "text_input", "correct-title").set_value("  ").run())
    assert buttons(page)["save_correction"].disabled


def test_an_edit_is_taken_back_where_it_counts(ledger, open_page):
    """Undo stands beside the edit; afterwards the file's word counts, and the history names both."""
    edit_id = ledger.execute(EditStory(actor="lee", story_id="S-1", title="Mine", reason="nicer")).edit_id
    page = corrected(open_page)
    assert "Mine" in texts(page)
    checked(page.button(key=f"undo-{edit_id}").click().run())
    assert page.success[0].value == "Taken back. Runs: 1, scores changed: 0."
    assert row(ledger)["title"] == "Fix the *parser*"
    assert {"Took back a correction of S-1", "Corrected S-1", "nicer"} <= set(texts(page))
    assert f"undo-{edit_id}" not in buttons(page)


def test_a_merge_shows_its_numbers_wants_a_reason_and_a_tick(ledger, open_page):
    """S-1 into S-2: its run becomes attempt 2 there, with dana's 6, and counts as docs. The view follows to S-2."""
    page = find_other(corrected(open_page), "docs", "S-2")
    assert metrics(page) == {
        "Runs": "2", "Moved": "1", "Renumbered": "1", "Ratings": "1", "Scores changed": "0",
        "Kind changed": "1",
    }  # fmt: skip
    assert buttons(page)["merge_stories"].disabled
    checked(page.checkbox[0].check().run())
    assert page.checkbox[0].label == "Merge them: 1 run of 2 runs change story"
    checked(page.button(key="merge_stories").click().run())
    assert page.success[0].value.startswith("Merged. Runs: 2, moved: 1, renumbered: 1, ratings: 1")
    assert page.query_params["correct"] == "S-2"
    assert "With it, since they are one story: S-1" in texts(page)
    runs = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    assert sorted((run["story_id"], run["attempt"], run["quality"]) for run in runs) == [
        ("S-2", 1, 7.0),
        ("S-2", 2, 6.0),
    ]


def test_the_open_storys_id_can_be_the_one_that_stays(ledger, open_page):
    page = find_other(corrected(open_page), "docs", "S-2")
    field(page, "segmented_control", "merge-stays").set_value("This one's")
    assert metrics(checked(page.run()))["Ratings"] == "0"
    checked(page.checkbox[0].check().run())
    checked(page.button(key="merge_stories").click().run())
    assert {run["story_id"] for run in ledger.ask(ShowStory(story_id="S-2"))["runs"]} == {"S-1"}


def test_a_merged_id_opens_the_story_and_is_split_off_again(ledger, open_page):
    """The old link says that the id was merged; split off, both stories are as they were."""
    before = [row(ledger, story)["attempt"] for story in ("S-1", "S-2")]
    ledger.execute(MergeStories(actor="lee", from_id="S-2", into_id="S-1", reason="the same"))
    page = corrected(open_page, "S-2")
    assert ":material/info: The id that was asked for was merged into this story." in [c.value for c in page.caption]
    checked(field(page, "selectbox", "merge-split").set_value("S-2").run())
    assert metrics(page)["Moved"] == "1"
    checked(page.checkbox[0].check().run())
    checked(page.button(key="split_story").click().run())
    assert page.success[0].value.startswith("Split off. Runs: 2, moved: 1, renumbered: 1, ratings: 0")
    assert [row(ledger, story)["attempt"] for story in ("S-1", "S-2")] == before


def test_what_the_ledger_refuses_is_shown_with_its_reason(ledger, open_page):
    """The other was merged into this one by somebody else while the page was open: nothing is changed."""
    page = find_other(corrected(open_page), "docs", "S-2")
    checked(page.checkbox[0].check().run())
    ledger.execute(MergeStories(actor="lee", from_id="S-2", into_id="S-1", reason="the same"))
    page.button(key="merge_stories").click().run()
    assert page.error[0].value == "Nothing was changed."
    assert "was merged into S-1, so they are one already" in page.code[0].value


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_who_may_not_correct_sees_what_was_corrected(ledger, open_page, monkeypatch, role):
    """What is known stands there as text without a field or a button, and which role it takes is said."""
    ledger.execute(EditStory(actor="lee", story_id="S-1", title="Mine"))
    monkeypatch.setattr(viewer, "who", lambda: Who("dana", role))
    page = corrected(open_page)
    assert f":material/lock: Correcting a story needs the role admin; yours is {role}." in [
        c.value for c in page.caption
    ]
    assert not [*page.text_input, *page.selectbox, *page.text_area, *page.number_input, *page.checkbox]
    assert "save_correction" not in buttons(page)
    assert all(button.disabled for key, button in buttons(page).items() if key.startswith("undo-"))
    assert {"Mine", "backend", "Corrected S-1"} <= set(texts(page))


def test_other_peoples_text_is_shown_as_text(ledger, open_page):
    """A title, a reason and a name with markup appear as written and nowhere as markdown."""
    ledger.execute(EditStory(actor="**lee**", story_id="S-1", title=HOSTILE, reason=HOSTILE))
    page = corrected(open_page)
    assert texts(page).count(HOSTILE) == 2
    rendered = [*page.markdown, *page.caption, *page.title, *page.subheader, *page.success, *page.error]
    assert not [element for element in rendered if "script" in element.value or "lee" in element.value]


def test_words_that_no_other_story_has_are_answered(ledger, open_page):
    """The open story itself is not offered."""
    page = checked(field(corrected(open_page), "text_input", "merge-words").set_value("parser").run())
    assert "No other story fits." in [caption.value for caption in page.caption]
    assert not [box for box in page.selectbox if box.key.startswith("merge-other")]


def test_a_link_to_no_story_says_so(ledger, open_page):
    page = corrected(open_page, "S-9")
    assert page.error[0].value == "This story is not in the open ledger."
    assert "S-9: no such story" in page.code[0].value
