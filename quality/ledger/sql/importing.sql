-- One artifact into the observation tables. The `batch_…` relations are Arrow tables of the reader
-- (quality/observations.py); `run` is the row of batch_runs that an observation is about.

-- name: match_runs
-- Each named run to the run it is in the ledger, if it is there: by id, by key, by attested key, or, where
-- the key is given in part, the latest run of the story that fits.
CREATE OR REPLACE TEMP TABLE matched AS
WITH named AS (
    SELECT run, story_id, coalesce(agent, 'unknown') AS agent, coalesce(model_version, 'unknown') AS model_version,
        coalesce(attempt, 1) AS attempt, try_cast(run_id AS UUID) AS given_id,
        agent AS stated_agent, model_version AS stated_model, attempt AS stated_attempt,
        agent IS NULL OR model_version IS NULL OR attempt IS NULL AS is_partial
    FROM batch_runs
),
attested AS (
    SELECT a.run_id, r.story_id, r.agent, a.model_version, r.attempt
    FROM attestations a JOIN runs r USING (run_id)
    QUALIFY row_number() OVER (PARTITION BY a.run_id ORDER BY a.recorded_at DESC) = 1
),
fitting AS (
    SELECT n.run, l.run_id
    FROM named n JOIN ledger l ON l.story_id = n.story_id
        AND (n.stated_agent IS NULL OR n.stated_agent = l.agent)
        AND (n.stated_model IS NULL OR n.stated_model = l.model_version)
        AND (n.stated_attempt IS NULL OR n.stated_attempt = l.attempt)
    WHERE n.is_partial
    QUALIFY row_number() OVER (
        PARTITION BY n.run ORDER BY coalesce(l.auto_at, l.recorded_at) DESC, l.attempt DESC, l.run_id DESC) = 1
)
SELECT n.run, n.story_id, n.agent, n.model_version, n.attempt, n.given_id,
    coalesce(by_id.run_id, fitting.run_id, by_key.run_id, attested.run_id) AS run_id
FROM named n
LEFT JOIN runs by_id ON by_id.run_id = n.given_id
LEFT JOIN runs by_key ON by_key.story_id = n.story_id AND by_key.agent = n.agent
    AND by_key.model_version = n.model_version AND by_key.attempt = n.attempt
LEFT JOIN attested ON attested.story_id = n.story_id AND attested.agent = n.agent
    AND attested.model_version = n.model_version AND attested.attempt = n.attempt
LEFT JOIN fitting ON fitting.run = n.run

-- name: name_new_runs
CREATE OR REPLACE TEMP TABLE new_runs AS
WITH distinct_keys AS (
    SELECT story_id, agent, model_version, attempt, any_value(given_id) AS given_id, min(run) AS first_run
    FROM matched WHERE run_id IS NULL
    GROUP BY story_id, agent, model_version, attempt
)
SELECT CASE WHEN given_id IS NOT NULL AND row_number() OVER (PARTITION BY given_id ORDER BY first_run) = 1
        THEN given_id ELSE uuidv7() END AS run_id,
    story_id, agent, model_version, attempt
FROM distinct_keys

-- name: add_runs
INSERT INTO runs BY NAME
SELECT *, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor, $import_id::UUID AS import_id FROM new_runs

-- name: identify_runs
CREATE OR REPLACE TEMP TABLE run_of AS
SELECT m.run, coalesce(m.run_id, n.run_id) AS run_id
FROM matched m LEFT JOIN new_runs n ON m.run_id IS NULL AND n.story_id = m.story_id AND n.agent = m.agent
    AND n.model_version = m.model_version AND n.attempt = m.attempt

-- name: touch_runs
INSERT INTO touched SELECT DISTINCT run_id FROM run_of

-- name: add_run_facts
INSERT INTO run_facts BY NAME
SELECT uuidv7() AS run_fact_id, r.run_id, b.model_at_dispatch, b.model_at_completion, b.split_model, b.started_at,
    b.attributes, b.line, b.occurred_at, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor, $import_id::UUID AS import_id
FROM batch_runs b JOIN run_of r USING (run)
    ANTI JOIN run_facts f ON f.run_id = r.run_id AND f.occurred_at = b.occurred_at
    AND f.model_at_dispatch IS NOT DISTINCT FROM b.model_at_dispatch
    AND f.model_at_completion IS NOT DISTINCT FROM b.model_at_completion
    AND f.split_model IS NOT DISTINCT FROM b.split_model AND f.started_at IS NOT DISTINCT FROM b.started_at
    AND f.attributes IS NOT DISTINCT FROM b.attributes
WHERE b.model_at_dispatch IS NOT NULL OR b.model_at_completion IS NOT NULL OR b.split_model IS NOT NULL
    OR b.attributes IS NOT NULL OR b.occurred_at IS NOT NULL

