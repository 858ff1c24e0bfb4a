"""Is every write told in words that a lead understands, whatever the audit holds?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.activity_words import KINDS, label_of, subjects_of, words_of
from quality.commands import COMMANDS

RUN = {"run_id": "r-1", "story_id": "S-1", "agent": "a", "model_version": "m-1", "attempt": 1}
COUNTS = {"stories": 1, "runs": 3, "signals": 12, "verdicts": 0, "overrides": 0, "rejects": 1, "duplicates": 0}
BACKED = {"name": "l-20260301T093000Z.duckdb"}
TOLD = [
    ("add_rating", {"rating": 7.5, "reviewer": "Ada"}, {"run": RUN}, "rated S-1 · m-1: 7.5"),
    ("add_rating", {"rating": 7, "reviewer": "Bo"}, {"run": RUN | {"attempt": 2}, "created": True},
     "stored Bo's rating of S-1 · m-1 · attempt 2: 7, a story that was not known before"),
    ("undo_rating", {}, {"run": RUN, "reviewer": "Ada", "rating": 7.0}, "took back their own rating 7 of S-1 · m-1"),
    ("undo_rating", {}, {"run": RUN, "reviewer": None, "rating": 7.25},
     "took back an unnamed reviewer's rating 7.25 of S-1 · m-1"),
    ("attest_model", {"model": "m-2"}, {"run": RUN | {"model_version": "unknown"}}, "stated that m-2 did S-1"),
    ("add_verdict", {}, {"run": RUN, "verdict_id": "v", "quality": 8.25, "verifier_model": "judge-1"},
     "asked judge-1 to review S-1 · m-1: 8.25"),
    ("add_verdict", {}, {"run": RUN, "verdict_id": None, "verifier_model": "judge-1"},
     "asked judge-1 to review S-1 · m-1: no usable verdict"),
    ("import_artifact", {"label": "junit.xml"}, {"status": "imported", "counts": COUNTS, "path": "/x"},
     "imported junit.xml: 1 story, 3 runs, 12 signal readings, 1 reject"),
    ("import_artifact", {"label": ""}, {"status": "unchanged", "counts": {}, "path": "a.csv"},
     "brought a.csv again: nothing new"),
    ("import_artifact", {"label": "a.csv"}, {"status": "rejected", "counts": {"rejects": 2}, "path": ""},
     "brought a.csv, of which nothing could be used: 2 rejects"),
    ("accept_report", {}, {"runs": [RUN]}, "confirmed that an older report is of S-1 · m-1"),
    ("store_evaluations", {"evaluations": [{"name": "bot"}, {"name": "bot"}]}, {"evaluation_ids": ["e1", "e2"]},
     "kept 2 evaluations of the prompt bot"),
    ("draw_for_review", {}, {"drawn": 10, "open": 12}, "drew 10 runs for review; 12 runs now open"),
    ("skip_draw", {}, {"left": 1}, "passed over a drawn run; 1 run left"),
    ("give_back_draws", {}, {"given_back": 0, "skipped": 1}, "gave 1 drawn run back"),
    ("rebuild", {}, {"runs": 240, "responses": 1}, "scored everything anew: 240 runs, 1 response"),
    ("store_responses", {}, {"stored": 1200, "restated": 0, "unchanged": 3, "feedback": 1},
     "stored 1,200 responses, 1 feedback event, 3 known already"),
    ("add_feedback", {"signal": "edit_after_apply", "response_id": "x"}, {"status": "counted"},
     "gave feedback: edit after apply on response x"),
    ("add_feedbacks", {}, {"counted": 2, "known": 1, "held": 0}, "stored 2 feedback events, 1 known already"),
    ("prune_responses", {}, {"responses": 9}, "removed 9 responses that were old"),
    ("store_ranking", {}, {"status": "stored", "candidates": 5}, "stored a ranking of 5 candidates"),
    ("back_up", {}, BACKED, "backed the ledger up: l-20260301T093000Z.duckdb"),
    ("restore", {}, BACKED | {"lost": 2}, "restored l-20260301T093000Z.duckdb: 2 writes made since left out"),
    ("restore", {}, BACKED | {"lost": 0}, "restored l-20260301T093000Z.duckdb: nothing was lost"),
    ("migrate", {"from": 4, "to": 5}, {}, "brought the file from schema 4 to 5"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "request_", "answer", "words"), TOLD)
def test_a_write_is_told_in_words(name, request_, answer, words):
    assert words_of(name, "Ada", request_, answer) == words


def test_every_command_that_leaves_a_row_has_words_and_a_label():
    """A new command is told like the others, or says that it is quiet."""
    audited = {name for name, kind in COMMANDS.items() if kind.writes and not kind.quiet}
    assert audited - KINDS.keys() == set()
    labels = [kind.label for kind in KINDS.values()]
    assert len(set(labels)) == len(labels)


def test_a_kind_that_nobody_knows_is_told_by_its_name():
    assert words_of("launch_rocket", "Ada", {"story_id": "S-1"}, {}) == "launch rocket: S-1"
    assert label_of("launch_rocket") == "Launch rocket"


@pytest.mark.parametrize("name", KINDS)
def test_a_write_of_which_nothing_is_left_is_told_by_its_kind(name):
    """A redacted row, or one of another version, still has words."""
    assert words_of(name, "Ada", {}, {}).strip()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([
        "run", "runs", "rating", "reviewer", "story_id", "counts", "status", "label", "path", "evaluations", "name", "answer",
        "lost", "responses", "run_id", "attempt", "model_version",
    ]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
KEYS = ["run", "runs", "rating", "counts", "status", "label", "evaluations", "lost", "name"]
DOCUMENT = st.dictionaries(st.sampled_from(KEYS), JSON)


@given(st.sampled_from([*KINDS, "other"]), DOCUMENT, DOCUMENT)
def test_nothing_in_the_audit_breaks_the_list(name, request_, answer):
    assert isinstance(words_of(name, "Ada", request_, answer), str)
    assert len(subjects_of(request_, answer)) <= 20


def test_a_write_is_linked_to_what_it_is_about():
    """The run before its story, each thing once, and the ids of what was stored."""
    answer = {"run": RUN, "row": {"run_id": "r-1"}}
    assert [(s.kind, s.id, s.label) for s in subjects_of({"story_id": "S-1"}, answer)] == [("run", "r-1", "S-1 · m-1")]
    assert [(s.kind, s.id) for s in subjects_of({}, {"ranking_id": "k"})] == [("ranking", "k")]
    assert [s.id for s in subjects_of({}, {"evaluation_ids": ["e1", "e2"]})] == ["e1", "e2"]
    many = {"runs": [RUN | {"run_id": f"r-{n}", "story_id": f"S-{n}"} for n in range(50)]}
    assert len(subjects_of({}, many)) == 20
