"""Which observations of a run count? The latest known of each signal, the latest standing ratings of each tier.

MODEL.md, "Resolution". Arrow tables in, one resolved row a run out; it knows no file, no database and no
screen. Every observation table carries `place` (the run's row), `given_at`, `recorded_at` and `line`; rows
may come in any order.
"""

from collections.abc import Iterable
from datetime import timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from quality.catalogue import UNKNOWN
from quality.combining import combine
from quality.ordering import INSTANT, Ordered, last_true, latest_of, ordered, take

SIGNAL_COLUMNS = (
    "test_pass_rate", "build_success", "verified_by_ci", "rework_count", "micro_rework", "pr_review_cycles",
    "duration_vs_estimate",
)  # fmt: skip
STORY_COLUMNS = ("title", "discipline", "org_domain", "industry", "phase")
OLDER_BY = timedelta(hours=1)
"""A report whose own time lies further than this before the run's start is not of the run, unless it was accepted."""
_TEXT, _FLAG, _COUNT, _NUMBER = pa.string(), pa.bool_(), pa.int32(), pa.float64()
_OBSERVED = [("place", pa.int64()), ("given_at", INSTANT), ("recorded_at", INSTANT), ("line", pa.int64())]
OVERRIDES = pa.schema([
    *_OBSERVED, ("source_id", _TEXT), ("quality", _NUMBER), ("n_ratings", _COUNT), ("raters_disagree", _FLAG),
    ("correct", _FLAG), ("rework", _FLAG), ("note", _TEXT), ("reviewer", _TEXT), ("review_reason", _TEXT),
    ("review_probability", _NUMBER),
])  # fmt: skip
"""What `resolve_human` takes."""
RESOLVED = pa.schema([
    ("run_id", _TEXT), ("story_id", _TEXT), ("agent", _TEXT), ("model_version", _TEXT), ("attempt", _COUNT),
    ("recorded_at", INSTANT), *((name, _TEXT) for name in STORY_COLUMNS), ("synthetic", _FLAG),
    ("model_at_dispatch", _TEXT), ("model_at_completion", _TEXT), ("split_model", _FLAG),
    ("occurred_at", INSTANT), ("started_at", INSTANT), ("older_report", _FLAG), ("results_disagree", _FLAG),
    ("test_pass_rate", _NUMBER), ("build_success", _FLAG), ("verified_by_ci", _FLAG), ("rework_count", _COUNT),
    ("micro_rework", _COUNT), ("pr_review_cycles", _COUNT), ("duration_vs_estimate", _NUMBER), ("tests_total", _COUNT),
    ("auto_at", INSTANT),
    ("quality_verifier", _NUMBER), ("n_verifier", _COUNT), ("verifier_agent", _TEXT), ("verifier_model", _TEXT),
    ("verifier_at", INSTANT), ("verifier_correct", _FLAG), ("verifier_rework", _FLAG), ("verifier_spread", _NUMBER),
    ("verifier_disagree", _FLAG), ("conflicting", _FLAG),
    ("quality_human", _NUMBER), ("n_human", _COUNT), ("reviewer", _TEXT), ("note", _TEXT), ("human_at", INSTANT),
    ("human_correct", _FLAG), ("human_rework", _FLAG), ("human_spread", _NUMBER), ("human_disagree", _FLAG),
    ("review_reason", _TEXT), ("review_probability", _NUMBER),
])  # fmt: skip
"""What `resolve_runs` gives."""
NAME_SEPARATOR = "; "
"""Joins the names of several raters whose mean counts."""


