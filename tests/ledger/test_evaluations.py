"""Evaluations of prompts are kept as they were made, the text once, and read as the history of each prompt."""

import json

import pytest

from quality.commands import (
    EvaluatedPrompt,
    ExportRows,
    ImportArtifact,
    ListEvaluations,
    ShowEvaluation,
    StoreEvaluations,
)
from quality.errors import NotFound, QualityError
from quality.evaluation import EvaluationMetadata
from quality.export import export_rows
from quality.ledger.ledger import Ledger
from quality.observations import StoryFact
from quality.prompts import score_reply, sha256_of

REPLY = (
    '{"structure": {"score": 8, "feedback": "=s"}, "clarity": 7, "completeness": 7, "specificity": 7, '
    '"suggestions": ["é\\n🙂"]}'
)
JUDGED = EvaluationMetadata(
    backend="anthropic", model="claude-sonnet-4-20250514", prompt_version="v1", input_tokens=900, output_tokens=120,
    latency_ms=812.5, stop_reason="end_turn", cost_usd=0.0045,
)  # fmt: skip
FULL = ExportRows(format="jsonl", full=True)


def evaluation(reply=REPLY, metadata=JUDGED):
    return score_reply(reply, (0.25, 0.25, 0.25, 0.25)).model_copy(update={"metadata": metadata})


@pytest.fixture
def keep(ledger):
    """Store evaluations: `keep(("name", "text"), …)`, each call a command; gives the ids."""

    def store(*prompts, story_id=None, into=None, **more):
        kept = [
            EvaluatedPrompt(name=name, text=text, story_id=story_id, evaluation=evaluation(**more))
            for name, text in prompts
        ]
        return (into or ledger).execute(StoreEvaluations(actor="dana", evaluations=kept)).evaluation_ids

    return store


def test_an_evaluation_comes_back_as_it_was_made(ledger, keep):
    """Scores, feedback, suggestions, weights, judge, model, prompt version, tokens, latency, end, cost, hash, text and reply."""
    (evaluation_id,) = keep(("summarise", "Sum it up."))
    found = ledger.ask(ShowEvaluation(evaluation_id=evaluation_id))
    made = evaluation()
    for name in ("status", "overall", "label", "colour", "suggestions", "failure", "warnings", "weights", "reply"):
        assert found[name] == getattr(made, name), name
    assert found["dimensions"] == [part.model_dump() for part in made.dimensions]
    assert found["metadata"] == JUDGED.model_dump() | {"prompt_sha256": sha256_of("Sum it up.")}
    assert (found["text"], found["name"], found["actor"], found["characters"]) == (
        "Sum it up.",
        "summarise",
        "dana",
        10,
    )


def test_what_failed_is_kept_as_failed(ledger, keep):
    """With its code, its message and the judge's words, and no score."""
    (evaluation_id,) = keep(("summarise", "Sum it up."), reply="An 8, I would say.")
    found = ledger.ask(ShowEvaluation(evaluation_id=evaluation_id))
    assert (found["status"], found["overall"], found["label"], found["dimensions"]) == ("FAILED", None, None, [])
    assert found["failure"]["code"] == "EVALUATION_PARSE_FAILED"
    assert found["reply"] == "An 8, I would say."


def test_versions_count_the_different_texts_of_a_prompt(ledger, keep):
    """In the order in which they came, in one batch or in several; the same text again is the same version."""
    keep(("a", "one"), ("b", "other"), ("a", "two"), ("a", "one"))
    keep(("a", "three"))
    keep(("a", "two"))
    found = ledger.ask(ListEvaluations(prompt_name="a"))
    assert [(row["version"], row["versions"], row["n_evaluations"]) for row in found["evaluations"]] == [
        (2, 3, 5), (3, 3, 5), (1, 3, 5), (2, 3, 5), (1, 3, 5),
    ]  # fmt: skip
    assert found["total"] == 5
    assert ledger.store.rows("SELECT text FROM prompt_texts ORDER BY text") == [
        {"text": text} for text in ("one", "other", "three", "two")
    ]


def test_the_latest_of_each_prompt(ledger, keep):
    """One row a prompt, latest first, with how many there are behind it."""
    keep(("a", "one"), ("b", "other"))
    keep(("a", "two"))
    found = ledger.ask(ListEvaluations(latest=True))
    assert [(row["name"], row["version"], row["n_evaluations"]) for row in found["evaluations"]] == [
        ("a", 2, 2),
        ("b", 1, 1),
    ]
    assert found["total"] == 2
    assert [row["name"] for row in ledger.ask(ListEvaluations(latest=True, limit=1))["evaluations"]] == ["a"]


def test_a_story_has_prompts_of_its_own(ledger, keep, tell):
    """The same name in a story, in another and in none are three prompts."""
    tell(StoryFact(story_id="S-1"), StoryFact(story_id="S-2"))
    keep(("prompt", "one"), ("done_criteria", "tests pass"), story_id="S-1")
    keep(("prompt", "two"), story_id="S-2")
    keep(("prompt", "three"))
    of_story = ledger.ask(ListEvaluations(story_id="S-1"))["evaluations"]
    assert [(row["name"], row["version"]) for row in of_story] == [("done_criteria", 1), ("prompt", 1)]
    assert [r["story_id"] for r in ledger.ask(ListEvaluations(prompt_name="prompt"))["evaluations"]] == [
        None,
        "S-2",
        "S-1",
    ]
    assert ledger.ask(ListEvaluations(no_story=True))["total"] == 1
    assert ledger.ask(ListEvaluations(latest=True))["total"] == 4


