"""What can be asked to forget? Words that somebody wrote, or that a file said: they go for good, the numbers stay.

What a redaction takes out is in no table, row of the audit, answer or byte of the ledger's file afterwards. Older backups
are other files: the answer names them.
"""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from quality.command_base import Command, Model, Question, Reason
from quality.observations import Count, NonEmpty

LEAST_TEXT = 6
"""Characters of a text that is looked for everywhere: a shorter one stands within other people's words."""
LONGEST_TEXT = 20_000
Forgettable = Literal["rating", "verdict", "evidence", "rejects", "title", "criteria", "text"]
"""The note of a rating; what a verifier wrote; an excerpt; the rejected values of an import; a story's title or done
criteria; or a text wherever it stands."""
WHAT: dict[Forgettable, str] = {
    "rating": "the note of a rating",
    "verdict": "what a verifier wrote",
    "evidence": "lines kept as evidence",
    "rejects": "the rejected values of an import",
    "title": "the title of a story",
    "criteria": "the done criteria of a story",
    "text": "a text, wherever it stood",
}
Text = Annotated[str, Field(min_length=LEAST_TEXT, max_length=LONGEST_TEXT)]


class Target(Model):
    """What is to be forgotten: by its id, or as `text` by itself."""

    kind: Forgettable
    id: NonEmpty | None = None
    """Of the rating, verdict, excerpt, import or story."""
    text: Text | None = None

    @model_validator(mode="after")
    def _is_named(self) -> "Target":
        if self.kind == "text" and (self.text is None or self.id is not None):
            raise ValueError("kind text: give the text, and no id")
        if self.kind != "text" and (self.id is None or self.text is not None):
            raise ValueError(f"kind {self.kind}: give its id, and no text")
        return self


class Redact(Command, Target):
    """Take words out for good. It cannot be undone; that it was done, by whom and why, is kept."""

    name = "redact"
    needs = "admin"
    rewrites: ClassVar[bool] = True
    reason: Reason
    """Kept, so it must not repeat the words."""

    @model_validator(mode="after")
    def _keeps_the_secret(self) -> "Redact":
        if self.text is not None and self.text in self.reason:
            raise ValueError("the reason repeats the text that is to be forgotten: say it in other words")
        return self

    def for_audit(self) -> str:
        """Without the text."""
        return self.model_dump_json(exclude={"text"})


class SupposeRedaction(Question, Target):
    """What a redaction would take out, without doing it."""

    name = "suppose_redaction"
    needs, scope = "admin", None


class ListRedactions(Question):
    """What was forgotten, the latest first: of one run or story, or of all."""

    name = "list_redactions"
    run_id: NonEmpty | None = None
    story_id: NonEmpty | None = None
    limit: Annotated[Count, Field(le=1_000)] = 100


class Taken(Model):
    """What a redaction takes out."""

    kind: Forgettable
    id: str | None
    run: dict[str, Any] | None = None
    """The run that it is about, where it is about one, by id and key."""
    story_id: str | None = None
    texts: Count
    """Different texts."""
    characters: Count
    """Of these texts together."""
    places: Count
    """Values of the ledger that they stood in: notes, excerpts, rows of the audit and whatever else."""
    remains: list[str] = Field(default_factory=list)
    """Where the text stands on as part of a name, which nobody can take out: table and column."""
    older_files: list[str] = Field(default_factory=list)
    """Backups and copies of the ledger from before, which may hold it: delete them, or redact again after a restore."""


class Redacted(Taken):
    """Answer to `Redact`."""

    redaction_id: str


class Supposed(Taken):
    """Answer to `SupposeRedaction`."""

    shown: list[str]
    """The beginning of each text, at most `TEXTS_SHOWN` of them."""


class Redaction(Model):
    """What is left of what was forgotten."""

    redaction_id: str
    kind: Forgettable
    target: str | None
    run_id: str | None
    story_id: str | None
    texts: Count
    characters: Count
    places: Count
    reason: str
    actor: str | None
    recorded_at: datetime


REDACTION_REQUESTS = (Redact, SupposeRedaction, ListRedactions)