def resolve_runs(
    runs: pa.Table, facts: pa.Table, stories: pa.Table, signals: pa.Table, verdicts: pa.Table, overrides: pa.Table,
    reports: Iterable[pa.Table] = (), estimates: pa.Table | None = None,
) -> pa.Table:  # fmt: skip
    """Observations → one resolved row a run, in the order of the runs' places.

    Args:
        runs: place, run_id, story_id, agent, model_version, attempt, recorded_at, attested; n rows with
            the places 0 … n − 1 in any order.
        stories: the facts of these runs' stories, by story_id instead of place.
        facts, signals, verdicts, overrides: the observations as `ledger/sql/recompute.sql` selects them:
            standing ones only (not withdrawn, not simulated).
        reports: all readings again, as `combining.REPORTS`, of the runs that have several which name their tests or
            their runner; a run's readings lie in one table.
        estimates: told_of, stated, corrected (both > 0): stories whose estimate a person corrected. Then `runs` has
            `told_of` too, the story that a run came with, whatever it was merged into since.

    Returns:
        The facts and signals of each run, then the columns of `resolve_verifier` and `resolve_human`.
        Null = unknown.
    """
    n = runs.num_rows
    runs = runs.take(pa.array(np.argsort(runs["place"].to_numpy())))
    fact = ordered(facts, n)
    started = fact.last("started_at")
    older = is_older(signals, started)
    has_older = np.bincount(signals["place"].to_numpy()[older], minlength=n) > 0
    signal = ordered(signals.filter(pa.array(~older)) if older.any() else signals, n)
    dispatch, completion = fact.last("model_at_dispatch"), fact.last("model_at_completion")
    tests = _tests(signal, (table.filter(pa.array(~is_older(table, started))) for table in reports))
    return pa.table({
        **{name: runs[name] for name in ("run_id", "story_id", "agent", "model_version", "attempt", "recorded_at")},
        **_story_columns(runs["story_id"].combine_chunks(), stories),
        "model_at_dispatch": dispatch,
        "model_at_completion": completion,
        "occurred_at": fact.last("occurred_at"),
        "split_model": _split(runs["attested"].combine_chunks(), fact.last("split_model"), dispatch, completion),
        "started_at": started,
        "older_report": pa.array(has_older | _stated(signal, "older_report")),
        **{name: signal.last(name) for name in SIGNAL_COLUMNS},
        **_against_corrected(signal, runs, estimates),
        **tests,
        "auto_at": signal.last("given_at"),
        **resolve_verifier(verdicts, n),
        **resolve_human(overrides, n),
    })  # fmt: skip


def _against_corrected(signal: Ordered, runs: pa.Table, estimates: pa.Table | None) -> dict[str, pa.Array]:
    """Actual ÷ estimated of n runs against the corrected estimate: what was read, times stated ÷ corrected."""
    if estimates is None or not estimates.num_rows:
        return {}
    read = signal.last("duration_vs_estimate")
    stated, corrected = (estimates[name].cast(_NUMBER) for name in ("stated", "corrected"))
    factor = pc.divide(stated, corrected).combine_chunks()
    place = pc.index_in(runs["told_of"].combine_chunks(), estimates["told_of"].combine_chunks())
    ratio = pc.multiply(read, factor.take(place))
    most = pa.scalar(float(np.finfo(np.float64).max))
    return {"duration_vs_estimate": pc.coalesce(pc.min_element_wise(ratio, most, skip_nulls=False), read)}


def is_older(readings: pa.Table, started: pa.Array) -> NDArray[np.bool_]:
    """m, whether a reading is from well before its run's start and nobody said that it is of the run.

    Args:
        readings: m rows with `place`, `occurred_at` and `accepted`.
        started: n, when each run began, null = not known.
    """
    if started.null_count == len(started):
        return np.zeros(readings.num_rows, dtype=bool)
    began = started.take(readings["place"].combine_chunks())
    early = pc.less(readings["occurred_at"], pc.subtract(began, pa.scalar(OLDER_BY, pa.duration("us"))))
    older = pc.and_(pc.fill_null(early, False), pc.invert(readings["accepted"]))
    return older.to_numpy(zero_copy_only=False) if isinstance(older, pa.Array) else older.to_numpy()


def _tests(signal: Ordered, reports: Iterable[pa.Table]) -> dict[str, pa.Array]:
    """Pass rate and number of tests of each run, and whether its artifacts contradict each other."""
    with_rate = signal.per_run(last_true(signal.known("test_pass_rate"), signal.starts, signal.ends))
    rate, total = (take(signal.table[name], with_rate) for name in ("test_pass_rate", "tests_total"))
    disagree = _stated(signal, "results_disagree")
    for table in reports:
        places, results = combine(table)
        if not len(places):
            continue
        at = pa.array(np.isin(np.arange(signal.runs), places))
        rate = pc.replace_with_mask(rate, at, _nullable(results.rate))
        total = pc.replace_with_mask(
            total, at, _nullable(np.where(np.isnan(results.rate), np.nan, results.counts[:, 0]), total.type)
        )
        disagree[places] |= results.disagree
    return {"test_pass_rate": rate, "tests_total": total, "results_disagree": pa.array(disagree)}


def _stated(signal: Ordered, caveat: str) -> NDArray[np.bool_]:
    """n, whether the latest reading, one that nobody confirmed, states this caveat of what it was resolved from."""
    latest = pc.and_(signal.last(caveat), pc.invert(signal.last("accepted")))
    return pc.fill_null(latest, False).to_numpy(zero_copy_only=False)


