"""What do several artifacts say together of the tests of one run? (design/006)

The reports of one round add up: a named test counts once, by its newest report; summaries that name no tests are the
whole answer where nothing else is there, and otherwise check it. Arrow in, numpy out, one run or many.
"""

from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from quality.named_tests import WORSE, NamedTests, Outcomes, newest_outcomes
from quality.ordering import INSTANT, Ordered, last_true, ordered

TOGETHER = timedelta(hours=1)
"""Reports recorded within this of the latest one are of one round."""
SAME_DELIVERY = timedelta(minutes=1)
"""A summary recorded later than this after the last report with names is a newer attempt, not a check of it."""
COUNTS = ("tests_total", "tests_passed", "tests_failed", "tests_errors", "tests_skipped", "tests_flaky")
FLAGS = ("build_success", "verified_by_ci")
"""What the readings of one round may contradict each other in, besides their tests."""
RUNNERS_JOIN = "+"
"""Joins the runners of a log with several summaries."""
REPORTS = pa.schema([
    ("place", pa.int64()), ("given_at", INSTANT), ("recorded_at", INSTANT), ("line", pa.int64()), ("occurred_at", INSTANT),
    ("accepted", pa.bool_()), ("test_pass_rate", pa.float64()), *((name, pa.int32()) for name in COUNTS),
    ("test_ids", pa.list_(pa.int64())), ("test_outcomes", pa.string()), ("runner", pa.string()),
    *((name, pa.bool_()) for name in FLAGS),
])  # fmt: skip
"""What `combine` takes: all the readings of some runs."""
_TOTAL, _PASSED, _FAILED, _ERRORS, _SKIPPED, _FLAKY = range(len(COUNTS))


@dataclass(frozen=True)
class Results:
    """What the tests of k runs amount to."""

    rate: NDArray[np.float64]
    """k, passed ÷ total, 0–1; NaN = unknown."""
    counts: NDArray[np.float64]
    """k × `COUNTS`; NaN = unknown."""
    reports: NDArray[np.int64]
    """k, how many readings the counts are from."""
    disagree: NDArray[np.bool_]
    """k, whether readings of one round contradict each other."""

    @classmethod
    def unknown(cls, runs: int) -> "Results":
        return cls(
            np.full(runs, np.nan), np.full((runs, len(COUNTS)), np.nan), np.zeros(runs, np.int64), np.zeros(runs, bool)
        )

    def put(self, where: NDArray[np.bool_], other: "Results") -> None:
        """Take the other's results of these runs; what was found to disagree stays so."""
        self.rate[where], self.counts[where], self.reports[where] = (
            other.rate[where], other.counts[where], other.reports[where],
        )  # fmt: skip
        self.disagree[where] |= other.disagree[where]

    def of(self, run: int) -> dict[str, int | None]:
        """One run's `COUNTS` and `reports` by name."""
        counts = self.counts[run].copy()
        if np.isnan(counts[_PASSED]):  # a rate and a total that were merely stated
            counts[_PASSED] = np.rint(self.rate[run] * counts[_TOTAL])
        known = {name: None if np.isnan(n) else int(n) for name, n in zip(COUNTS, counts)}
        return known | {"reports": int(self.reports[run])}

    @property
    def bad(self) -> NDArray[np.bool_]:
        """k, whether anything failed."""
        return (self.counts[:, _FAILED] > 0) | (self.counts[:, _ERRORS] > 0)

    def says_the_same_as(self, other: "Results") -> NDArray[np.bool_]:
        """k, whether as many passed and something failed in both or in neither."""
        return (self.counts[:, _PASSED] == other.counts[:, _PASSED]) & (self.bad == other.bad)


def combine(reports: pa.Table) -> tuple[NDArray[np.int64], Results]:
    """The readings of some runs → their places, in order, and what their tests amount to.

    The latest reading that tells of tests decides: if it only states a rate, as a row of a CSV does, it counts alone;
    else its round counts. A round that does not know its rate leaves the word to what was told before it.

    Args:
        reports: columns of `REPORTS`, *all* readings of each run in it that count at all, in any order.
    """
    places, run = np.unique(reports["place"].to_numpy(), return_inverse=True)
    place = reports.schema.get_field_index("place")
    rows = _Rows(ordered(reports.set_column(place, "place", pa.array(run)), len(places)), len(places))
    results = Results.unknown(len(places))
    alive = rows.tells.copy()
    while alive.any():
        latest = last_true(alive, rows.order.starts, rows.order.ends)
        open_, at = latest >= 0, np.maximum(latest, 0)
        stated = open_ & ~rows.is_report[at]
        results.put(stated, rows.alone(at))
        apart = np.abs(rows.recorded - rows.recorded[at][rows.run])
        together = (open_ & ~stated)[rows.run] & rows.is_report & alive & (apart <= TOGETHER)
        found = _round(rows, together)
        results.disagree[:] |= found.disagree
        known = ~np.isnan(found.rate)
        results.put(known, found)
        alive &= ~(stated | known)[rows.run] & ~together
    return places, results


