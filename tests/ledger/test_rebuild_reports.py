"""A full rebuild equals the increments also where reports name their tests, runs have a start and old reports are confirmed."""

from datetime import UTC, datetime, timedelta

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from quality.commands import AcceptReport, Rebuild
from quality.errors import QualityError
from quality.ledger import recompute
from quality.ledger.ledger import Ledger
from quality.observations import RunFact, SignalReading
from tests.ledger.test_rebuild import all_rows

START = datetime(2026, 8, 1, tzinfo=UTC)
HOURS = st.none() | st.integers(0, 5).map(lambda h: START + timedelta(hours=h))
FLAG = st.none() | st.booleans()


@st.composite
def reports(draw):
    """A reading that names up to four of six tests, or a runner's summary, or a bare rate."""
    kind = draw(st.sampled_from(["named", "named", "summary", "stated"]))
    letters = draw(st.text("pyfes", min_size=1, max_size=4))
    passed, total = sum(letters.count(c) for c in "py"), sum(letters.count(c) for c in "pyfe")
    is_part = draw(st.sampled_from([False, False, True])) and passed == total
    more = {}
    if kind == "named":
        ids = draw(st.lists(st.integers(0, 5), min_size=len(letters), max_size=len(letters), unique=True))
        more = {"test_ids": ids, "test_outcomes": letters}
    elif kind == "summary":
        more = {"runner": draw(st.sampled_from(["pytest", "jest", "jest+pytest"]))}
    return SignalReading(
        run=0, occurred_at=draw(HOURS), build_success=draw(FLAG), verified_by_ci=draw(FLAG), tests_total=total,
        test_pass_rate=None if is_part or not total else passed / total, tests_passed=passed,
        tests_failed=letters.count("f"), tests_errors=letters.count("e"), **more,
    )  # fmt: skip


RUNS = st.builds(
    RunFact, story_id=st.sampled_from(["S-1", "S-2"]), agent=st.just("codex"), model_version=st.just("gpt-5"),
    attempt=st.just(1), started_at=HOURS,
)  # fmt: skip
IMPORTS = st.tuples(st.just("import"), RUNS, st.lists(reports(), max_size=4), st.booleans())
AGAIN = st.tuples(st.just("again"), st.integers(0, 7), st.booleans())
CONFIRMED = st.tuples(st.just("accept"), st.integers(0, 7))


def carry_out(ledger, tell, action, told):
    match action:
        case ("import", run, readings, accept_old):
            lined = [one.model_copy(update={"line": line}) for line, one in enumerate(readings, start=1)]
            told.append((run, *lined))
            tell(run, *lined, into=ledger, content=f"{len(told)}", accept_old=accept_old)
        case ("again", number, accept_old) if told:
            number %= len(told)
            answer = tell(*told[number], into=ledger, content=f"{number + 1}", accept_old=accept_old)
            assert accept_old or answer.status == "unchanged"
        case ("accept", number):
            imports = ledger.store.rows("SELECT import_id::VARCHAR AS i FROM imports ORDER BY recorded_at")
            if imports:
                ledger.execute(AcceptReport(actor="dana", import_id=imports[number % len(imports)]["i"]))


@settings(
    max_examples=25,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(actions=st.lists(st.one_of(IMPORTS, IMPORTS, IMPORTS, AGAIN, CONFIRMED), min_size=1, max_size=8))
def test_a_full_rebuild_equals_the_increments(tmp_path_factory, tell, actions):
    with Ledger(tmp_path_factory.mktemp("rebuild") / "l.duckdb") as ledger:
        told = []
        for action in actions:
            try:
                carry_out(ledger, tell, action, told)
            except QualityError:
                continue  # an artifact without readings cannot be confirmed
        increments = all_rows(ledger)
        ledger.execute(Rebuild(actor="ci"))
        assert all_rows(ledger) == increments


def test_many_named_tests_are_taken_in_parts(tell, ledger, monkeypatch):
    """Thirty runs of two reports with two tests each, at most five tests in memory: the same rows."""
    for number in range(30):
        run = RunFact(story_id=f"S-{number}", agent="codex", model_version="m1", attempt=1)
        for ids in ([1, 2], [2, 3]):
            tell(run, SignalReading(run=0, test_ids=ids, test_outcomes="pf", test_pass_rate=0.5, tests_total=2))
    increments = all_rows(ledger)
    assert {(row["test_pass_rate"], row["tests_total"]) for row in increments} == {(2 / 3, 3)}
    monkeypatch.setattr(recompute, "CHUNK_TESTS", 5)
    ledger.execute(Rebuild(actor="ci"))
    assert all_rows(ledger) == increments