def _nullable(values: NDArray[np.float64], kind: pa.DataType = _NUMBER) -> pa.Array:
    return pa.array(values, mask=np.isnan(values)).cast(kind)


def _story_columns(story_ids: pa.Array, stories: pa.Table) -> dict[str, pa.Array]:
    """What is known of each run's story: resolved once a story, then handed to its runs."""
    encoded = story_ids.dictionary_encode()
    place = pc.index_in(stories["story_id"], encoded.dictionary).cast(pa.int64())
    story = ordered(stories.append_column("place", place), len(encoded.dictionary))
    columns = {name: story.last(name) for name in STORY_COLUMNS} | {
        "synthetic": story.last("synthetic").fill_null(False)
    }
    return {name: column.take(encoded.indices) for name, column in columns.items()}


def resolve_verifier(verdicts: pa.Table, runs: int) -> dict[str, pa.Array]:
    """The verifier tier of n runs: the latest standing verdict, the mean of those that tie.

    `verifier_spread` = points between the verifiers' own latest ratings, 0 with fewer than two.
    """
    tier = _Tier(verdicts, runs, ("verifier_agent", "verifier_model"))
    return {
        "quality_verifier": tier.quality,
        "n_verifier": tier.n,
        "verifier_agent": tier.names("verifier_agent"),
        "verifier_model": tier.names("verifier_model"),
        "verifier_at": tier.at,
        "verifier_correct": tier.all_of("correct"),
        "verifier_rework": tier.either("rework"),
        "verifier_spread": pa.array(tier.spread),
        "verifier_disagree": tier.flag("raters_disagree"),
        "conflicting": tier.flag("conflicting"),
    }


def resolve_human(overrides: pa.Table, runs: int) -> dict[str, pa.Array]:
    """The human tier of n runs: the latest standing rating, the mean of those that tie."""
    tier = _Tier(overrides, runs, ("reviewer",))
    return {
        "quality_human": tier.quality,
        "n_human": tier.n,
        "reviewer": tier.names("reviewer"),
        "note": tier.last("note"),
        "human_at": tier.at,
        "human_correct": tier.all_of("correct"),
        "human_rework": tier.either("rework"),
        "human_spread": pa.array(tier.spread),
        "human_disagree": tier.flag("raters_disagree"),
        "review_reason": tier.last("review_reason"),
        "review_probability": tier.last("review_probability"),
    }


