"""Responses are stored once, scored, and scored anew with what people did; every earlier score stays."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quality.commands import Rebuild
from quality.errors import Conflict, NotFound
from quality.ledger.ledger import Ledger
from quality.ledger.responses_scoring import refresh
from quality.response_commands import (
    AddFeedback,
    AddFeedbacks,
    FeedbackOn,
    ListResponses,
    PruneResponses,
    ShowResponse,
    StoreResponses,
)
from quality.response_models import SIGNALS
from quality.responses import score_response
from quality.settings import Settings

START = datetime(2026, 3, 2, tzinfo=UTC)
NEUTRAL = 86.0
"""All tools succeeded, no feedback, no diagnostics: (40·100 + 35·70) / 75."""


def response(name, hour=0, model="m", **more):
    stated = {"response_id": name, "model": model, "occurred_at": START + timedelta(hours=hour)} | more
    return {"metadata": stated}


def store(ledger, *records, **more):
    return ledger.execute(StoreResponses(actor="ci", responses=list(records), **more))


def shown(ledger, name):
    return ledger.ask(ShowResponse(response_id=name))


def feel(ledger, name, signal, event_id=None):
    return ledger.execute(AddFeedback(actor="dana", response_id=name, signal=signal, event_id=event_id))


def standing(ledger):
    """Every row of the derived table, but for when it was recorded."""
    return ledger.store.rows("SELECT * EXCLUDE (recorded_at) FROM response_rows ORDER BY response_id")


def test_a_stored_response_has_the_score_of_its_parts(ledger):
    """With its tools, tokens, diagnostics, own weights and feedback as they were stated; missing stays missing."""
    metadata = {
        "response_id": "r", "model": "m", "provider": "p", "agent": "a", "session_id": "s", "story_id": "S-1",
        "tool_results": [{"name": "edit", "status": "success"}, {"name": "edit", "status": "error"}],
        "error": "cut off", "tokens": {"input": 10, "output": 0},
    }  # fmt: skip
    before, after = {"errors": 1, "warnings": 0}, {"errors": 0, "warnings": 2}
    weights = {"correctness": 1, "user_feedback": 1, "static_analysis": 2}
    record = {
        "metadata": metadata,
        "lsp_before": before,
        "lsp_after": after,
        "feedback": ["accept"],
        "weights": weights,
    }
    answer = store(ledger, record)
    # correctness 50 − 40 = 10, feedback 85, static 80 + 5 − 2·5 = 75: (10 + 85 + 2·75) / 4
    assert (answer.stored, answer.feedback, answer.responses[0].composite) == (1, 1, 61.25)
    found = shown(ledger, "r")
    assert found["score"]["sub_scores"] == {"correctness": 10.0, "user_feedback": 85.0, "static_analysis": 75.0}
    assert found["tools"] == {"edit": {"success": 1, "error": 1}}
    assert [found[name] for name in ("input_tokens", "output_tokens", "reasoning_tokens")] == [10, 0, None]
    assert [found[name] for name in ("new_errors", "new_warnings", "resolved_errors", "resolved_warnings")] == [
        0,
        2,
        1,
        0,
    ]
    assert (found["error"], found["response_error"]) == ("cut off", True)
    assert [found[name] for name in ("model", "provider", "agent", "session_id", "story_id")] == [
        "m",
        "p",
        "a",
        "s",
        "S-1",
    ]
    assert found["weights"] == weights


def test_the_same_response_stored_twice_is_one(ledger):
    """In one batch, in another, with an id of its own or without."""
    named, bare = response("r"), {"metadata": {"tools_ok": 3, "model": "m"}}
    first = store(ledger, named, bare, named)
    assert (first.stored, first.unchanged) == (2, 1)
    assert len({one.response_id for one in first.responses}) == 2
    again = store(ledger, bare, named)
    assert (again.stored, again.restated, again.unchanged) == (0, 0, 2)
    assert {one.response_id for one in again.responses} == {one.response_id for one in first.responses}
    assert ledger.ask(ListResponses())["total"] == 2


def test_a_response_stated_anew_counts_as_stated_last(ledger):
    """A transcript that has grown: the score before stays in the history; older words again change nothing."""
    first, later = response("r"), response("r", tools_ok=1, tools_failed=1)
    store(ledger, first)
    feel(ledger, "r", "accept")
    assert store(ledger, later).restated == 1
    found = shown(ledger, "r")
    # feedback 85 stays: (40·100 + 35·85) / 75, then (40·50 + 35·85) / 75
    assert [row["composite"] for row in found["scores"]] == [NEUTRAL, 93.0, pytest.approx(4975 / 75)]
    assert [row["cause"] for row in found["scores"]] == ["stored", "feedback", "restated"]
    assert store(ledger, first).unchanged == 1
    assert shown(ledger, "r")["composite"] == pytest.approx(4975 / 75)


def test_a_record_sent_twice_counts_its_feedback_once(ledger):
    """Events without an id are told apart by their place among their like, so that more of them can follow."""
    record = response("r")
    store(ledger, record | {"feedback": ["redo", "accept"]})
    store(ledger, record | {"feedback": ["accept", "redo", "redo"]})
    found = shown(ledger, "r")
    assert (found["accept"], found["redo"], found["user_feedback"]) == (1, 2, 70 + 15 - 2 * 15)


def test_an_event_id_counts_once_and_no_id_counts_each_time(ledger):
    """The answer says which, and what the score was before."""
    store(ledger, response("r"))
    first = feel(ledger, "r", "revert", "e")
    again = feel(ledger, "r", "revert", "e")
    # (40·100 + 35·40) / 75
    assert (first.status, first.before, first.composite) == ("counted", NEUTRAL, 72.0)
    assert (again.status, again.before, again.composite) == ("known", 72.0, 72.0)
    for _ in range(2):
        assert feel(ledger, "r", "accept").status == "counted"
    found = shown(ledger, "r")
    assert [row["signal"] for row in found["feedback"]] == ["revert", "accept", "accept"]
    # 40, 55, 70 of user feedback
    assert [row["composite"] for row in found["scores"]] == [NEUTRAL, 72.0, 79.0, NEUTRAL]


def test_a_command_sent_twice_counts_once(ledger):
    """Its key is the same; the answer is the first one's."""
    store(ledger, response("r"))
    command = AddFeedback(actor="dana", response_id="r", signal="redo")
    assert ledger.execute(command) == ledger.execute(command)
    assert shown(ledger, "r")["redo"] == 1


