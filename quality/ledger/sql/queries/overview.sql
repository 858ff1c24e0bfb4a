-- Model scores (MODEL.md). Split-model and synthetic rows are left out of them.

-- name: leaderboard
-- Per model: means of the tiers side by side, effective mean, routing score, n and tier mix. The unknown model is last:
-- nothing can be routed to it.
WITH rated AS (
    SELECT *, signal_weight * pow($decay, greatest(0, (epoch_us($now::TIMESTAMPTZ) - epoch_us(ts)) // $week)) AS routing_weight
    FROM ledger
    WHERE NOT split_model AND NOT synthetic AND
    /* filters */
)
SELECT model,
    count(*) AS n_runs,
    count(quality) AS n,
    count(*) FILTER (signal_source = 'auto') AS n_auto,
    count(*) FILTER (signal_source = 'verifier') AS n_verifier,
    count(*) FILTER (signal_source = 'human') AS n_human,
    avg(quality) AS effective_mean,
    sum(routing_weight * quality) / nullif(sum(routing_weight) FILTER (quality IS NOT NULL), 0) AS routing_score,
    avg(quality_auto) AS mean_auto,
    count(quality_auto) AS n_with_auto,
    avg(quality_verifier) AS mean_verifier,
    count(quality_verifier) AS n_with_verifier,
    avg(quality_human) AS mean_human,
    count(quality_human) AS n_with_human,
    avg(low_confidence::DOUBLE) AS low_confidence_share,
    min(ts) FILTER (quality IS NOT NULL) AS first_ts,
    max(ts) FILTER (quality IS NOT NULL) AS last_ts
FROM rated
GROUP BY model
ORDER BY model = 'unknown', routing_score DESC NULLS LAST, model

-- name: totals
-- What the figures above a leaderboard say of the rows that fit.
SELECT
    count(*) AS runs,
    count(quality) AS scored,
    count(*) FILTER (signal_source = 'human') AS human,
    count(*) FILTER (signal_source = 'verifier') AS verifier,
    count(*) FILTER (signal_source = 'auto') AS auto,
    avg(low_confidence::DOUBLE) AS low_confidence_share,
    count(*) FILTER (split_model OR synthetic) AS left_out
FROM ledger WHERE
/* filters */

-- name: stories
SELECT count(DISTINCT story_id) AS stories FROM ledger WHERE
/* filters */

-- name: reviewers
-- Most frequent first, at most 200.
SELECT reviewer AS value FROM ledger WHERE reviewer IS NOT NULL
GROUP BY reviewer ORDER BY count(*) DESC, reviewer LIMIT 200

-- name: facets
-- The values a filter can take, most frequent first, at most 200 a column.
WITH unpivoted AS (
    SELECT 'discipline' AS facet, discipline AS value FROM ledger
    UNION ALL SELECT 'org_domain', org_domain FROM ledger
    UNION ALL SELECT 'industry', industry FROM ledger
    UNION ALL SELECT 'phase', phase FROM ledger
    UNION ALL SELECT 'agent', agent FROM ledger
    UNION ALL SELECT 'model_version', model FROM ledger
)
SELECT facet, value, count(*) AS n FROM unpivoted WHERE value IS NOT NULL
GROUP BY facet, value
QUALIFY row_number() OVER (PARTITION BY facet ORDER BY count(*) DESC, value) <= 200
ORDER BY facet, n DESC, value
