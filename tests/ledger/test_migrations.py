"""A file of an older schema is brought up to date, with a copy of it kept; a migration that fails changes nothing."""

import duckdb
import pytest

from quality.commands import AddRating, ListEvaluations, Rebuild
from quality.errors import LedgerUnusable
from quality.ledger import migrations
from quality.ledger.ledger import Ledger
from quality.ledger.sqlfiles import statements
from quality.ledger.store import STORAGE_VERSION

RUN = "01a22fa9-e472-7244-957f-cdee5d608a76"
"""Of the file of schema 1: a test reading of 3 in 4 and a rating of 9, as that schema kept them."""
ROWS = (
    "INSERT INTO meta VALUES ('schema_version', '1')",
    f"INSERT INTO runs VALUES ('{RUN}', 'S-1', 'codex', 'm1', 1, '2026-08-01T00:00:00Z', 'dana', NULL)",
    f"""INSERT INTO signal_readings BY NAME SELECT uuidv7() AS reading_id, '{RUN}'::UUID AS run_id, 0.75 AS test_pass_rate,
        4 AS tests_total, '2026-08-01T00:00:00Z'::TIMESTAMPTZ AS recorded_at, 'dana' AS actor""",
    f"""INSERT INTO overrides BY NAME SELECT uuidv7() AS override_id, '{RUN}'::UUID AS run_id, 9.0 AS quality, 1 AS n_ratings,
        false AS raters_disagree, 'dana' AS reviewer, '2026-08-01T00:00:00Z'::TIMESTAMPTZ AS recorded_at""",
    f"""INSERT INTO ledger BY NAME SELECT '{RUN}'::UUID AS run_id, 'S-1' AS story_id, 'codex' AS agent, 'm1' AS model_version,
        1 AS attempt, 9.0 AS quality, 9.0 AS quality_human""",
)


@pytest.fixture
def schema_1(tmp_path):
    """A file as the version before wrote it."""
    path = tmp_path / "l.duckdb"
    with duckdb.connect(str(path), config={"storage_compatibility_version": STORAGE_VERSION}) as connection:
        for statement in (*statements("schema/v1"), *ROWS):
            connection.execute(statement)
    return path


PRESENT = migrations.SCHEMA_VERSION
NEXT = PRESENT + 1


@pytest.fixture
def older(tmp_path):
    path = tmp_path / "l.duckdb"
    with Ledger(path) as ledger:
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=9, create=True))
    return path


@pytest.fixture
def next_schema(monkeypatch):
    """A version whose migration is the given statements."""

    def introduce(*steps):
        kept = migrations.statements
        monkeypatch.setattr(migrations, "SCHEMA_VERSION", NEXT)
        monkeypatch.setattr(
            migrations, "statements", lambda path: list(steps) if path == f"migrations/{NEXT:03}" else kept(path)
        )

    return introduce


def copies(path, version):
    return [p for p in path.parent.iterdir() if f".before-{version:03}-" in p.name]


def version_of(ledger):
    return ledger.store.rows("SELECT value FROM meta WHERE key = 'schema_version'")[0]["value"]


def test_a_file_of_schema_1_is_brought_up_to_date(schema_1):
    """Its rows stay, the new columns say nothing, a rebuild scores as before, and the copy is as it was."""
    for _ in range(2):
        with Ledger(schema_1) as ledger:
            assert version_of(ledger) == str(PRESENT)
            assert ledger.store.rows("SELECT quality, started_at, results_disagree, older_report FROM ledger") == [
                {"quality": 9.0, "started_at": None, "results_disagree": False, "older_report": False}
            ]
            assert ledger.store.rows("SELECT tests_total, test_ids, test_outcomes, runner FROM signal_readings") == [
                {"tests_total": 4, "test_ids": None, "test_outcomes": None, "runner": None}
            ]
            ledger.execute(Rebuild(actor="ci"))
            assert ledger.store.rows("SELECT quality, quality_auto, tests_total, caveats FROM ledger") == [
                {"quality": 9.0, "quality_auto": 7.5, "tests_total": 4, "caveats": ["low_coverage"]}
            ]
    (copy,) = copies(schema_1, 2)
    with duckdb.connect(str(copy), read_only=True) as before:
        assert before.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall() == [("1",)]
        assert "runner" not in [row[0] for row in before.execute("DESCRIBE signal_readings").fetchall()]


def test_a_migrated_file_has_the_columns_of_a_new_one(schema_1, tmp_path):
    """Table by table, by name and type."""
    columns = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE schema_name = 'main' ORDER BY ALL"
    with Ledger(schema_1) as migrated, Ledger(tmp_path / "new.duckdb") as new:
        assert migrated.store.rows(columns) == new.store.rows(columns)


def test_an_older_file_is_migrated_once_and_a_copy_kept(older, next_schema):
    next_schema("ALTER TABLE audit ADD COLUMN place VARCHAR")
    for _ in range(2):
        with Ledger(older) as ledger:
            assert version_of(ledger) == str(NEXT)
            assert ledger.store.rows("SELECT place, name, actor FROM audit ORDER BY recorded_at") == [
                {"place": None, "name": "add_rating", "actor": "dana"},
                {"place": None, "name": "migrate", "actor": "Quality Tiers"},
            ]
            assert ledger.store.rows("SELECT quality FROM ledger") == [{"quality": 9.0}]
    (copy,) = copies(older, NEXT)
    with duckdb.connect(str(copy), read_only=True) as before:
        assert before.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall() == [(str(PRESENT),)]
        assert before.execute("SELECT quality FROM ledger").fetchall() == [(9.0,)]


def test_a_file_several_schemas_back_takes_every_step(schema_1, next_schema):
    """Each step keeps a copy of its own."""
    next_schema("ALTER TABLE audit ADD COLUMN place VARCHAR")
    with Ledger(schema_1) as ledger:
        assert version_of(ledger) == str(NEXT)
    assert [len(copies(schema_1, version)) for version in range(2, NEXT + 1)] == [1] * PRESENT


def test_a_migration_that_fails_leaves_the_file_as_it_was(older, next_schema, monkeypatch):
    next_schema("ALTER TABLE audit ADD COLUMN place VARCHAR", "ALTER TABLE nowhere ADD COLUMN place VARCHAR")
    with pytest.raises((LedgerUnusable, duckdb.Error), match="nowhere"):
        Ledger(older)
    monkeypatch.undo()
    with Ledger(older) as ledger:
        assert version_of(ledger) == str(PRESENT)
        assert "place" not in ledger.store.rows("SELECT * FROM audit")[0]


def test_a_new_file_goes_through_every_migration_without_copies_of_itself(older):
    """There is nothing to lose yet."""
    assert [p.name for p in older.parent.iterdir() if ".before-" in p.name] == []
    with Ledger(older) as ledger:
        assert ledger.store.rows("SELECT count(*) AS n FROM evaluations") == [{"n": 0}]


def test_a_file_of_the_first_schema_gets_the_tables_of_evaluations(tmp_path, monkeypatch):
    """Its rows stay, and a copy is kept before each step."""
    path = tmp_path / "l.duckdb"
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "SCHEMA_VERSION", 1)
        with Ledger(path) as ledger:
            assert "evaluations" not in {row["table_name"] for row in ledger.store.rows("FROM duckdb_tables()")}
    with Ledger(path) as ledger:
        answer = ledger.ask(ListEvaluations())
        assert answer == {"total": 0, "evaluations": []}
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=9, create=True))
    assert len([p for p in tmp_path.iterdir() if ".before-" in p.name]) == PRESENT - 1
