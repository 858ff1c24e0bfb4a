"""What can be asked about the writes to a ledger? Who wrote what and when, latest first; and one write whole."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from quality.command_base import Question
from quality.observations import NonEmpty

MOST_WRITES = 1_000
"""Writes that are listed at once."""


class ListActivity(Question):
    """Writes that fit every stated condition, latest first, from before (or after) one of them on."""

    name = "list_activity"
    by: NonEmpty | None = None
    """Who wrote; `actor` is who asks."""
    kinds: list[NonEmpty] | None = None
    """Names of commands, any of them."""
    about: NonEmpty | None = None
    """Id of a story, run, response, ranking or evaluation."""
    since: datetime | None = None
    """At or after this time."""
    until: datetime | None = None
    """Before this time."""
    before: NonEmpty | None = None
    """Only what was written before the write with this id: the next page."""
    after: NonEmpty | None = None
    """Only what was written after it: the page before."""
    limit: Annotated[int, Field(ge=1, le=MOST_WRITES)] = 50


class ShowWrite(Question):
    """One write with its request and answer as they are kept."""

    name = "show_write"
    command_id: NonEmpty


ACTIVITY_REQUESTS = (ListActivity, ShowWrite)
