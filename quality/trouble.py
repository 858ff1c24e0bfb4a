"""Why can a ledger not be opened, and what helps? The reason in one line, who has it, and what could take its place."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from quality.errors import LedgerBusy, LedgerDamaged, LedgerNewer, QualityError
from quality.ledger.backups import beside
from quality.ledger.migrations import SCHEMA_VERSION
from quality.ledger.owner import OwnerFile

MOST_BACKUPS = 3
"""Backups that are named, the latest."""
Kind = Literal["busy", "damaged", "newer", "other"]


@dataclass(frozen=True)
class Trouble:
    """What stands in the way of a ledger."""

    kind: Kind
    reason: str
    path: Path | None = None
    sample: bool = False
    served_at: str | None = None
    """Where the process that has it shows it."""
    backups: tuple[dict[str, Any], ...] = ()
    """What `restore` could put in its place, the latest first: `path`, `made_at`, and where known `runs`."""

    def restore_command(self, backup: str = "FILE") -> str:
        """What puts a backup in the ledger's place, to be copied.

        >>> Trouble("damaged", "", Path("data/my ledger.duckdb")).restore_command("b.duckdb")
        "python -m quality --ledger 'data/my ledger.duckdb' restore b.duckdb"
        """
        return f"python -m quality --ledger {shlex.quote(str(self.path))} restore {shlex.quote(backup)}"


def trouble_with(path: Path, error: Exception, sample: bool = False) -> Trouble:
    """What is known of the trouble; looks at what lies beside the file, and never fails itself."""
    reason = str(error) if isinstance(error, QualityError) else _in_words(path, error)
    if isinstance(error, LedgerBusy):
        holder = OwnerFile(path.resolve()).read()
        return Trouble("busy", reason, path, sample, holder.address if holder else None)
    kind: Kind = (
        "newer" if isinstance(error, LedgerNewer) else "damaged" if isinstance(error, LedgerDamaged) else "other"
    )
    if kind == "other" or sample:
        return Trouble(kind, reason, path, sample)
    return Trouble(kind, reason, path, sample, backups=tuple(_of_use(_beside(path)))[:MOST_BACKUPS])


def _in_words(path: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{error.filename or path}: {error.strerror}: check permissions and space"
    return f"the ledger could not be opened: {type(error).__name__}: {error}"


def _beside(path: Path) -> list[dict[str, Any]]:
    try:
        return beside(path.resolve())
    except OSError:
        return []


def _of_use(found: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Those that this version can read, as far as that is known; the sample's never mix with one's own."""
    return (one for one in found if (one["schema_version"] or 0) <= SCHEMA_VERSION and not one["sample"])
