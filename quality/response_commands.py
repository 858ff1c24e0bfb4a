"""What can be asked about AI responses? To keep them, to hear what people did with them, and what they add up to.

A response is known by its `response_id`. Where the source states none, it is made from the content, so that the same
response stored twice is one.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from quality.command_base import Command, Model, Question
from quality.observations import Count, NonEmpty
from quality.response_models import FeedbackEvent, Instant, ResponseRecord, WrittenSignal
from quality.response_settings import Severity

MOST_RESPONSES = 100_000
"""Responses, or feedback events, that one command stores."""
RESPONSES_NAMED = 1_000
"""Responses named in the answer to a command; all are stored."""


class FeedbackOn(FeedbackEvent):
    """What a person did with one response. The same `event_id` for a response counts once; without, each is its own."""

    response_id: NonEmpty


class StoreResponses(Command):
    """Score responses and keep them: all of them or none.

    What is stored already in the same words changes nothing; in other words (a transcript that has grown) the later
    ones count from now on, and the score before stays in the history. Feedback in a record that has no event id is
    counted by its place in the record, so that the record sent twice counts once.
    """

    name = "store_responses"
    needs, scope = "reviewer", "ingest"
    touches = "apart"
    responses: Annotated[list[ResponseRecord], Field(min_length=1, max_length=MOST_RESPONSES)]

    def for_audit(self) -> str:
        """Without what the tables hold."""
        return self.model_dump_json(exclude={"responses"})


class AddFeedback(Command):
    """What a person did with a response: its score is updated, the one before stays in the history."""

    name = "add_feedback"
    needs, scope = "reviewer", "ingest"
    touches = "apart"
    response_id: NonEmpty
    signal: WrittenSignal
    event_id: NonEmpty | None = None
    """The same id again counts once; without one, each command is a new event."""
    occurred_at: Instant | None = None


class AddFeedbacks(Command):
    """Many at once, in any order. What is about a response that is not stored yet is held and counts once it is."""

    name = "add_feedbacks"
    needs, scope = "reviewer", "ingest"
    touches = "apart"
    events: Annotated[list[FeedbackOn], Field(min_length=1, max_length=MOST_RESPONSES)]

    def for_audit(self) -> str:
        """Without what the tables hold."""
        return self.model_dump_json(exclude={"events"})


class PruneResponses(Command):
    """Remove responses that were stored long ago, with their feedback, history and regressions. Nothing brings them back."""

    name = "prune_responses"
    touches = "apart"
    older_than_days: Annotated[int, Field(ge=1, le=36_500)] | None = None
    """By default `responses.retention_days`."""


class ResponseFilters(Model):
    """Which responses: every stated condition must hold."""

    model: str | None = None
    provider: str | None = None
    agent: str | None = None
    session_id: str | None = None
    story_id: str | None = None
    severity: Severity | None = None
    """Regressions at least this severe."""
    since: datetime | None = None
    """At or after this time."""
    until: datetime | None = None
    """Before this time."""


class ListResponses(Question):
    """Responses that fit the filters, latest first, each with its score, rolling mean and regression."""

    name = "list_responses"
    filters: ResponseFilters = ResponseFilters()
    limit: Count = 1000
    offset: Count = 0


class ShowResponse(Question):
    """One response: its parts, its feedback, every score that it had, and how its regression was judged over time."""

    name = "show_response"
    response_id: NonEmpty


class ResponseStats(Question):
    """What the responses add up to: overall, by model, and by model and day."""

    name = "response_stats"
    filters: ResponseFilters = ResponseFilters()


class ResponseSeries(Question):
    """Score over time for a chart: at most `points` points a question, each the mean of as many responses as it stands for.

    Regressions are listed apart, so that none is lost between the points.
    """

    name = "response_series"
    filters: ResponseFilters = ResponseFilters()
    points: Annotated[int, Field(ge=1, le=2_000)] = 1_000


class ScoredResponse(Model):
    """A response's score after a command."""

    response_id: str
    composite: float | None
    """0–100; `None` where nothing that counts is known."""
    severity: Severity | None = None
    """How much worse it is than those of its model before it."""


class ResponsesStored(Model):
    """Answer to `StoreResponses`."""

    stored: int
    """Responses that are new."""
    restated: int
    """Known responses of which the command says something new."""
    unchanged: int
    """Responses that are here in the same words already."""
    feedback: int
    """Feedback events in the records that are new."""
    conflicts: list[str] = Field(default_factory=list)
    """Feedback that was left out, since its event id stands for another signal, the first `RESPONSES_NAMED`."""
    responses: list[ScoredResponse] = Field(default_factory=list)
    """In the order given, the first `RESPONSES_NAMED`, as they stand now."""
    alerts: list[ScoredResponse] = Field(default_factory=list)
    """Responses of this command whose regression is at the alert level or above it, the first `RESPONSES_NAMED`."""
    pruned: int = 0
    """Responses removed because they were stored longer ago than the retention."""


class FeedbackStored(Model):
    """Answer to `AddFeedback`."""

    response_id: str
    status: Literal["counted", "known"]
    """`known`: this event id counts already."""
    before: float | None
    """The composite before it."""
    composite: float | None
    severity: Severity | None = None


class FeedbacksStored(Model):
    """Answer to `AddFeedbacks`."""

    counted: int
    known: int
    """Event ids that count already."""
    held: int
    """On responses that are not stored yet."""
    conflicts: list[str] = Field(default_factory=list)
    """Left out, since the event id stands for another signal, the first `RESPONSES_NAMED`."""


class ResponsesPruned(Model):
    """Answer to `PruneResponses`: rows removed."""

    responses: int
    feedback: int
    scores: int
    regressions: int


RESPONSE_REQUESTS = (
    StoreResponses, AddFeedback, AddFeedbacks, PruneResponses, ListResponses, ShowResponse, ResponseStats, ResponseSeries,
)  # fmt: skip