def test_an_event_id_with_another_signal_is_refused(ledger):
    """Alone as a conflict; among many it is left out and named."""
    store(ledger, response("r"), response("q"))
    feel(ledger, "r", "revert", "e")
    with pytest.raises(
        Conflict, match="e of r stands for revert already, not accept: give each event an id of its own"
    ):
        feel(ledger, "r", "accept", "e")
    events = [FeedbackOn(response_id=name, signal="accept", event_id="e") for name in ("r", "q", "q")]
    answer = ledger.execute(AddFeedbacks(actor="dana", events=events))
    assert (answer.counted, answer.known, answer.conflicts) == (1, 1, ["e of r stands for revert already, not accept"])


def test_feedback_on_an_unknown_response_is_not_found(ledger):
    with pytest.raises(NotFound, match="r9: no such response: store it first"):
        feel(ledger, "r9", "accept")
    with pytest.raises(NotFound, match="r9: no such response"):
        shown(ledger, "r9")


def test_feedback_that_comes_before_its_response_is_held(ledger):
    """From a batch, as a spool brings it; it counts once the response is there."""
    events = [FeedbackOn(response_id="r", signal="revert", event_id="e")]
    assert ledger.execute(AddFeedbacks(actor="dana", events=events)).held == 1
    assert ledger.execute(AddFeedbacks(actor="dana", events=events)).known == 1
    with pytest.raises(NotFound, match=r"\(1 feedback events wait for it\)"):
        shown(ledger, "r")
    assert store(ledger, response("r")).responses[0].composite == 72.0
    assert [row["composite"] for row in shown(ledger, "r")["scores"]] == [72.0]


events = st.lists(
    st.tuples(st.sampled_from("rst"), st.sampled_from(SIGNALS), st.none() | st.sampled_from("ab")), max_size=12
)


@settings(max_examples=8)
@given(events, st.randoms(use_true_random=False))
def test_any_order_of_feedback_gives_the_same(tmp_path_factory, told, random):
    """One by one or all at once, before the response or after it: the same scores, deltas and severities."""
    first: dict = {}
    told = [e for e in told if e[2] is None or first.setdefault((e[0], e[2]), e[1]) == e[1]]
    shuffled = random.sample(told, len(told))
    early = random.randint(0, len(told))
    records = [response("r", 1), response("s", 2), response("t", 3), *(response(f"o{n}", -n) for n in range(6))]
    folder = tmp_path_factory.mktemp("order")
    with Ledger(folder / "one.duckdb") as one, Ledger(folder / "other.duckdb") as other:
        store(one, *records)
        for name, signal, event_id in told:
            feel(one, name, signal, event_id)
        batch = [FeedbackOn(response_id=n, signal=s, event_id=e) for n, s, e in shuffled]
        if batch[:early]:
            other.execute(AddFeedbacks(actor="dana", events=batch[:early]))
        for record in random.sample(records, len(records)):
            store(other, record)
        if batch[early:]:
            other.execute(AddFeedbacks(actor="dana", events=batch[early:]))
        assert standing(one) == standing(other)
        for name in "rst":
            given_ids = {(e, s) for n, s, e in told if n == name and e}
            signals = [s for n, s, e in told if n == name and e is None] + [s for _, s in given_ids]
            assert shown(one, name)["composite"] == score_response({}, feedback=signals).composite


