"""Seeded, made-up observations of any size, for timing only; nothing of it is ever shown as data.

`observations(path, runs)` fills an empty ledger file with them; `rating_file(path, runs)` writes the same
runs as one CSV or Parquet file in the columns of the export.
"""

from pathlib import Path

import duckdb

from quality.ledger.ledger import Ledger

SEED = 0.42
ROWS = """
SELECT i, 'story-' || (i // 3) AS story_id, 'Story number ' || (i // 3) AS title, 'agent-' || (i % 7) AS agent,
    'model-' || (i * 7919 % 60) AS model_version, 1 + i % 3 AS attempt,
    ['backend', 'frontend', 'data', 'docs', 'testing'][1 + i % 5] AS discipline,
    ['platform', 'growth', 'payments'][1 + i % 3] AS org_domain, ['retail', 'health', 'finance'][1 + i % 3] AS industry,
    ['build', 'design', 'run'][1 + i % 3] AS phase,
    round((hash(i) % 1001) / 1000.0, 3) AS test_pass_rate, (5 + hash(i + 1) % 200)::INTEGER AS tests_total,
    hash(i + 2) % 10 > 1 AS build_success, CASE WHEN hash(i + 3) % 3 = 0 THEN hash(i + 4) % 8 > 0 END AS verified_by_ci,
    (hash(i + 5) % 4)::INTEGER AS rework_count, (hash(i + 6) % 3)::INTEGER AS pr_review_cycles,
    CASE WHEN hash(i + 7) % 2 = 0 THEN round(0.2 + (hash(i + 8) % 300) / 100.0, 2) END AS duration_vs_estimate,
    CASE WHEN hash(i + 9) % 10 > 1 THEN round((hash(i + 10) % 101) / 10.0, 1) END AS quality_verifier,
    CASE WHEN hash(i + 11) % 20 < 3 THEN round((hash(i + 12) % 21) / 2.0, 1) END AS quality_human,
    TIMESTAMPTZ '2026-01-01 00:00:00+00' + to_minutes((i * 300000 // greatest($runs, 1))::INTEGER) AS made_at
FROM range($runs::BIGINT) t(i)
"""
EXPORT_COLUMNS = f"""
SELECT story_id, title, agent, model_version, attempt, discipline, org_domain, industry, phase, test_pass_rate,
    tests_total, build_success, verified_by_ci, rework_count, pr_review_cycles, duration_vs_estimate,
    quality_verifier, CASE WHEN quality_verifier IS NOT NULL THEN 'checker' END AS verifier_agent,
    CASE WHEN quality_verifier IS NOT NULL THEN 'judge-1' END AS verifier_model,
    CASE WHEN quality_verifier IS NOT NULL THEN strftime(made_at + INTERVAL 1 HOUR, '%Y-%m-%dT%H:%M:%SZ') END AS verifier_at,
    quality_human, CASE WHEN quality_human IS NOT NULL THEN 'reviewer-' || (i % 9) END AS reviewer,
    CASE WHEN quality_human IS NOT NULL THEN 'Looks right, naming could be better (' || i || ')' END AS note,
    CASE WHEN quality_human IS NOT NULL THEN strftime(made_at + INTERVAL 2 HOUR, '%Y-%m-%dT%H:%M:%SZ') END AS human_at,
    strftime(made_at, '%Y-%m-%dT%H:%M:%SZ') AS ts
FROM ({ROWS}) ORDER BY i
"""
FILL = [
    """CREATE TEMP TABLE made AS SELECT uuidv7() AS run_id, * FROM (""" + ROWS + ") ORDER BY i",
    """INSERT INTO story_facts BY NAME SELECT uuidv7() AS story_fact_id, story_id, any_value(title) AS title,
        any_value(discipline) AS discipline, any_value(org_domain) AS org_domain, any_value(industry) AS industry,
        any_value(phase) AS phase, now() AS recorded_at, 'bench' AS actor FROM made GROUP BY story_id""",
    """INSERT INTO runs BY NAME SELECT run_id, story_id, agent, model_version, attempt, now() AS recorded_at,
        'bench' AS actor FROM made""",
    """INSERT INTO signal_readings BY NAME SELECT uuidv7() AS reading_id, run_id, test_pass_rate, tests_total,
        build_success, verified_by_ci, rework_count, pr_review_cycles, duration_vs_estimate, i AS line,
        made_at AS occurred_at, now() AS recorded_at, 'bench' AS actor FROM made""",
    """INSERT INTO verdicts BY NAME SELECT uuidv7() AS verdict_id, run_id, quality_verifier AS quality, 1 AS n_ratings,
        false AS raters_disagree, 'checker' AS verifier_agent, 'judge-1' AS verifier_model, false AS conflicting,
        false AS simulated, i AS line, made_at + INTERVAL 1 HOUR AS occurred_at, now() AS recorded_at, 'bench' AS actor
        FROM made WHERE quality_verifier IS NOT NULL""",
    """INSERT INTO overrides BY NAME SELECT uuidv7() AS override_id, run_id, quality_human AS quality, 1 AS n_ratings,
        false AS raters_disagree, 'reviewer-' || (i % 9) AS reviewer, 'Looks right (' || i || ')' AS note,
        'choice' AS review_reason, i AS line, made_at + INTERVAL 2 HOUR AS occurred_at, now() AS recorded_at,
        'bench' AS actor FROM made WHERE quality_human IS NOT NULL""",
    "DROP TABLE made",
]


def rating_file(path: Path, runs: int) -> None:
    """Write `runs` rows as CSV or Parquet, by the file's suffix."""
    options = "FORMAT csv, HEADER" if path.suffix == ".csv" else "FORMAT parquet"
    duckdb.connect().execute(f"COPY ({EXPORT_COLUMNS}) TO $path ({options})", {"runs": runs, "path": str(path)})


def observations(path: Path, runs: int) -> None:
    """Make an empty ledger at `path` and fill its observation tables; the rows are left to a rebuild."""
    Ledger(path, purpose="bench").close()
    with duckdb.connect(str(path)) as connection:
        for statement in FILL:
            connection.execute(statement, {"runs": runs} if "$runs" in statement else {})
