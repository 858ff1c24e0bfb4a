"""Where does a reviewer stand in their queue? What is drawn for them, what comes next, and the steps between.

Nothing is drawn by looking: only a press of the button draws, and what is open is there again after a reload.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from pages.components import allowed, data, drafting, first_steps, process, review_queue_choice, show, states, viewer
from quality.commands import Command, Filters
from quality.definitions import define
from quality.errors import QualityError
from quality.queue_commands import DrawForReview, GiveBackDraws, ShowReviewQueue, ShowReviewTotals, SkipDraw

NEXT_KEY = "n"
NEXT = ((NEXT_KEY.upper(), "next"),)
_RATED, _SEEN, _DREW, _REFUSED = "review_rated", "review_seen", "review_drew", "review_refusal"
OUTCOMES = {
    "rated": "n_answered", "skipped": "n_skipped", "given_back": "n_given_back", "expired": "n_expired", "left": "n_open",
}  # fmt: skip
"""What became of draws → its definition, in the order it is told."""
NOTHING = (
    "Nothing can be drawn now: every scored run of a known model is rated, reserved by somebody, or one that you skipped. "
    "Take a narrower choice back, or come again when there are new runs."
)
FREE_AGAIN = "Reservations end half an hour after your last step; those runs can be drawn by anybody now."
LATE = (
    "The reservation of this run had ended when you rated it, so the rating counts as picked by choice, not as drawn."
)


@dataclass(frozen=True)
class Standing:
    """What the page shows of a reviewer's queue."""

    reviewer: str
    draw: dict[str, Any] | None
    """The draw in turn, or the one that was just rated; `None` = there is none."""
    rated: bool
    """It is rated, and its tiers are shown beside the rating."""
    hidden: bool
    """The scores of its run are not shown yet."""
    round: dict[str, int]


def ready() -> bool:
    """Whether there is something to review and the person may; where not, what brings it or which role it takes."""
    if not data.totals(Filters())["runs"]:
        first_steps.what_next()
        return False
    return allowed.to(DrawForReview, "Reviewing runs that are drawn")


def standing() -> Standing:
    """Where the reviewer stands; without a name nothing is theirs."""
    name = viewer.reviewer()
    if not name:
        return Standing("", None, False, False, {})
    found = process.ask(ShowReviewQueue(reviewer=name))
    queue = {draw["draw_id"]: draw for draw in found["queue"]}
    last = st.session_state.get(_RATED)
    if last and last["reviewer"] == name:
        # One whose rating was taken back is open again: it is in turn, and its scores are no secret any more.
        draw, rated = (queue[last["draw_id"]], False) if last["draw_id"] in queue else (last, True)
    else:
        draw, rated = next(iter(queue.values()), None), False
    hidden = bool(draw) and draw["blind"] and draw["draw_id"] not in st.session_state.get(_SEEN, ())
    return Standing(name, draw, rated, hidden, found["round"])


def progress(at: Standing) -> None:
    """How much of the round has a rating; what was passed over is told, and is not done."""
    _tell_refusal()
    if not at.round or not at.round["drawn"]:
        return
    rated, drawn = show.count(at.round["rated"]), show.count(at.round["drawn"])
    states.progress(at.round["rated"] / at.round["drawn"], f"{rated} of {drawn} rated")
    with st.container(horizontal=True, gap="small"):
        _outcomes(at.round, but="rated")


def bar(at: Standing) -> None:
    """Why this one, with which chance, until when; and the ways on."""
    draw = at.draw or {}
    with st.container(border=True, gap="xsmall"):
        st.caption("Why this one", help=define("draw_probability").tooltip)
        st.text(f"{draw['why']}.")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if at.rated:
                st.button(
                    "Next", key="review_next", icon=":material/arrow_forward:", on_click=_go_on, shortcut=NEXT_KEY,
                    help="On to the next run of the round.",
                )  # fmt: skip
            st.button(
                "Stop here", key="review_stop", icon=":material/stop_circle:", type="tertiary", on_click=_stop, args=(at,),
                help="What is left is given back, so that others can draw it at once. A run that you look at now, and have "
                "not rated, counts as skipped.",
            )  # fmt: skip
            if not at.rated:
                until = show.instant(draw["expires_at"], viewer.zone()).split()[-1]
                st.caption(f"Reserved for you until {until}; every step of yours renews it.", width="content")


