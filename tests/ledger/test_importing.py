"""An artifact gets in whole or not at all, once, and its observations find their runs."""

from datetime import UTC, datetime

import pytest

from quality.commands import AddRating, AttestModel, ImportArtifact, Rebuild, ShowStory
from quality.errors import NotFound, QualityError
from quality.ledger.ledger import Ledger
from quality.observations import Batch, Override, Reject, RunFact, SignalReading, StoryFact, Verdict
from quality.settings import LimitSettings, Settings

NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)


def run(story="S-1", agent="codex", model="m1", attempt=1, **more):
    return RunFact(story_id=story, agent=agent, model_version=model, attempt=attempt, **more)


def rows(ledger, columns="story_id, agent, model_version, attempt, quality"):
    return [
        tuple(r.values())
        for r in ledger.store.rows(f"SELECT {columns} FROM ledger ORDER BY story_id, agent, model_version, attempt")
    ]


def count(ledger, table):
    return ledger.store.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]


def test_observations_of_one_key_are_one_run(ledger, tell):
    answer = tell(StoryFact(story_id="S-1", title="Fix it"), run(), run(), SignalReading(run=0, build_success=True),
                  Verdict(run=1, quality=8, verifier_model="j"))  # fmt: skip
    assert answer.status == "imported"
    assert {k: v for k, v in answer.counts.items() if v} == {"stories": 1, "runs": 1, "signals": 1, "verdicts": 1}
    assert rows(ledger, "story_id, title, quality_auto, quality_verifier, quality") == [("S-1", "Fix it", 10, 8, 8)]


def test_a_later_artifact_finds_the_run_again(ledger, tell):
    tell(run(), Verdict(run=0, quality=8))
    answer = tell(run(), Override(run=0, quality=3, reviewer="dana"))
    assert answer.counts["runs"] == 0
    assert rows(ledger) == [("S-1", "codex", "m1", 1, 3)]


def test_attempts_and_models_are_runs_of_their_own(ledger, tell):
    tell(run(), run(attempt=2), run(model="m2"), run(agent="agy"))
    assert [r[1:4] for r in rows(ledger)] == [
        ("agy", "m1", 1),
        ("codex", "m1", 1),
        ("codex", "m1", 2),
        ("codex", "m2", 1),
    ]


def test_a_key_stated_in_part_means_the_latest_run_that_fits(ledger, tell):
    tell(run(attempt=1), run(attempt=2), SignalReading(run=0, build_success=True, occurred_at=NOON))
    tell(RunFact(story_id="S-1"), Verdict(run=0, quality=7, occurred_at=NOON))
    tell(RunFact(story_id="S-1", attempt=1), Verdict(run=0, quality=2, occurred_at=NOON))
    assert [r[3:] for r in rows(ledger)] == [(1, 2), (2, 7)]


def test_a_key_that_fits_no_run_starts_one_with_unknown_in_the_gaps(ledger, tell):
    tell(RunFact(story_id="S-9", agent="codex"), Verdict(run=0, quality=7))
    assert rows(ledger) == [("S-9", "codex", "unknown", 1, 7)]


def test_a_stated_run_id_is_kept_unless_two_keys_claim_it(ledger, tell):
    given = "01a22fa9-e472-7244-957f-cdee5d608a76"
    tell(run(run_id=given), run(story="S-2", run_id=given))
    ids = [str(r[1]) for r in rows(ledger, "story_id, run_id")]
    assert ids[0] == given
    assert ids[1] != given
    tell(run(run_id=given, model="renamed"), Verdict(run=0, quality=1))
    assert rows(ledger, "story_id, model_version, quality") == [("S-1", "m1", 1), ("S-2", "m1", None)]


def test_an_attested_run_is_found_by_either_model(ledger, tell):
    tell(run(model="unknown"), Verdict(run=0, quality=7, occurred_at=NOON))
    ledger.execute(AttestModel(actor="dana", story_id="S-1", model="m2"))
    tell(run(model="m2"), Override(run=0, quality=3, reviewer="dana"))
    tell(run(model="unknown"), Override(run=0, quality=4, reviewer="eli"))
    assert rows(ledger) == [("S-1", "codex", "m2", 1, 4)]


