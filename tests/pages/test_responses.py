"""Does the Responses screen show what was stored, open one to its parts, and say what to do when there is none?"""

from datetime import UTC, datetime, timedelta

import pytest

from pages.components import responses_choice
from quality.response_commands import AddFeedback, StoreResponses
from quality.response_models import ResponseRecord

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script> **bold**"


@pytest.fixture
def stored(empty):
    """Six clean responses of m1 (86 each, without diagnostics), then one that errored after two failed calls."""
    clean = {"tools_ok": 1, "model": "m1", "session_id": "s", "story_id": "S-1"}
    records = [
        ResponseRecord(metadata=clean | {"response_id": f"r-{n}", "occurred_at": START + timedelta(hours=n)})
        for n in range(6)
    ]
    bad = {
        "response_id": "r-bad",
        "model": "m1",
        "tools_failed": 2,
        "error": HOSTILE,
        "occurred_at": START + timedelta(days=1),
    }
    empty.execute(StoreResponses(actor="ci", responses=[*records, ResponseRecord(metadata=bad)]))
    return empty


def test_the_headline_and_the_table_by_model(stored, open_page):
    """Mean (6 · 86 + 32.67) / 7 = 78.4; the last is 53.3 below the mean before it."""
    page = open_page("responses")
    shown = {metric.label: metric.value for metric in page.metric}
    assert shown == {"Responses": "7", "Sessions": "1", "Mean": "78.4", "Median": "86.0", "Regressions": "1"}
    row = page.dataframe[0].value.iloc[0]
    assert (row["model"], row["n_responses"], row["severities"]) == ("m1", 7, "1 severe")


def test_a_response_opens_to_its_parts_steps_and_feedback(stored, open_page):
    """Its error is shown as text; a revert makes 70 to 40 and stays in the history with the score before it."""
    stored.execute(AddFeedback(actor="dana", response_id="r-bad", signal="revert"))
    page = open_page("responses", **{"url:response": "r-bad"})
    assert HOSTILE in [element.value for element in page.text]
    parts, steps, scores = (page.dataframe[place].value for place in range(3))
    assert parts["composite"].fillna(-1).tolist() == [0, 40, -1]
    assert steps["step_adds"].tolist() == [0, -40, 40, 70, -30]
    assert scores["cause"].tolist() == ["stored", "feedback"]


def test_an_empty_ledger_says_how_responses_get_in(empty, open_page):
    page = open_page("responses")
    assert [heading.value for heading in page.subheader] == ["No responses yet"]
    assert "respond session.jsonl --store" in page.code[0].value


def test_a_link_to_a_response_that_is_not_here_says_so(stored, open_page):
    page = open_page("responses", **{"url:response": "elsewhere"})
    assert page.error[0].value == "This response is not in the open ledger."


def test_what_a_link_states_as_empty_is_in_force_and_leaves_the_url(stored, open_page):
    """A session chosen before does not narrow the responses of a story."""
    page = open_page("responses", **{"url:of_session": "other"})
    for name, value in responses_choice.of_story("S-1").items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    assert {metric.label: metric.value for metric in page.metric}["Responses"] == "6"
    assert dict(page.query_params) == {"of_story": "S-1"}


def test_a_run_shows_the_mean_of_its_storys_responses(ledger, run_ids, open_page):
    """(86 + 59.33) / 2 = 72.7, as a remark that does not enter its score; a run of a story without any says nothing."""
    half = {"tools_ok": 1, "tools_failed": 1}
    records = [
        ResponseRecord(metadata={"response_id": name, "story_id": "S-1", "model": "m1", "occurred_at": START, **tools})
        for name, tools in (("whole", {"tools_ok": 1}), ("half", half))
    ]
    before = open_page("stories", run=run_ids["S-1"])
    ledger.execute(StoreResponses(actor="ci", responses=records))
    page = open_page("stories", run=run_ids["S-1"])
    said = [caption.value for caption in page.caption]
    assert "Mean 72.7 of 100 over 2 scored responses of this story. It does not enter the automatic score." in said
    assert "Responses of this story" in said
    assert [metric.value for metric in page.metric] == [metric.value for metric in before.metric]
    other = open_page("stories", run=run_ids["S-2"])
    assert "AI responses" not in [heading.value for heading in other.subheader]
