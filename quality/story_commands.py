"""What can be asked about stories themselves? To correct what is known of one, to say that two ids are one story, and back.

All of it is appended: a correction is a row with who and when, taking it back is another, and the history holds both.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from quality.command_base import Command, Model, Question, Reason
from quality.observations import Count, NonEmpty

LONGEST_TITLE = 2_000
LONGEST_PART = 200
"""Characters of one part of a coordinate."""
LONGEST_CRITERIA = 20_000
STORY_FIELDS = ("title", "discipline", "org_domain", "industry", "phase", "estimated_tokens", "done_criteria")
"""What a person can say of a story, in the order it is shown."""

Part = Annotated[NonEmpty, Field(max_length=LONGEST_PART)]
Estimate = Annotated[int, Field(ge=1, le=2**31 - 1)]


class EditStory(Command):
    """Say what a story is called, which kind of work it is, or what it was estimated at; what is not given stays.

    It counts before what any source says, now and later, until it is taken back.
    """

    name = "edit_story"
    story_id: NonEmpty
    title: Annotated[NonEmpty, Field(max_length=LONGEST_TITLE)] | None = None
    discipline: Part | None = None
    org_domain: Part | None = None
    industry: Part | None = None
    phase: Part | None = None
    estimated_tokens: Estimate | None = None
    done_criteria: Annotated[NonEmpty, Field(max_length=LONGEST_CRITERIA)] | None = None
    reason: Reason | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "EditStory":
        if all(getattr(self, field) is None for field in STORY_FIELDS):
            raise ValueError(f"says nothing of the story: give one of {', '.join(STORY_FIELDS)}")
        return self


class UndoStoryEdit(Command):
    """Take back the latest correction of a story that stands, or the one that is named."""

    name = "undo_story_edit"
    story_id: NonEmpty
    edit_id: NonEmpty | None = None


class MergeStories(Command):
    """Say that `from_id` is the story `into_id`: its runs, and what is known of it, are that story's from now on."""

    name = "merge_stories"
    from_id: NonEmpty
    into_id: NonEmpty
    reason: Reason


class SplitStory(Command):
    """Take back that this id was merged: it is a story of its own again, as it was."""

    name = "split_story"
    story_id: NonEmpty
    """The id that was merged."""


Change = Literal["edit_story", "undo_story_edit", "merge_stories", "split_story"]


class SupposeStoryChange(Question):
    """What a correction would do, without doing it: the answer that the command would get, or its refusal."""

    name = "suppose_story_change"
    needs, scope = "admin", None
    kind: Change
    change: dict[str, Any]
    """The fields of the command, without actor and key."""


class ShowStoryCorrections(Question):
    """What people corrected of a story, and which ids were merged into it."""

    name = "show_story_corrections"
    story_id: NonEmpty
    limit: Count = 100


class FieldChange(Model):
    """One field of a story, before and after; null = not known."""

    field: str
    before: str | int | None
    after: str | int | None


class RowsChanged(Model):
    """What a correction did to the rows of the runs."""

    runs: int
    """Runs of the story, or of both stories."""
    moved: int = 0
    """Runs that are of another story than before."""
    renumbered: int = 0
    """Runs whose attempt has another number, since the story has a run of that number already, or has not any more."""
    scores: int = 0
    """Runs whose automatic score changed."""
    effective: int = 0
    """Runs whose effective score changed."""
    coordinates: int = 0
    """Runs that count at another coordinate."""
    ratings: int = 0
    """Standing ratings that went along with the runs that moved."""


class StoryEdited(Model):
    """Answer to `EditStory`."""

    edit_id: str
    story_id: str
    changes: list[FieldChange]
    rows: RowsChanged


class StoryEditUndone(StoryEdited):
    """Answer to `UndoStoryEdit`: the correction that was taken back, and what is known again."""


class StoriesMerged(Model):
    """Answer to `MergeStories`."""

    merge_id: str
    from_id: str
    story_id: str
    """The id that stands for both."""
    rows: RowsChanged


class StorySplit(StoriesMerged):
    """Answer to `SplitStory`: `from_id` is a story of its own again, `story_id` what it had been merged into."""


class StoryCorrection(Model):
    """One thing that a person said of a story."""

    kind: Literal["edit", "undo", "merge", "split"]
    id: str
    story_id: str
    """Of a merge or split, the id that was merged."""
    into_id: str | None = None
    changes: list[FieldChange] = Field(default_factory=list)
    reason: str | None = None
    actor: str | None
    recorded_at: datetime
    stands: bool
    """It counts: it was not taken back, and takes nothing back itself."""


STORY_REQUESTS = (EditStory, UndoStoryEdit, MergeStories, SplitStory, SupposeStoryChange, ShowStoryCorrections)
