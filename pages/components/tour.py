"""How does somebody get to know the dashboard on the sample? Three steps in place, each ticked when it is really done.

What was rated and taken along is known to the ledger; who may store nothing has their ticks in the session.
"""

from collections.abc import Callable

import streamlit as st

from pages.components import data, page, process, selection, show, viewer
from quality.commands import Filters
from quality.errors import QualityError
from quality.tour_commands import STEPS, HideTour, ShowTour, Step, TakeTourStep, TourState

NAMES: dict[Step, str] = {"tiers": "The tiers", "rate": "Rate a run", "export": "Export it"}
DONE, OPEN = ":material/check_circle:", {step: f":material/counter_{place}:" for place, step in enumerate(STEPS, 1)}
TIERS = (
    f":orange[{show.SHAPES['auto']}] **Auto**: tests and CI. :blue[{show.SHAPES['verifier']}] **Verifier**: another agent. "
    f"{show.SHAPES['human']} **Human**: a person. The highest that a run has is its score; the others stay in sight."
)
RATE = "Open a run that nobody has rated, look at its evidence, give it 0–10 and save: your score counts from then on."
RATE_HERE = "Give this run 0–10 under **Your rating**, say why if you like, and save: your score counts from then on."
EXPORT = "Take the rows along as a file, each column explained. What you rated is in it; filters choose the rest."
EXPORT_HERE = (
    "Press **Download** below. Columns, format and filters are yours to choose; what you rated is in the file."
)
ALL_DONE = "That was the tour. Look around, or start your own ledger; the sample stays as it is."
NOT_YOURS = "Rating needs the role reviewer; yours is viewer. The other two steps are open to you."
LOOK_IN_SECONDS = 2.0
EXPORT_SCREEN = "Export"
_LOOKED_AT, _WAS_DONE, _TICKS = "tour_step", "tour_was_done", "tour_ticks"
_HIDDEN = "hidden"


def way_back() -> None:
    """The way to bring the tour back, where it is put away."""
    if _state().hidden:
        st.button(
            "Show the tour", on_click=_hide, args=(False,), icon=":material/tour:", type="tertiary", key="tour_show"
        )


def steps(screen: str) -> None:
    """The steps with their ticks, and what the one that is looked at asks for; nothing where the tour is put away."""
    state = _state()
    if state.hidden:
        return
    step = _looked_at(state)
    with st.container(horizontal=True, vertical_alignment="center", key="tour"):
        st.segmented_control(
            "Tour",
            STEPS,
            required=True,
            key=_LOOKED_AT,
            format_func=lambda one: f"{DONE if one in state.taken else OPEN[one]} {NAMES[one]}",
            label_visibility="collapsed",
        )
        st.caption(f"{len(state.taken)} of {len(STEPS)} done", width="stretch")
        st.button(
            "Hide the tour", on_click=_hide, args=(True,), icon=":material/close:", type="tertiary", key="tour_hide"
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(state.taken) == len(STEPS):
            st.markdown(ALL_DONE, width="stretch")
        else:
            _ASKS[step](state, screen)
    watching = screen == EXPORT_SCREEN and "export" not in state.taken
    st.fragment(_look_in, run_every=LOOK_IN_SECONDS if watching else None)()


def on_sent() -> Callable[[], None] | None:
    """What a download does once it has been sent whole: the step is taken; None where no tour is on."""
    if not process.HOME.state.sample or "export" in _state().taken:
        return None
    who = process.who()
    return _Sent(process.writer() if who.has("reviewer") else None, _name(), _ticks())


class _Sent:
    """The third step, taken by the thread that sends the file; uses no Streamlit."""

    def __init__(self, write: process.Writer | None, actor: str, ticks: set[str]) -> None:
        self._write, self._actor, self._ticks = write, actor, ticks

    def __call__(self) -> None:
        self._ticks.add("export")
        if self._write:
            self._write(TakeTourStep(actor=self._actor, step="export"))


def _tiers(state: TourState, screen: str) -> None:
    st.markdown(TIERS, width="stretch")
    if "tiers" not in state.taken:
        st.button("Understood", on_click=_take_tiers, icon=":material/check:", key="tour_tiers")


def _rate(state: TourState, screen: str) -> None:
    if not process.who().has("reviewer"):
        st.markdown(NOT_YOURS, width="stretch")
    elif screen == "Stories" and selection.current():
        st.markdown(RATE_HERE, width="stretch")
    else:
        st.markdown(RATE, width="stretch")
        if run_id := _unrated():
            page.link("stories", "Open a run", ":material/rate_review:", run=run_id)


def _export(state: TourState, screen: str) -> None:
    if screen == EXPORT_SCREEN:
        st.markdown(EXPORT_HERE, width="stretch")
    else:
        st.markdown(EXPORT, width="stretch")
        page.link("export", "Go to Export", ":material/download:")


_ASKS: dict[Step, Callable[[TourState, str], None]] = {"tiers": _tiers, "rate": _rate, "export": _export}


def _state() -> TourState:
    """What is done: of whoever is logged in their own, else of whoever uses this dashboard."""
    known = TourState(**_known(data.version(), (process.who().name or None) if viewer.logged_in() else None))
    ticks = _ticks()
    return TourState(
        taken=tuple(step for step in STEPS if step in known.taken or step in ticks),
        hidden=_HIDDEN in ticks if not process.who().has("reviewer") else known.hidden,
    )


@st.cache_data(max_entries=data.ENTRIES, show_spinner=False)
def _known(at: data.Version, by: str | None) -> dict:
    return process.ask(ShowTour(by=by))


def _ticks() -> set[str]:
    """What somebody who may store nothing has done in this session."""
    return st.session_state.setdefault(_TICKS, set())


def _looked_at(state: TourState) -> Step:
    """The step that is shown: the one that was chosen, until it is done; then the first that is open."""
    newly_done = set(state.taken) - set(st.session_state.get(_WAS_DONE, ()))
    st.session_state[_WAS_DONE] = state.taken
    chosen = st.session_state.get(_LOOKED_AT)
    if chosen is None or chosen in newly_done:
        chosen = next((step for step in STEPS if step not in state.taken), STEPS[-1])
    st.session_state[_LOOKED_AT] = chosen
    return chosen


def _unrated() -> str | None:
    """A run whose score comes from no human, with a verifier's word beside the signals where there is one."""
    for tier in ("verifier", "auto"):
        found = data.runs_page(Filters(tier=(tier,)), "ts", True, 1, 0)
        if found.num_rows:
            return found["run_id"][0].as_py()
    return None


def _look_in() -> None:
    """While a download may be under way: draw the page anew once it has been sent."""
    if "export" in _state().taken and "export" not in st.session_state[_WAS_DONE]:
        st.rerun()


def _take_tiers() -> None:
    _ticks().add("tiers")
    _store(TakeTourStep(actor=_name(), step="tiers"))


def _hide(hidden: bool) -> None:
    (_ticks().add if hidden else _ticks().discard)(_HIDDEN)
    _store(HideTour(actor=_name(), hidden=hidden, by=_name() if viewer.logged_in() else None))


def _store(command: TakeTourStep | HideTour) -> None:
    """Where it is refused, the session remembers it all the same."""
    if process.who().has("reviewer"):
        try:
            process.execute(command)
        except QualityError:
            return


def _name() -> str:
    return process.who().name or viewer.PURPOSE
