"""What can go wrong by the caller's hand, each with the remedy in its text.

Bad input from the world is not here: it is data, a `Reject` (see `observations.py`).
"""

from difflib import get_close_matches
from typing import Any


class QualityError(Exception):
    """A one-line message for people: what was wrong, what is allowed, what to do.

    `exit_code` is what the command line answers with; `status` what HTTP answers with.
    """

    exit_code = 2
    status = 400

    def __init__(self, *message: object, details: dict[str, Any] | None = None) -> None:
        super().__init__(*message)
        self.details = details
        """What stands in the way, JSON-ready, for a program to show or to decide by."""


class NotFound(QualityError):
    """A story, run, rating or file that does not exist."""

    status = 404


class Conflict(QualityError):
    """The request is well formed, but what stands in the ledger forbids it."""

    status = 409


class LedgerBusy(QualityError):
    """Another process holds the ledger and did not answer in time."""

    status = 503


class LedgerUnusable(QualityError):
    """The file cannot be opened: not a ledger, a newer schema, no permission, a full disk."""

    status = 500


class LedgerDamaged(LedgerUnusable):
    """What lies there is no ledger, or not a whole one."""


class LedgerNewer(LedgerUnusable):
    """Written by a newer version of Quality Tiers."""


def did_you_mean(word: str, known: list[str], count: int = 3) -> str:
    """A trailing hint with the nearest known words, or nothing.

    >>> did_you_mean("wieghts", ["weights", "few_tests_cap"])
    ' Did you mean: weights?'
    >>> did_you_mean("zzz", ["weights"])
    ''
    """
    near = get_close_matches(word, known, n=count, cutoff=0.5)
    return f" Did you mean: {', '.join(near)}?" if near else ""
