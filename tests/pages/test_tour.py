"""Does the tour lead through the sample in place, tick what was really done, and get out of the way?"""

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.process import HOME
from quality.commands import AddRating
from quality.home import State
from quality.ledger.backups import mark_as_sample
from quality.roles import Who
from quality.tour_commands import ShowTour, TakeTourStep
from tests.pages.conftest import PAGES

NAMES = ["The tiers", "Rate a run", "Export it"]


@pytest.fixture
def sample(ledger, monkeypatch):
    """The three runs as a sample; dana's rating is not one of the audit, as in the real one."""
    mark_as_sample(ledger.store)
    with ledger.store.transaction() as tx:
        tx.execute("DELETE FROM audit")
    monkeypatch.setattr(HOME, "_state", State("ready", ledger, sample=True))
    return ledger


@pytest.fixture
def frame():
    def run(**state):
        app = AppTest.from_file(str(PAGES / "main.py"), default_timeout=20)
        app.context = {"timezone": "Europe/Berlin"}
        for name, value in state.items():
            app.session_state[name] = value
        app.run()
        assert not app.exception, app.exception
        return app

    return run


def ticks(app):
    """Step → whether it is ticked."""
    (steps,) = [group for group in app.segmented_control if group.key == "tour_step"]
    return {option.content: "check_circle" in option.content_icon for option in steps.proto.options}


def said(app):
    return " ".join(text.value for text in app.markdown)


def test_the_tour_begins_with_the_tiers_and_nothing_is_ticked(sample, frame):
    app = frame()
    assert ticks(app) == dict.fromkeys(NAMES, False)
    assert app.session_state["tour_step"] == "tiers"
    assert all(word in said(app) for word in ("Auto", "Verifier", "Human"))
    assert "0 of 3 done" in [caption.value for caption in app.caption]


def test_understood_ticks_the_first_step_for_good_and_shows_the_second(sample, frame):
    """In the ledger, so that another session sees it too."""
    app = frame()
    app.button(key="tour_tiers").click().run()
    assert ticks(app)["The tiers"]
    assert app.session_state["tour_step"] == "rate"
    assert sample.ask(ShowTour())["taken"] == ("tiers",)
    assert ticks(frame())["The tiers"]


def test_a_rating_that_is_really_stored_ticks_the_second_step(sample, frame):
    """Nothing on the card does."""
    app = frame()
    sample.execute(AddRating(actor="ana", reviewer="ana", story_id="S-2", rating=7))
    assert ticks(app.run()) == dict(zip(NAMES, (False, True, False)))


def test_all_done_says_so(sample, frame):
    sample.execute(AddRating(actor="ana", reviewer="ana", story_id="S-2", rating=7))
    for step in ("tiers", "export"):
        sample.execute(TakeTourStep(actor="ana", step=step))
    app = frame()
    assert all(ticks(app).values())
    assert "That was the tour." in said(app)


def test_the_tour_is_put_away_and_brought_back(sample, frame):
    app = frame()
    app.button(key="tour_hide").click().run()
    assert not [group for group in app.segmented_control if group.key == "tour_step"]
    again = frame()
    again.button(key="tour_show").click().run()
    assert ticks(again) == dict.fromkeys(NAMES, False)


def test_a_viewer_has_their_ticks_in_the_session_and_stores_nothing(sample, frame, monkeypatch):
    """And is told who may rate."""
    monkeypatch.setattr("pages.components.viewer.who", lambda: Who("eva", "viewer"))
    app = frame()
    app.button(key="tour_tiers").click().run()
    assert ticks(app)["The tiers"]
    assert "Rating needs the role reviewer" in said(app)
    assert sample.ask(ShowTour())["taken"] == ()
    app.button(key="tour_hide").click().run()
    assert not sample.ask(ShowTour())["hidden"]
    assert app.button(key="tour_show")


def test_no_other_ledger_has_a_tour(ledger, frame):
    assert not [group for group in frame().segmented_control if group.key == "tour_step"]
