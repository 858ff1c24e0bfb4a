-- The same job as a rebuild in one statement, written by hand: resolve the observations, compute the composite and
-- the tiers, write a table. What a rebuild is measured against, and a second opinion on the resolution.

CREATE OR REPLACE TABLE by_hand AS
WITH resolved AS (
WITH base AS (
    SELECT r.* FROM runs r 
),
fact AS (
    SELECT run_id,
        last(occurred_at ORDER BY coalesce(occurred_at, recorded_at), recorded_at, line)
            FILTER (occurred_at IS NOT NULL) AS occurred_at,
        last(model_at_dispatch ORDER BY coalesce(occurred_at, recorded_at), recorded_at, line)
            FILTER (model_at_dispatch IS NOT NULL) AS model_at_dispatch,
        last(model_at_completion ORDER BY coalesce(occurred_at, recorded_at), recorded_at, line)
            FILTER (model_at_completion IS NOT NULL) AS model_at_completion,
        last(split_model ORDER BY coalesce(occurred_at, recorded_at), recorded_at, line)
            FILTER (split_model IS NOT NULL) AS split_model
    FROM run_facts
    GROUP BY run_id
),
attested AS (
    SELECT run_id, last(model_version ORDER BY recorded_at) AS model_version
    FROM attestations
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
    FROM story_facts SEMI JOIN base USING (story_id)
    GROUP BY story_id
),
-- Signals resolve one by one: the latest known value counts, an unknown never replaces a known one.
reading AS (
    SELECT *, coalesce(occurred_at, recorded_at) AS given_at
    FROM signal_readings
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
    FROM verdicts WHERE NOT simulated
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
    FROM overrides
    WHERE withdraws IS NULL AND override_id NOT IN (
        SELECT withdraws FROM overrides WHERE withdraws IS NOT NULL)
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
    coalesce(fact.occurred_at, base.recorded_at) AS recorded_at,
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
),
scored AS (
    SELECT *, CASE WHEN coalesce(test_pass_rate, build_success::INT, verified_by_ci::INT, pr_review_cycles) IS NOT NULL THEN
        (coalesce(30 * 10 * test_pass_rate, 0) + coalesce(25 * 10 * build_success::INT, 0)
            + coalesce(15 * 10 * verified_by_ci::INT, 0) + coalesce(15 * greatest(0, 10 - 2 * rework_count), 0)
            + coalesce(15 * greatest(0, 10 - 2 * pr_review_cycles), 0)
            + CASE WHEN duration_vs_estimate IS NULL THEN 0 ELSE 10 * 10 * least(1, 1 / duration_vs_estimate) END)
        / (30 * (test_pass_rate IS NOT NULL)::INT + 25 * (build_success IS NOT NULL)::INT
            + 15 * (verified_by_ci IS NOT NULL)::INT + 15 * (rework_count IS NOT NULL)::INT
            + 15 * (pr_review_cycles IS NOT NULL)::INT + 10 * (duration_vs_estimate IS NOT NULL)::INT) END AS composite
    FROM resolved
),
capped AS (
    SELECT *, CASE WHEN test_pass_rate = 1 AND tests_total < 3 THEN least(5, round(composite, 12))
        ELSE round(composite, 12) END AS quality_auto
    FROM scored
)
SELECT *, coalesce(quality_human, quality_verifier, quality_auto) AS quality,
    CASE WHEN quality_human IS NOT NULL THEN 'human' WHEN quality_verifier IS NOT NULL THEN 'verifier'
        WHEN quality_auto IS NOT NULL THEN 'auto' END AS signal_source,
    CASE WHEN quality_human IS NOT NULL THEN human_at WHEN quality_verifier IS NOT NULL THEN verifier_at
        WHEN quality_auto IS NOT NULL THEN auto_at ELSE recorded_at END AS ts
FROM capped
