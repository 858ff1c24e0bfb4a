"""In which order were the observations of each run made? By the time they were given, else recorded.

Arrow tables in, positions out; what the order is used for is the caller's.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

INSTANT = pa.timestamp("us", tz="UTC")


@dataclass(frozen=True)
class Ordered:
    """Observations sorted by run, then time, with the bounds of each run's rows. n runs, m rows."""

    table: pa.Table
    runs: int
    row: NDArray[np.int64]
    """m, row numbers of `table` in order."""
    starts: NDArray[np.int64]
    """Positions in `row` where a run's rows begin; one entry a run that has any."""
    place: NDArray[np.int64]
    """The run of each entry of `starts`."""

    @property
    def ends(self) -> NDArray[np.int64]:
        return np.append(self.starts[1:], len(self.row))

    @property
    def segment(self) -> NDArray[np.int64]:
        """m, the entry of `starts` each row belongs to."""
        return np.repeat(np.arange(len(self.starts)), self.ends - self.starts)

    def values(self, name: str) -> NDArray:
        """A column in order, as numpy; no nulls expected in it."""
        return self.table[name].to_numpy()[self.row]

    def known(self, name: str) -> NDArray[np.bool_]:
        """m, whether the column is stated, in order."""
        return self.table[name].is_valid().to_numpy()[self.row]

    def per_run(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions by segment (−1 = none) → row of the table by run, −1 = none."""
        rows = np.full(self.runs, -1, dtype=np.int64)
        found = positions >= 0
        rows[self.place[found]] = self.row[positions[found]]
        return rows

    def last(self, name: str, among: NDArray[np.bool_] | None = None) -> pa.Array:
        """n values: the last known one of each run, null where none is."""
        known = self.known(name) if among is None else self.known(name) & among
        return take(self.table[name], self.per_run(last_true(known, self.starts, self.ends)))


def ordered(table: pa.Table, runs: int, tie: str | None = None) -> Ordered:
    """Sort by place, given_at, recorded_at, line and, last, the column `tie`."""
    place = table["place"].to_numpy()
    if len(place) == 0 or np.bincount(place, minlength=runs).max() == 1:
        row_at = np.full(runs, -1, dtype=np.int64)
        row_at[place] = np.arange(len(place))
        row = row_at[row_at >= 0]
    else:
        keys = [table[name].cast(pa.int64()).fill_null(0).to_numpy() for name in ("line", "recorded_at", "given_at")]
        row = np.lexsort((*([table[tie].to_numpy()] if tie else []), *keys, place))
    in_order = place[row]
    starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1])) if len(row) else np.zeros(0, dtype=np.int64)
    return Ordered(table, runs, row, starts, in_order[starts])


def latest_of(groups: NDArray[np.int64], when: NDArray[np.int64]) -> NDArray[np.bool_]:
    """m, whether a row has the greatest `when` of its group; `groups` is m × 2."""
    order = np.lexsort((when, groups[:, 1], groups[:, 0]))
    sorted_groups = groups[order]
    last = np.append((sorted_groups[1:] != sorted_groups[:-1]).any(axis=1), True)
    group = np.append(0, np.cumsum(last[:-1]))
    latest = np.empty(len(when), dtype=bool)
    latest[order] = when[order] == when[order][last][group]
    return latest


def last_true(mask: NDArray[np.bool_], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Per segment, the last position where the mask holds, −1 where it never does."""
    if not len(mask):
        return np.full(len(starts), -1, dtype=np.int64)
    before = np.maximum.accumulate(np.where(mask, np.arange(len(mask)), -1))[ends - 1]
    return np.where(before >= starts, before, -1)


def take(column: pa.Array | pa.ChunkedArray, rows: NDArray[np.int64]) -> pa.Array:
    """The values at these rows, null at −1."""
    taken = (
        column.take(pa.array(np.maximum(rows, 0), mask=rows < 0)) if len(column) else pa.nulls(len(rows), column.type)
    )
    return taken.combine_chunks() if isinstance(taken, pa.ChunkedArray) else taken
