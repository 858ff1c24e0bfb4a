"""What can be asked about the review list? To put runs on it, to take them off, and to see who waits since when and why.

The list is the team's. A run leaves it when anybody rates it, or when somebody takes it off; if that rating is withdrawn it
waits again. Every entry and every removal stays in the history.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from quality.command_base import Command, Model, Question
from quality.observations import Count, NonEmpty
from quality.queue_commands import QUEUE_REQUESTS

MOST_AT_ONCE = 1_000
"""Runs that one command puts on the list, or takes off."""
LONGEST_WHY = 2_000

RunIds = Annotated[tuple[NonEmpty, ...], Field(min_length=1, max_length=MOST_AT_ONCE)]


class AddToReviewList(Command):
    """Ask for a rating of these runs, picked by choice. One that waits already is left as it is."""

    name = "add_to_review_list"
    needs, scope = "reviewer", "review"
    touches = "scores"
    run_ids: RunIds
    why: Annotated[str, Field(max_length=LONGEST_WHY)] | None = None


class RemoveFromReviewList(Command):
    """Take these runs off the list, whoever put them there; one that is not on it is left alone."""

    name = "remove_from_review_list"
    needs, scope = "reviewer", "review"
    touches = "scores"
    run_ids: RunIds


class ShowReviewList(Question):
    """The runs that wait for a rating, the longest-waiting first, each with who put it on the list, when and why."""

    name = "show_review_list"
    limit: Count = 1000
    offset: Count = 0


class ReviewListed(Model):
    """Answer to `AddToReviewList`."""

    added: int
    waiting_already: int
    waiting: int
    """Runs on the list now."""


class ReviewUnlisted(Model):
    """Answer to `RemoveFromReviewList`."""

    removed: int
    waiting: int


class Waiting(Model):
    """An entry of the list, with the run that it asks for."""

    entry_id: str
    run_id: str
    story_id: str
    title: str | None
    agent: str
    model_version: str
    attempt: int
    quality: float | None
    signal_source: str | None
    reason: str
    """`choice`: somebody picked it."""
    probability: float | None
    """With which it was drawn; null where it was picked by choice."""
    why: str | None
    listed_by: str
    listed_at: datetime


REVIEW_REQUESTS = (AddToReviewList, RemoveFromReviewList, ShowReviewList, *QUEUE_REQUESTS)
