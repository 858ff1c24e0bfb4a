"""Which run comes before and after this one, among those that fit and in the order they are shown? Two steps, not a page."""

from dataclasses import dataclass

from quality.commands import Filters
from quality.ledger.filtering import fitting
from quality.ledger.queries import refuse_order
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store


@dataclass(frozen=True)
class Place:
    """Where a run stands."""

    position: int
    """From 1; of a run that does not fit, the place that it would have."""
    total: int
    """Runs that fit."""
    fits: bool
    """Whether the run itself does."""
    previous: str | None
    """Id of the run before it; `None` = it is the first."""
    next: str | None


def place_of(store: Store, filters: Filters, run_id: str, *, sort: str = "ts", descending: bool = True) -> Place:
    """Where the run stands among those that fit; of a run that there is not, nowhere, and it has no neighbours.

    Raises:
        QualityError: a column that a table of runs cannot be sorted by.
    """
    refuse_order(sort)
    sql = _parts(sort, descending)
    with store.snapshot() as tx:
        statement, params = fitting(sql["place"], filters)
        place = tx.rows(statement, params | {"run_id": run_id})[0]
        found: dict[str, str | None] = {"previous": None, "next": None}
        for step in found if place["known"] else ():
            statement, params = fitting(sql[step], filters)
            row = tx.row(statement, params | {"run_id": run_id})
            found[step] = row and row["run_id"]
    return Place(place["before"] + 1, place["total"], place["fits"], **found)


def _parts(sort: str, descending: bool) -> dict[str, str]:
    """The statements for one order; `sort` is the name of a column."""
    known = load_sql("queries/neighbours")
    down, up = ("DESC", "ASC") if descending else ("ASC", "DESC")
    words = {
        "/* here */": known["here"],
        "/* before */": known["before"],
        "/* after */": known["after"],
        "/* order */": f"{sort} {down} NULLS LAST, run_id",
        "/* reverse */": f"{sort} {up} NULLS FIRST, run_id DESC",
        "/* sort */": sort,
        "/* beyond */": "<" if descending else ">",
    }
    found = {}
    for name in ("place", "next", "previous"):
        found[name] = known[name]
        for place, text in words.items():
            found[name] = found[name].replace(place, text)
    return found
