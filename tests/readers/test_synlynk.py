"""A synlynk workspace: runs go to their builder, ratings are what people and verifiers gave, faults are rejects."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quality.commands import ListScores
from quality.readers import sqlite_copy

STATE = Path(__file__).parents[2] / "data" / "sample" / "synlynk-state.db"
SYNLYNK_COLUMNS = (
    "story_id TEXT, agent TEXT, model_version TEXT, model_at_dispatch TEXT, signal_source TEXT, quality REAL, quality_auto REAL, "
    "verifier_agent TEXT, verifier_model TEXT, test_pass_rate REAL, build_success INTEGER, dispatch_rework INTEGER DEFAULT 0, "
    "verified_by_ci INTEGER, correct INTEGER DEFAULT 1, note TEXT, ts TEXT"
)
"""An older database: not all columns, in an order of its own."""


@pytest.fixture
def workspace(tmp_path):
    """`workspace(*rows)` → a database; a row is a dictionary of columns."""

    def makes(*rows):
        path = tmp_path / "state.db"
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE stories (story_id TEXT, title TEXT)")
            database.execute(f"CREATE TABLE capability_ratings (id INTEGER PRIMARY KEY, {SYNLYNK_COLUMNS})")
            for row in rows:
                columns, marks = ", ".join(row), ", ".join("?" * len(row))
                database.execute(f"INSERT INTO capability_ratings ({columns}) VALUES ({marks})", tuple(row.values()))
            database.commit()
        return path

    return makes


def auto(agent="codex", model="m1", story="S-1", **more):
    return {"story_id": story, "agent": agent, "model_version": model, "signal_source": "auto", "build_success": 1,
            "verified_by_ci": 1,
            "ts": "2026-08-01 10:00:00", **more}  # fmt: skip


def human(agent="codex", model="m1", rating=6.0, **more):
    return {"story_id": "S-1", "agent": agent, "model_version": model, "signal_source": "human", "quality": rating,
            "ts": "2026-08-02 10:00:00", **more}  # fmt: skip


def verifier(stored, auto_score=10.0, **more):
    return {"story_id": "S-1", "agent": "agy", "signal_source": "verifier", "quality": stored, "quality_auto": auto_score,
            "verifier_agent": "agy", "verifier_model": "judge-1", "ts": "2026-08-02 09:00:00", **more}  # fmt: skip


def test_the_workspace_gives_ten_stories_and_ten_runs(ingest, rows, ledger):
    """Counted by hand: 35 rows = 18 auto + 9 verifier (85 and −3 among them) + 8 human."""
    answer = ingest(STATE)
    assert answer.format == "synlynk state.db"
    assert {n: answer.counts[n] for n in ("stories", "runs", "signals", "verdicts", "overrides", "rejects")} == {
        "stories": 10, "runs": 10, "signals": 18, "verdicts": 7, "overrides": 8, "rejects": 2,
    }  # fmt: skip
    assert rows("story_id, agent, model_version, quality_verifier, quality_human, signal_source") == [
        ("__role_dispatch_qa__", "claude", "claude-sonnet-4-6", None, None, "auto"),
        ("story-4b8f4ced", "unknown", "unknown", None, 5.25, "human"),
        ("story-4d22b156", "codex", "gpt-5-codex", None, None, "auto"),
        ("story-692bd33a", "codex", "gpt-5.4-mini", 4.0, 6.0, "human"),
        ("story-7f53590e", "agy", "unknown", 6.0, 9.0, "human"),
        ("story-9d059004", "codex", "gpt-5-codex", 8.0, 7.5, "human"),
        ("story-a17e9561", "claude", "claude-sonnet-4-6", None, None, "auto"),
        ("story-a17e9561", "grok", "claude-sonnet-4-6", None, None, "auto"),
        ("story-d0efb6f3", "grok", "grok-build", 9.0, None, "verifier"),
        ("story-d4e3028d", "claude", "claude-sonnet-4-6", None, 3.0, "human"),
    ]
    assert ingest(STATE).status == "unchanged"


def test_ratings_off_the_scale_are_rejects_with_what_was_stored(read):
    said = read(STATE)
    assert said.reasons == [(13, "quality", "73.75"), (14, "quality", "-1.0499999999999998")]
    assert "is 85: a rating is a number from 0 to 10" in said.rejects[0]["reason"]
    assert "is -3: a rating is a number from 0 to 10" in said.rejects[1]["reason"]
    assert [(v["line"], v["quality"], v["raw"]) for v in said.verdicts][:2] == [
        (2, 8.0, "8.299999999999999"),
        (7, 9.0, "9.149999999999999"),
    ]


def test_every_human_rating_is_there_with_its_note_byte_for_byte(read):
    said = read(STATE)
    assert [(o["line"], o["quality"], o.get("note"), o.get("rework")) for o in said.overrides] == [
        (3, 7.5, "solid, naming a bit odd", None),
        (5, 3.0, "broke the CRLF path", True),
        (10, 4.5, '=HYPERLINK("http://x","click")', None),
        (11, 6.0, "second look: after rework\nit holds\n- both lines matter", None),
        (19, 9.0, None, None),
        (32, 10.0, "très bien ✓", None),
        (33, 0.0, "worthless", None),
        (34, 5.25, "   ", None),
    ]
    assert not any({"reviewer", "correct"} & set(o) for o in said.overrides)
    assert said.overrides[0]["source_id"] == "synlynk:3"
    assert said.overrides[0]["occurred_at"].isoformat() == "2026-12-01T01:26:48+00:00"


def test_quality_auto_is_synlynks_where_there_is_evidence(ingest, ledger):
    """For each run with tests, or a failed build, the latest known signals score what synlynk stored for them."""
    with closing(sqlite3.connect(f"file:{STATE}?mode=ro&immutable=1", uri=True)) as database:
        stored = {
            (story, agent): score
            for story, agent, score in database.execute(
                "SELECT story_id, agent, quality_auto FROM capability_ratings WHERE signal_source = 'auto'"
                " AND (test_pass_rate IS NOT NULL OR build_success = 0) ORDER BY id"
            )
        }
    ingest(STATE)
    ours = {(r["story_id"], r["agent"]): r["quality_auto"] for r in ledger.ask(ListScores())["rows"]}
    assert len(stored) == 8
    assert {key: ours[key] for key in stored} == pytest.approx(stored)
    assert ours["story-7f53590e", "agy"] is None  # exit code 0 and nothing else


def test_facts_of_the_story_and_the_run_are_kept(read):
    said = read(STATE)
    story = next(s for s in said.stories if s["story_id"] == "story-9d059004")
    assert (story["title"], story["estimated_tokens"], story["discipline"], story["phase"]) == (
        "Add JUnit nested-suite reader", 12000, "backend", "build",
    )  # fmt: skip
    assert "industry" not in story
    assert '"role": "dev"' in story["attributes"]
    assert [s["story_id"] for s in said.stories if s.get("synthetic")] == ["__role_dispatch_qa__"]
    split = [r for r in said.runs if r.get("split_model")]
    assert [(r["model_at_dispatch"], r["model_at_completion"]) for r in split] == [("gpt-5-codex", "gpt-5.4-mini")]
    assert "SSH SIGNATURE" in said.runs[0]["attributes"]


def test_builds_without_any_evidence_are_unknown_and_counted(read):
    said = read(STATE)
    assert "in 8 of the rows" in next(w for w in said.warnings if "build_success" in w)
    assert [s["build_success"] for s in said.signals if s["line"] == 4] == [False]


def test_a_row_that_is_only_in_the_log_is_read_and_nothing_is_written_beside(ingest, ledger, assets, tmp_path):
    """The 36th row, a rating of 8.5 of a run by codex, is in the write-ahead log alone."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    shutil.copyfile(STATE, folder / "state.db")
    shutil.copyfile(assets / "synlynk-state.db-wal", folder / "state.db-wal")
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    assert ingest(STATE).counts["overrides"] == 8
    answer = ingest(folder / "state.db")
    assert (answer.counts["overrides"], answer.counts["verdicts"], answer.counts["duplicates"] >= 15) == (1, 0, True)
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before
    found = ledger.store.rows(
        "SELECT quality, note, agent FROM ledger JOIN runs USING (run_id, agent) WHERE quality = 8.5"
    )
    assert found == [{"quality": 8.5, "note": "only in the WAL", "agent": "codex"}]


