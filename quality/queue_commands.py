"""What can be asked of the review queue? Runs drawn by lot for a reviewer, one passed over, what is left given back.

A drawn run is reserved for its reviewer for a while, so that no two are given the same one. What becomes of a draw follows
from what is recorded: rated, skipped, given back, expired, or still open (design/018-review-queue.md).
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from quality.command_base import AnyOf, Command, Model, Question
from quality.observations import NonEmpty
from quality.trust_commands import KindOfWork

MOST_DRAWN = 100
"""Runs that one reviewer can have reserved at once."""
USUALLY_DRAWN = 10

DrawState = Literal["open", "rated", "skipped", "given_back", "expired"]


class DrawForReview(Command, KindOfWork):
    """Draw runs for a reviewer until `count` of theirs are open, each with the chance it had and when.

    What is open already stays, whatever kind of work is asked for now. Fewer come where no more may be drawn.
    """

    name = "draw_for_review"
    needs, scope = "reviewer", "review"
    touches = "apart"
    signed = ("actor", "reviewer")
    reviewer: NonEmpty
    count: Annotated[int, Field(ge=1, le=MOST_DRAWN)] = USUALLY_DRAWN
    model: AnyOf[str] = None
    """Only runs of these models."""
    blind: bool = True
    """The reviewer is shown no score of the run before they rate it."""


class SkipDraw(Command):
    """Pass over a drawn run: it counts as not answered, and does not come again for this reviewer."""

    name = "skip_draw"
    needs, scope = "reviewer", "review"
    touches = "apart"
    signed = ("actor", "reviewer")
    draw_id: NonEmpty
    reviewer: NonEmpty


class GiveBackDraws(Command):
    """End a reviewer's open draws, so that their runs are free for others at once."""

    name = "give_back_draws"
    needs, scope = "reviewer", "review"
    touches = "apart"
    signed = ("actor", "reviewer")
    reviewer: NonEmpty
    looked_at: NonEmpty | None = None
    """The draw whose run the reviewer has looked at: it counts as skipped, since they know what they leave."""


class ShowReviewQueue(Question):
    """A reviewer's open draws in their order, and what became of their last round."""

    name = "show_review_queue"
    needs, scope = "reviewer", "review"
    signed = ("reviewer",)
    reviewer: NonEmpty


class ShowReviewTotals(Question):
    """What became of all draws of the team."""

    name = "show_review_totals"
    as_of: AwareDatetime | None = None


class ReviewDrawn(Model):
    """Answer to `DrawForReview`."""

    drawn: int
    """Now, by this command."""
    open: int
    """Of this reviewer, with those that were open before."""
    pool: int | None
    """Runs that could have come at the first of these draws; null where nothing had to be drawn."""


class DrawSkipped(Model):
    draw_id: str
    run_id: str
    left: int
    """Open draws of the reviewer."""


class DrawsGivenBack(Model):
    given_back: int
    skipped: int


class QueuedRun(Model):
    """An open draw, with the run that it asks for. Nothing here is a score."""

    draw_id: str
    run_id: str
    story_id: str
    why: str
    probability: float
    """π: its chance among the `pool` runs that could have come."""
    pool: int
    model_probability: float
    """Its chance, given that a run of its model was drawn."""
    model_pool: int
    blind: bool
    drawn_at: datetime
    expires_at: datetime


class DrawCounts(Model):
    """What became of draws; `drawn` is the sum of the others."""

    drawn: int
    rated: int
    skipped: int
    given_back: int
    expired: int
    left: int
    """Open."""


QUEUE_REQUESTS: tuple[type[Any], ...] = (DrawForReview, SkipDraw, GiveBackDraws, ShowReviewQueue, ShowReviewTotals)
