"""What may the person in front of the page do? A button that they may not use is disabled, and why is said beside it.

This is a courtesy: the ledger refuses all the same (`quality/roles.py`).
"""

import streamlit as st

from pages.components import process
from quality.commands import Command, Question
from quality.roles import Role

ICON = ":material/lock:"


def to(kind: type[Command] | type[Question], doing: str = "This", needed: Role | None = None) -> bool:
    """Whether the person may ask such a thing; where not, a line says which role it takes.

    Args:
        doing: what it is called here, our own words.
        needed: the role, where it depends on what is said (`UndoRating.force`).
    """
    reason = process.barred(kind, needed, doing)
    if reason:
        st.caption(f"{ICON} {reason}")
    return reason is None