def test_a_database_that_is_being_written_is_read(read, workspace):
    path = workspace(auto())
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute(
            "INSERT INTO capability_ratings (story_id, agent, signal_source, quality) VALUES ('S-1', 'codex', 'human', 4)"
        )
        writer.commit()
        writer.execute("BEGIN IMMEDIATE")
        writer.execute(
            "INSERT INTO capability_ratings (story_id, agent, signal_source, quality) VALUES ('S-1', 'codex', 'human', 9)"
        )
        assert [o["quality"] for o in read(path).overrides] == [4.0]


def test_a_database_that_never_rests_is_a_reject(read, workspace, monkeypatch):
    monkeypatch.setattr(sqlite_copy, "_copied", lambda path, copy: False)
    monkeypatch.setattr(sqlite_copy, "PAUSE", 0)
    assert "kept writing" in read(workspace(auto())).rejects[0]["reason"]


def test_a_verifiers_rating_goes_to_the_builder(read, workspace):
    said = read(workspace(auto(), verifier(8.3)))
    assert [(v["run"], v["quality"], v["verifier_agent"], v["verifier_model"]) for v in said.verdicts] == [
        (1, 8.0, "agy", "judge-1")
    ]
    assert [(r["agent"], r["model_version"]) for r in said.runs] == [("codex", "m1")] * 2
    assert [s["line"] for s in said.signals] == [1]


