-- What the statistics of trust read of the runs (quality/ledger/trust.py). `ledger` is that of the snapshot, so that each
-- can be asked as of an earlier instant too.

-- name: runs
-- Scored runs, a row each, with what they cost where a file says so. Split-model and synthetic rows are left out. Weeks are
-- counted from Monday 1969-12-29, as in queries/models.sql. Only attributes that name a cost are parsed. A rating that answers
-- a draw of the queue has the chance and pool of that draw within the run's model. A story is told from others by 64 bits of
-- its id: among a million, two are taken for one in one ledger of thirty million.
WITH stated AS (
    SELECT run_id, recorded_at, line, json_extract_string(attributes, $paths::VARCHAR[]) AS given
    FROM run_facts
    WHERE recorded_at <= $as_of AND attributes IS NOT NULL AND regexp_matches(attributes, $names) AND json_valid(attributes)
),
named AS (
    SELECT run_id, recorded_at, line, list_filter(list_transform($paths::VARCHAR[],
        lambda path, place: try_cast(given[place] AS DOUBLE) * ($factors::DOUBLE[])[place]),
        lambda x: isfinite(x) AND x >= 0)[1] AS cost
    FROM stated
),
costs AS (
    SELECT run_id, max_by(cost, (recorded_at, line)) AS cost FROM named WHERE cost IS NOT NULL GROUP BY run_id
),
answered AS (
    SELECT run_id, probability, max_by({'chance': model_probability, 'pool': model_pool}, recorded_at) AS drawn
    FROM review_draws WHERE kind = 'drawn' AND recorded_at <= $as_of GROUP BY run_id, probability
)
SELECT ledger.run_id::VARCHAR AS run_id, model, agent, hash(story_id) AS story, discipline, org_domain, industry, phase,
    quality_auto, quality_verifier, quality_human, verifier_model, review_reason, coalesce(drawn.chance, review_probability) AS review_probability,
    drawn.pool AS review_pool, (epoch_us(ts) + $monday) // $week AS week, accepted, cost
FROM ledger LEFT JOIN costs USING (run_id)
LEFT JOIN answered ON answered.run_id = ledger.run_id AND answered.probability = ledger.review_probability
WHERE quality IS NOT NULL AND NOT split_model AND NOT synthetic

-- name: ratings
-- Of runs that two or more reviewers rated, each reviewer's latest standing rating: a number for the run, and the score.
-- A rating that is a mean of several says nothing of how far they lie apart.
WITH standing AS (
    SELECT run_id, reviewer, quality, coalesce(occurred_at, recorded_at) AS given_at, recorded_at, line
    FROM overrides o
    WHERE recorded_at <= $as_of AND withdraws IS NULL AND reviewer IS NOT NULL AND n_ratings = 1 AND NOT EXISTS (
        SELECT 1 FROM overrides w WHERE w.withdraws = o.override_id AND w.recorded_at <= $as_of)
),
latest AS (
    SELECT run_id, reviewer, max_by(quality, (given_at, recorded_at, line)) AS quality
    FROM standing SEMI JOIN (SELECT run_id FROM ledger WHERE NOT synthetic) USING (run_id)
    GROUP BY run_id, reviewer
    QUALIFY count(*) OVER (PARTITION BY run_id) > 1
)
SELECT dense_rank() OVER (ORDER BY run_id) - 1 AS run, quality FROM latest ORDER BY run, reviewer
