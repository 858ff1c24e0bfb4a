"""The least that DuckDB could do for the same result: what the targets are ratios to."""

from pathlib import Path

import duckdb

BY_HAND = Path(__file__).with_name("rebuild_by_hand.sql")
TYPES = {
    "story_id": "VARCHAR", "title": "VARCHAR", "agent": "VARCHAR", "model_version": "VARCHAR", "attempt": "INTEGER",
    "discipline": "VARCHAR", "org_domain": "VARCHAR", "industry": "VARCHAR", "phase": "VARCHAR",
    "test_pass_rate": "DOUBLE", "tests_total": "INTEGER", "build_success": "BOOLEAN", "verified_by_ci": "BOOLEAN",
    "rework_count": "INTEGER", "pr_review_cycles": "INTEGER", "duration_vs_estimate": "DOUBLE",
    "quality_verifier": "DOUBLE", "verifier_agent": "VARCHAR", "verifier_model": "VARCHAR", "verifier_at": "TIMESTAMPTZ",
    "quality_human": "DOUBLE", "reviewer": "VARCHAR", "note": "VARCHAR", "human_at": "TIMESTAMPTZ", "ts": "TIMESTAMPTZ",
}  # fmt: skip
LEADERBOARD = (
    "SELECT model, count(*), avg(quality), avg(quality_auto), avg(quality_verifier) FROM ledger GROUP BY model"
)
FIRST_PAGE = "SELECT run_id, story_id, title, model, quality FROM ledger ORDER BY ts DESC LIMIT 50"
FAR_PAGE = "SELECT run_id, story_id, title, model, quality FROM ledger ORDER BY note LIMIT 50 OFFSET 20000"
SEARCH = "SELECT run_id, story_id FROM ledger WHERE note ILIKE '%naming%' AND note ILIKE '%77%' LIMIT 50"
TOTALS = "SELECT count(*), count(DISTINCT story_id), count(quality) FROM ledger"
FACETS = "SELECT DISTINCT model FROM ledger"
ONE_RUN = "SELECT * FROM ledger WHERE run_id = '{run_id}'"


def create_table(database: str, source: str) -> None:
    """`CREATE TABLE AS` of the same typed file into a database file."""
    with duckdb.connect(database) as connection:
        reader = (
            "read_csv($source, header = true, columns = $types)" if source.endswith(".csv") else "read_parquet($source)"
        )
        text = f"CREATE TABLE rows AS FROM {reader}"
        columns = ", ".join(f"'{name}': '{kind}'" for name, kind in TYPES.items())
        connection.execute(text.replace("$types", f"{{{columns}}}"), {"source": source})


def rebuild_by_hand(ledger: str) -> None:
    """One hand-written statement: resolve the observations, composite, tiers, write."""
    with duckdb.connect(ledger) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET enable_progress_bar = false")
        connection.execute(BY_HAND.read_text())
        connection.execute("DROP TABLE by_hand")


def copy_csv(ledger: str, target: str) -> None:
    """DuckDB's COPY of the ledger table."""
    with duckdb.connect(ledger) as connection:
        connection.execute("COPY ledger TO $target (FORMAT csv, HEADER)", {"target": target})


def prepare_one(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE TABLE overrides (run_id UUID, quality DOUBLE, note VARCHAR, given TIMESTAMPTZ)")


def insert_one(connection: duckdb.DuckDBPyConnection) -> None:
    """One row, durable."""
    connection.execute("INSERT INTO overrides VALUES (uuidv7(), 7, 'a note', now())")