@pytest.mark.parametrize(
    ("stored", "auto_score", "rating"),
    [(8.3, 10.0, 8.0), (1.5, 10.0, 0.0), (10.0, 10.0, 10.0), (3.9625, 3.75, 4.0), (0.0, 0.0, 0.0), (7.025, 10.0, 6.5)],
)
def test_the_rating_is_recovered_from_the_mixture(read, workspace, stored, auto_score, rating):
    """stored = 0.85 · rating + 0.15 · quality_auto, so rating = (stored − 0.15 · quality_auto) / 0.85."""
    assert read(workspace(auto(), verifier(stored, auto_score))).verdicts[0]["quality"] == rating


@pytest.mark.parametrize(
    ("stored", "auto_score"), [(8.3, None), (73.75, 10.0), (-1.05, 10.0), (None, 10.0), ("x", 10.0), (9e999, 1.0)]
)
def test_what_cannot_be_recovered_is_a_reject(read, workspace, stored, auto_score):
    said = read(workspace(auto(), verifier(stored, auto_score)))
    assert not said.verdicts
    assert [(r["line"], r["field"]) for r in said.rejects] == [(2, "quality")]


@pytest.mark.parametrize(
    ("rows", "expected", "warned"),
    [
        ([auto("a"), auto("b"), human("a")], ("a", "m1"), False),  # it matches a builder
        ([auto("a"), auto("b"), human("b", "other")], ("b", "m1"), True),  # a builder, but another model: the latest
        ([auto("a"), auto("b"), auto("a"), human("unknown", "unknown")], ("a", "m1"), True),
        ([auto("a"), verifier(8.3), human("agy", "unknown")], ("a", "m1"), False),  # copied from the verifier's row
        ([auto("a"), human("eve", "m9")], ("eve", "m9"), True),  # nobody there: a run of its own
        ([human("eve", "m9")], ("eve", "m9"), False),  # no auto row, and the row itself says who
        ([verifier(8.3), human("agy", "m9")], ("unknown", "unknown"), False),
    ],
)
def test_a_persons_rating_goes_to_the_run_that_was_rated(read, workspace, rows, expected, warned):
    said = read(workspace(*rows))
    run = said.runs[said.overrides[0]["run"]]
    assert ((run["agent"], run["model_version"]), bool(said.warnings)) == (expected, warned)


def test_rows_that_are_no_observation_are_rejects(read, workspace):
    said = read(workspace(auto(), human(rating=11.0), human(rating=None), human(ts="soon"), {**human(), "signal_source": "seed"},
                          {**human(), "story_id": ""}, auto(test_pass_rate=1.5)))  # fmt: skip
    assert sorted((r["line"], r["field"]) for r in said.rejects) == [
        (2, "quality"), (3, "quality"), (4, "ts"), (5, "signal_source"), (6, "story_id"), (7, "test_pass_rate"),
    ]  # fmt: skip
    assert [s["line"] for s in said.signals] == [1, 7]


def test_another_sqlite_file_says_what_it_is(read, tmp_path):
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE runs (x)")
        database.commit()
    assert "no table stories or capability_ratings (its tables: runs)" in read(path).rejects[0]["reason"]


@pytest.mark.parametrize("damage", [lambda raw: raw[:5000], lambda raw: raw[:100] + b"\xff" * (len(raw) - 100)])
def test_a_damaged_database_is_a_reject(read, damage):
    said = read(damage(STATE.read_bytes()), name="state.db")
    (reject,) = said.rejects
    assert "cannot be read" in reject["reason"] or "not a synlynk workspace" in reject["reason"]
