"""What can be taken back of what was brought in? An import is withdrawn, and reinstated; nothing of it is thrown away."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from quality.command_base import LONGEST_REASON, Command, Model, Question, Reason
from quality.observations import Count, NonEmpty
from quality.redaction_commands import REDACTION_REQUESTS

MOST_IMPORTS = 1_000
"""Imports that one question lists."""


class WithdrawImport(Command):
    """Let nothing that an import brought count any more. Runs that only it brought are gone from every list and number;
    what people said of them is kept, and counts again when the run comes back."""

    name = "withdraw_import"
    needs = "admin"
    import_id: NonEmpty
    reason: Reason


class ReinstateImport(Command):
    """Take a withdrawal back: what the import brought counts again, as if it had never been withdrawn."""

    name = "reinstate_import"
    needs = "admin"
    import_id: NonEmpty
    reason: Annotated[str, Field(max_length=LONGEST_REASON)] | None = None


class ListImports(Question):
    """The files that were brought in, the latest first, each with what became of it."""

    name = "list_imports"
    limit: Annotated[Count, Field(le=MOST_IMPORTS)] = 100
    offset: Count = 0
    withdrawn: bool | None = None
    """Only those that are withdrawn, or only those that are not."""
    file: NonEmpty | None = None
    """Only those whose file name, or where they came from, contains this, any case."""


class ShowImport(Question):
    """One import with its history, and what withdrawing it would change."""

    name = "show_import"
    import_id: NonEmpty


class Brought(Model):
    """What an import brought, and what would be without it."""

    runs_gone: Count
    """Runs that only it brought: without it they are in no list and no number."""
    runs_kept: Count
    """Other runs that it says something of: without it they only lose evidence."""
    ratings_waiting: Count
    """People's own ratings of the runs that would be gone: kept, and counted again when the run comes back."""
    signals: Count
    verdicts: Count
    overrides: Count
    """Ratings by people that the file itself holds."""
    stories: Count
    """Stories that it says something of."""
    rejects: Count


class ImportWithdrawn(Model):
    """Answer to `WithdrawImport`."""

    import_id: str
    label: str
    brought: Brought


class ImportReinstated(Model):
    """Answer to `ReinstateImport`."""

    import_id: str
    label: str
    runs: Count
    """Runs that it says something of, which count with it again."""
    runs_back: Count
    """Of those, the ones that were gone."""


class Turn(Model):
    """A withdrawal, or with `reinstates` what took it back."""

    reinstates: bool
    actor: str | None
    reason: str | None
    recorded_at: datetime


CORRECTION_REQUESTS = (WithdrawImport, ReinstateImport, ListImports, ShowImport, *REDACTION_REQUESTS)
