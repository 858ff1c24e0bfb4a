"""Can words be forgotten from the screen, by whom, and only when it is meant? On the ledger of three runs."""

import pytest

from quality.activity_commands import ListActivity
from quality.redaction import MARK
from quality.redaction_commands import ListRedactions
from quality.roles import Who
from tests.pages.conftest import HOSTILE, texts


@pytest.fixture
def opened(open_page):
    """A page on its own, with a name for what is written and a URL."""
    return lambda page, name="ops", **query: open_page(page, query=query, seconds=30, reviewer_name=name)


def choose(app, run_id, start):
    box = app.selectbox(key=f"redact-what-{run_id}")
    box.select_index(next(place for place, label in enumerate(box.options) if label.startswith(start))).run()
    return app


def button(app):
    return next(one for one in app.button if one.label == "**Redact for good**")


def field(app, label):
    return next(one for one in app.text_input if one.label == label)


def test_what_can_be_redacted_of_a_run_is_named(ledger, opened, run_ids):
    """dana's note, the line of the tests, the title; the verdict has no words."""
    app = opened("stories", run=run_ids["S-1"])
    options = app.selectbox(key=f"redact-what-{run_ids['S-1']}").options
    assert options == [
        "Note by dana, 2026-03-02 13:00",
        "Lines of ci/tests.log for test pass rate",
        "Title of the story",
    ]


def test_a_note_is_redacted_for_a_reason_and_a_word_typed(ledger, opened, run_ids):
    """The words are shown before; afterwards the page says who did it and why, and shows them nowhere."""
    app = choose(opened("stories", run=run_ids["S-1"]), run_ids["S-1"], "Note by dana")
    assert HOSTILE in [one.value for one in app.code]
    assert {one.label: one.value for one in app.metric if one.label == "Places"} == {"Places": "3"}
    assert button(app).disabled
    field(app, "Why it must go").set_value("names a customer").run()
    assert button(app).disabled
    field(app, "Type redact to agree").set_value("Redact ").run()
    button(app).click().run()
    assert app.success[0].value == f"Redacted the note of a rating: {len(HOSTILE)} characters in 3 places."
    assert any(text.endswith("by ops: the note of a rating. names a customer") for text in texts(app))
    assert not any(HOSTILE in text for text in texts(app))
    assert MARK in texts(app)
    assert len(ledger.ask(ListRedactions())["redactions"]) == 1


@pytest.mark.parametrize("page", ["stories", "activity"])
def test_whoever_gave_no_name_is_asked_once(ledger, opened, run_ids, page):
    """On the run's page beside the rating; nothing is redacted without one."""
    app = opened(page, name="", run=run_ids["S-1"]) if page == "stories" else opened(page, name="")
    if page == "stories":
        choose(app, run_ids["S-1"], "Note by dana")
    else:
        app.text_area(key="redact-text").set_value("20 passed").run()
    assert not app.exception
    assert [one.label for one in app.text_input].count("Your name") == 1
    field(app, "Why it must go").set_value("x").run()
    field(app, "Type redact to agree").set_value("redact").run()
    assert button(app).disabled


def test_the_reason_must_not_repeat_the_words(ledger, opened, run_ids):
    app = choose(opened("stories", run=run_ids["S-1"]), run_ids["S-1"], "Lines of")
    field(app, "Why it must go").set_value("it says 20 passed in 1.0s, wrongly").run()
    field(app, "Type redact to agree").set_value("redact").run()
    button(app).click().run()
    assert app.error[0].value == "Nothing was redacted."
    assert ledger.ask(ListRedactions())["redactions"] == []


def test_whoever_may_not_is_not_asked(ledger, opened, run_ids, monkeypatch):
    monkeypatch.setattr("pages.components.viewer.who", lambda: Who("ops", "reviewer"))
    app = opened("stories", run=run_ids["S-1"])
    assert not [one for one in app.expander if one.label.startswith("Redact")]
    assert not [one for one in opened("activity").expander if one.label.startswith("Redact")]


def test_a_text_is_redacted_wherever_it_stands(ledger, opened):
    """Of the tests' line it takes the part; the write is in the list."""
    app = opened("activity")
    app.text_area(key="redact-text").set_value("20 passed").run()
    field(app, "Why it must go").set_value("x").run()
    field(app, "Type redact to agree").set_value("redact").run()
    button(app).click().run()
    assert app.success[0].value == "Redacted a text, wherever it stood: 9 characters in 1 place."
    assert ledger.store.rows("SELECT text FROM evidence") == [{"text": f"{MARK} in 1.0s"}]
    assert ledger.ask(ListActivity())["writes"][0]["words"] == "redacted a text, wherever it stood: 1 place"
    assert app.text_area(key="redact-text").value == ""


@pytest.mark.parametrize(("text", "says"), [("abc", "At least 6 characters"), ("nowhere at all", None)])
def test_a_text_that_is_short_or_nowhere_says_so(ledger, opened, text, says):
    app = opened("activity")
    app.text_area(key="redact-text").set_value(text).run()
    if says:
        assert any(one.value.startswith(says) for one in app.caption)
    else:
        assert app.error[0].value == "There is nothing to redact."
