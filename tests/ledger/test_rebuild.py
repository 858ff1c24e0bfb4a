"""A full rebuild equals the increments, and a change of weights shows everywhere after it."""

from datetime import UTC, datetime, timedelta

import duckdb
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bench.bare import BY_HAND
from quality.commands import AddRating, AttestModel, Examine, Rebuild, UndoRating
from quality.correction_commands import ListImports, ReinstateImport, WithdrawImport
from quality.errors import QualityError
from quality.ledger.ledger import Ledger
from quality.ledger.recompute import derive
from quality.ledger.sqlfiles import load_sql
from quality.observations import Override, RunFact, SignalReading, StoryFact, Verdict
from quality.settings import ScoringSettings, Settings

START = datetime(2026, 8, 1, tzinfo=UTC)
HOURS = st.none() | st.integers(0, 5).map(lambda h: START + timedelta(hours=h))
SCORE = st.sampled_from([0.0, 2.5, 3.3, 7.1, 10.0])
FLAG = st.none() | st.booleans()
STORY = st.sampled_from(["S-1", "S-2"])
REVIEWER = st.sampled_from(["dana", "eli"])
OBSERVATIONS = st.one_of(
    st.builds(
        SignalReading, run=st.just(0), occurred_at=HOURS, test_pass_rate=st.none() | st.sampled_from([0.5, 1.0]),
        tests_total=st.none() | st.integers(1, 4), build_success=FLAG, verified_by_ci=FLAG,
        rework_count=st.none() | st.integers(0, 6), pr_review_cycles=st.none() | st.integers(0, 2),
        duration_vs_estimate=st.none() | st.sampled_from([0.5, 3.0]),
    ),
    st.builds(
        Verdict, run=st.just(0), occurred_at=HOURS, quality=SCORE, correct=FLAG, rework=FLAG, conflicting=st.booleans(),
        simulated=st.booleans(), source_id=st.sampled_from([None, "a"]),
        verifier_model=st.sampled_from([None, "gpt-5", "claude-sonnet-4-6"]), n_ratings=st.integers(1, 3),
    ),
    st.builds(
        Override, run=st.just(0), occurred_at=HOURS, quality=SCORE, correct=FLAG, rework=FLAG,
        reviewer=st.sampled_from([None, "dana", "eli"]), note=st.sampled_from([None, "x\ny"]), n_ratings=st.integers(1, 3),
        source_id=st.sampled_from([None, "a", "b"]),
    ),
)  # fmt: skip
IMPORTS = st.tuples(
    st.just("import"),
    st.builds(
        RunFact, story_id=STORY, agent=st.sampled_from([None, "codex"]), model_version=st.sampled_from([None, "gpt-5"]),
        attempt=st.sampled_from([None, 1, 2]), split_model=FLAG,
    ),
    st.none() | st.builds(StoryFact, story_id=STORY, title=st.sampled_from([None, "One", "Two"]), synthetic=FLAG),
    st.lists(OBSERVATIONS, max_size=3),
)  # fmt: skip
RATINGS = st.tuples(st.just("rate"), STORY, SCORE, REVIEWER)
UNDOS = st.tuples(st.just("undo"), STORY, REVIEWER)
ATTESTS = st.tuples(st.just("attest"), STORY)
TURNS = st.tuples(st.just("turn"), st.integers(0, 3))
"""The n-th latest import is withdrawn, or reinstated where it is."""


def carry_out(ledger, tell, action):
    match action:
        case ("import", run, story, observations):
            lined = [o.model_copy(update={"line": i}) for i, o in enumerate(observations, start=1)]
            tell(*([story] if story else []), run, *lined, into=ledger)
        case ("rate", story, score, reviewer):
            ledger.execute(AddRating(actor=reviewer, reviewer=reviewer, story_id=story, rating=score, create=True))
        case ("undo", story, reviewer):
            ledger.execute(UndoRating(actor=reviewer, reviewer=reviewer, story_id=story, force=True))
        case ("attest", story):
            ledger.execute(AttestModel(actor="dana", story_id=story, model="claude-sonnet-4-6"))
        case ("turn", place):
            for one in ledger.ask(ListImports(limit=1, offset=place))["imports"]:
                kind = ReinstateImport if one["withdrawn"] else WithdrawImport
                ledger.execute(kind(actor="lee", import_id=one["import_id"], reason="the wrong file"))


