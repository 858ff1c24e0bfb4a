"""What may the person in front of the page do? A button that they may not use is disabled, and why is said beside it.

This is a courtesy: the ledger refuses all the same (`quality/roles.py`).
"""

import streamlit as st

from pages.components import process
from quality.commands import Command, Question
from quality.roles import Role

ICON = ":material/lock:"


def role(needed: Role) -> bool:
    """Whether the person has at least this role."""
    return process.who().has(needed)


def to(kind: type[Command] | type[Question], doing: str = "This", needed: Role | None = None) -> bool:
    """Whether the person may ask such a thing; where not, a line says which role it takes.

    Args:
        doing: what it is called here, our own words.
        needed: the role, where it depends on what is said (`UndoRating.force`).
    """
    return having(needed or kind.needs, doing)


def having(needed: Role, doing: str) -> bool:
    """The same for what is no command: asking a judge costs money, an own ledger is everybody's."""
    if role(needed):
        return True
    st.caption(f"{ICON} {lacking(needed, doing)}")
    return False


def lacking(needed: Role, doing: str) -> str:
    """The reason in a sentence, our own words only."""
    return f"{doing} needs the role {needed}; yours is {process.who().role}."
