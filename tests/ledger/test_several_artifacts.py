"""Several artifacts of one run say together how its tests ended (design/006): imports in, ledger rows out."""

import itertools
from datetime import UTC, datetime, timedelta

import pytest

from quality.commands import Rebuild, ShowStory
from quality.named_tests import LETTERS, known_by
from quality.observations import RunFact, SignalReading

NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)
RUN = RunFact(story_id="S-1", agent="codex", model_version="m1", attempt=1)


def named(tests: dict[str, str], *, part=False, **more) -> SignalReading:
    """A report that names its tests: name → how it ended."""
    ended = {how: sum(e == how for e in tests.values()) for how in LETTERS}
    passed = ended["passed"] + ended["flaky"]
    total = passed + ended["failed"] + ended["errors"]
    return SignalReading(
        run=0, test_pass_rate=None if part or not total else passed / total, tests_total=total, tests_passed=passed,
        tests_failed=ended["failed"], tests_errors=ended["errors"], tests_skipped=ended["skipped"],
        tests_flaky=ended["flaky"], test_ids=[known_by(name) for name in tests],
        test_outcomes="".join(LETTERS[how] for how in tests.values()), **more,
    )  # fmt: skip


def summary(runner: str, passed: int, failed: int = 0, **more) -> SignalReading:
    """A log's summary, which names no tests."""
    total = passed + failed
    return SignalReading(
        run=0, runner=runner, test_pass_rate=passed / total, tests_total=total, tests_passed=passed, tests_failed=failed,
        tests_errors=0, **more,
    )  # fmt: skip


def stated(ledger):
    """rate, total and whether the artifacts disagree."""
    row = ledger.store.rows("SELECT test_pass_rate, tests_total, results_disagree FROM ledger")[0]
    return tuple(row.values())


def rebuilt(ledger):
    before = ledger.store.rows("FROM ledger ORDER BY run_id")
    ledger.execute(Rebuild(actor="ci"))
    assert ledger.store.rows("FROM ledger ORDER BY run_id") == before
    return stated(ledger)


def test_an_aggregate_beside_the_single_files_does_not_double(ledger, tell):
    """TESTS-TestSuites.xml of the corpus (j18) holds the three tests of three TEST-*.xml files: 3 of 3, in any order."""
    tests = {f"pkg.Class{n}.test": "passed" for n in range(3)}
    files = [named(tests), *(named({name: how}) for name, how in tests.items())]
    for file in files:
        tell(RUN, file)
    assert rebuilt(ledger) == (1, 3, False)


def test_one_file_a_class_adds_up(ledger, tell):
    """2 of 2, 1 of 2 and 3 of 3 → 6 of 7."""
    tell(RUN, named({"A.a": "passed", "A.b": "passed"}))
    tell(RUN, named({"B.a": "passed", "B.b": "failed"}))
    tell(RUN, named({"C.a": "passed", "C.b": "flaky", "C.c": "passed", "C.d": "skipped"}))
    assert rebuilt(ledger) == (pytest.approx(6 / 7), 7, False)
    tests = ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["tests"]
    assert tests == {
        "tests_total": 7, "tests_passed": 6, "tests_failed": 1, "tests_errors": 0, "tests_skipped": 1, "tests_flaky": 1,
        "reports": 3,
    }  # fmt: skip


def test_a_log_beside_its_report_counts_once(ledger, tell):
    """The same 3 tests in XML and in the log's summary: 3, not 6."""
    for reading in (named({"a": "passed", "b": "passed", "c": "failed"}), summary("pytest", 2, 1)):
        tell(RUN, reading)
    assert rebuilt(ledger) == (pytest.approx(2 / 3), 3, False)


def test_a_log_that_says_otherwise_than_its_report_is_a_warning_on_the_run(ledger, tell):
    """The report names 3 that passed; the log counts 2 and a failure. The names count."""
    tell(RUN, summary("pytest", 2, 1))
    tell(RUN, named({"a": "passed", "b": "passed", "c": "passed"}))
    assert rebuilt(ledger) == (1, 3, True)
    assert "results_disagree" in ledger.store.rows("SELECT caveats FROM ledger")[0]["caveats"]