class _Tier:
    """The ratings of one tier: which count, and what they say together."""

    def __init__(self, table: pa.Table, runs: int, rater: tuple[str, ...]) -> None:
        self._runs = runs
        self._all = all_ratings = _without_revised(ordered(table, runs, "quality"))
        given = all_ratings.values("given_at").astype(np.int64)
        self._segment = all_ratings.segment
        self._counts = given == given[all_ratings.ends - 1][self._segment] if len(given) else np.zeros(0, dtype=bool)
        self._rater = rater
        self._given = given

    @property
    def quality(self) -> pa.Array:
        """n, the one rating that counts, or the mean of those that tie."""
        score = self._all.values("quality")
        n = self._all.values("n_ratings").astype(np.float64)
        total = self._sum(np.where(self._counts, n, 0.0))
        mean = self._sum(np.where(self._counts, score * n, 0.0)) / total
        one = score[last_true(self._counts, self._all.starts, self._all.ends)]
        single = self._sum(self._counts.astype(np.float64)) == 1
        return self._spread_out(np.where(single, one, mean))

    @property
    def n(self) -> pa.Array:
        """n, how many ratings the score is the mean of."""
        ratings = self._sum(np.where(self._counts, self._all.values("n_ratings"), 0).astype(np.float64))
        return self._spread_out(ratings).cast(pa.int32())

    @property
    def at(self) -> pa.Array:
        """n, when the ratings that count were given."""
        return self._all.last("given_at")

    @property
    def spread(self) -> NDArray[np.float64]:
        """n, points between the highest and lowest of the raters' own latest ratings; 0 with fewer than two."""
        spread = np.zeros(self._runs)
        several = (self._all.ends - self._all.starts) > 1
        if not several.any():
            return spread
        score = self._all.values("quality")
        names = [self._all.table[name].fill_null("").combine_chunks() for name in self._rater]
        codes = pc.binary_join_element_wise(*names, "\x1f").dictionary_encode().indices.to_numpy()[self._all.row]
        latest = latest_of(np.column_stack([self._segment, codes]), self._given)
        high = np.maximum.reduceat(np.where(latest, score, -np.inf), self._all.starts)
        low = np.minimum.reduceat(np.where(latest, score, np.inf), self._all.starts)
        spread[self._all.place] = high - low
        return spread

    def last(self, name: str) -> pa.Array:
        """n, the last stated value among the ratings that count."""
        return self._all.last(name, self._counts)

    def flag(self, name: str) -> pa.Array:
        """n, whether any rating that counts carries the flag; false without ratings."""
        return self.either(name).fill_null(False)

    def either(self, name: str) -> pa.Array:
        """n, true if one that counts says so, false if those that speak deny it, null if none speaks."""
        return self._judged(name, np.maximum)

    def all_of(self, name: str) -> pa.Array:
        """n, true only if all that count and speak say so, null if none speaks."""
        return self._judged(name, np.minimum)

    def names(self, name: str) -> pa.Array:
        """n, the distinct names among the ratings that count, in alphabetical order."""
        named = self._all.known(name) & self._counts
        encoded = self._all.table[name].combine_chunks().dictionary_encode()
        alphabet = encoded.dictionary.sort()
        rank = pc.index_in(encoded.dictionary, alphabet).to_numpy(zero_copy_only=False)
        code = (
            rank[encoded.indices.fill_null(0).to_numpy()[self._all.row][named]] if len(rank) else np.zeros(0, np.int64)
        )
        pairs = (
            np.unique(np.column_stack([self._segment[named], code]), axis=0)
            if _repeats(self._segment[named])
            else (np.column_stack([self._segment[named], code]))
        )
        offsets = np.searchsorted(pairs[:, 0], np.arange(len(self._all.starts) + 1))
        lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), alphabet.take(pa.array(pairs[:, 1])))
        joined = pc.binary_join(lists, NAME_SEPARATOR)
        rows = np.full(self._runs, -1, dtype=np.int64)
        rows[self._all.place] = np.where(np.diff(offsets) > 0, np.arange(len(self._all.starts)), -1)
        return take(joined, rows)

    def _judged(self, name: str, pick: np.ufunc) -> pa.Array:
        speaks = self._all.known(name) & self._counts
        neutral = 0 if pick is np.maximum else 1
        said = self._all.table[name].fill_null(False).to_numpy(zero_copy_only=False)[self._all.row].astype(np.int8)
        picked = np.full(self._runs, -1, dtype=np.int8)
        if len(said):
            spoken = np.logical_or.reduceat(speaks, self._all.starts)
            answer = pick.reduceat(np.where(speaks, said, neutral), self._all.starts)
            picked[self._all.place] = np.where(spoken, answer, -1)
        return pa.array(picked == 1, mask=picked < 0)

    def _sum(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.add.reduceat(values, self._all.starts) if len(values) else np.zeros(0)

    def _spread_out(self, by_segment: NDArray[np.float64]) -> pa.Array:
        values = np.full(self._runs, np.nan)
        values[self._all.place] = by_segment
        return pa.array(values, mask=np.isnan(values))


def _without_revised(ratings: Ordered) -> Ordered:
    """Leave out a rating whose source id comes again later on the run."""
    has_id = ratings.known("source_id")
    if not has_id.any():
        return ratings
    codes = (
        ratings.table["source_id"].combine_chunks().dictionary_encode().indices.fill_null(-1).to_numpy()[ratings.row]
    )
    codes = np.where(has_id, codes, -1 - np.arange(len(codes)))
    latest = latest_of(np.column_stack([ratings.segment, codes]), np.arange(len(codes)))
    return ordered(ratings.table.take(pa.array(ratings.row[latest])), ratings.runs, "quality")


def _repeats(values: NDArray[np.int64]) -> bool:
    return bool((values[1:] == values[:-1]).any())


def _split(attested: pa.Array, stated: pa.Array, dispatch: pa.Array, completion: pa.Array) -> pa.Array:
    """Whether the model changed between dispatch and completion: as stated, else if both are known and differ."""
    both = _all_true(
        (pc.not_equal(dispatch, completion), pc.not_equal(dispatch, UNKNOWN), pc.not_equal(completion, UNKNOWN))
    )
    return pc.and_(pc.invert(attested), pc.coalesce(stated, both))


def _all_true(columns: Iterable[pa.Array]) -> pa.Array:
    result = None
    for column in columns:
        known = column.fill_null(False)
        result = known if result is None else pc.and_(result, known)
    return result