def test_the_same_artifact_again_changes_nothing(ledger, tell):
    tell(run(), Verdict(run=0, quality=8), content="same")
    before = ledger.store.rows("SELECT * FROM verdicts")
    answer = tell(run(), Verdict(run=0, quality=2), content="same")
    assert (answer.status, set(answer.counts.values())) == ("unchanged", {0})
    assert ledger.store.rows("SELECT * FROM verdicts") == before


def test_the_same_rating_in_another_artifact_is_stored_once(ledger, tell):
    rating = Verdict(run=0, quality=8, verifier_model="j", occurred_at=NOON)
    tell(run(), rating)
    answer = tell(run(), rating, rating, Override(run=0, quality=5, reviewer="dana", occurred_at=NOON))
    assert (answer.counts["verdicts"], answer.counts["overrides"], answer.counts["duplicates"]) == (0, 1, 2)
    assert count(ledger, "verdicts") == 1


def test_a_panel_without_names_or_times_counts_each_grader(ledger, tell):
    """4, 4 and 10 → mean 6, n 3; 4 and 10 are 6 apart."""
    tell(run(), Override(run=0, quality=4), Override(run=0, quality=4), Override(run=0, quality=10))
    assert rows(ledger, "quality_human, n_human") == [(6, 3)]


def test_the_same_source_id_is_a_revision_wherever_it_comes_from(ledger, tell):
    tell(run(), Verdict(run=0, quality=4, source_id="r-1", occurred_at=NOON))
    tell(run(), Verdict(run=0, quality=8, source_id="r-1", occurred_at=NOON.replace(hour=13)))
    tell(run(), Verdict(run=0, quality=1, source_id="r-1", occurred_at=NOON.replace(hour=11)))
    assert rows(ledger, "quality_verifier, n_verifier") == [(8, 1)]
    assert count(ledger, "verdicts") == 3, "every revision stays in the history"


def test_a_story_told_anew_reaches_all_its_rows_and_an_echo_adds_nothing(ledger, tell):
    tell(StoryFact(story_id="S-1", title="Old", discipline="data"), run(), run(attempt=2))
    tell(StoryFact(story_id="S-1", title="New"))
    tell(StoryFact(story_id="S-1", title="New", discipline="data"))
    assert rows(ledger, "title, discipline") == [("New", "data"), ("New", "data")]
    assert count(ledger, "story_facts") == 2


def test_a_new_verdict_or_signal_never_touches_a_human_row(ledger, tell):
    tell(run(), Override(run=0, quality=6, reviewer="dana", note="kept", occurred_at=NOON))
    tell(run(), Verdict(run=0, quality=9), SignalReading(run=0, build_success=False))
    assert rows(ledger, "quality, quality_human, note, signal_source, quality_verifier, quality_auto") == [
        (6, 6, "kept", "human", 9, 0)
    ]


def test_a_simulated_verdict_is_history_only(ledger, tell):
    tell(run(), Verdict(run=0, quality=9, simulated=True))
    assert rows(ledger, "quality, quality_verifier, n_verifier") == [(None, None, None)]
    assert ledger.ask(ShowStory(story_id="S-1"))["runs"][0]["verdicts"][0]["simulated"] is True


def test_rejects_are_kept_with_line_and_reason(ledger, tell):
    answer = tell(
        run(), Verdict(run=0, quality=8), Reject(line=7, field="quality", reason="85 is not 0–10", value="85")
    )
    assert [(r.line, r.reason, r.value) for r in answer.rejects] == [(7, "85 is not 0–10", "85")]
    assert (answer.status, answer.counts["rejects"], count(ledger, "rejects")) == ("imported", 1, 1)


def test_an_artifact_of_rejects_only_is_rejected_each_time_and_kept_once(ledger, tell):
    for _ in range(2):
        assert tell(Reject(reason="no"), content="bad").status == "rejected"
    assert (count(ledger, "rejects"), count(ledger, "imports"), rows(ledger)) == (1, 1, [])