def test_a_batch_is_stored_whole_or_not_at_all(ledger, keep, tell):
    """One evaluation of a story that is not known, and none is kept; the error names the nearest."""
    tell(StoryFact(story_id="STORY-7"))
    evaluations = [
        EvaluatedPrompt(name="prompt", text="one", story_id=story, evaluation=evaluation())
        for story in ("STORY-7", "STORY-8")
    ]
    with pytest.raises(NotFound, match=r"STORY-8: no such story\. Did you mean: STORY-7\?"):
        ledger.execute(StoreEvaluations(actor="dana", evaluations=evaluations))
    assert ledger.ask(ListEvaluations()) == {"total": 0, "evaluations": []}
    assert ledger.store.rows("FROM prompt_texts") == []


def test_a_blank_prompt_is_refused(ledger, keep):
    with pytest.raises(QualityError, match="empty or blank: give 1 to 50,000 characters"):
        keep(("a", " \n"))


@pytest.mark.parametrize("wrong", ["nothing", "01a236f1-9b0e-7314-a019-cac06f68e398", ""])
def test_an_evaluation_that_is_not_there_is_an_error_that_says_so(ledger, wrong):
    if wrong:
        with pytest.raises(NotFound, match=f"{wrong}: no such evaluation"):
            ledger.ask(ShowEvaluation(evaluation_id=wrong))
    else:
        with pytest.raises(ValueError, match="empty or blank"):
            ShowEvaluation(evaluation_id=wrong)


def test_the_same_command_again_stores_nothing_more(ledger):
    """It gets the same ids."""
    kept = [EvaluatedPrompt(name="a", text="one", evaluation=evaluation())]
    command = StoreEvaluations(actor="dana", evaluations=kept, idempotency_key="once")
    assert ledger.execute(command) == ledger.execute(command)
    assert ledger.ask(ListEvaluations())["total"] == 1


def test_the_audit_names_prompts_and_holds_no_texts(ledger, keep):
    """A text stands in one place, where it can be found and redacted."""
    keep(("summarise", "Sum it up."))
    (entry,) = ledger.store.rows("SELECT name, actor, request FROM audit")
    assert (entry["name"], entry["actor"]) == ("store_evaluations", "dana")
    assert json.loads(entry["request"])["evaluations"] == [{"name": "summarise", "story_id": None, "occurred_at": None}]


def test_texts_of_any_kind_come_back(ledger, keep):
    """Zero bytes, right-to-left and astral characters included."""
    texts = ["a\0b", "שלום 日本 🙂", "\r\n\t'\";--"]
    ids = keep(*((text, text) for text in texts))
    found = [ledger.ask(ShowEvaluation(evaluation_id=i)) for i in ids]
    assert [row["text"] for row in found] == texts
    assert [row["name"] for row in found] == texts


def test_a_full_export_carries_evaluations_and_texts(ledger, keep, tmp_path):
    """The same rows in the same order; once more over itself it adds nothing."""
    keep(("a", "one"), ("a", "two"))
    keep(("a", "one"), reply="no JSON")
    export_rows(ledger.store, FULL, tmp_path / "full.jsonl")
    with Ledger(tmp_path / "second.duckdb") as second:
        for expected in (3, 0):
            answer = second.execute(ImportArtifact(actor="eli", path=str(tmp_path / "full.jsonl"), label=str(expected)))
            assert (answer.rejects, answer.counts.get("evaluations", 0)) == ([], expected)
        for table in ("evaluations", "prompt_texts"):
            assert second.store.rows(f"FROM {table}") == ledger.store.rows(f"FROM {table}")
        assert second.ask(ListEvaluations()) == ledger.ask(ListEvaluations())


@pytest.mark.parametrize(
    ("find", "change", "reason"),
    [
        ('"status":"SUCCESS"', '"status":"DONE"', "status"),
        ('"overall":7.3', '"overall":73', "overall"),
        ('"dimensions":"[{', '"dimensions":"{[', "dimensions"),
        ('"scripted":false', '"scripted":0', "scripted"),
    ],
)
def test_a_line_of_an_export_that_is_no_evaluation_is_a_reject(ledger, keep, tmp_path, find, change, reason):
    """With its line; it never gets in to break the history."""
    keep(("a", "one"))
    path = tmp_path / "full.jsonl"
    export_rows(ledger.store, FULL, path)
    assert find in path.read_text()
    path.write_text(path.read_text().replace(find, change))
    with Ledger(tmp_path / "second.duckdb") as second:
        answer = second.execute(ImportArtifact(actor="eli", path=str(path)))
        assert [reason in reject.reason for reject in answer.rejects] == [True]
        assert second.ask(ListEvaluations())["total"] == 0
