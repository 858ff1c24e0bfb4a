"""How do the pages reach the ledger of this process? They read it, and write as the person in front of them and nobody else.

A page never calls `Ledger.execute` itself: what it writes would be nobody's.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from pages.components import viewer
from pages.components.hosting import HOME as HOME
from quality.commands import Command, Question
from quality.ledger.ledger import Ledger
from quality.ledger.past import Past
from quality.ledger.store import Store
from quality.roles import NOBODY, As, Role, Who

Writer = Callable[[Command], Any]
"""Carries out a command as somebody who is fixed."""


def ledger() -> Ledger:
    """The open ledger.

    Raises:
        QualityError: it is not open; says why.
    """
    return HOME.ledger()


def store(moment: datetime | None) -> Store | Past:
    """What the questions of `queries` and `queries_models` are asked of: the ledger, or what was known of it at a moment.

    Raises:
        QualityError: the ledger is not open; the moment is yet to come.
    """
    return ledger().store if moment is None else ledger().past(moment)


def who() -> Who:
    """The person in front of the page, with their role; nobody where they may not look."""
    return viewer.who() or NOBODY


def execute(command: Command) -> Any:
    """Carry out what the person in front of the page asks: the ledger's answer.

    Raises:
        Forbidden: their role does not reach, or the command is signed with another's name.
        QualityError: what the command refuses, with the reason.
    """
    return ledger().execute(command, who())


def ask(question: Question) -> dict[str, Any]:
    """Answer what the person in front of the page asks. For what everybody may see, `data.py` is the way.

    Raises:
        Forbidden: it is not for them.
    """
    return ledger().ask(question, who())


def writer() -> Writer:
    """`execute` for work that goes on in a thread, as the person who began it."""
    return As(ledger(), who()).execute


def barred(kind: type[Command] | type[Question], role: Role | None = None, doing: str = "This") -> str | None:
    """Why the person may not ask such a thing, to disable a button with, in our own words; `None` where they may.

    Args:
        role: what it needs, where that depends on what it says (`UndoRating.force`).
        doing: what it is called on the page.
    """
    return lacking(role or kind.needs, doing)


def lacking(role: Role, doing: str = "This") -> str | None:
    """The same for what is no command: asking a judge costs money, the ledger that is open is everybody's."""
    mine = who()
    return None if mine.has(role) else f"{doing} needs the role {role}; yours is {mine.role}."
