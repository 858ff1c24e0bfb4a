-- Observations → one resolved row a run (MODEL.md, Resolution). The scores are added by quality/scoring.py.
-- `chunk` (run_id) names the runs; $as_of keeps what was recorded by then.

-- name: touch_all
CREATE OR REPLACE TEMP TABLE touched AS SELECT run_id FROM runs;

-- name: touch_none
CREATE OR REPLACE TEMP TABLE touched (run_id UUID);

-- name: touch_one
INSERT INTO touched VALUES ($run_id);

-- name: touch_story
INSERT INTO touched SELECT run_id FROM runs WHERE story_id = $story_id;

-- name: line_up
-- Each touched run once, with its place; runs recorded together lie together (a UUIDv7 begins with its time).
CREATE OR REPLACE TEMP TABLE lined_up AS
SELECT run_id, row_number() OVER (ORDER BY run_id) - 1 AS place FROM (SELECT DISTINCT run_id FROM touched)

-- name: count_lined_up
SELECT count(*) FROM lined_up

-- name: take_chunk
CREATE OR REPLACE TEMP TABLE chunk AS SELECT run_id FROM lined_up WHERE place >= $low AND place < $high

-- name: resolve
WITH base AS (
    SELECT r.* FROM runs r SEMI JOIN chunk USING (run_id) WHERE r.recorded_at <= $as_of
),
fact AS (
    SELECT run_id,
        last(model_at_dispatch ORDER BY coalesce(occurred_at, recorded_at), recorded_at, line)
            FILTER (model_at_dispatch IS NOT NULL) AS model_at_dispatch,
        last(model_at_completion ORDER BY coalesce(occurred_at, recorded_at), recorded_at, line)
            FILTER (model_at_completion IS NOT NULL) AS model_at_completion,
        last(split_model ORDER BY coalesce(occurred_at, recorded_at), recorded_at, line)
            FILTER (split_model IS NOT NULL) AS split_model
    FROM run_facts SEMI JOIN chunk USING (run_id) WHERE recorded_at <= $as_of
    GROUP BY run_id
),
attested AS (
    SELECT run_id, last(model_version ORDER BY recorded_at) AS model_version
    FROM attestations SEMI JOIN chunk USING (run_id) WHERE recorded_at <= $as_of
    GROUP BY run_id
),
story AS (
    SELECT story_id,
        last(title ORDER BY recorded_at, line) FILTER (title IS NOT NULL) AS title,
        last(discipline ORDER BY recorded_at, line) FILTER (discipline IS NOT NULL) AS discipline,
        last(org_domain ORDER BY recorded_at, line) FILTER (org_domain IS NOT NULL) AS org_domain,
        last(industry ORDER BY recorded_at, line) FILTER (industry IS NOT NULL) AS industry,
        last(phase ORDER BY recorded_at, line) FILTER (phase IS NOT NULL) AS phase,
        last(synthetic ORDER BY recorded_at, line) FILTER (synthetic IS NOT NULL) AS synthetic
    FROM story_facts SEMI JOIN base USING (story_id) WHERE recorded_at <= $as_of
    GROUP BY story_id
),
-- Signals resolve one by one: the latest known value counts, an unknown never replaces a known one.
reading AS (
    SELECT *, coalesce(occurred_at, recorded_at) AS given_at
    FROM signal_readings SEMI JOIN chunk USING (run_id) WHERE recorded_at <= $as_of
),
signal AS (
    SELECT run_id,
        last(test_pass_rate ORDER BY given_at, recorded_at, line) FILTER (test_pass_rate IS NOT NULL) AS test_pass_rate,
        last(tests_total ORDER BY given_at, recorded_at, line) FILTER (test_pass_rate IS NOT NULL) AS tests_total,
        last(build_success ORDER BY given_at, recorded_at, line) FILTER (build_success IS NOT NULL) AS build_success,
        last(verified_by_ci ORDER BY given_at, recorded_at, line) FILTER (verified_by_ci IS NOT NULL) AS verified_by_ci,
        last(rework_count ORDER BY given_at, recorded_at, line) FILTER (rework_count IS NOT NULL) AS rework_count,
        last(micro_rework ORDER BY given_at, recorded_at, line) FILTER (micro_rework IS NOT NULL) AS micro_rework,
        last(pr_review_cycles ORDER BY given_at, recorded_at, line)
            FILTER (pr_review_cycles IS NOT NULL) AS pr_review_cycles,
        last(duration_vs_estimate ORDER BY given_at, recorded_at, line)
            FILTER (duration_vs_estimate IS NOT NULL) AS duration_vs_estimate,
        max(given_at) AS auto_at
    FROM reading GROUP BY run_id
),
-- Ratings: the same source id again is a revision; of the standing ones the latest count, ties as their mean.
verdict AS (
    SELECT *, coalesce(occurred_at, recorded_at) AS given_at,
        coalesce(verifier_agent, '') || chr(31) || coalesce(verifier_model, '') AS rater
    FROM verdicts SEMI JOIN chunk USING (run_id) WHERE recorded_at <= $as_of AND NOT simulated
    QUALIFY source_id IS NULL OR row_number() OVER (
        PARTITION BY run_id, source_id ORDER BY given_at DESC, recorded_at DESC, line DESC) = 1
),
verdict_ranked AS (
    SELECT *, given_at = max(given_at) OVER (PARTITION BY run_id) AS counts,
        given_at = max(given_at) OVER (PARTITION BY run_id, rater) AS is_current
    FROM verdict
),
verifier AS (
    SELECT run_id,
        CASE WHEN count(*) FILTER (counts) = 1 THEN any_value(quality) FILTER (counts)
            ELSE sum(quality * n_ratings ORDER BY quality) FILTER (counts) / sum(n_ratings) FILTER (counts) END AS quality,
        (sum(n_ratings) FILTER (counts))::INTEGER AS n,
        max(quality) FILTER (is_current) - min(quality) FILTER (is_current) AS spread,
        bool_or(raters_disagree) FILTER (counts) AS disagree,
        bool_or(conflicting) FILTER (counts) AS conflicting,
        bool_and(correct) FILTER (counts) AS correct,
        bool_or(rework) FILTER (counts) AS rework,
        string_agg(DISTINCT verifier_agent, '; ' ORDER BY verifier_agent) FILTER (counts) AS agent,
        string_agg(DISTINCT verifier_model, '; ' ORDER BY verifier_model) FILTER (counts) AS model,
        max(given_at) AS at
    FROM verdict_ranked GROUP BY run_id
),
override AS (
    SELECT *, coalesce(occurred_at, recorded_at) AS given_at, coalesce(reviewer, '') AS rater
    FROM overrides SEMI JOIN chunk USING (run_id)
    WHERE recorded_at <= $as_of AND withdraws IS NULL AND override_id NOT IN (
        SELECT withdraws FROM overrides WHERE withdraws IS NOT NULL AND recorded_at <= $as_of)
    QUALIFY source_id IS NULL OR row_number() OVER (
        PARTITION BY run_id, source_id ORDER BY given_at DESC, recorded_at DESC, line DESC) = 1
),
override_ranked AS (
    SELECT *, given_at = max(given_at) OVER (PARTITION BY run_id) AS counts,
        given_at = max(given_at) OVER (PARTITION BY run_id, rater) AS is_current
    FROM override
),
human AS (
    SELECT run_id,
        CASE WHEN count(*) FILTER (counts) = 1 THEN any_value(quality) FILTER (counts)
            ELSE sum(quality * n_ratings ORDER BY quality) FILTER (counts) / sum(n_ratings) FILTER (counts) END AS quality,
        (sum(n_ratings) FILTER (counts))::INTEGER AS n,
        max(quality) FILTER (is_current) - min(quality) FILTER (is_current) AS spread,
        bool_or(raters_disagree) FILTER (counts) AS disagree,
        bool_and(correct) FILTER (counts) AS correct,
        bool_or(rework) FILTER (counts) AS rework,
        string_agg(DISTINCT reviewer, '; ' ORDER BY reviewer) FILTER (counts) AS reviewer,
        last(note ORDER BY recorded_at, line) FILTER (counts AND note IS NOT NULL) AS note,
        last(review_reason ORDER BY recorded_at, line) FILTER (counts AND review_reason IS NOT NULL) AS review_reason,
        last(review_probability ORDER BY recorded_at, line)
            FILTER (counts AND review_probability IS NOT NULL) AS review_probability,
        max(given_at) AS at
    FROM override_ranked GROUP BY run_id
)
SELECT base.run_id, base.story_id, story.title, base.agent,
    coalesce(attested.model_version, base.model_version) AS model_version, base.attempt,
    story.discipline, story.org_domain, story.industry, story.phase, coalesce(story.synthetic, false) AS synthetic,
    fact.model_at_dispatch, fact.model_at_completion,
    signal.test_pass_rate, signal.tests_total, signal.build_success, signal.verified_by_ci, signal.rework_count,
    signal.micro_rework, signal.pr_review_cycles, signal.duration_vs_estimate, signal.auto_at,
    verifier.quality AS quality_verifier, verifier.n AS n_verifier, verifier.agent AS verifier_agent,
    verifier.model AS verifier_model, verifier.at AS verifier_at,
    human.quality AS quality_human, human.n AS n_human, human.reviewer, human.note, human.at AS human_at,
    human.review_reason, human.review_probability,
    coalesce(human.rework, verifier.rework) AS rework,
    coalesce(human.correct, verifier.correct, signal.verified_by_ci) AS correct,
    attested.model_version IS NULL AND coalesce(
        fact.split_model,
        fact.model_at_dispatch <> fact.model_at_completion
            AND fact.model_at_dispatch <> 'unknown' AND fact.model_at_completion <> 'unknown',
        false) AS split_model,
    base.recorded_at,
    greatest(verifier.spread, human.spread) AS spread,
    coalesce(verifier.disagree, false) OR coalesce(human.disagree, false) AS disagree,
    coalesce(verifier.conflicting, false) AS conflicting
FROM base
LEFT JOIN fact USING (run_id)
LEFT JOIN attested USING (run_id)
LEFT JOIN story USING (story_id)
LEFT JOIN signal USING (run_id)
LEFT JOIN verifier USING (run_id)
LEFT JOIN human USING (run_id)

-- name: merge_scored
MERGE INTO ledger USING scored ON ledger.run_id = scored.run_id
WHEN MATCHED THEN UPDATE BY NAME
WHEN NOT MATCHED THEN INSERT BY NAME

-- name: insert_scored
INSERT INTO ledger BY NAME SELECT * FROM scored

-- name: clear_ledger
DELETE FROM ledger
