"""Is what one gives of a rating kept as a draft, said to be unsaved, and offered again, and who decides between two?"""

import pytest
from streamlit.testing.v1 import AppTest

from pages.components import drafting
from quality.commands import AddRating, UndoRating
from quality.draft_commands import KeepRatingDraft, ShowRatingDraft
from tests.pages.conftest import texts
from tests.pages.test_stories import by_dana, metrics, save, table, widget


@pytest.fixture
def run_id(ledger, run_ids):
    """The run of S-2, which nobody has rated."""
    return run_ids["S-2"]


@pytest.fixture
def page(open_page, run_id):
    return by_dana(open_page, run_id)


def draft(ledger, run_id, by="dana"):
    found = ledger.ask(ShowRatingDraft(run_id=run_id, reviewer=by))["draft"]
    return found and (found["rating"], found["rework"], found["note"])


def button(page, name):
    return next((found for found in page.button if found.key == name or (found.key or "").startswith(f"{name}-")), None)


def badges(page):
    return [element.value for element in page.markdown if "badge" in element.value]


def rate(ledger, by, rating, **fields):
    return ledger.execute(AddRating(actor=by, reviewer=by, story_id="S-2", rating=rating, **fields))


def give(page, rating=None, note=None):
    if rating is not None:
        widget(page, "number_input", "rating").set_value(rating)
    if note is not None:
        widget(page, "text_area", "note").set_value(note)
    return page.run()


def test_every_change_is_kept_and_said_to_be_unsaved(ledger, page, run_id):
    """Rating, rework and note one by one; 0 is kept as 0; without anything there is no draft and nothing is said."""
    assert not any("Unsaved" in badge for badge in badges(page))
    give(page, rating=0.0)
    assert draft(ledger, run_id) == (0.0, None, None)
    widget(page, "button_group", "rework").set_value("no").run()
    assert draft(ledger, run_id) == (0.0, False, None)
    give(page, note="a\nb")
    assert draft(ledger, run_id) == (0.0, False, "a\nb")
    assert any("Unsaved" in badge for badge in badges(page))
    assert any(caption.value.startswith("Draft kept at ") for caption in page.caption)
    assert metrics(page)["● Human"] == "–"


def test_a_draft_is_there_in_another_session(ledger, page, run_id, open_page):
    """As in another browser under the same name; another reviewer's form is empty."""
    give(page, rating=6.25, note="half a thought")
    again = by_dana(open_page, run_id)
    assert widget(again, "number_input", "rating").value == 6.25
    assert widget(again, "text_area", "note").value == "half a thought"
    assert save(again).success[0].value == "Stored: 6.25."
    assert draft(ledger, run_id) is None
    assert widget(open_page("stories", run=run_id, reviewer_name="eli"), "text_area", "note").value == ""


def test_what_is_written_before_the_name_is_given_is_kept_with_it(ledger, open_page, run_id):
    page = give(open_page("stories", run=run_id), rating=7.0, note="early")
    assert any("Give your name, and it is kept" in caption.value for caption in page.caption)
    page.text_input(key="reviewer_asked").set_value("dana").run()
    assert draft(ledger, run_id) == (7.0, None, "early")
    assert widget(page, "text_area", "note").value == "early"


def test_a_draft_that_was_kept_before_is_offered_when_the_name_is_given(ledger, open_page, run_id):
    """Beside what is written already: the reviewer chooses."""
    ledger.execute(KeepRatingDraft(actor="dana", reviewer="dana", run_id=run_id, rating=3, note="kept"))
    page = open_page("stories", run=run_id)
    page.text_input(key="reviewer_asked").set_value("dana").run()
    assert widget(page, "text_area", "note").value == "kept"
    other = give(open_page("stories", run=run_id), note="newer")
    other.text_input(key="reviewer_asked").set_value("dana").run()
    assert {"kept", "newer"} <= set(texts(other))
    assert draft(ledger, run_id) == (3.0, None, "kept")
    button(other, "other").click().run()
    assert widget(other, "number_input", "rating").value == 3.0
    assert widget(other, "text_area", "note").value == "kept"


def test_two_windows_of_one_reviewer_do_not_overwrite_each_other(ledger, page, run_id, open_page):
    """The second keeps what it has only when it is told to."""
    second = by_dana(open_page, run_id)
    give(page, note="from the first")
    give(second, note="from the second")
    assert draft(ledger, run_id) == (None, None, "from the first")
    assert {"from the first", "from the second"} <= set(texts(second))
    button(second, "this").click().run()
    assert draft(ledger, run_id) == (None, None, "from the second")
    assert widget(page.run(), "text_area", "note").value == "from the second"


