-- The observations of some runs, for quality/resolution.py to say which of them count.
-- `chunk` (run_id, place) names the runs, places 0 … n − 1; $as_of keeps what was recorded by then.

-- name: touch_all
CREATE OR REPLACE TEMP TABLE touched AS SELECT run_id FROM runs

-- name: touch_none
CREATE OR REPLACE TEMP TABLE touched (run_id UUID)

-- name: touch_one
INSERT INTO touched VALUES ($run_id)

-- name: line_up
-- Each touched run once, with its place; runs recorded together lie together (a UUIDv7 begins with its time).
CREATE OR REPLACE TEMP TABLE lined_up AS
SELECT run_id, row_number() OVER (ORDER BY run_id) - 1 AS place FROM (SELECT DISTINCT run_id FROM touched)

-- name: take_chunk
CREATE OR REPLACE TEMP TABLE chunk AS
SELECT run_id, place - $low AS place FROM lined_up WHERE place >= $low AND place < $high

-- name: what_is_there
-- Whether some run of the chunk has a row already, observations of each kind that few runs have, and what people said of
-- stories.
SELECT EXISTS (SELECT 1 FROM ledger SEMI JOIN chunk USING (run_id)) AS ledger,
    EXISTS (SELECT 1 FROM run_facts SEMI JOIN chunk USING (run_id)) AS facts,
    EXISTS (SELECT 1 FROM verdicts SEMI JOIN chunk USING (run_id)) AS verdicts,
    EXISTS (SELECT 1 FROM overrides SEMI JOIN chunk USING (run_id)) AS overrides,
    EXISTS (SELECT 1 FROM story_edits) AS estimates, EXISTS (SELECT 1 FROM story_survivors) AS merges

-- name: runs
SELECT c.place, r.run_id, r.story_id, r.agent, coalesce(a.model_version, r.model_version) AS model_version, r.attempt,
    r.recorded_at, a.model_version IS NOT NULL AS attested
FROM chunk c JOIN runs r USING (run_id) LEFT JOIN (
    SELECT run_id, arg_max(model_version, recorded_at) AS model_version FROM attestations
    WHERE recorded_at <= $as_of GROUP BY run_id) a USING (run_id)
WHERE r.recorded_at <= $as_of

-- name: facts
SELECT c.place, coalesce(f.occurred_at, f.recorded_at) AS given_at, f.recorded_at, f.line, f.model_at_dispatch,
    f.model_at_completion, f.split_model, f.occurred_at, f.started_at
FROM run_facts f JOIN chunk c USING (run_id) WHERE f.recorded_at <= $as_of

-- name: stories
-- By story, not by run: many runs share one.
SELECT s.story_id, s.recorded_at AS given_at, s.recorded_at, s.line, s.title, s.discipline, s.org_domain, s.industry,
    s.phase, s.synthetic
FROM story_facts s SEMI JOIN (SELECT r.story_id FROM runs r SEMI JOIN chunk USING (run_id)) t USING (story_id)
WHERE s.recorded_at <= $as_of

-- name: stories_of_batch
SELECT s.story_id, s.recorded_at AS given_at, s.recorded_at, s.line, s.title, s.discipline, s.org_domain, s.industry,
    s.phase, s.synthetic
FROM story_facts s SEMI JOIN new_runs USING (story_id)

-- name: runs_of_batch
SELECT o.run AS place, n.run_id, n.story_id, n.agent, n.model_version, n.attempt
FROM run_of o JOIN new_runs n USING (run_id)

-- name: signals
SELECT c.place, coalesce(s.occurred_at, s.recorded_at) AS given_at, s.recorded_at, s.line, s.occurred_at,
    a.run_id IS NOT NULL AS accepted, s.test_pass_rate, s.tests_total, s.build_success, s.verified_by_ci, s.rework_count,
    s.micro_rework, s.pr_review_cycles, s.duration_vs_estimate, s.results_disagree, s.older_report
