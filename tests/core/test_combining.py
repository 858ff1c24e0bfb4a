"""Several reports of one run, without a ledger (design/006): each expected number is counted by hand."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quality.combining import REPORTS, combine

NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)
UNKNOWN = None


def reading(minute=0.0, at=None, place=0, **more):
    """Recorded this many minutes after noon; `at` = the source's own time, in minutes too."""
    recorded = NOON + timedelta(minutes=minute)
    given = recorded if at is None else NOON + timedelta(minutes=at)
    return {"place": place, "given_at": given, "recorded_at": recorded, "accepted": False} | more


def named(letters, ids=None, part=False, **more):
    """Outcomes, a letter a test; tests are 0, 1, 2 … unless their ids are given. A part that shows a failure is known."""
    passed, total = sum(letters.count(c) for c in "py"), sum(letters.count(c) for c in "pyfe")
    is_unknown = not total or (part and passed == total)
    return reading(
        test_ids=list(range(len(letters)) if ids is None else ids), test_outcomes=letters,
        test_pass_rate=None if is_unknown else passed / total, tests_total=total, tests_passed=passed,
        tests_failed=letters.count("f"), tests_errors=letters.count("e"), tests_skipped=letters.count("s"),
        tests_flaky=letters.count("y"), **more,
    )  # fmt: skip


def summary(passed, failed=0, runner="pytest", part=False, **more):
    total = passed + failed
    return reading(
        runner=runner, test_pass_rate=None if part and not failed else passed / total, tests_total=total, tests_passed=passed,
        tests_failed=failed, tests_errors=0, **more,
    )  # fmt: skip


def row(rate, total, **more):
    """What a CSV states."""
    return reading(test_pass_rate=rate, tests_total=total, **more)