def test_a_draft_is_discarded_and_brought_back(ledger, page, run_id):
    give(page, rating=5.0, note="oops")
    button(page, "discard").click().run()
    assert draft(ledger, run_id) is None
    assert widget(page, "number_input", "rating").value is None
    button(page, "bring_back").click().run()
    assert draft(ledger, run_id) == (5.0, None, "oops")
    assert widget(page, "text_area", "note").value == "oops"


def test_who_rated_meanwhile_stands_beside_ones_own(ledger, page, run_id):
    """b23: eli stores 8 while dana writes 6; saving stores nothing; on top of eli's it is stored when dana says so."""
    give(page, rating=6.0)
    rate(ledger, "eli", 8, note="second")
    save(page, note="only the note")
    assert page.error[0].value.startswith("Not stored: somebody rated this run since you opened it.")
    assert {"● eli", "8", "second", "● You, not stored yet", "6", "only the note"} <= set(texts(page))
    assert metrics(page)["● Human"] == "8.0"
    assert draft(ledger, run_id) == (6.0, None, "only the note")
    assert button(page, "save") is None
    rate(ledger, "max", 9)
    button(page, "on_top").click().run()
    assert metrics(page)["● Human"] == "9.0"
    button(page, "on_top").click().run()
    assert page.success[0].value == "Stored: 6."
    assert metrics(page)["● Human"] == "6.0"
    assert table(page, "standing")["rater"].tolist()[:3] == ["dana", "max", "eli"]


def test_theirs_can_be_kept_and_ones_own_gone_on_with(ledger, page, run_id):
    give(page, rating=6.0)
    rate(ledger, "eli", 8)
    page.run()
    button(page, "go_on").click().run()
    assert button(page, "on_top") is None
    assert widget(page, "number_input", "rating").value == 6.0
    rate(ledger, "max", 9)
    page.run()
    button(page, "theirs").click().run()
    assert draft(ledger, run_id) is None
    assert widget(page, "number_input", "rating").value is None
    assert save(page, rating=7.0).success[0].value == "Stored: 7."


def test_an_empty_form_has_nothing_to_decide(ledger, page, run_id):
    """What others rate before one begins is seen when one begins."""
    rate(ledger, "eli", 8)
    page.run()
    assert button(page, "on_top") is None
    assert save(page, rating=7.0).success[0].value == "Stored: 7."


def test_the_last_rating_can_be_written_anew(ledger, page, run_id):
    """It begins a draft with all of it; stored it comes on top, and both stay."""
    save(page, rating=4.0, note="first")
    button(page, "edit_rating").click().run()
    assert (widget(page, "number_input", "rating").value, widget(page, "text_area", "note").value) == (4.0, "first")
    save(page, note="better said")
    assert table(page, "standing")["note"].tolist()[:2] == ["better said", "first"]
    ledger.execute(UndoRating(actor="dana", reviewer="dana", story_id="S-2"))


def test_unsaved_drafts_are_on_the_list(ledger, page, run_id, open_page):
    """With the way back to the run."""
    give(page, note="<b>half</b> a thought\nand more")
    listed = open_page("stories", reviewer_name="dana")
    assert any("S-2  ·  m1  ·  <b>half</b> a thought" in text for text in texts(listed))
    button(listed, "draft-of").click().run()
    assert run_id in listed.query_params["run"]
    assert not [b for b in open_page("stories", reviewer_name="eli").button if (b.key or "").startswith("draft-of")]


def in_a_queue(run_id, blind):
    """A page that is not Stories: what comes after is its own, and others' ratings may be hidden."""
    import streamlit as st

    from pages.components import data, rating

    def go_on():
        st.session_state["went"] = True

    rating.form(data.run(run_id), after_save=go_on, blind=blind)


@pytest.mark.parametrize("blind", [True, False])
def test_another_page_uses_the_form_in_its_own_way(ledger, run_id, blind):
    """What leads on is called after a save and only then; rated blind, others' ratings are not told."""
    app = AppTest.from_function(in_a_queue, kwargs={"run_id": run_id, "blind": blind}, default_timeout=20)
    app.session_state["reviewer_name"] = "dana"
    give(app.run(), rating=5.0)
    rate(ledger, "eli", 8, note="theirs")
    app.run()
    assert ("theirs" in texts(app)) is not blind
    assert "went" not in app.session_state
    button(app, "on_top").click().run()
    assert app.session_state["went"]


def test_nought_and_no_are_something_given():
    assert drafting.Fields().empty
    assert not drafting.Fields(rating=0.0).empty
    assert not drafting.Fields(rework=False).empty
