"""Which observations count (MODEL.md, Resolution): against a plain reading of the rules, one run at a time."""

from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.resolution import OVERRIDES, Ordered, ordered, resolve_human

START = datetime(2026, 8, 1, tzinfo=UTC)


def hour(n):
    return START + timedelta(hours=n)


def rating(place=0, quality=5.0, given_at=0, recorded_at=None, **more):
    base = {"place": place, "quality": quality, "given_at": hour(given_at), "n_ratings": 1, "raters_disagree": False}
    return base | {"recorded_at": hour(given_at if recorded_at is None else recorded_at), "line": None} | more


def human(ratings, runs=1):
    resolved = resolve_human(pa.Table.from_pylist(ratings, schema=OVERRIDES), runs)
    return pa.table(resolved).to_pylist()


def test_the_latest_rating_counts_by_the_time_it_was_given():
    """Given at 1 h but recorded last: the one given at 2 h still counts."""
    row = human([rating(quality=8, given_at=2, reviewer="dana"), rating(quality=3, given_at=1, recorded_at=9)])[0]
    assert (row["quality_human"], row["n_human"], row["reviewer"], row["human_at"]) == (8, 1, "dana", hour(2))


def test_ratings_that_tie_in_time_count_as_their_mean():
    """6 and 9 at one time → 7.5, n 2; the earlier 0 does not count."""
    panel = [rating(quality=0, reviewer="fay"), rating(quality=6, given_at=1, reviewer="dana")]
    row = human([*panel, rating(quality=9, given_at=1, reviewer="eli")])[0]
    assert (row["quality_human"], row["n_human"], row["reviewer"]) == (7.5, 2, "dana; eli")
    assert row["human_spread"] == 9  # fay's 0 and eli's 9 are both their raters' latest


def test_a_mean_taken_elsewhere_weighs_as_many_ratings_as_it_stands_for():
    """(9·3 + 5·1) / 4 = 8."""
    row = human([rating(quality=9, n_ratings=3), rating(quality=5, reviewer="dana")])[0]
    assert (row["quality_human"], row["n_human"]) == (8, 4)


def test_the_same_source_id_again_is_a_revision():
    row = human([
        rating(quality=4, source_id="r-1", given_at=0), rating(quality=8, source_id="r-1", given_at=1),
        rating(quality=2, source_id="r-2", given_at=1),
    ])[0]  # fmt: skip
    assert (row["quality_human"], row["n_human"]) == (5, 2)


def test_the_spread_is_between_raters_not_within_one():
    """dana changed her mind from 1 to 9; that is no disagreement."""
    assert (
        human([rating(quality=1, reviewer="dana"), rating(quality=9, given_at=1, reviewer="dana")])[0]["human_spread"]
        == 0
    )


def test_a_flag_is_raised_by_any_and_correct_needs_all():
    row = human([rating(rework=True, correct=True), rating(rework=False, correct=False), rating()])[0]
    assert (row["human_rework"], row["human_correct"]) == (True, False)


def test_what_nobody_states_is_unknown():
    row = human([rating()])[0]
    assert (row["human_rework"], row["human_correct"], row["note"], row["reviewer"]) == (None, None, None, None)


def test_the_note_is_that_of_a_rating_that_counts():
    row = human([rating(note="old"), rating(given_at=1, note=None)])[0]
    assert row["note"] is None


def test_runs_without_ratings_have_no_human_score():
    rows = human([rating(place=1, quality=7)], runs=3)
    assert [row["quality_human"] for row in rows] == [None, 7, None]
    assert [row["human_spread"] for row in rows] == [0, 0, 0]
    assert human([], runs=2)[0]["quality_human"] is None


RATINGS = st.lists(
    st.builds(
        rating,
        place=st.integers(0, 3),
        quality=st.sampled_from([0.0, 2.5, 7.1, 9.0, 10.0]),
        given_at=st.integers(0, 3),
        recorded_at=st.integers(0, 5),
        source_id=st.sampled_from([None, None, "a", "b"]),
        reviewer=st.sampled_from([None, "dana", "eli"]),
        n_ratings=st.integers(1, 3),
        rework=st.sampled_from([None, True, False]),
        note=st.sampled_from([None, "x", " "]),
        line=st.none() | st.integers(1, 3),
    ),
    max_size=14,
)


def by_the_rules(ratings):
    """The human score of one run, read off MODEL.md without any array."""

    def order(r):
        return (r["given_at"], r["recorded_at"], r["line"] or 0, r["quality"])

    kept = []
    for r in ratings:
        later = [o for o in ratings if o["source_id"] and o["source_id"] == r["source_id"]]
        if r["source_id"] is None or max(later, key=order) is r or order(max(later, key=order)) == order(r):
            kept.append(r)
    if not kept:
        return None
    newest = max(r["given_at"] for r in kept)
    counting = [r for r in kept if r["given_at"] == newest]
    return sum(r["quality"] * r["n_ratings"] for r in counting) / sum(r["n_ratings"] for r in counting)


@given(RATINGS)
def test_the_human_score_is_what_the_rules_say(ratings):
    unique = list(
        {
            (r["place"], r["source_id"], r["given_at"], r["recorded_at"], r["line"], r["quality"]): r for r in ratings
        }.values()
    )
    expected = [by_the_rules([r for r in unique if r["place"] == place]) for place in range(4)]
    found = [row["quality_human"] for row in human(unique, runs=4)]
    assert found == [None if e is None else pytest.approx(e) for e in expected]


@given(RATINGS, st.randoms())
def test_the_order_of_arrival_changes_nothing(ratings, random):
    unique = list(
        {
            (r["place"], r["source_id"], r["given_at"], r["recorded_at"], r["line"], r["quality"]): r for r in ratings
        }.values()
    )
    shuffled = list(unique)
    random.shuffle(shuffled)
    assert human(shuffled, runs=4) == human(unique, runs=4)


@given(RATINGS)
def test_a_run_alone_resolves_as_it_does_among_others(ratings):
    together = human(ratings, runs=4)
    alone = [human([r | {"place": 0} for r in ratings if r["place"] == place])[0] for place in range(4)]
    assert alone == together


def signals(*rows):
    schema = pa.schema([*list(OVERRIDES)[:4], ("rework_count", pa.int32())])
    return pa.Table.from_pylist(list(rows), schema=schema)


def last(table: Ordered, name="rework_count"):
    return table.last(name).to_pylist()


def test_an_unknown_signal_never_replaces_a_known_one():
    rows = signals(
        {"place": 0, "given_at": hour(0), "recorded_at": hour(0), "rework_count": 2},
        {"place": 0, "given_at": hour(1), "recorded_at": hour(1), "rework_count": None},
        {"place": 1, "given_at": hour(1), "recorded_at": hour(1), "rework_count": None},
    )
    assert last(ordered(rows, 2)) == [2, None]


def test_readings_of_one_time_resolve_by_their_line():
    rows = signals(
        {"place": 0, "given_at": hour(0), "recorded_at": hour(0), "line": 9, "rework_count": 1},
        {"place": 0, "given_at": hour(0), "recorded_at": hour(0), "line": 8, "rework_count": 2},
    )
    assert last(ordered(rows, 1)) == [1]
