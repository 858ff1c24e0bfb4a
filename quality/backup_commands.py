"""What can be asked about the ledger file as a whole? To back it up, to look at a backup, and to restore one.

All of it is for admins: a backup holds everything, and restoring one replaces everything.
"""

from datetime import datetime
from typing import Any

from quality.command_base import Command, Model, Question
from quality.observations import Count, NonEmpty


class BackUp(Command):
    """Write the whole ledger as it stands to a file of its own, while everybody reads and writes on."""

    name = "back_up"
    needs = "admin"
    touches = "apart"
    path: NonEmpty | None = None
    """Where the owner of the ledger writes it: a file that is not there, or a folder; by default `backups` beside the
    ledger."""


class Restore(Command):
    """Check a backup and, if it is whole, replace the ledger by it. What it replaces is kept as a backup too."""

    name = "restore"
    needs = "admin"
    path: NonEmpty
    """A file that the owner of the ledger can read."""
    most_lost: Count | None = None
    """Refuse, if more writes than these were made since the backup: somebody may have written after the look at it."""


class CheckBackup(Question):
    """Whether a file is a backup that can be restored, and what the ledger would lose and get back by it."""

    name = "check_backup"
    needs, scope = "admin", None
    path: NonEmpty


class ListBackups(Question):
    """The backups beside the ledger, latest first, and when the ledger was last backed up."""

    name = "list_backups"
    needs, scope = "admin", None


class Manifest(Model):
    """What stands beside a backup, in a file of its name and `.json`."""

    sha256: str
    bytes: Count
    ledger: str
    """Name of the file it was made of."""
    schema_version: int
    runs: Count
    stories: Count
    writes: Count
    """Rows of the audit."""
    last_write: datetime | None = None
    made_at: datetime
    actor: str
    sample: bool = False
    """Of the sample ledger."""
    replaced: bool = False
    """Kept of a ledger when another was restored in its place."""
    received: bool = False
    """Brought from elsewhere, so it says nothing of how safe the ledger beside it is."""


class BackedUp(Manifest):
    """Answer to `BackUp`: where the backup lies and what is in it."""

    name: str
    path: str


class Restored(Model):
    """Answer to `Restore`."""

    name: str
    path: str
    kept: str | None
    """Where what was replaced lies now; `None` where there was nothing."""
    lost: Count | None
    """Writes of the replaced ledger that the backup does not have; `None` where it could not be read."""
    returned: Count
    """Writes that only the backup has."""
    schema_before: int
    """Of the backup; it was brought to `schema_version`."""
    schema_version: int
    runs: Count
    stories: Count
    writes: Count


Comparison = dict[str, Any]

BACKUP_REQUESTS = (BackUp, Restore, CheckBackup, ListBackups)
