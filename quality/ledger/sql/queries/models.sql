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
