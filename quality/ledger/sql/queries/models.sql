-- What models did: by kind of work, by week, and what one model is like. Split-model and synthetic rows are left out of
-- every mean and counted where runs are counted.

-- name: by_coordinate
-- Per model and value of a part of the coordinate; the $most_models models and $most_values values with most scored
-- runs. How many there are of each in all stands on every row.
WITH cells AS (
    SELECT model, /* coordinate */ AS value,
        count(*) AS n_runs,
        count(quality) AS n,
        avg(quality) AS effective_mean,
        avg(quality_auto) AS mean_auto,
        count(quality_auto) AS n_with_auto,
        avg(quality_verifier) AS mean_verifier,
        count(quality_verifier) AS n_with_verifier,
        avg(quality_human) AS mean_human,
        count(quality_human) AS n_with_human
    FROM ledger
    WHERE NOT split_model AND NOT synthetic AND
    /* filters */
    GROUP BY ALL
    HAVING count(quality) > 0
),
models AS (SELECT model, sum(n) AS of_model FROM cells GROUP BY model),
kinds AS (SELECT value, sum(n) AS of_value FROM cells GROUP BY value)
SELECT cells.*, (SELECT count(*) FROM models) AS n_models, (SELECT count(*) FROM kinds) AS n_values
FROM cells
JOIN (FROM models ORDER BY of_model DESC, model LIMIT $most_models) m ON m.model = cells.model
JOIN (FROM kinds ORDER BY of_value DESC, value LIMIT $most_values) k ON k.value IS NOT DISTINCT FROM cells.value
ORDER BY of_model DESC, cells.model, cells.value IS NULL, of_value DESC, cells.value

-- name: by_week
-- Per ISO week (UTC) of the effective score; a week without a scored run is a row of NULLs. The last $most_weeks weeks.
-- Weeks are counted from Monday 1969-12-29: whole numbers are grouped eight times as fast as dates.
WITH weeks AS (
    SELECT (epoch_us(ts) + $monday) // $week AS number,
        count(*) AS n,
        avg(quality_auto) AS mean_auto,
        count(quality_auto) AS n_with_auto,
        avg(quality_verifier) AS mean_verifier,
        count(quality_verifier) AS n_with_verifier,
        avg(quality_human) AS mean_human,
        count(quality_human) AS n_with_human
    FROM ledger
    WHERE quality IS NOT NULL AND NOT split_model AND NOT synthetic AND
    /* filters */
    GROUP BY ALL
),
span AS (SELECT min(number) AS earliest, max(number) AS latest FROM weeks)
SELECT DATE '1969-12-29' + (7 * all_weeks.number)::INTEGER AS week, coalesce(n, 0) AS n,
    mean_auto, coalesce(n_with_auto, 0) AS n_with_auto, mean_verifier, coalesce(n_with_verifier, 0) AS n_with_verifier,
    mean_human, coalesce(n_with_human, 0) AS n_with_human, latest - earliest + 1 AS n_weeks
FROM (SELECT unnest(range(greatest(earliest, latest - $most_weeks + 1), latest + 1)) AS number, earliest, latest FROM span)
    AS all_weeks
LEFT JOIN weeks ON weeks.number = all_weeks.number
ORDER BY all_weeks.number

-- name: coverage
-- How many runs have exactly which tiers; they add up to the runs that fit.
SELECT quality_auto IS NOT NULL AS auto, quality_verifier IS NOT NULL AS verifier, quality_human IS NOT NULL AS human,
    count(*) AS n_tiers
FROM ledger WHERE
/* filters */
GROUP BY ALL
ORDER BY human DESC, verifier DESC, auto DESC

-- name: distribution
-- Per tier and step of one point (0 = from 0 to below 1 … 9 = from 9 to 10, 10 included): how many runs' scores fall in it.
WITH found AS MATERIALIZED (
    SELECT quality_auto, quality_verifier, quality_human FROM ledger WHERE NOT split_model AND NOT synthetic AND
    /* filters */
),
scores AS (
    SELECT 'auto' AS tier, quality_auto AS score FROM found
    UNION ALL SELECT 'verifier', quality_verifier FROM found
    UNION ALL SELECT 'human', quality_human FROM found
)
SELECT tier, least(floor(score), 9)::INTEGER AS step, count(*) AS n_step
FROM scores WHERE score IS NOT NULL GROUP BY ALL ORDER BY tier, step

-- name: caveats
SELECT caveat, count(*) AS n_caveat
FROM (SELECT unnest(caveats) AS caveat FROM ledger WHERE
/* filters */
)
GROUP BY caveat ORDER BY n_caveat DESC, caveat

