"""Does a slow page show its frame first, with a shape where something is still read, and a fast one none of it?"""

from contextlib import contextmanager

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components import data, states
from quality.ledger import timing
from quality.ledger.store import Store
from tests.pages.conftest import PAGES as FOLDER

PAGES = {
    "overview": {},
    "models": {},
    "models, one opened": {"model": "m1"},
    "stories": {},
    "export": {},
    "trust": {},
    "route": {},
    "trend": {},
    "responses": {},
    "activity": {},
}
SMALL = {
    "review_list.show_review_list": "a count of what waits on the list",
    "review_queue.show_review_totals": "counts of what was drawn for review",
    "as_of.snapshot_as_of": "calibrated scores: of many runs they come when the page stands (ranking.py)",
}
"""Questions that no page waits for, and why."""


@pytest.fixture
def uncovered(monkeypatch):
    """Questions that were asked while no shape stood in for their answer."""
    asked, depth, real = set(), [0], Store._reading

    @contextmanager
    def loading(height=0):
        depth[0] += 1
        with st.container():
            yield
        depth[0] -= 1

    @contextmanager
    def reading(self):
        if not depth[0]:
            asked.add(timing._caller())
        with real(self):
            yield

    monkeypatch.setattr(states, "loading", loading)
    monkeypatch.setattr(states, "working", lambda sentence: loading())
    monkeypatch.setattr(Store, "_reading", reading)
    return asked


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_waits_for_has_a_shape_in_its_place(ledger, open_page, uncovered, name):
    """Every question to the ledger on a page that has no answer yet, from its first line to its last."""
    st.cache_data.clear()
    data.facets()  # the frame has read them before the page begins
    uncovered.clear()
    open_page(name.partition(",")[0], **{f"url:{key}": value for key, value in PAGES[name].items()})
    assert uncovered <= SMALL.keys()


def test_the_frame_stands_before_the_first_answer(ledger, monkeypatch):
    """Navigation and title are drawn when the page asks its first question; the filters wait under a shape of their own."""
    seen = []

    @contextmanager
    def loading(height=states.TABLE):
        seen.append(height)
        yield

    monkeypatch.setattr(states, "loading", loading)
    app = AppTest.from_file(str(FOLDER / "main.py"), default_timeout=20)
    app.run()
    assert not app.exception, app.exception
    assert seen[0] == states.LINE
    assert app.title[0].value == "Overview"


def test_a_fast_page_draws_no_shape(ledger, open_page):
    """Only the places where they would have been, which are empty."""
    page = open_page("overview")
    assert not page.get("skeleton")
