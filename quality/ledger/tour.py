"""How far is somebody with the tour of the sample? What they rated is in the audit, the rest is a note in the file."""

from typing import Any

from quality.errors import Conflict
from quality.ledger.backups import is_sample
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction
from quality.settings import Settings
from quality.tour_commands import STEPS, HideTour, ShowTour, TakeTourStep, TourState

HIDDEN = "hidden"


def take_tour_step(tx: Transaction, command: TakeTourStep, settings: Settings) -> TourState:
    """Note that the step was taken.

    Raises:
        Conflict: this is not the sample ledger.
    """
    return _noted(tx, command.step, command.actor)


def hide_tour(tx: Transaction, command: HideTour, settings: Settings) -> TourState:
    """Put the tour away for whoever asks, or bring it back.

    Raises:
        Conflict: this is not the sample ledger.
    """
    if command.hidden:
        return _noted(tx, HIDDEN, command.actor)
    _refuse_own(tx)
    tx.execute(load_sql("tour")["bring_back"], {"by": command.by})
    return _state(tx, command.actor)


def show_tour(store: Store, question: ShowTour) -> dict[str, Any]:
    """`taken`, in the order of the tour, and `hidden`."""
    return _state(store, question.by).model_dump()


def _noted(tx: Transaction, what: str, actor: str) -> TourState:
    _refuse_own(tx)
    tx.execute(load_sql("tour")["note"], {"what": what, "actor": actor})
    return _state(tx, actor)


def _state(source: Store | Transaction, by: str | None) -> TourState:
    row = source.rows(load_sql("tour")["state"], {"by": by})[0]
    return TourState(taken=tuple(step for step in STEPS if row[step]), hidden=row[HIDDEN])


def _refuse_own(tx: Transaction) -> None:
    if not is_sample(tx):
        raise Conflict("the tour is of the sample ledger, and this is another: open data/sample.duckdb for it")