def test_the_newest_attempt_of_a_test_wins(ledger, tell):
    """The rerun of the one that failed: 3 of 3, whichever report came in first."""
    first = named({"a": "passed", "b": "passed", "c": "failed"}, occurred_at=NOON)
    again = named({"c": "passed"}, occurred_at=NOON + timedelta(minutes=5))
    for story, files in (("S-1", (first, again)), ("S-2", (again, first))):
        for file in files:
            tell(RUN.model_copy(update={"story_id": story}), file)
    rows = ledger.store.rows("SELECT test_pass_rate, tests_total, results_disagree FROM ledger")
    assert [tuple(row.values()) for row in rows] == [(1, 3, False)] * 2


def test_runners_of_one_run_add_up(ledger, tell):
    """pytest 2 of 3 and jest 4 of 4: 6 of 7; the second look at pytest replaces the first."""
    tell(RUN, summary("pytest", 1, 2))
    tell(RUN, summary("jest", 4))
    tell(RUN, summary("pytest", 2, 1))
    assert rebuilt(ledger) == (pytest.approx(6 / 7), 7, False)


def test_the_readings_of_one_artifact_add_up_as_well(ledger, tell):
    """A new run whose two reports come in one file is scored from the file as it is from the ledger."""
    tell(RUN, named({"a": "passed", "b": "failed"}, line=1), named({"c": "passed"}, line=9))
    assert stated(ledger) == (pytest.approx(2 / 3), 3, False)
    assert rebuilt(ledger) == (pytest.approx(2 / 3), 3, False)


def test_two_reports_of_one_time_and_count_are_two(ledger, tell):
    """Classes tested within one second, one test each: neither is taken for a repeat of the other."""
    tell(RUN, named({"A.a": "passed"}, occurred_at=NOON))
    answer = tell(RUN, named({"B.a": "passed"}, occurred_at=NOON))
    assert answer.counts["signals"] == 1
    assert rebuilt(ledger) == (1, 2, False)
    assert tell(RUN, named({"B.a": "passed"}, occurred_at=NOON)).counts["duplicates"] == 1


def test_a_stated_rate_counts_alone(ledger, tell):
    """A row of a CSV that comes later states the result; it is not added to the reports."""
    tell(RUN, named({"a": "passed", "b": "failed"}))
    tell(RUN, SignalReading(run=0, test_pass_rate=0.9, tests_total=10))
    assert rebuilt(ledger) == (0.9, 10, False)


def test_a_part_of_a_run_does_not_become_a_pass(ledger, tell):
    """One class passed whole, the report of the other broke off: nobody knows."""
    tell(RUN, named({"A.a": "passed"}))
    tell(RUN, named({"B.a": "passed"}, part=True))
    assert rebuilt(ledger) == (None, None, False)


def test_builds_that_contradict_each_other_are_a_warning_and_the_latest_counts(ledger, tell):
    tell(RUN, summary("pytest", 3, build_success=False))
    tell(RUN, named({"a": "passed", "b": "passed", "c": "passed"}, build_success=True))
    assert rebuilt(ledger) == (1, 3, True)
    assert ledger.store.rows("SELECT build_success FROM ledger") == [{"build_success": True}]


def test_the_order_of_import_changes_nothing(ledger, tell):
    """Five artifacts with times of their own, in eight orders: a 5 of 6 each time, the log agreeing."""
    later = NOON + timedelta(seconds=30)
    files = [
        named({"a": "passed", "b": "failed"}, occurred_at=NOON),
        named({"b": "flaky", "c": "passed"}, occurred_at=later),
        named({"d": "passed", "e": "errors", "f": "passed"}, occurred_at=NOON),
        named({"d": "passed"}, occurred_at=NOON, line=3),
        summary("pytest", 5, 1, occurred_at=later),
    ]
    for number, order in enumerate(itertools.islice(itertools.permutations(files), 0, 120, 15)):
        for file in order:
            tell(RUN.model_copy(update={"story_id": f"S-{number}"}), file)
    rows = ledger.store.rows("SELECT DISTINCT test_pass_rate, tests_total, results_disagree FROM ledger")
    assert [tuple(row.values()) for row in rows] == [(pytest.approx(5 / 6), 6, False)]
