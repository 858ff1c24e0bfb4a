"""A person's correction of a story counts, leaves no trace when it is taken back, and follows from the rows alone."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from quality.commands import AddRating, ListScores, ShowStory
from quality.errors import Conflict, NotFound, QualityError
from quality.ledger.ledger import Ledger
from quality.observations import RunFact, SignalReading, StoryFact, Verdict
from quality.roles import Forbidden, Who
from quality.story_commands import (
    EditStory,
    MergeStories,
    ShowStoryCorrections,
    SplitStory,
    SupposeStoryChange,
    UndoStoryEdit,
)
from tests.ledger.test_rebuild import ATTESTS, IMPORTS, RATINGS, STORY, TURNS, UNDOS, all_rows, carry_out
from tests.ledger.test_withdrawals import assert_same_rebuilt_and_restored

RUN = RunFact(story_id="S-1", agent="codex", model_version="gpt-5", attempt=1)
OTHER = RUN.model_copy(update={"story_id": "S-2"})
LATE = SignalReading(run=0, duration_vs_estimate=2.0, build_success=True)


def edit(ledger, story_id="S-1", **said):
    return ledger.execute(EditStory(actor="lee", story_id=story_id, **said))


def merge(ledger, from_id="S-2", into_id="S-1"):
    return ledger.execute(MergeStories(actor="lee", from_id=from_id, into_id=into_id, reason="the same"))


def split(ledger, story_id="S-2"):
    return ledger.execute(SplitStory(actor="lee", story_id=story_id))


def observed(ledger):
    """The derived rows."""
    return [{name: row[name] for name in row if name != "settings_hash"} for row in all_rows(ledger)]


@pytest.fixture
def two(ledger, tell):
    """S-1 and S-2, each with attempt 1 of the same agent and model; S-2 has a verdict of 8."""
    tell(StoryFact(story_id="S-1", title="Old", estimated_tokens=100), RUN, LATE)
    tell(StoryFact(story_id="S-2", discipline="docs"), OTHER, Verdict(run=0, quality=8))


def test_an_edit_counts_before_a_later_import_until_it_is_taken_back(ledger, tell, two):
    """What was not given stays; the import's word shows after the undo, and the history names both."""
    before = observed(ledger)
    answer = edit(ledger, title="Right", phase="build")
    assert [(one.field, one.before, one.after) for one in answer.changes] == [
        ("title", "Old", "Right"),
        ("phase", None, "build"),
    ]
    assert (answer.rows.runs, answer.rows.coordinates, answer.rows.scores) == (1, 1, 0)
    tell(StoryFact(story_id="S-1", title="Imported later"))
    (run,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    assert (run["title"], run["phase"], run["discipline"]) == ("Right", "build", None)
    ledger.execute(UndoStoryEdit(actor="lee", story_id="S-1"))
    (run,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    assert (run["title"], run["phase"]) == ("Imported later", None)
    assert [row["title"] for row in before if row["story_id"] == "S-1"] == ["Old"]
    history = ledger.ask(ShowStoryCorrections(story_id="S-1"))["corrections"]
    assert [(one["kind"], one["actor"], one["stands"]) for one in history] == [
        ("undo", "lee", False),
        ("edit", "lee", False),
    ]


def test_a_corrected_estimate_rescales_the_ratio_and_its_score(ledger, two):
    """2.0 against 100 tokens is 1.0 against 200: 10 points instead of fewer; taken back it is 2.0 again."""
    (before,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    answer = edit(ledger, estimated_tokens=200)
    (run,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    assert (before["duration_vs_estimate"], run["duration_vs_estimate"]) == (2.0, 1.0)
    assert (answer.rows.scores, run["quality_auto"]) == (1, 10.0)
    assert before["quality_auto"] < 10
    ledger.execute(UndoStoryEdit(actor="lee", story_id="S-1"))
    assert ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["quality_auto"] == before["quality_auto"]


def test_a_merged_runs_ratio_is_measured_against_the_estimate_that_counts(ledger, tell):
    """2.0 against S-2's 50 is 1.0 against S-1's 100, and 0.5 once that is corrected to 200; S-1's own 2.0 is 1.0 then."""
    for story, estimate in (("S-1", 100), ("S-2", 50)):
        run = RUN.model_copy(update={"story_id": story})
        tell(StoryFact(story_id=story, estimated_tokens=estimate), run, LATE)

    def ratios():
        runs = ledger.ask(ShowStory(story_id="S-1"))["runs"]
        return {run["attempt"]: run["duration_vs_estimate"] for run in runs}

    assert merge(ledger).rows.scores == 1
    assert ratios() == {1: 2.0, 2: 1.0}
    edit(ledger, estimated_tokens=200)
    assert ratios() == {1: 1.0, 2: 0.5}
    split(ledger)
    assert ratios() == {1: 1.0}
    assert ledger.ask(ShowStory(story_id="S-2"))["runs"][0]["duration_vs_estimate"] == 2.0


def test_merged_stories_are_one_and_split_ones_are_as_before(ledger, two):
    """Both runs stay: that of S-2 becomes attempt 2. The old id finds them; what S-1 does not say, S-2 does."""
    before = observed(ledger)
    answer = merge(ledger)
    assert (answer.story_id, answer.rows.runs, answer.rows.moved, answer.rows.renumbered) == ("S-1", 2, 1, 1)
    runs = ledger.ask(ShowStory(story_id="S-2"))["runs"]
    assert sorted((run["story_id"], run["attempt"], run["title"], run["discipline"]) for run in runs) == [
        ("S-1", 1, "Old", "docs"),
        ("S-1", 2, "Old", "docs"),
    ]
    assert {row["story_id"] for row in ledger.ask(ListScores())["rows"]} == {"S-1"}
    assert split(ledger).story_id == "S-1"
    assert observed(ledger) == before


def test_a_later_import_and_rating_by_the_old_id_reach_the_survivor(ledger, tell, two):
    """The run of S-2 is still its run, whatever number it has now."""
    merge(ledger)
    tell(OTHER, SignalReading(run=0, build_success=True))
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-2", attempt=2, rating=6))
    runs = {run["attempt"]: run for run in ledger.ask(ShowStory(story_id="S-1"))["runs"]}
    assert set(runs) == {1, 2}
    assert (runs[2]["quality_auto"], runs[2]["quality_human"], runs[1]["quality_human"]) == (10.0, 6, None)


def test_chains_meet_at_their_end_and_circles_are_refused(ledger, tell, two):
    """S-3 → S-2 → S-1; a story is not merged twice, into itself, or into what was merged into it."""
    tell(RUN.model_copy(update={"story_id": "S-3"}), Verdict(run=0, quality=5))
    merge(ledger, "S-3", "S-2")
    merge(ledger, "S-2", "S-1")
    assert {row["story_id"] for row in all_rows(ledger)} == {"S-1"}
    for from_id, into_id, why in (
        ("S-1", "S-1", "cannot be merged into itself"),
        ("S-1", "S-3", "they are one already"),
        ("S-3", "S-1", "was merged into S-1 already"),
    ):
        with pytest.raises(QualityError, match=why):
            merge(ledger, from_id, into_id)
    split(ledger, "S-2")
    assert sorted(row["story_id"] for row in all_rows(ledger)) == ["S-1", "S-2", "S-2"]


def test_what_cannot_be_done_is_refused_with_the_reason(ledger, two):
    """And nothing is stored of it."""
    with pytest.raises(NotFound, match="S-9: no such story"):
        edit(ledger, "S-9", title="x")
    with pytest.raises(QualityError, match="is known so already"):
        edit(ledger, title="Old")
    with pytest.raises(NotFound, match="no correction that stands"):
        ledger.execute(UndoStoryEdit(actor="lee", story_id="S-1"))
    with pytest.raises(Conflict, match="was not merged"):
        split(ledger, "S-1")
    assert ledger.ask(ShowStoryCorrections(story_id="S-1"))["corrections"] == []


def test_only_an_admin_corrects(ledger, two):
    with pytest.raises(Forbidden):
        ledger.execute(EditStory(actor="rae", story_id="S-1", title="x"), Who("rae", "reviewer"))


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("edit_story", {"story_id": "S-1", "estimated_tokens": 200, "discipline": "backend"}),
        ("merge_stories", {"from_id": "S-2", "into_id": "S-1", "reason": "same"}),
    ],
)
def test_what_is_supposed_is_what_happens_and_changes_nothing(ledger, two, kind, change):
    """The numbers of a confirmation are those of the change."""
    before = observed(ledger)
    supposed = ledger.ask(SupposeStoryChange(actor="lee", kind=kind, change=change))
    assert observed(ledger) == before
    command = {"edit_story": EditStory, "merge_stories": MergeStories}[kind]
    assert supposed["rows"] == ledger.execute(command(actor="lee", **change)).rows.model_dump()


EDITS = st.tuples(
    st.just("edit"), STORY, st.sampled_from([{"title": "Mine"}, {"estimated_tokens": 50}, {"phase": "build"}])
)
TAKEN_BACK = st.tuples(st.just("unedit"), STORY)
MERGES = st.tuples(st.just("merge"), st.sampled_from([("S-1", "S-2"), ("S-2", "S-1")]))
SPLITS = st.tuples(st.just("split"), STORY)
ESTIMATES = st.tuples(st.just("estimate"), STORY, st.sampled_from([100, 50]))
"""A file states an estimate and a run's ratio to it."""
CORRECTIONS = (EDITS, TAKEN_BACK, MERGES, SPLITS, ESTIMATES)


def correct(ledger, tell, action):
    match action:
        case ("edit", story, said):
            edit(ledger, story, **said)
        case ("unedit", story):
            ledger.execute(UndoStoryEdit(actor="lee", story_id=story))
        case ("merge", (from_id, into_id)):
            merge(ledger, from_id, into_id)
        case ("split", story):
            split(ledger, story)
        case ("estimate", story, tokens):
            run = RUN.model_copy(update={"story_id": story})
            tell(StoryFact(story_id=story, estimated_tokens=tokens), run, LATE, into=ledger)
        case _:
            carry_out(ledger, tell, action)


@settings(
    max_examples=25, phases=[Phase.explicit, Phase.reuse, Phase.generate],
)  # fmt: skip
@given(
    actions=st.lists(
        st.one_of(IMPORTS, IMPORTS, RATINGS, UNDOS, ATTESTS, TURNS, *CORRECTIONS),
        min_size=3,
        max_size=12,
    )
)
def test_rebuilt_or_exported_whole_and_restored_it_is_the_same(tmp_path_factory, tell, monkeypatch, actions):
    """The rows follow from what was recorded, whatever was corrected and taken back in whatever order."""
    assert_same_rebuilt_and_restored(tmp_path_factory.mktemp("corrections"), tell, monkeypatch, actions, correct)


@settings(
    max_examples=25, phases=[Phase.explicit, Phase.reuse, Phase.generate],
)  # fmt: skip
@given(actions=st.lists(st.one_of(IMPORTS, IMPORTS, RATINGS, ATTESTS, ESTIMATES), min_size=2, max_size=8))
def test_merge_then_split_and_edit_then_undo_leave_the_rows_as_they_were(tmp_path_factory, tell, actions):
    with Ledger(tmp_path_factory.mktemp("back") / "l.duckdb") as ledger:
        for action in (*actions, ("rate", "S-1", 5.0, "dana"), ("rate", "S-2", 5.0, "dana")):
            try:
                correct(ledger, tell, action)
            except QualityError:
                continue
        before = observed(ledger)
        merge(ledger)
        edit(ledger, "S-2", title="Mine", estimated_tokens=50)
        ledger.execute(UndoStoryEdit(actor="lee", story_id="S-1"))
        split(ledger)
        assert observed(ledger) == before
