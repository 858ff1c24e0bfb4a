"""What should be drawn next? How many runs, of which models and kinds of work, and whether they are rated blind."""

from typing import Any

import streamlit as st

from pages.components import data, show, states, trust_data
from quality.commands import Filters
from quality.definitions import define
from quality.observations import COORDINATE
from quality.queue_commands import USUALLY_DRAWN

SIZES = (5, USUALLY_DRAWN, 20)
PREFIX = "review_"
"""Before a field, the key of its choice."""
MODEL = "review_model"
BLIND = (
    "The automatic and the verifier's score are hidden until you have rated, so that yours is not drawn to them. You can "
    "change it afterwards: the first and the last rating are both kept."
)


def of_work(model: str, work: dict[str, str | None]) -> dict[str, str]:
    """The query of a link to a draw of one model's runs of a kind of work."""
    return {MODEL: model} | {f"{PREFIX}{part}": value for part, value in work.items() if value}


def choice() -> dict[str, Any]:
    """The fields of `DrawForReview` as they are chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        size = st.segmented_control("Runs", SIZES, default=USUALLY_DRAWN, key=f"{PREFIX}count", required=True)
        blind = st.toggle("Rate blind", value=True, key=f"{PREFIX}blind", help=BLIND)
        with st.popover("Only some work", icon=":material/filter_alt:"):
            narrowed = _narrowed()
    if any(narrowed.values()):
        told = (
            f"{define(name).label} {', '.join(map(show.isolated, values))}"
            for name, values in narrowed.items()
            if values
        )
        st.text(f"Only {'; '.join(told)}")
    return {"count": size or USUALLY_DRAWN, "blind": blind, **narrowed}


def _narrowed() -> dict[str, list[str] | None]:
    facets = data.facets()
    with states.loading(states.LINE):
        models = sorted(trust_data.ranking(Filters()))
    found = {
        "model": st.multiselect(
            define("model").label, models, key=MODEL, bind="query-params", placeholder="Any", help=define("model").tooltip,
        )
    }  # fmt: skip
    for part in COORDINATE:
        found[part] = st.multiselect(
            define(part).label, facets.get(part, []), key=f"{PREFIX}{part}", bind="query-params", placeholder="Any",
            help=define(part).tooltip,
        )  # fmt: skip
    st.caption(
        "Draws from a part speak for that part: as evidence about a whole model they count as if it were typical."
    )
    return {name: values or None for name, values in found.items()}