-- name: stories
-- A row a story, the latest rated first, with the run that was rated last.
WITH latest AS (
    SELECT story_id, max(ts) AS ts FROM ledger WHERE
    /* filters */
    GROUP BY story_id ORDER BY ts DESC, story_id LIMIT $limit
)
SELECT story_id, any_value(title) AS title, count(*) AS n_runs, avg(quality) AS effective_mean, avg(quality_auto) AS mean_auto,
    avg(quality_verifier) AS mean_verifier, avg(quality_human) AS mean_human, max(ts) AS ts,
    max_by(run_id, ts)::VARCHAR AS run_id
FROM ledger WHERE story_id IN (SELECT story_id FROM latest) AND
/* filters */
GROUP BY story_id
ORDER BY ts DESC, story_id

-- name: effort
-- What runs took. Cost and duration are attributes that a file gave the run; the latest that states one counts. Names of
-- attributes are those of COST and DURATION in queries_models.py.
WITH found AS (
    SELECT run_id, duration_vs_estimate FROM ledger WHERE NOT split_model AND NOT synthetic AND
    /* filters */
),
stated AS (
    SELECT f.run_id, f.recorded_at, f.line, json_extract_string(f.attributes, $paths::VARCHAR[]) AS given
    FROM run_facts f SEMI JOIN found USING (run_id)
    WHERE f.attributes IS NOT NULL AND json_valid(f.attributes)
),
measured AS (
    SELECT run_id, recorded_at, line, list_transform($paths::VARCHAR[],
        lambda path, place: try_cast(given[place] AS DOUBLE) * ($factors::DOUBLE[])[place]) AS given
    FROM stated
),
named AS (
    SELECT run_id, recorded_at, line, list_filter(given[:$costs], lambda x: isfinite(x) AND x >= 0)[1] AS cost,
        list_filter(given[$costs + 1:], lambda x: isfinite(x) AND x >= 0)[1] AS duration
    FROM measured
),
each AS (
    SELECT max_by(cost, (recorded_at, line)) FILTER (cost IS NOT NULL) AS cost,
        max_by(duration, (recorded_at, line)) FILTER (duration IS NOT NULL) AS duration
    FROM named GROUP BY run_id
)
SELECT (SELECT median(duration_vs_estimate) FROM found) AS median_duration_vs_estimate,
    (SELECT count(duration_vs_estimate) FROM found) AS n_with_ratio,
    avg(cost) AS mean_cost, count(cost) AS n_with_cost,
    median(duration) AS median_duration, count(duration) AS n_with_duration
FROM each

-- name: compare
-- Two models on the stories that both have a run of: per story the mean of each one's runs, then the differences.
WITH runs AS (
    SELECT story_id, model = $second AS is_second, quality_auto, quality_verifier, quality_human
    FROM ledger WHERE model IN ($first, $second) AND NOT split_model AND NOT synthetic AND
    /* filters */
),
sides AS (
    SELECT story_id, is_second, avg(quality_auto) AS auto, avg(quality_verifier) AS verifier, avg(quality_human) AS human
    FROM runs GROUP BY ALL
),
pairs AS (
    SELECT story_id, unnest(['auto', 'verifier', 'human']) AS tier,
        unnest([a.auto, a.verifier, a.human]) AS first_mean, unnest([b.auto, b.verifier, b.human]) AS second_mean
    FROM sides a JOIN sides b USING (story_id) WHERE NOT a.is_second AND b.is_second
),
differences AS (SELECT *, round(first_mean - second_mean, $decimals) AS d FROM pairs)
SELECT tier, count(*) AS n_shared, count(d) AS n_paired, avg(first_mean) FILTER (d IS NOT NULL) AS first_mean,
    avg(second_mean) FILTER (d IS NOT NULL) AS second_mean, avg(d) AS paired_difference, stddev_samp(d) AS spread,
    count(*) FILTER (d > 0) AS n_better, count(*) FILTER (d = 0) AS n_equal, count(*) FILTER (d < 0) AS n_worse
FROM differences GROUP BY tier

-- name: shared_stories
-- The shared stories where both have a score of one tier, those with the largest difference first.
WITH runs AS (
    SELECT story_id, title, model = $second AS is_second, /* tier */ AS score, ts, run_id
    FROM ledger WHERE model IN ($first, $second) AND NOT split_model AND NOT synthetic AND
    /* filters */
),
sides AS (
    SELECT story_id, is_second, any_value(title) AS title, avg(score) AS score, max_by(run_id, ts)::VARCHAR AS run_id
    FROM runs GROUP BY ALL
)
SELECT story_id, coalesce(a.title, b.title) AS title, a.score AS first_mean, b.score AS second_mean,
    a.score - b.score AS paired_difference, a.run_id
FROM sides a JOIN sides b USING (story_id) WHERE NOT a.is_second AND b.is_second
    AND a.score IS NOT NULL AND b.score IS NOT NULL
ORDER BY abs(paired_difference) DESC, story_id LIMIT $limit
