"""As of which day is a screen asked? A day of the viewer's, in the URL; none is the present.

What the screen reads of scores through `data.py` and `model_data.py` is what was known at its end.
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import streamlit as st

from pages.components import show, viewer
from quality import moments

AS_OF = "as_of"
"""Key of the choice, and its name in the URL."""
_MOMENT = "looking_back_to"
HELP = "What was recorded by then, under the settings valid then, whatever was corrected or rated since."


def begin() -> None:
    """Each screen shows the present, until it asks for another day."""
    st.session_state[_MOMENT] = None


def moment() -> datetime | None:
    """The instant that the screen is asked as of; `None` = the present."""
    return st.session_state.get(_MOMENT)


def as_of() -> datetime | None:
    """The end of the chosen day in the viewer's zone; `None` = the present, which today is too."""
    zone = viewer.zone()
    today = datetime.now(ZoneInfo(zone)).date()
    day = st.date_input(
        "As of", value=None, max_value=today, key=AS_OF, format="YYYY-MM-DD", bind="query-params", help=HELP, width=160,
    )  # fmt: skip
    asked = moments.end_of(day, ZoneInfo(zone)) if isinstance(day, date) and day != today else None
    st.session_state[_MOMENT] = asked
    return asked


def tell(moment: datetime | None) -> None:
    """That the screen shows what was known then, and not now."""
    if moment is not None:
        st.caption(f":material/history: As it was known by {show.instant(moment, 'UTC')} UTC, the end of that day.")
