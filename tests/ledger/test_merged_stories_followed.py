"""Whoever knows a merged story by its old id finds what became of it: searches, responses, evaluations, activity, history."""

import pytest

from quality.activity_commands import ListActivity
from quality.commands import (
    AddRating,
    EvaluatedPrompt,
    Filters,
    ListEvaluations,
    ListScores,
    ShowEvaluation,
    StoreEvaluations,
)
from quality.ledger import intake, queries
from quality.ledger.run_history import events_of
from quality.observations import RunFact, SignalReading, StoryFact, Verdict
from quality.response_commands import ListResponses, ResponseFilters, ResponseStats, ShowResponse, StoreResponses
from quality.settings import ScoringSettings
from quality.story_commands import EditStory, MergeStories, SplitStory, UndoStoryEdit
from tests.ledger.test_evaluations import evaluation

RUN = RunFact(story_id="S_1", agent="codex", model_version="gpt-5", attempt=1)
OTHER = RUN.model_copy(update={"story_id": "OLD_2"})


@pytest.fixture
def two(ledger, tell):
    """S_1 and OLD_2, each with attempt 1 of the same agent and model; OLD_2 has a verdict of 8 and criteria."""
    tell(
        StoryFact(story_id="S_1", title="Kept"), RUN, SignalReading(run=0, duration_vs_estimate=2.0, build_success=True)
    )
    tell(StoryFact(story_id="OLD_2", title="Gone", done_criteria="All green"), OTHER, Verdict(run=0, quality=8))


def merge(ledger):
    ledger.execute(MergeStories(actor="lee", from_id="OLD_2", into_id="S_1", reason="the same"))


def split(ledger):
    ledger.execute(SplitStory(actor="lee", story_id="OLD_2"))


def found_by(ledger, text):
    return sorted(row["attempt"] for row in ledger.ask(ListScores(filters=Filters(text=text)))["rows"])


@pytest.mark.parametrize("text", ["old_2", "OLD", "kept old_2", "old gpt"])
def test_a_search_for_the_old_id_finds_the_story(ledger, two, text):
    """All its runs, by a part of the id too, with or without a letter that has a meaning in patterns; split again, one."""
    words_of_both = "gpt" not in text
    merge(ledger)
    assert found_by(ledger, text) == ([1, 2] if words_of_both else [])
    assert found_by(ledger, "oldx2") == []
    split(ledger)
    assert found_by(ledger, "old_2") == [1]


def test_a_choice_of_stories_has_the_meant_one_first(ledger, tell, two):
    """Though another story's title holds the old id and is later."""
    merge(ledger)
    tell(StoryFact(story_id="Z", title="like OLD_2"), RUN.model_copy(update={"story_id": "Z"}))
    assert [row["story_id"] for row in intake.find_stories(ledger.store, "OLD_2", 5)] == ["S_1", "Z"]


def test_responses_of_both_are_the_storys_by_either_id(ledger, two):
    """They are kept as they were stated: split again, each has its own."""
    records = [
        {"metadata": {"response_id": name, "story_id": story, "model": "m", "tools_ok": 1}}
        for name, story in (("r1", "S_1"), ("r2", "OLD_2"), ("r3", None))
    ]
    ledger.execute(StoreResponses(actor="ci", responses=records))
    merge(ledger)
    for story in ("S_1", "OLD_2"):
        wanted = ResponseFilters(story_id=story)
        listed = ledger.ask(ListResponses(filters=wanted))["responses"]
        assert sorted((row["response_id"], row["story_id"]) for row in listed) == [("r1", "S_1"), ("r2", "S_1")]
        assert ledger.ask(ResponseStats(filters=wanted))["overall"]["n"] == 2
    assert ledger.ask(ShowResponse(response_id="r2"))["story_id"] == "S_1"
    assert ledger.ask(ShowResponse(response_id="r3"))["story_id"] is None
    split(ledger)
    assert [row["response_id"] for row in ledger.ask(ListResponses(filters=wanted))["responses"]] == ["r2"]
    assert ledger.ask(ShowResponse(response_id="r2"))["story_id"] == "OLD_2"