def test_a_rebuild_scores_with_the_weights_in_force(tmp_path):
    """The score before stays, with the settings that it was made with; nothing is said where nothing changes."""
    path = tmp_path / "l.duckdb"
    with Ledger(path) as ledger:
        store(ledger, response("r", tools_ok=1, tools_failed=1), response("s"))
        assert ledger.execute(Rebuild(actor="eli")).responses == 2
        assert len(shown(ledger, "r")["scores"]) == 1
    other = Settings(responses={"weights": {"correctness": 1, "user_feedback": 0, "static_analysis": 0}})
    with Ledger(path, other) as ledger:
        assert shown(ledger, "r")["current_settings"] is False
        assert shown(ledger, "r")["score"]["composite"] == shown(ledger, "r")["composite"] == pytest.approx(4450 / 75)
        ledger.execute(Rebuild(actor="eli"))
        found = shown(ledger, "r")
        assert [(row["cause"], row["composite"]) for row in found["scores"]] == [
            ("stored", pytest.approx(4450 / 75)), ("settings", 50.0),
        ]  # fmt: skip
        assert found["current_settings"] is True


def test_retention_removes_what_was_stored_long_ago(ledger):
    """With feedback, history and regressions, at the next store or on demand; and feedback that nothing came for."""
    store(ledger, response("old"), *(response(f"o{n}", n - 9) for n in range(5)))
    feel(ledger, "old", "revert")
    ledger.execute(AddFeedbacks(actor="dana", events=[FeedbackOn(response_id="never", signal="redo")]))
    for table in ("responses", "response_rows", "response_feedback"):
        ledger.store.cursor().execute(f"UPDATE {table} SET recorded_at = recorded_at - INTERVAL 80 DAY")
    store(ledger, response("new", 5))
    assert ledger.ask(ListResponses())["total"] == 7
    removed = ledger.execute(PruneResponses(actor="eli", older_than_days=79))
    assert removed.model_dump() == {"responses": 6, "feedback": 2, "scores": 7, "regressions": 1}
    assert [row["response_id"] for row in ledger.ask(ListResponses())["responses"]] == ["new"]
    assert ledger.store.rows("SELECT count(*) AS n FROM responses") == [{"n": 1}]
    for table in ("responses", "response_rows"):
        ledger.store.cursor().execute(f"UPDATE {table} SET recorded_at = recorded_at - INTERVAL 91 DAY")
    assert store(ledger, response("newer")).pruned == 1


def test_the_audit_names_who_stored_and_not_what(ledger):
    """The tables hold the rest, once."""
    store(ledger, response("r", error="secret words"))
    (entry,) = ledger.store.rows("SELECT name, actor, request FROM audit")
    assert (entry["name"], entry["actor"]) == ("store_responses", "ci")
    assert "secret words" not in entry["request"]


def test_the_rows_can_be_made_anew(ledger):
    """From statements, feedback and history they come out as they were, and nothing is added to the history."""
    store(ledger, *(response(f"r{n}", n, model=f"m{n % 2}", tools_failed=n % 3, tools_ok=1) for n in range(40)))
    for n in range(0, 40, 3):
        feel(ledger, f"r{n}", SIGNALS[n % 4])
    before, history = standing(ledger), ledger.store.rows("SELECT count(*) AS n FROM response_scores")
    judged = ledger.store.rows("SELECT count(*) AS n FROM response_regressions")
    with ledger.store.transaction() as tx:
        tx.execute("DELETE FROM response_rows")
        refresh(tx, [f"r{n}" for n in range(40)], ledger.settings.responses, "settings", "eli")
    assert standing(ledger) == before
    assert ledger.store.rows("SELECT count(*) AS n FROM response_scores") == history
    assert ledger.store.rows("SELECT count(*) AS n FROM response_regressions") == judged
