-- Every observation, a JSON object a line: `export --full`. The statement's name is the table's; runs come before what
-- is said about them. `iso` is made by queries/export.sql.
-- What lies aside with a withdrawn import is written out with the rest.

-- name: settings_sets
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'settings_sets' AS "table", * REPLACE (iso(valid_from) AS valid_from) FROM settings_sets) AS r

-- name: imports
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'imports' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM imports) AS r

-- name: import_withdrawals
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'import_withdrawals' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM import_withdrawals) AS r

-- name: rejects
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'rejects' AS "table", * REPLACE (iso(recorded_at) AS recorded_at)
    FROM (FROM rejects UNION ALL BY NAME FROM withdrawn.rejects)) AS r

-- name: story_facts
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'story_facts' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM (FROM story_facts UNION ALL BY NAME FROM withdrawn.story_facts)) AS r

-- name: runs
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'runs' AS "table", * REPLACE (iso(recorded_at) AS recorded_at)
    FROM (FROM runs UNION ALL BY NAME FROM withdrawn.runs)) AS r

-- name: run_facts
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'run_facts' AS "table", * REPLACE (
        iso(started_at) AS started_at, iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM (FROM run_facts UNION ALL BY NAME FROM withdrawn.run_facts)) AS r

-- name: attestations
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'attestations' AS "table", * REPLACE (iso(recorded_at) AS recorded_at)
    FROM (FROM attestations UNION ALL BY NAME FROM withdrawn.attestations)) AS r

-- name: report_acceptances
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'report_acceptances' AS "table", * REPLACE (iso(recorded_at) AS recorded_at)
    FROM (FROM report_acceptances UNION ALL BY NAME FROM withdrawn.report_acceptances)) AS r

-- name: signal_readings
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'signal_readings' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM (FROM signal_readings UNION ALL BY NAME FROM withdrawn.signal_readings)) AS r

-- name: verdicts
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'verdicts' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM (FROM verdicts UNION ALL BY NAME FROM withdrawn.verdicts)) AS r

-- name: overrides
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'overrides' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM (FROM overrides UNION ALL BY NAME FROM withdrawn.overrides)) AS r

-- name: evidence
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'evidence' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM (FROM evidence UNION ALL BY NAME FROM withdrawn.evidence)) AS r

-- name: prompt_texts
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'prompt_texts' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM prompt_texts) AS r

-- name: evaluations
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'evaluations' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM evaluations) AS r

-- name: responses
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'responses' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM responses) AS r

-- name: response_feedback
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'response_feedback' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM response_feedback) AS r

-- name: response_scores
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'response_scores' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM response_scores) AS r

-- name: response_regressions
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'response_regressions' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM response_regressions) AS r

-- name: response_settings
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'response_settings' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM response_settings) AS r

-- name: rankings
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'rankings' AS "table", * REPLACE (iso(occurred_at) AS occurred_at, iso(recorded_at) AS recorded_at)
    FROM rankings) AS r

-- name: ranked_candidates
SELECT to_json(r) || chr(10) AS line FROM (SELECT 'ranked_candidates' AS "table", * FROM ranked_candidates) AS r

-- name: review_list
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'review_list' AS "table", * REPLACE (iso(recorded_at) AS recorded_at)
    FROM (FROM review_list UNION ALL BY NAME FROM withdrawn.review_list)) AS r

-- name: review_draws
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'review_draws' AS "table", * REPLACE (iso(expires_at) AS expires_at, iso(recorded_at) AS recorded_at)
    FROM (FROM review_draws UNION ALL BY NAME FROM withdrawn.review_draws)) AS r

-- name: story_edits
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'story_edits' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM story_edits) AS r

-- name: story_merges
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'story_merges' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM story_merges) AS r

-- name: redactions
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'redactions' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM redactions) AS r

-- name: audit
SELECT to_json(r) || chr(10) AS line FROM (
    SELECT 'audit' AS "table", * REPLACE (iso(recorded_at) AS recorded_at) FROM audit) AS r
