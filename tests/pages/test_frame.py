"""Does the frame carry filters and states to every screen?"""

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.process import HOME
from quality.home import State
from tests.pages.conftest import PAGES


@pytest.fixture
def frame():
    """The entry script, run once, with what the URL says."""

    def run(**query):
        app = AppTest.from_file(str(PAGES / "main.py"), default_timeout=20)
        app.context = {"timezone": "Europe/Berlin"}
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception, app.exception
        return app

    return run


def runs_shown(app):
    return next(metric.value for metric in app.metric if metric.label == "Runs")


@pytest.mark.parametrize(
    ("query", "runs"),
    [
        ({}, "3"),
        ({"q": "s-1 PARSER"}, "1"),
        ({"tier": "verifier"}, "1"),
        ({"model": "m1"}, "2"),
        ({"agent": "a2"}, "1"),
        ({"discipline": "backend"}, "2"),
        ({"confidence": "low"}, "1"),
        ({"confidence": "not low"}, "2"),
        ({"caveat": "few tests"}, "1"),
        ({"reviewer": "dana"}, "1"),
        ({"since": "2026-03-03"}, "0"),
        ({"until": "2026-03-01"}, "0"),
        ({"since": "2026-03-02", "until": "2026-03-02"}, "3"),
        ({"tier": "nonsense"}, "3"),
    ],
    ids=lambda value: str(value),
)
def test_a_link_carries_its_filters(ledger, frame, query, runs):
    """Each filter in the URL narrows the runs; days are whole days of the viewer; nonsense is no filter."""
    app = frame(**query)
    if runs == "0":
        assert [heading.value for heading in app.subheader] == ["Nothing fits these filters"]
    else:
        assert runs_shown(app) == runs


def test_an_open_run_stays_in_the_url(ledger, frame, run_ids):
    """On the Overview too, where it is not shown: the way back to it is a click on Stories."""
    assert frame(run=run_ids["S-1"]).query_params["run"] in (run_ids["S-1"], [run_ids["S-1"]])


def test_another_filter_closes_the_open_run(ledger, frame, run_ids):
    """Who searches while a run is open sees what was found, not the run."""
    app = frame(run=run_ids["S-1"], p="2")
    app.text_input(key="q").set_value("docs").run()
    assert "run" not in app.query_params
    assert "p" not in app.query_params
    assert runs_shown(app) == "1"


def test_a_sample_is_marked_and_has_a_way_out(ledger, frame, monkeypatch):
    """The mark is there on the sample only."""
    assert not [button for button in frame().button if button.key == "start_own"]
    monkeypatch.setattr(HOME, "_state", State("ready", ledger, sample=True))
    assert frame().button(key="start_own").label == "Start your own ledger"


def test_a_ledger_that_cannot_be_opened_is_one_screen(empty, frame, monkeypatch):
    """The reason with its remedy, as text, and one action; no navigation, no traceback."""
    monkeypatch.setattr(HOME, "_state", State("failed", reason="x.duckdb: in use by process 7 (an import): stop it"))
    app = frame()
    assert app.title[0].value == "The ledger cannot be opened"
    assert app.code[0].value == "x.duckdb: in use by process 7 (an import): stop it"
    assert [button.label for button in app.button] == ["Try again"]


def test_while_it_opens_the_page_says_how_far_it_is(empty, frame, monkeypatch):
    monkeypatch.setattr(HOME, "_state", State("opening", doing="Reading CoNaLa", done=0.25))
    app = frame()
    assert not app.metric
    assert app.get("progress")[0].proto.value == 25
    assert app.get("progress")[0].proto.text == "Reading CoNaLa…"


def test_a_debug_panel_says_what_each_page_asked_and_only_where_asked_for(ledger, frame):
    """The Overview of three runs asks for its leaderboard once, a row a model; the panel's own button takes it away."""
    page = frame(debug="1")
    (table,) = [one.value for one in page.dataframe if list(one.value.columns) == ["Question", "Times", "ms", "Rows"]]
    asked = table.set_index("Question")
    assert asked.loc["queries.leaderboard", ["Times", "Rows"]].tolist() == [1, 2]
    assert (asked["ms"] > 0).all()
    (said,) = [text.value for text in page.text if "questions to the ledger" in text.value]
    assert f"in {asked['Times'].sum()} questions to the ledger" in said
    page.button(key="debug_off").click().run()
    assert "debug" not in page.query_params
    for without in (page, frame()):
        assert not [text for text in without.text if "questions to the ledger" in text.value]