def together(*readings):
    """passed, total, disagree of one run; None where the rate is unknown."""
    places, results = combine(pa.Table.from_pylist(list(readings), schema=REPORTS))
    assert places.tolist() == [0]
    if np.isnan(results.rate[0]):
        return UNKNOWN, UNKNOWN, bool(results.disagree[0])
    total = results.counts[0, 0]
    return round(results.rate[0] * total), total, bool(results.disagree[0])


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        pytest.param([named("ppf"), named("pp", [7, 8])], (4, 5, False), id="disjoint reports add up"),
        pytest.param([named("ppp"), named("p", [0]), named("p", [1])], (3, 3, False), id="a test counts once"),
        pytest.param([named("ppf", at=0), named("p", [2], at=5)], (3, 3, False), id="the newest attempt wins"),
        pytest.param([named("p", [2], at=5, minute=0), named("ppf", at=0, minute=9)], (3, 3, False), id="by its own time"),
        pytest.param([named("pf", at=0), named("pp", at=0, minute=1)], (1, 2, True), id="of one time: the worse, said so"),
        pytest.param([named("pf", at=0), named("pe", at=0)], (1, 2, False), id="failed and error are no contradiction"),
        pytest.param([named("py", at=0), named("pp", at=0)], (2, 2, False), id="a flaky pass is a pass"),
        pytest.param([named("ppf", at=0), named("pps", at=5)], (2, 3, False), id="to skip is no newer attempt"),
        pytest.param([named("pps"), named("s", [9])], (2, 2, False), id="skipped never passed"),
        pytest.param([named("sss"), named("s", [9])], (UNKNOWN, UNKNOWN, False), id="nothing ran: unknown"),
    ],
)  # fmt: skip
def test_named_tests(readings, expected):
    assert together(*readings) == expected


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        pytest.param([summary(2, 1), summary(4, runner="jest")], (6, 7, False), id="runners add up"),
        pytest.param([summary(1, 2), summary(3, minute=5)], (3, 3, False), id="the newest of a runner"),
        pytest.param([summary(3, at=5), summary(1, 2, at=0, minute=5)], (3, 3, False), id="by its own time"),
        pytest.param([summary(3, at=0), summary(2, 1, at=0, minute=5)], (2, 3, True), id="of one time: the worse, said so"),
        pytest.param([summary(3), summary(8, runner="jest+pytest", minute=5)], (8, 8, False), id="one log of both replaces"),
        pytest.param([summary(8, runner="jest+pytest"), summary(3, minute=5)], (3, 3, True), id="half of it: said so"),
        pytest.param([summary(5), summary(3, runner="jest", part=True)], (UNKNOWN, UNKNOWN, False), id="a part is no pass"),
        pytest.param([summary(4, 1), summary(3, runner="jest", part=True)], (7, 8, False), id="a failure is known"),
        pytest.param([summary(5), summary(3, part=True, minute=5)], (5, 5, False), id="unknown replaces nothing known"),
    ],
)  # fmt: skip
def test_summaries(readings, expected):
    assert together(*readings) == expected


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        pytest.param([named("ppf"), summary(2, 1, minute=0.5)], (2, 3, False), id="a log that agrees"),
        pytest.param([named("ppf"), summary(3, minute=0.5)], (2, 3, True), id="a log that does not"),
        pytest.param([summary(3), named("ppf", minute=30)], (2, 3, True), id="a log before the report only checks it"),
        pytest.param([summary(1, 2), summary(2, 1, minute=9), named("ppf", minute=10)], (2, 3, False), id="its newest does"),
        pytest.param([named("ppf"), summary(3, minute=2)], (3, 3, True), id="a later one is a newer attempt"),
        pytest.param([named("ppf"), summary(2, 1, minute=2)], (2, 3, False), id="a later one that agrees"),
        pytest.param([named("pp"), named("ppp", [7, 8, 9]), summary(2), summary(3, minute=0.5)], (5, 5, False), id="shards"),
        pytest.param([named("pp"), summary(1, part=True, minute=5)], (2, 2, False), id="a part of a log contradicts nothing"),
        pytest.param([named("pp", part=True), summary(5, minute=0.5)], (5, 5, True), id="a whole log beside a part"),
        pytest.param([named("ss"), summary(5, minute=0.5)], (5, 5, False), id="all skipped in one file says nothing"),
    ],
)  # fmt: skip
def test_summaries_beside_named_tests(readings, expected):
    assert together(*readings) == expected


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        pytest.param([named("p"), named("p", [8], part=True)], (UNKNOWN, UNKNOWN, False), id="one that adds is no pass"),
        pytest.param([named("f"), named("p", [8], part=True)], (1, 2, False), id="a failure is known all the same"),
        pytest.param([named("pp"), named("p", [1], part=True, minute=5)], (2, 2, False), id="one that adds nothing"),
        pytest.param([named("pf"), named("p", [1], part=True, minute=5)], (1, 2, False), id="a broken-off rerun is no proof"),
        pytest.param([named("pf", minute=-90), named("p", [8]), named("p", [9], part=True)], (1, 2, False), id="then the "
                     "round before"),
    ],
)  # fmt: skip
def test_a_part_of_a_run(readings, expected):
    assert together(*readings) == expected


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        pytest.param([row(0.5, 4), named("pp", minute=5)], (2, 2, False), id="the report is the latest"),
        pytest.param([named("pp"), row(0.5, 4, minute=5)], (2, 4, False), id="the stated rate is the latest"),
        pytest.param([named("pp"), row(0.5, 4, minute=5), named("f", [8], minute=6)], (2, 3, False), id="no gap in a round"),
        pytest.param([named("ff", [7, 8]), named("pp", minute=61)], (2, 2, False), id="more than an hour apart"),
        pytest.param([named("ff", [7, 8]), named("pp", minute=60)], (2, 4, False), id="an hour apart"),
    ],
)  # fmt: skip
def test_what_is_one_round(readings, expected):
    assert together(*readings) == expected


def test_a_stated_rate_and_total_say_how_many_passed():
    """0.9 of 10 → 9; how the others ended is not known, and without a total nothing is."""
    unknown = dict.fromkeys(("tests_failed", "tests_errors", "tests_skipped", "tests_flaky"))
    for total, passed in ((10, 9), (None, None)):
        found = combine(pa.Table.from_pylist([row(0.9, total)], schema=REPORTS))[1].of(0)
        assert found == {"tests_total": total, "tests_passed": passed, **unknown, "reports": 1}


@pytest.mark.parametrize("flag", ["build_success", "verified_by_ci"])
def test_true_and_false_in_one_round_disagree(flag):
    assert together(named("pp", **{flag: True}), named("p", [5], **{flag: False}))[2]
    assert not together(named("pp", **{flag: True}), named("p", [5], minute=90, **{flag: False}))[2]