def test_an_artifact_that_breaks_off_leaves_nothing(ledger, tell):
    def broken():
        yield Batch.of(run(), Verdict(run=0, quality=8))
        raise OSError("the disk went away")

    with pytest.raises(OSError, match="went away"):
        tell(batches=broken())
    assert (rows(ledger), count(ledger, "runs"), count(ledger, "imports")) == ([], 0, 0)
    assert tell(run(), Verdict(run=0, quality=8), content="artifact 0").status == "imported"


def test_batches_keep_their_runs_apart(ledger, tell, monkeypatch):
    monkeypatch.setattr("quality.ledger.importing.FLUSH_ROWS", 3)
    batches = [Batch.of(run(story=f"S-{i}"), Verdict(run=0, quality=i)) for i in range(8)]
    answer = tell(batches=batches)
    assert answer.counts["runs"] == 8
    assert [(r[0], r[4]) for r in rows(ledger)] == [(f"S-{i}", i) for i in range(8)]


def test_warnings_are_told_once(ledger, tell):
    answer = tell(
        batches=[Batch.of(run(), warnings=["naive times"]), Batch.of(run(story="S-2"), warnings=["naive times"])]
    )
    assert answer.warnings == ["naive times"]


def test_a_file_that_is_missing_a_folder_or_too_large_is_one_line(tmp_path):
    limits = LimitSettings(artifact_bytes=10)
    (tmp_path / "big.csv").write_text("x" * 11)
    with Ledger(tmp_path / "l.duckdb", Settings(limits=limits)) as ledger:
        for name, error, message in [
            ("none.csv", NotFound, "none.csv: no such file"),
            ("", QualityError, "is a folder: name the files in it"),
            ("big.csv", QualityError, r"big.csv: 11 bytes, but limits.artifact_bytes is 10: split the file"),
        ]:
            with pytest.raises(error, match=message):
                ledger.execute(ImportArtifact(actor="ci", path=str(tmp_path / name)))


def test_an_artifact_of_no_known_format_is_rejected_with_what_can_be_read(ledger, tmp_path):
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    answer = ledger.execute(ImportArtifact(actor="ci", path=str(path)))
    assert answer.status == "rejected"
    assert answer.rejects[0].reason.startswith(
        "the content is a PNG image, whatever the file's name says. What can be read:"
    )


def test_a_rating_for_a_bare_story_goes_to_its_latest_run(ledger, tell):
    tell(run(attempt=1), SignalReading(run=0, build_success=True, occurred_at=NOON.replace(hour=13)), run(attempt=2),
         SignalReading(run=1, build_success=True, occurred_at=NOON))  # fmt: skip
    answer = ledger.execute(AddRating(actor="d", reviewer="d", story_id="S-1", rating=4))
    assert answer.run.attempt == 1, "the latest by the time of its evidence"


def test_a_dated_signal_that_comes_again_is_stored_once_and_an_undated_one_anew(ledger, tell):
    dated, undated = (SignalReading(run=0, build_success=True, occurred_at=at) for at in (NOON, None))
    tell(run(), dated)
    assert tell(run(), dated).counts["duplicates"] == 1
    tell(run(), SignalReading(run=0, build_success=False))
    tell(run(), undated)
    assert count(ledger, "signal_readings") == 3
    assert rows(ledger, "build_success") == [(True,)]


def test_a_run_without_a_score_keeps_the_time_it_happened(ledger, tell):
    tell(run(occurred_at=NOON), SignalReading(run=0, rework_count=0))
    assert rows(ledger, "quality, ts") == [(None, NOON)]


def test_ratings_of_a_new_run_that_repeat_score_as_they_are_stored(ledger, tell):
    """Found by the rebuild property: two rows alike but for n_ratings are one rating, for a new run as well."""
    twice = [Override(run=0, quality=2.5, reviewer="eli", source_id="b", n_ratings=n, line=n) for n in (1, 2)]
    tell(run(), *twice)
    before = rows(ledger, "quality_human, n_human")
    ledger.execute(Rebuild(actor="ci"))
    assert rows(ledger, "quality_human, n_human") == before == [(2.5, 1)]