def begin(at: Standing) -> None:
    """Nothing is open: what became of the last round, and the way to the next."""
    with st.container(border=True):
        if not at.reviewer:
            st.write("Give your name first: runs are reserved under it, so that no two people get the same one.")
            viewer.ask_name()
            return
        if st.session_state.get(_DREW) == 0:
            states.note(NOTHING, icon=":material/inbox:")
        elif at.round["drawn"]:
            rest = at.round["drawn"] - at.round["rated"]
            states.done("This round is over.") if rest else states.done("This round is done: every run has a rating.")
            if at.round["expired"]:
                st.caption(f":material/timer_off: {FREE_AGAIN}")
        else:
            st.write(
                "Runs that nobody has rated are drawn by lot, likelier where a rating would tell more about which model to "
                "choose. The chance of each is kept, so that the ratings can be weighed back: the scores stay fair."
            )
        chosen = review_queue_choice.choice()
        st.button(
            f"Draw {show.count(chosen['count'])} runs", key="review_draw", icon=":material/casino:", on_click=_draw,
            args=(at.reviewer, chosen), shortcut=NEXT_KEY,
        )  # fmt: skip


def team() -> None:
    """What became of all draws of everybody."""
    totals = process.ask(ShowReviewTotals())
    if not totals["drawn"]:
        return
    with st.container(horizontal=True, gap="small"):
        st.caption(
            f"All reviewers: {show.count(totals['drawn'])} drawn", width="content", help=define("n_drawn").tooltip
        )
        _outcomes(totals)
        if (share := totals["skipped_share"]) is not None:
            st.caption(f"not answered {show.share(share)}", width="content", help=define("skipped_share").tooltip)


def tell_late(at: Standing, run: dict[str, Any]) -> None:
    """Where the rating came after the reservation had ended."""
    mine = drafting.standing(run, at.reviewer)
    if at.rated and mine and mine[-1]["review_reason"] != "queue":
        states.warn(LATE)


def after_save(at: Standing) -> partial[None]:
    """What comes after the rating: the tiers of the same run."""
    return partial(_reveal, at)


def skip(at: Standing) -> partial[None]:
    """Passes over the run that is shown."""
    return partial(_skip, at)


def gone(at: Standing) -> None:
    """The run of the draw is not in the ledger any more: on to the next."""
    st.button("Next", key="review_next_gone", icon=":material/arrow_forward:", on_click=_go_on, shortcut=NEXT_KEY)


def _outcomes(counted: dict[str, int], but: str | None = None) -> None:
    """Each that there is of, with what it means; what is left in any case."""
    for name, defined in OUTCOMES.items():
        if name != but and (counted[name] or name == "left"):
            meaning = define(defined)
            st.caption(f"{show.count(counted[name])} {meaning.label.lower()}", width="content", help=meaning.tooltip)


def _draw(reviewer: str, chosen: dict[str, Any]) -> None:
    answer = _execute(DrawForReview(actor=reviewer, reviewer=reviewer, **chosen))
    st.session_state[_DREW] = answer.open if answer else None
    st.session_state.pop(_RATED, None)


def _reveal(at: Standing) -> None:
    draw = at.draw or {}
    st.session_state[_RATED] = draw | {"reviewer": at.reviewer}
    st.session_state[_SEEN] = {*st.session_state.get(_SEEN, ()), draw["draw_id"]}


def _go_on() -> None:
    st.session_state.pop(_RATED, None)


def _skip(at: Standing) -> None:
    draw = at.draw or {}
    _execute(SkipDraw(actor=at.reviewer, reviewer=at.reviewer, draw_id=draw["draw_id"]))
    _go_on()


def _stop(at: Standing) -> None:
    draw = at.draw or {}
    looked_at = None if at.rated else draw["draw_id"]
    _execute(GiveBackDraws(actor=at.reviewer, reviewer=at.reviewer, looked_at=looked_at))
    _go_on()


def _execute(command: Command) -> Any:
    try:
        return process.execute(command)
    except QualityError as error:
        st.session_state[_REFUSED] = str(error)
        return None


def _tell_refusal() -> None:
    if reason := st.session_state.pop(_REFUSED, None):
        states.problem("Nothing was changed.", reason)


def read(at: Standing) -> dict[str, Any]:
    """The run of the draw.

    Raises:
        NotFound: it is not in the ledger any more.
    """
    return data.run((at.draw or {})["run_id"])