def test_names_and_outcomes_that_do_not_fit_are_no_names():
    """Three names and two outcomes, as no reader of ours writes: the stated rate is all there is."""
    assert together(named("pp") | {"test_ids": [1, 2, 3]}, summary(1, 1, minute=-5)) == (2, 2, False)


READINGS = st.one_of(
    st.builds(
        named, st.text("pyfes", min_size=1, max_size=4), part=st.booleans(), minute=st.integers(0, 150),
        at=st.none() | st.integers(0, 5), place=st.integers(0, 2),
    ),
    st.builds(
        summary, st.integers(1, 4), st.integers(0, 2), runner=st.sampled_from(["pytest", "jest", "jest+pytest"]),
        part=st.booleans(), minute=st.integers(0, 150), at=st.none() | st.integers(0, 5), place=st.integers(0, 2),
    ),
    st.builds(row, st.sampled_from([0.0, 0.5, 1.0]), st.just(4), minute=st.integers(0, 150), place=st.integers(0, 2)),
)  # fmt: skip


def by_place(readings):
    places, results = combine(pa.Table.from_pylist(readings, schema=REPORTS))
    return {
        place: (str(results.rate[n]), str(results.counts[n]), results.reports[n], results.disagree[n])
        for n, place in enumerate(places.tolist())
    }


@given(st.lists(READINGS, min_size=1, max_size=9), st.randoms())
def test_runs_do_not_see_each_other_and_arrival_does_not_matter(readings, random):
    for line, one in enumerate(readings):
        one["line"] = line
    expected = {}
    for place in {one["place"] for one in readings}:
        expected |= by_place([one for one in readings if one["place"] == place])
    shuffled = random.sample(readings, len(readings))
    assert by_place(shuffled) == expected


@given(st.lists(READINGS, min_size=1, max_size=9))
def test_a_rate_is_of_its_counts_and_nothing_passed_that_nobody_says_passed(readings):
    places, results = combine(pa.Table.from_pylist(readings, schema=REPORTS))
    known = ~np.isnan(results.rate)
    total, passed = results.counts[known, 0], results.counts[known, 1]
    stated = np.isnan(passed)
    assert (total > 0).all()
    assert results.rate[known][~stated] == pytest.approx(passed[~stated] / total[~stated])
    claims = {one["place"] for one in readings if one["test_pass_rate"] == 1}
    assert {places[known][n] for n in np.flatnonzero(results.rate[known] == 1)} <= claims | {
        one["place"] for one in readings if one.get("test_outcomes", "").strip("s")
    }


DATED = st.one_of(
    st.builds(lambda letters, **more: named(letters, **more), st.text("pyfes", min_size=1, max_size=4), part=st.booleans()),
    st.builds(
        lambda *counts, **more: summary(*counts, **more), st.integers(1, 4), st.integers(0, 2),
        runner=st.sampled_from(["pytest", "jest"]), part=st.booleans(),
    ),
)  # fmt: skip


@given(st.lists(DATED, min_size=1, max_size=6), st.randoms())
def test_with_times_of_their_own_the_order_of_import_changes_nothing(readings, random):
    """Recorded within a minute, in any order: the numbers follow the sources' times."""
    orders = []
    for _ in range(3):
        delivered = random.sample(range(len(readings)), len(readings))
        dated = [
            one | {"given_at": NOON + timedelta(hours=n), "recorded_at": NOON + timedelta(seconds=delivered[n])}
            for n, one in enumerate(readings)
        ]  # fmt: skip
        orders.append(together(*dated))
    assert orders[0] == orders[1] == orders[2]


@given(st.lists(DATED, min_size=1, max_size=5), st.data())
def test_the_same_report_once_more_changes_nothing(readings, data):
    """Word for word, time included, as an aggregate tells it that was given beside the single files."""
    dated = [one | {"given_at": NOON + timedelta(hours=n)} for n, one in enumerate(readings)]
    with_names = [one for one in dated if "test_ids" in one]
    assume(with_names)
    again = data.draw(st.sampled_from(with_names))
    assert together(*dated, again | {"recorded_at": NOON + timedelta(seconds=30)}) == together(*dated)