-- name: add_run_starts
-- Of runs of which nothing else is stated, once each; a start that is known already is no news.
INSERT INTO run_facts BY NAME
SELECT uuidv7() AS run_fact_id, run_id, started_at, line, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor,
    $import_id::UUID AS import_id
FROM (
    SELECT r.run_id, b.started_at, max(b.line) AS line FROM batch_runs b JOIN run_of r USING (run)
    WHERE b.started_at IS NOT NULL AND b.model_at_dispatch IS NULL AND b.model_at_completion IS NULL
        AND b.split_model IS NULL AND b.attributes IS NULL AND b.occurred_at IS NULL
    GROUP BY r.run_id, b.started_at) AS stated
ANTI JOIN ledger l ON l.run_id = stated.run_id AND l.started_at = stated.started_at

-- name: add_story_facts
-- Only what is news: a fact whose stated fields all equal what is known of the story adds nothing.
CREATE OR REPLACE TEMP TABLE story_news AS
WITH known AS (
    SELECT story_id,
        last(title ORDER BY recorded_at, line) FILTER (title IS NOT NULL) AS title,
        last(discipline ORDER BY recorded_at, line) FILTER (discipline IS NOT NULL) AS discipline,
        last(org_domain ORDER BY recorded_at, line) FILTER (org_domain IS NOT NULL) AS org_domain,
        last(industry ORDER BY recorded_at, line) FILTER (industry IS NOT NULL) AS industry,
        last(phase ORDER BY recorded_at, line) FILTER (phase IS NOT NULL) AS phase,
        last(estimated_tokens ORDER BY recorded_at, line) FILTER (estimated_tokens IS NOT NULL) AS estimated_tokens,
        last(done_criteria ORDER BY recorded_at, line) FILTER (done_criteria IS NOT NULL) AS done_criteria,
        last(synthetic ORDER BY recorded_at, line) FILTER (synthetic IS NOT NULL) AS synthetic,
        last(attributes ORDER BY recorded_at, line) FILTER (attributes IS NOT NULL) AS attributes
    FROM story_facts SEMI JOIN batch_stories USING (story_id)
    GROUP BY story_id
),
stated AS (
    SELECT story_id, title, discipline, org_domain, industry, phase, estimated_tokens, done_criteria, synthetic,
        attributes, min(line) AS line, min(occurred_at) AS occurred_at
    FROM batch_stories
    GROUP BY ALL
)
SELECT s.*, k.story_id IS NULL AS is_new
FROM stated s LEFT JOIN known k USING (story_id)
WHERE k.story_id IS NULL
    OR (s.title IS NOT NULL AND s.title IS DISTINCT FROM k.title)
    OR (s.discipline IS NOT NULL AND s.discipline IS DISTINCT FROM k.discipline)
    OR (s.org_domain IS NOT NULL AND s.org_domain IS DISTINCT FROM k.org_domain)
    OR (s.industry IS NOT NULL AND s.industry IS DISTINCT FROM k.industry)
    OR (s.phase IS NOT NULL AND s.phase IS DISTINCT FROM k.phase)
    OR (s.estimated_tokens IS NOT NULL AND s.estimated_tokens IS DISTINCT FROM k.estimated_tokens)
    OR (s.done_criteria IS NOT NULL AND s.done_criteria IS DISTINCT FROM k.done_criteria)
    OR (s.synthetic IS NOT NULL AND s.synthetic IS DISTINCT FROM k.synthetic)
    OR (s.attributes IS NOT NULL AND s.attributes IS DISTINCT FROM k.attributes)

-- name: add_named_stories
-- The same of facts that state nothing but the story's id: news where the story is new.
CREATE OR REPLACE TEMP TABLE story_news AS
SELECT story_id, title, discipline, org_domain, industry, phase, estimated_tokens, done_criteria, synthetic, attributes,
    min(line) AS line, min(occurred_at) AS occurred_at, true AS is_new
FROM batch_stories ANTI JOIN story_facts USING (story_id)
GROUP BY ALL

-- name: insert_story_facts
INSERT INTO story_facts BY NAME
SELECT uuidv7() AS story_fact_id, * EXCLUDE (is_new), $now::TIMESTAMPTZ AS recorded_at, $actor AS actor,
    $import_id::UUID AS import_id
FROM story_news

-- name: touch_changed_stories
INSERT INTO touched SELECT run_id FROM runs SEMI JOIN story_news USING (story_id)

-- name: count_new_stories
SELECT count(DISTINCT story_id) FROM story_news WHERE is_new

