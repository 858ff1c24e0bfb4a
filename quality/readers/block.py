"""How are the cells of a block of rows read? By their column's declared type; bad ones become rejects.

A `Block` is a part of a table under way to observations; `tabular.py` says what its rows mean.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from quality.catalogue import UNKNOWN
from quality.readers.attributes import JsonMembers
from quality.readers.columns import Layout
from quality.readers.instants import instants
from quality.readers.numbers import Parsed, counts, flags, probabilities, ratings, ratios, shares
from quality.readers.rows import Rejects, Rows

RATING = "a rating is a number from 0 to 10, or written like 8/10: rescale another scale, or leave the cell empty"
SHARE = "a rate is a number from 0 to 1: give the share, not percent, or leave the cell empty"
COUNT = "a count is a whole number ≥ 0: correct the cell or leave it empty"
FLAG = "a yes or no is true, false, 1, 0, yes or no: correct the cell or leave it empty"
TIME = "a time is ISO 8601, such as 2026-08-01T10:00:00Z: correct the cell or leave it empty"
NUMBER_OF_RATINGS = "a number of ratings is a whole number ≥ 1: correct the cell or leave it empty"
PARSERS: dict[str, tuple[Callable[[pa.Array], Parsed], str]] = {
    "test_pass_rate": (shares, SHARE),
    "tests_total": (counts, COUNT),
    "build_success": (flags, FLAG),
    "verified_by_ci": (flags, FLAG),
    "rework_count": (counts, COUNT),
    "micro_rework": (counts, COUNT),
    "pr_review_cycles": (counts, COUNT),
    "duration_vs_estimate": (ratios, "actual ÷ estimated is a number > 0: correct the cell or leave it empty"),
    "estimated_tokens": (counts, COUNT),
    "synthetic": (flags, FLAG),
    "split_model": (flags, FLAG),
    "rework": (flags, FLAG),
    "correct": (flags, FLAG),
    "attempt": (lambda column: counts(column, 1), "an attempt is a whole number ≥ 1: correct it or leave it empty"),
    "quality": (ratings, RATING),
    "quality_verifier": (ratings, RATING),
    "quality_human": (ratings, RATING),
    "n_verifier": (lambda column: counts(column, 1), NUMBER_OF_RATINGS),
    "n_human": (lambda column: counts(column, 1), NUMBER_OF_RATINGS),
    "review_probability": (probabilities, "a probability is a number above 0, at most 1: correct it or leave it empty"),
    **dict.fromkeys(("ts", "verifier_at", "human_at"), (instants, TIME)),
}
"""Column → how its cells are read, and what they may hold."""

Mask = NDArray[np.bool_]


@dataclass
class Tally:
    """What is counted over a whole file, to be said once."""

    naive_times: int = 0
    future_times: int = 0
    rows: int = 0

    def warnings(self) -> list[str]:
        said = []
        if self.naive_times:
            said.append(
                f"{self.naive_times:,} times state no zone and were taken as UTC: add an offset such as Z if they are not"
            )
        if self.future_times:
            said.append(
                f"{self.future_times:,} times lie in the future: until then they count as the latest, before any rating "
                "given now: check year and zone"
            )
        return said


@dataclass
class Block:
    """A block of rows under way. n rows."""

    n: int
    columns: dict[str, pa.Array]
    """Known name → its cells."""
    extra: dict[str, pa.Array | JsonMembers]
    """Attribute → its cells."""
    lines: pa.Array
    header: dict[str, str]
    """Known name → the name as written."""
    rejects: Rejects
    tally: Tally
    parsed: dict[str, Parsed] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Rows, layout: Layout, tally: Tally) -> "Block":
        columns = {name: rows.columns[place] for name, place in layout.columns.items()}
        extra = {name: rows.columns[place] for name, place in layout.attributes.items()}
        header = {name: rows.header[place] for name, place in layout.columns.items()}
        tally.rows += len(rows.lines)
        return cls(len(rows.lines), columns, extra, rows.lines, header, rows.rejects, tally)

    def keep(self, mask: Mask) -> "Block":
        """The rows where the mask holds; what was parsed is kept."""
        if mask.all():
            return self
        rows = pa.array(mask)
        parsed = {
            name: Parsed(p.values.filter(rows), None if p.bad is None else p.bad[mask])
            for name, p in self.parsed.items()
        }
        return Block(
            int(mask.sum()), {k: c.filter(rows) for k, c in self.columns.items()},
            {k: c.filter(rows) for k, c in self.extra.items()}, self.lines.filter(rows), self.header, self.rejects,
            self.tally, parsed,
        )  # fmt: skip

    def read(self, name: str, among: Mask | None = None) -> Parsed:
        """A typed column; its bad cells become rejects. All null where the column is not there."""
        if name not in self.parsed:
            parse, reason = PARSERS[name]
            if name not in self.columns:
                kind = parse(pa.nulls(0, pa.string())).values.type
                self.parsed[name] = Parsed(pa.nulls(self.n, kind))
            else:
                found = parse(self.columns[name])
                self.tally.naive_times += getattr(found, "naive", 0)
                self.tally.future_times += getattr(found, "future", 0)
                bad = found.bad if found.bad is None or among is None else found.bad & among
                self.refuse(name, reason, bad)
                self.parsed[name] = found
        return self.parsed[name]

    def refuse(self, name: str, reason: str, bad: Mask | None) -> None:
        """The cells of a column where the mask holds become rejects."""
        if bad is None or not bad.any():
            return
        rows = pa.array(bad)
        cells = self.columns[name].filter(rows) if name in self.columns else pa.nulls(int(bad.sum()), pa.string())
        self.rejects.add_many(self.lines.filter(rows), self.header.get(name, name), reason, cells)

    def text(self, name: str) -> pa.Array:
        """A column of text as written."""
        return self.columns[name].cast(pa.string()) if name in self.columns else pa.nulls(self.n, pa.string())

    def named(self, name: str) -> pa.Array:
        """A column of names, where the empty text names nothing."""
        column = self.text(name)
        return (
            pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column) if name in self.columns else column
        )

    def known(self, name: str) -> pa.Array:
        """A column of names, where `unknown` names nothing."""
        column = self.named(name)
        return (
            pc.if_else(pc.equal(column, UNKNOWN), pa.scalar(None, pa.string()), column)
            if name in self.columns
            else column
        )

    def stated(self, name: str) -> Mask:
        """n, whether the cell holds anything."""
        return valid(self.named(name)) if name in self.columns else np.zeros(self.n, dtype=bool)


def valid(column: pa.Array) -> Mask:
    return column.is_valid().to_numpy(zero_copy_only=False)
