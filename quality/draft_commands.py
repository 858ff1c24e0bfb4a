"""What can be asked about a rating that is being written? It is kept as a draft a reviewer and run, shown, and dropped.

A draft is nobody's word yet: it is in no history, score, list or export, leaves no row in the audit, and is only for the
reviewer who writes it. Storing the rating ends it, in the same transaction.
"""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from quality.command_base import Command, Model, Question
from quality.observations import Count, NonEmpty, Score10

NONE_YET = "none"
"""Instead of an id: there was none."""
Seen = Annotated[str, Field(pattern=rf"^({NONE_YET}|[0-9a-fA-F]{{8}}(-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}})$")]
"""Which rating of a run was its latest when the reviewer looked: an `override_id`, or `none`."""


class KeepRatingDraft(Command):
    """Keep what a reviewer has given of a rating so far, in place of what was kept before.

    Its `idempotency_key` names what is kept, so the same one again changes nothing.
    """

    name = "keep_rating_draft"
    needs, scope = "reviewer", "review"
    touches, quiet = "apart", True
    signed = ("actor", "reviewer")
    run_id: NonEmpty
    reviewer: NonEmpty
    rating: Score10 | None = None
    rework: bool | None = None
    note: str | None = None
    seen: Seen | None = None
    """To be sent with the rating once it is stored (`AddRating.seen`)."""
    over: str | None = None
    """The `revision` that this one continues, or `none`; another one in its place is a conflict. Not given = whichever."""


class DropRatingDraft(Command):
    """Throw a draft away; where there is none, nothing happens."""

    name = "drop_rating_draft"
    needs, scope = "reviewer", "review"
    touches, quiet = "apart", True
    signed = ("actor", "reviewer")
    run_id: NonEmpty
    reviewer: NonEmpty


class ShowRatingDraft(Question):
    """A reviewer's own draft for a run, or null."""

    name = "show_rating_draft"
    needs, scope = "reviewer", "review"
    signed = ("reviewer",)
    run_id: NonEmpty
    reviewer: NonEmpty


class ListRatingDrafts(Question):
    """A reviewer's own drafts, the latest first, each with the run that it is for."""

    name = "list_rating_drafts"
    needs, scope = "reviewer", "review"
    signed = ("reviewer",)
    reviewer: NonEmpty
    limit: Count = 100


class RatingDraft(Model):
    """What is kept of a rating that is not stored; a field that nothing was given for is null."""

    run_id: str
    reviewer: str
    rating: float | None
    rework: bool | None
    note: str | None
    seen: str | None
    revision: str
    """Another one each time that it is kept."""
    recorded_at: datetime


class DraftKept(Model):
    """Answer to `KeepRatingDraft`."""

    revision: str
    recorded_at: datetime


class DraftDropped(Model):
    """Answer to `DropRatingDraft`."""

    dropped: bool


class RatedSince(Model):
    """A rating that somebody gave after the reviewer looked: part of the `details` of a refused `AddRating`."""

    override_id: str
    reviewer: str | None
    rating: float
    rework: bool | None
    note: str | None
    given_at: datetime


DRAFT_REQUESTS: tuple[type[Any], ...] = (KeepRatingDraft, DropRatingDraft, ShowRatingDraft, ListRatingDrafts)