FROM signal_readings s JOIN chunk c USING (run_id) LEFT JOIN (
    SELECT DISTINCT run_id, import_id FROM report_acceptances WHERE recorded_at <= $as_of) a
    ON a.run_id = s.run_id AND a.import_id = s.import_id
WHERE s.recorded_at <= $as_of

-- name: find_reported
-- The runs of the chunk with several readings that name their tests or their runner, in parts of about $most tests.
CREATE OR REPLACE TEMP TABLE reported AS
SELECT place, run_id, sum(tests) OVER (ORDER BY place) // $most AS part
FROM (
    SELECT c.place, s.run_id, sum(coalesce(len(s.test_ids), 0) + 1) AS tests
    FROM signal_readings s JOIN chunk c USING (run_id)
    WHERE s.recorded_at <= $as_of AND (s.test_ids IS NOT NULL OR s.runner IS NOT NULL)
    GROUP BY c.place, s.run_id HAVING count(*) > 1)

-- name: parts_of_reported
SELECT DISTINCT part FROM reported ORDER BY part

-- name: reports
-- All their readings.
SELECT r.place, coalesce(s.occurred_at, s.recorded_at) AS given_at, s.recorded_at, s.line, s.occurred_at,
    a.run_id IS NOT NULL AS accepted, s.test_pass_rate, s.tests_total, s.tests_passed, s.tests_failed, s.tests_errors,
    s.tests_skipped, s.tests_flaky, s.test_ids, s.test_outcomes, s.runner, s.build_success, s.verified_by_ci
FROM signal_readings s JOIN reported r USING (run_id) LEFT JOIN (
    SELECT DISTINCT run_id, import_id FROM report_acceptances WHERE recorded_at <= $as_of) a
    ON a.run_id = s.run_id AND a.import_id = s.import_id
WHERE s.recorded_at <= $as_of AND r.part = $part

-- name: verdicts
SELECT c.place, coalesce(v.occurred_at, v.recorded_at) AS given_at, v.recorded_at, v.line, v.source_id, v.quality,
    v.n_ratings, v.raters_disagree, v.correct, v.rework, v.verifier_agent, v.verifier_model, v.conflicting
FROM verdicts v JOIN chunk c USING (run_id) WHERE v.recorded_at <= $as_of AND NOT v.simulated

-- name: overrides
SELECT c.place, coalesce(o.occurred_at, o.recorded_at) AS given_at, o.recorded_at, o.line, o.source_id, o.quality,
    o.n_ratings, o.raters_disagree, o.correct, o.rework, o.note, o.reviewer, o.review_reason, o.review_probability
FROM overrides o JOIN chunk c USING (run_id)
WHERE o.recorded_at <= $as_of AND o.withdraws IS NULL AND NOT EXISTS (
    SELECT 1 FROM overrides w WHERE w.withdraws = o.override_id AND w.recorded_at <= $as_of)

-- name: overrides_of_run
-- All of one run, which has place 0, with the withdrawals among them.
SELECT 0::BIGINT AS place, coalesce(o.occurred_at, o.recorded_at) AS given_at, o.recorded_at, o.line, o.source_id, o.quality,
    o.n_ratings, o.raters_disagree, o.correct, o.rework, o.note, o.reviewer, o.review_reason, o.review_probability,
    o.override_id, o.withdraws
FROM overrides o WHERE o.run_id = $run_id

-- name: row_of_run
SELECT * FROM ledger WHERE run_id = $run_id

-- name: update_run
-- The columns that changed take the place of the comment, each as `name = $name`.
UPDATE ledger SET /* changes */ WHERE run_id = $run_id

-- name: merge_scored
MERGE INTO ledger USING scored ON ledger.run_id = scored.run_id
WHEN MATCHED THEN UPDATE BY NAME
WHEN NOT MATCHED THEN INSERT BY NAME

-- name: insert_scored
INSERT INTO ledger BY NAME SELECT * FROM scored

-- name: clear_ledger
DELETE FROM ledger
