"""A file of an older schema is brought up to date, with a copy of it kept; a migration that fails changes nothing."""

import duckdb
import pytest

from quality.commands import AddRating, ListEvaluations
from quality.errors import LedgerUnusable
from quality.ledger import migrations
from quality.ledger.ledger import Ledger

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


def copies(path):
    return [p for p in path.parent.iterdir() if f".before-{NEXT:03}-" in p.name]


def test_an_older_file_is_migrated_once_and_a_copy_kept(older, next_schema):
    next_schema("ALTER TABLE audit ADD COLUMN place VARCHAR")
    for _ in range(2):
        with Ledger(older) as ledger:
            assert ledger.store.rows("SELECT value FROM meta WHERE key = 'schema_version'") == [{"value": str(NEXT)}]
            assert ledger.store.rows("SELECT place, actor FROM audit") == [{"place": None, "actor": "dana"}]
            assert ledger.store.rows("SELECT quality FROM ledger") == [{"quality": 9.0}]
    (copy,) = copies(older)
    with duckdb.connect(str(copy), read_only=True) as before:
        assert before.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall() == [(str(PRESENT),)]
        assert before.execute("SELECT quality FROM ledger").fetchall() == [(9.0,)]


def test_a_migration_that_fails_leaves_the_file_as_it_was(older, next_schema, monkeypatch):
    next_schema("ALTER TABLE audit ADD COLUMN place VARCHAR", "ALTER TABLE nowhere ADD COLUMN place VARCHAR")
    with pytest.raises((LedgerUnusable, duckdb.Error), match="nowhere"):
        Ledger(older)
    monkeypatch.undo()
    with Ledger(older) as ledger:
        assert ledger.store.rows("SELECT value FROM meta WHERE key = 'schema_version'") == [{"value": str(PRESENT)}]
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