-- name: add_signals
-- A dated reading that is there already is not stored again; an undated one states its values anew (design/001).
INSERT INTO signal_readings BY NAME
SELECT uuidv7() AS reading_id, r.run_id, b.* EXCLUDE (run), $now::TIMESTAMPTZ AS recorded_at, $actor AS actor,
    $import_id::UUID AS import_id
FROM batch_signals b JOIN run_of r USING (run)
ANTI JOIN signal_readings s ON s.run_id = r.run_id AND s.occurred_at = b.occurred_at
    AND s.test_pass_rate IS NOT DISTINCT FROM b.test_pass_rate AND s.tests_total IS NOT DISTINCT FROM b.tests_total
    AND s.test_ids IS NOT DISTINCT FROM b.test_ids AND s.test_outcomes IS NOT DISTINCT FROM b.test_outcomes
    AND s.runner IS NOT DISTINCT FROM b.runner
    AND s.build_success IS NOT DISTINCT FROM b.build_success AND s.verified_by_ci IS NOT DISTINCT FROM b.verified_by_ci
    AND s.rework_count IS NOT DISTINCT FROM b.rework_count AND s.micro_rework IS NOT DISTINCT FROM b.micro_rework
    AND s.pr_review_cycles IS NOT DISTINCT FROM b.pr_review_cycles
    AND s.duration_vs_estimate IS NOT DISTINCT FROM b.duration_vs_estimate
    AND s.results_disagree = b.results_disagree AND s.older_report = b.older_report

-- name: add_new_signals
INSERT INTO signal_readings BY NAME
SELECT uuidv7() AS reading_id, r.run_id, b.* EXCLUDE (run), $now::TIMESTAMPTZ AS recorded_at, $actor AS actor,
    $import_id::UUID AS import_id
FROM batch_signals b JOIN run_of r USING (run)

-- name: add_new_verdicts
-- The verdicts of a batch of such runs, at most one each.
INSERT INTO verdicts BY NAME
SELECT uuidv7() AS verdict_id, r.run_id, b.* EXCLUDE (run), $now::TIMESTAMPTZ AS recorded_at, $actor AS actor,
    $import_id::UUID AS import_id
FROM batch_verdicts b JOIN run_of r USING (run)

-- name: add_new_overrides
INSERT INTO overrides BY NAME
SELECT uuidv7() AS override_id, r.run_id, b.* EXCLUDE (run), $now::TIMESTAMPTZ AS recorded_at, $actor AS actor,
    $import_id::UUID AS import_id
FROM batch_overrides b JOIN run_of r USING (run)

-- name: add_verdicts
-- The same rating again (same run, rater, time and content, and the same id where it states one) is stored once.
-- An export states a rating by the time it counts from, without its id, and a panel by its mean: a row that says
-- what the ledger says adds nothing.
INSERT INTO verdicts BY NAME
WITH given AS (SELECT r.run_id, b.* EXCLUDE (run) FROM batch_verdicts b JOIN run_of r USING (run)),
once AS (
    SELECT * FROM given
    WHERE source_id IS NULL AND occurred_at IS NULL AND verifier_model IS NULL AND verifier_agent IS NULL
    UNION ALL
    SELECT * FROM given
    WHERE source_id IS NOT NULL OR occurred_at IS NOT NULL OR verifier_model IS NOT NULL OR verifier_agent IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY run_id, source_id, occurred_at, verifier_agent, verifier_model, quality,
        correct, rework, note ORDER BY line) = 1
)
SELECT uuidv7() AS verdict_id, g.*, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor, $import_id::UUID AS import_id
FROM once g ANTI JOIN verdicts v ON v.run_id = g.run_id AND (g.source_id IS NOT NULL OR g.occurred_at IS NOT NULL)
    AND (v.source_id IS NOT DISTINCT FROM g.source_id OR g.source_id IS NULL)
    AND (v.occurred_at IS NOT DISTINCT FROM g.occurred_at OR coalesce(v.occurred_at, v.recorded_at) = g.occurred_at)
    AND v.verifier_agent IS NOT DISTINCT FROM g.verifier_agent AND v.verifier_model IS NOT DISTINCT FROM g.verifier_model
    AND v.quality = g.quality AND v.correct IS NOT DISTINCT FROM g.correct AND v.rework IS NOT DISTINCT FROM g.rework
    AND v.note IS NOT DISTINCT FROM g.note AND v.simulated = g.simulated
ANTI JOIN ledger l ON l.run_id = g.run_id AND g.source_id IS NULL AND g.note IS NULL AND NOT g.simulated
    AND l.verifier_at = g.occurred_at AND l.quality_verifier = g.quality AND l.n_verifier = g.n_ratings
    AND l.verifier_agent IS NOT DISTINCT FROM g.verifier_agent AND l.verifier_model IS NOT DISTINCT FROM g.verifier_model
    AND (g.correct IS NULL OR g.correct = l.verifier_correct) AND (g.rework IS NULL OR g.rework = l.verifier_rework)