def all_rows(ledger):
    return ledger.store.rows("SELECT * FROM ledger ORDER BY run_id")


@settings(
    max_examples=25,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(actions=st.lists(st.one_of(IMPORTS, IMPORTS, RATINGS, UNDOS, ATTESTS, TURNS), min_size=1, max_size=9))
def test_a_full_rebuild_equals_the_increments(tmp_path_factory, tell, actions):
    with Ledger(tmp_path_factory.mktemp("rebuild") / "l.duckdb") as ledger:
        for action in actions:
            try:
                carry_out(ledger, tell, action)
            except QualityError:
                continue  # an undo or attestation that nothing stands for is refused and changes nothing
        increments = all_rows(ledger)
        ledger.execute(Rebuild(actor="ci"))
        assert all_rows(ledger) == increments
        assert by_hand(ledger) == [tuple(row[name] for name in COMPARED) for row in increments], (
            "a hand-written SQL statement says otherwise"
        )


COMPARED = (
    "run_id", "title", "model_version", "split_model", "n_verifier", "verifier_model", "n_human", "reviewer", "note", "rework",
    "correct", "quality_verifier", "quality_human", "quality_auto", "quality", "signal_source", "ts",
)  # fmt: skip


def by_hand(ledger):
    """The rows as one hand-written statement of SQL derives them, to twelve digits."""
    ledger.store.cursor().execute(BY_HAND.read_text().replace("TABLE by_hand", "TEMP TABLE by_hand"))
    rows = ledger.store.rows("SELECT * FROM by_hand ORDER BY run_id")
    return [
        tuple(pytest.approx(row[n], abs=1e-12) if isinstance(row[n], float) else row[n] for n in COMPARED)
        for row in rows
    ]


def test_a_change_of_weights_shows_in_every_row_after_a_rebuild(tmp_path, tell):
    """tests 0.5 → 5 points at 30, build → 10 at 25: (150 + 250) / 55 = 7.27…; with equal weights 7.5."""
    path = tmp_path / "own.duckdb"
    with Ledger(path) as ledger:
        for story in ("S-1", "S-2"):
            run = RunFact(story_id=story, agent="codex", model_version="m1", attempt=1)
            tell(run, SignalReading(run=0, test_pass_rate=0.5, build_success=True), into=ledger)
        assert [row["quality_auto"] for row in all_rows(ledger)] == [pytest.approx(400 / 55)] * 2
    equal = ScoringSettings.model_validate({"auto": {"weights": {"test_pass_rate": 1, "build_success": 1}}})
    with Ledger(path, Settings(scoring=equal)) as ledger:
        assert ledger.ask(Examine())["rows_with_other_settings"] == 2
        ledger.execute(Rebuild(actor="ci"))
        assert [(row["quality_auto"], row["settings_hash"]) for row in all_rows(ledger)] == [(7.5, equal.hash)] * 2
        assert ledger.ask(Examine())["rows_with_other_settings"] == 0


def test_the_ledger_as_of_a_past_instant_is_what_was_known_then(ledger, tell):
    run = RunFact(story_id="S-1", agent="codex", model_version="m1", attempt=1)
    tell(run, Verdict(run=0, quality=8))
    then = ledger.store.rows("SELECT max(recorded_at) AS t FROM verdicts")[0]["t"]
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=2))
    with ledger.store.transaction() as tx:
        tx.execute(load_sql("recompute")["touch_all"])
        past = [row for table in derive(tx, ScoringSettings(), as_of=then) for row in table.to_pylist()]
    assert [(row["quality"], row["signal_source"]) for row in past] == [(8, "verifier")]
    assert all_rows(ledger)[0]["quality"] == 2


def test_a_ledger_file_made_here_opens_with_duckdb(tmp_path):
    path = tmp_path / "l.duckdb"
    with Ledger(path) as ledger:
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=9, create=True))
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute("SELECT quality FROM ledger").fetchall() == [(9.0,)]
        tags = connection.execute("SELECT tags FROM duckdb_databases() WHERE path IS NOT NULL").fetchall()
    assert "v1.5.0" in str(tags)