def test_a_prompt_of_both_is_one_with_its_versions_in_order(ledger, two):
    """Judged for each once: versions 1 and 2 of one prompt while they are merged, two prompts before and after."""
    ids = []
    for story in ("OLD_2", "S_1"):
        kept = [EvaluatedPrompt(name="done_criteria", text=f"of {story}", story_id=story, evaluation=evaluation())]
        ids += ledger.execute(StoreEvaluations(actor="dana", evaluations=kept)).evaluation_ids
    merge(ledger)
    for story in ("S_1", "OLD_2"):
        listed = ledger.ask(ListEvaluations(story_id=story))
        assert [(one["story_id"], one["version"], one["versions"]) for one in listed["evaluations"]] == [
            ("S_1", 2, 2),
            ("S_1", 1, 2),
        ]
        assert listed["total"] == 2
    assert ledger.ask(ListEvaluations(latest=True))["total"] == 1
    assert [ledger.ask(ShowEvaluation(evaluation_id=one))["version"] for one in ids] == [1, 2]
    split(ledger)
    assert ledger.ask(ListEvaluations(latest=True))["total"] == 2
    assert ledger.ask(ShowEvaluation(evaluation_id=ids[1]))["versions"] == 1


def test_activity_about_either_id_is_about_both(ledger, two):
    """The import, rating and correction of each, and the merge."""
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="OLD_2", rating=6))
    ledger.execute(EditStory(actor="lee", story_id="S_1", title="Mine"))
    merge(ledger)
    kinds = ["merge_stories", "edit_story", "add_rating", "import_artifact", "import_artifact"]
    for about in ("S_1", "OLD_2"):
        assert [write["kind"] for write in ledger.ask(ListActivity(about=about))["writes"]] == kinds
    merged = ledger.ask(ListActivity(about="S_1"))["writes"][0]
    assert [(one["kind"], one["id"]) for one in merged["subjects"]] == [("story", "S_1"), ("story", "OLD_2")]
    split(ledger)
    of_the_old = ledger.ask(ListActivity(about="OLD_2"))["writes"]
    assert [write["kind"] for write in of_the_old] == ["split_story", "merge_stories", "add_rating", "import_artifact"]


def test_criteria_that_are_offered_follow_corrections(ledger, two):
    """Those of OLD_2 are S_1's once merged, under its title; an edit gives a story criteria that no file does."""
    assert queries.stories_with_criteria(ledger.store) == [{"story_id": "OLD_2", "title": "Gone"}]
    merge(ledger)
    assert queries.stories_with_criteria(ledger.store) == [{"story_id": "S_1", "title": "Kept"}]
    split(ledger)
    ledger.execute(EditStory(actor="lee", story_id="S_1", done_criteria="Reviewed"))
    assert [row["story_id"] for row in queries.stories_with_criteria(ledger.store)] == ["S_1", "OLD_2"]
    ledger.execute(UndoStoryEdit(actor="lee", story_id="S_1"))
    assert [row["story_id"] for row in queries.stories_with_criteria(ledger.store)] == ["OLD_2"]


def events(ledger, story):
    row = ledger.store.rows("SELECT run_id::VARCHAR AS run_id FROM runs WHERE story_id = $story", {"story": story})[0]
    found = events_of(ledger.store, row["run_id"], ScoringSettings())
    return [(one.kind, one.who, one.label, one.changed) for one in reversed(found)]


def test_a_runs_history_names_the_corrections_that_moved_its_score(ledger, tell):
    """Build 10 and a ratio of 2.0 against 100 tokens: (25 · 10 + 10 · 5) / 35 = 60/7; against 200 it is 1.0 and the score 10."""
    tell(
        StoryFact(story_id="S_1", estimated_tokens=100),
        RUN,
        SignalReading(run=0, duration_vs_estimate=2.0, build_success=True),
        label="artifact",
    )
    ledger.execute(EditStory(actor="lee", story_id="S_1", estimated_tokens=200))
    ledger.execute(UndoStoryEdit(actor="kim", story_id="S_1"))
    assert events(ledger, "S_1") == [
        ("signals", "ci", "artifact", None),
        ("correction", "lee", "S_1", pytest.approx(10 - 60 / 7)),
        ("uncorrection", "kim", "S_1", pytest.approx(60 / 7 - 10)),
    ]


def test_a_runs_history_names_the_merge_and_the_split(ledger, two):
    """Both runs are of the story that was merged; the verdict's score does not move."""
    merge(ledger)
    split(ledger)
    merges = [("merge", "lee", "OLD_2 → S_1", 0.0), ("split", "lee", "OLD_2 → S_1", 0.0)]
    assert events(ledger, "OLD_2")[1:] == merges
    assert events(ledger, "S_1")[1:] == merges