-- name: add_overrides
INSERT INTO overrides BY NAME
WITH given AS (SELECT r.run_id, b.* EXCLUDE (run) FROM batch_overrides b JOIN run_of r USING (run)),
once AS (
    SELECT * FROM given WHERE source_id IS NULL AND occurred_at IS NULL AND reviewer IS NULL
    UNION ALL
    SELECT * FROM given WHERE source_id IS NOT NULL OR occurred_at IS NOT NULL OR reviewer IS NOT NULL
    QUALIFY row_number() OVER (PARTITION BY run_id, source_id, occurred_at, reviewer, quality, correct, rework, note
        ORDER BY line) = 1
)
SELECT uuidv7() AS override_id, g.*, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor, $import_id::UUID AS import_id
FROM once g ANTI JOIN overrides o ON o.run_id = g.run_id AND (g.source_id IS NOT NULL OR g.occurred_at IS NOT NULL)
    AND o.withdraws IS NULL
    AND (o.source_id IS NOT DISTINCT FROM g.source_id OR g.source_id IS NULL)
    AND (o.occurred_at IS NOT DISTINCT FROM g.occurred_at OR coalesce(o.occurred_at, o.recorded_at) = g.occurred_at)
    AND o.reviewer IS NOT DISTINCT FROM g.reviewer AND o.quality = g.quality
    AND o.correct IS NOT DISTINCT FROM g.correct AND o.rework IS NOT DISTINCT FROM g.rework
    AND o.note IS NOT DISTINCT FROM g.note
ANTI JOIN ledger l ON l.run_id = g.run_id AND g.source_id IS NULL
    AND l.human_at = g.occurred_at AND l.quality_human = g.quality AND l.n_human = g.n_ratings
    AND l.reviewer IS NOT DISTINCT FROM g.reviewer AND l.note IS NOT DISTINCT FROM g.note
    AND (g.correct IS NULL OR g.correct = l.correct) AND (g.rework IS NULL OR g.rework = l.rework)

-- name: add_evidence
INSERT INTO evidence BY NAME
SELECT uuidv7() AS evidence_id, r.run_id, b.* EXCLUDE (run), $now::TIMESTAMPTZ AS recorded_at, $actor AS actor,
    $import_id::UUID AS import_id
FROM batch_evidence b JOIN run_of r USING (run)

-- name: add_rejects
INSERT INTO rejects BY NAME
SELECT uuidv7() AS reject_id, $import_id::UUID AS import_id, *, $actor AS actor, $now::TIMESTAMPTZ AS recorded_at
FROM batch_rejects

-- name: find_imports
-- The imports of an artifact, the latest first.
SELECT import_id, format, counts, target, import_id IN (SELECT import_id FROM withdrawn.imports) AS withdrawn
FROM imports WHERE sha256 = $sha256 AND status = 'imported'
ORDER BY recorded_at DESC

-- name: runs_of_part
SELECT run_id::VARCHAR AS run_id FROM run_of GROUP BY run_id ORDER BY min(run) LIMIT $limit

-- name: runs_of_restored
SELECT DISTINCT run_id::VARCHAR AS run_id FROM touched ORDER BY run_id LIMIT $limit

-- name: runs_of_import
SELECT DISTINCT run_id::VARCHAR AS run_id FROM (
    SELECT run_id FROM signal_readings WHERE import_id = $import_id
    UNION ALL SELECT run_id FROM verdicts WHERE import_id = $import_id
    UNION ALL SELECT run_id FROM overrides WHERE import_id = $import_id
    UNION ALL SELECT run_id FROM runs WHERE import_id = $import_id)
ORDER BY run_id LIMIT $limit

-- name: named_runs
SELECT run_id::VARCHAR AS run_id, story_id, agent, model_version, attempt, started_at IS NOT NULL AS is_dated FROM ledger
WHERE run_id IN (SELECT unnest($run_ids::UUID[]))

-- name: find_rejected_import
SELECT import_id FROM imports WHERE sha256 = $sha256 AND target = $target AND status = 'rejected' LIMIT 1

-- name: drop_repeated_rejects
-- A wholly rejected artifact that is offered again: its rejects are kept already.
DELETE FROM rejects WHERE import_id = $import_id

-- name: new_id
SELECT uuidv7()

-- name: add_import
INSERT INTO imports BY NAME
SELECT $import_id::UUID AS import_id, $sha256 AS sha256, $target AS target, $label AS label, $format AS format,
    $bytes::BIGINT AS bytes, $status AS status, $counts AS counts, $warnings AS warnings, $actor AS actor,
    $now::TIMESTAMPTZ AS recorded_at