class _Rows:
    """The readings in order, m of k runs, as numpy."""

    def __init__(self, order: Ordered, runs: int) -> None:
        self.order, self.runs = order, runs
        table = order.table
        self.run = order.values("place")
        self.recorded = order.values("recorded_at")
        self.given = order.values("given_at").astype(np.int64)
        self.rate = _floats(table["test_pass_rate"])[order.row]
        self.counts = np.column_stack([_floats(table[name])[order.row] for name in COUNTS])
        ids, letters = table["test_ids"], pc.utf8_length(table["test_outcomes"])
        length = pc.list_value_length(ids)
        is_named = pc.fill_null(pc.and_(pc.equal(length, letters), pc.greater(length, 0)), False)
        self.named = is_named.to_numpy()[order.row]
        self.summary = ~self.named & order.known("runner") & (np.nan_to_num(self.counts[:, _TOTAL]) > 0)
        self.is_report = self.named | self.summary
        self.known = ~np.isnan(self.rate)
        self.tells = self.known | self.named | self.summary

    @cached_property
    def summed(self) -> NDArray[np.float64]:
        """m × `COUNTS` to add up: what a summary leaves out follows from its rate, else is 0."""
        counts = self.counts.copy()
        no_passed = np.isnan(counts[:, _PASSED])
        counts[no_passed, _PASSED] = np.rint(self.rate[no_passed] * counts[no_passed, _TOTAL])
        no_failed = np.isnan(counts[:, _FAILED]) & np.isnan(counts[:, _ERRORS])
        counts[no_failed, _FAILED] = counts[no_failed, _TOTAL] - counts[no_failed, _PASSED]
        return np.nan_to_num(counts)

    @cached_property
    def runner(self) -> tuple[NDArray[np.int64], list[tuple[int, int]], list[str]]:
        """m, a number a runner; the pairs of different runners that share one, as `pytest` and `jest+pytest`; the names."""
        encoded = pc.fill_null(self.order.table["runner"], "").combine_chunks().dictionary_encode()
        names = encoded.dictionary.to_pylist()
        joined = [n for n, name in enumerate(names) if RUNNERS_JOIN in name]
        pairs = {tuple(p) for j in joined for o in range(len(names)) if o != j for p in ((j, o), (o, j))}
        shared = [(a, b) for a, b in pairs if _runners(names[a]) & _runners(names[b])]
        return encoded.indices.to_numpy()[self.order.row].astype(np.int64), shared, names

    def flag(self, name: str, value: bool, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """k, whether a reading among these states this value."""
        said = pc.fill_null(pc.equal(self.order.table[name], value), False).to_numpy()[self.order.row]
        return self.per_run(said & among) > 0

    def per_run(self, rows: NDArray, weights: NDArray[np.float64] | None = None) -> NDArray:
        """k, how many of these rows a run has, or the sum of their weights."""
        return np.bincount(self.run[rows], weights=None if weights is None else weights[rows], minlength=self.runs)

    def alone(self, at: NDArray[np.int64]) -> Results:
        """What one reading a run says, by position."""
        return Results(
            self.rate[at], self.counts[at], np.ones(self.runs, dtype=np.int64), np.zeros(self.runs, dtype=bool)
        )

    def entries(self, rows: NDArray[np.int64]) -> NamedTests:
        """The tests that these reports name."""
        picked = pa.array(self.order.row[rows])
        lists = self.order.table["test_ids"].take(picked)
        length = pc.list_value_length(lists).to_numpy()
        time = np.unique(self.given[rows], return_inverse=True)[1]
        letters = "".join(self.order.table["test_outcomes"].take(picked).to_pylist()).encode("ascii", "replace")
        return NamedTests(
            run=np.repeat(self.run[rows], length), report=np.repeat(rows, length),
            test=pc.list_flatten(lists).to_numpy(), letter=np.frombuffer(letters, np.uint8),
            time=np.repeat(time, length), is_whole=np.repeat(self.known[rows], length),
        )  # fmt: skip


def _round(rows: _Rows, together: NDArray[np.bool_]) -> Results:
    """What these readings, of one round a run, say together; unknown where a run has none."""
    named = together & rows.named
    outcomes = newest_outcomes(rows.entries(np.flatnonzero(named)), rows.runs)
    tests = _named_results(outcomes, rows, named)
    summaries = together & rows.summary
    last_named = np.full(
        rows.runs, np.datetime64("0001-01-01", "us"), dtype=rows.recorded.dtype.str.replace("ns", "us")
    )
    np.maximum.at(last_named, rows.run[named], rows.recorded[named])
    later = rows.recorded > last_named[rows.run] + np.timedelta64(SAME_DELIVERY)
    checks = _summed(rows, _newest(rows, summaries & rows.known & ~later)[0])
    all_checks = _summed(rows, summaries & rows.known & ~later)
    newer = _summed(rows, _newest(rows, summaries & rows.known & later)[0])
    known_ones = _summed(rows, _newest(rows, summaries & rows.known)[0])
    newest, doubtful = _newest(rows, summaries)
    everything = _summed(rows, newest)

    ran = tests.counts[:, _TOTAL] > 0
    whole = ran & ~np.isnan(tests.rate)
    agree = checks.says_the_same_as(tests) | all_checks.says_the_same_as(tests)
    wins = whole & (newer.reports > 0) & ~newer.says_the_same_as(tests)
    beside_part = ran & ~whole & (known_ones.reports > 0)
    results = tests
    results.put(wins, newer)
    results.put(beside_part, known_ones)
    results.put(~ran & (everything.reports > 0), everything)
    results.disagree[:] |= outcomes.contradicts | wins | (whole & (checks.reports > 0) & ~agree)
    results.disagree[:] |= beside_part & (known_ones.counts[:, _PASSED] != _passed(outcomes))
    results.disagree[:] |= ~ran & doubtful
    single = rows.per_run(together) == 1
    at = np.zeros(rows.runs, dtype=np.int64)
    at[rows.run[together]] = np.flatnonzero(together)
    results.put(single, rows.alone(at))
    for name in FLAGS:
        results.disagree[:] |= rows.flag(name, True, together) & rows.flag(name, False, together)
    return results


def _named_results(outcomes: Outcomes, rows: _Rows, named: NDArray[np.bool_]) -> Results:
    skipped, passed, flaky, failed, errors = (outcomes.counts[:, WORSE.index(letter)] for letter in "spyfe")
    total = passed + flaky + failed + errors
    counts = np.column_stack([total, passed + flaky, failed, errors, skipped, flaky]).astype(np.float64)
    unknown = (total == 0) | (outcomes.has_part & (failed + errors == 0))
    rate = np.divide(passed + flaky, total, out=np.full(rows.runs, np.nan), where=~unknown)
    return Results(rate, counts, outcomes.reports, np.zeros(rows.runs, dtype=bool))


def _passed(outcomes: Outcomes) -> NDArray[np.int64]:
    return outcomes.counts[:, WORSE.index("p")] + outcomes.counts[:, WORSE.index("y")]


def _summed(rows: _Rows, summaries: NDArray[np.bool_]) -> Results:
    """These summaries added up; a part of a run that shows no failure makes the rate unknown, unless others do."""
    counts = np.column_stack([rows.per_run(summaries, rows.summed[:, n]) for n in range(len(COUNTS))])
    total, bad = counts[:, _TOTAL], counts[:, _FAILED] + counts[:, _ERRORS]
    has_part = rows.per_run(summaries & ~rows.known) > 0
    unknown = (total == 0) | (has_part & (bad == 0))
    rate = np.divide(counts[:, _PASSED], total, out=np.full(rows.runs, np.nan), where=~unknown)
    found = rows.per_run(summaries)
    one = (found == 1)[rows.run] & summaries
    rate[rows.run[one]] = rows.rate[one]
    return Results(rate, counts, found, np.zeros(rows.runs, dtype=bool))


def _newest(rows: _Rows, summaries: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The newest summary of each runner: a known one before a part, the worse of two with one time.

    Also k, whether that is doubtful: two of one time differ, or a newer summary covers only half of another's runners.
    """
    code, shared, names = rows.runner
    at = np.flatnonzero(summaries)
    at = at[np.lexsort((at, -np.nan_to_num(rows.rate[at]), rows.given[at], rows.known[at]))]
    standing = np.arange(len(at))
    order = np.lexsort((standing, code[at], rows.run[at]))
    at, standing = at[order], standing[order]
    again = (rows.run[at][1:] == rows.run[at][:-1]) & (code[at][1:] == code[at][:-1])
    said = np.column_stack([np.nan_to_num(rows.rate[at], nan=-1), rows.summed[at, _PASSED]])
    differ = again & (rows.given[at][1:] == rows.given[at][:-1]) & (said[1:] != said[:-1]).any(axis=1)
    newest, standing = (x[np.append(~again, True)[: len(at)]] for x in (at, standing))
    doubtful, dropped = np.zeros(rows.runs, dtype=bool), np.zeros(len(newest), dtype=bool)
    doubtful[rows.run[at[1:][differ]]] = True
    for older, newer in shared:
        best = np.full(rows.runs, -1)
        is_newer = code[newest] == newer
        best[rows.run[newest[is_newer]]] = standing[is_newer]
        gone = (code[newest] == older) & (standing < best[rows.run[newest]])
        dropped |= gone
        if not _runners(names[older]) <= _runners(names[newer]):
            doubtful[rows.run[newest[gone]]] = True
    kept = np.zeros(len(summaries), dtype=bool)
    kept[newest[~dropped]] = True
    return kept, doubtful


def _runners(name: str) -> set[str]:
    return set(name.split(RUNNERS_JOIN))


def _floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    return column.to_numpy().astype(np.float64)
