"""Does somebody mean it? A command that changes what counts asks first, or wants `--yes` where nobody can be asked."""

import sys

import typer

from quality.errors import QualityError


def agree(yes: bool, question: str, what: str) -> None:
    """Go on only where it is agreed to.

    Args:
        what: what the command does, for the refusal, such as "restore replaces the ledger".

    Raises:
        QualityError: nobody can be asked and `--yes` was not given.
        Abort: the answer was no.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise QualityError(f"{what}: give --yes where nobody can be asked")
    typer.confirm(question, abort=True, err=True)
