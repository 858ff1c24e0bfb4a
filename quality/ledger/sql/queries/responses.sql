-- What is asked about responses. `/* filters */` stands for the conditions of `filters`; a model that is not stated is
-- shown as unknown. One of a story that was merged is of the story that stands for it, though it is kept as it was stated.

-- name: filters
($model IS NULL OR coalesce(model, 'unknown') = $model) AND ($provider IS NULL OR provider = $provider)
    AND ($agent IS NULL OR agent = $agent) AND ($session_id IS NULL OR session_id = $session_id)
    AND ($story_ids IS NULL OR story_id IN (SELECT unnest($story_ids))) AND ($severities IS NULL OR severity IN (SELECT unnest($severities)))
    AND ($since IS NULL OR ts >= $since::TIMESTAMPTZ) AND ($until IS NULL OR ts < $until::TIMESTAMPTZ)

-- name: list
SELECT r.* REPLACE (coalesce(r.model, 'unknown') AS model, coalesce(v.survivor, r.story_id) AS story_id)
FROM (
    SELECT * FROM response_rows WHERE
        /* filters */
    ORDER BY ts DESC, response_id DESC
    LIMIT $limit OFFSET $offset) AS r
LEFT JOIN story_survivors v ON v.story_id = r.story_id
ORDER BY r.ts DESC, r.response_id DESC

-- name: count
SELECT count(*) AS n FROM response_rows WHERE
    /* filters */

-- name: standing
SELECT response_id, composite, severity FROM response_rows WHERE response_id = $response_id

-- name: standing_of
SELECT response_id, composite, severity FROM response_rows SEMI JOIN wanted USING (response_id)

-- name: one
SELECT r.* REPLACE (coalesce(r.model, 'unknown') AS model, coalesce(v.survivor, r.story_id) AS story_id)
FROM response_rows r LEFT JOIN story_survivors v ON v.story_id = r.story_id WHERE r.response_id = $response_id

-- name: feedback_of
-- In the order in which it was told; the same event id once.
SELECT event_id, signal, occurred_at, recorded_at, actor
FROM response_feedback WHERE response_id = $response_id
QUALIFY row_number() OVER (
    PARTITION BY event_id, CASE WHEN event_id IS NULL THEN feedback_id END ORDER BY recorded_at, feedback_id) = 1
ORDER BY recorded_at, feedback_id

-- name: scores_of
SELECT cause, composite, correctness, user_feedback, static_analysis, coverage, settings_hash, recorded_at, actor
FROM response_scores WHERE response_id = $response_id ORDER BY recorded_at, score_id

-- name: regressions_of
SELECT severity, delta, composite, model, recorded_at, actor
FROM response_regressions WHERE response_id = $response_id ORDER BY recorded_at, regression_id

-- name: statements_of
SELECT count(*) AS n FROM responses WHERE response_id = $response_id

-- name: held_for
SELECT count(*) AS n FROM response_feedback WHERE response_id = $response_id

-- name: settings_of
SELECT settings FROM response_settings WHERE hash = $hash LIMIT 1

-- name: by_model
-- n is of all, n_scored of those with a score: all else is over those. Weeks are ISO weeks in UTC: the latest with a score
-- of the model, and the one before it.
WITH fit AS (
    SELECT * REPLACE (coalesce(model, 'unknown') AS model), date_trunc('week', ts) AS week FROM response_rows WHERE
    /* filters */
),
ended AS (
    SELECT model, max(week) AS week FROM fit WHERE composite IS NOT NULL GROUP BY model
)
SELECT fit.model, count(*) AS n, count(composite) AS n_scored, avg(composite) AS mean,
    quantile_cont(composite, 0.25) AS p25, median(composite) AS median, quantile_cont(composite, 0.75) AS p75,
    min(composite) AS lowest, max(composite) AS highest,
    avg(correctness) AS mean_correctness, avg(user_feedback) AS mean_user_feedback,
    avg(static_analysis) AS mean_static_analysis,
    arg_max(rolling_mean, (ts, response_id)) FILTER (composite IS NOT NULL) AS rolling_mean,
    any_value(ended.week)::DATE AS week, avg(composite) FILTER (fit.week = ended.week) AS week_mean,
    count(composite) FILTER (fit.week = ended.week) AS week_n,
    avg(composite) FILTER (fit.week = ended.week - INTERVAL 7 DAY) AS week_before_mean,
    count(composite) FILTER (fit.week = ended.week - INTERVAL 7 DAY) AS week_before_n,
    week_mean - week_before_mean AS trend,
    count(*) FILTER (severity = 'minor') AS minor, count(*) FILTER (severity = 'moderate') AS moderate,
    count(*) FILTER (severity = 'severe') AS severe,
    sum(accept)::BIGINT AS accept, sum(revert)::BIGINT AS revert, sum(redo)::BIGINT AS redo,
    sum(edit_after_apply)::BIGINT AS edit_after_apply,
    sum(input_tokens)::DOUBLE AS input_tokens, sum(output_tokens)::DOUBLE AS output_tokens,
    min(ts) AS first_at, max(ts) AS last_at
FROM fit LEFT JOIN ended USING (model)
GROUP BY fit.model
ORDER BY mean DESC NULLS LAST, fit.model

-- name: overall
SELECT count(*) AS n, count(composite) AS n_scored, avg(composite) AS mean, quantile_cont(composite, 0.25) AS p25,
    median(composite) AS median, quantile_cont(composite, 0.75) AS p75, count(DISTINCT session_id) AS sessions,
    count(*) FILTER (severity = 'minor') AS minor, count(*) FILTER (severity = 'moderate') AS moderate,
    count(*) FILTER (severity = 'severe') AS severe,
    min(ts) AS first_at, max(ts) AS last_at
FROM response_rows WHERE
    /* filters */

-- name: by_day
-- Days in UTC; a day without a scored response has no row.
SELECT coalesce(model, 'unknown') AS model, ts::DATE AS day, count(*) AS n, avg(composite) AS mean
FROM response_rows WHERE composite IS NOT NULL AND
    /* filters */
GROUP BY ALL ORDER BY ALL

-- name: series
-- Each model's responses in order, in groups so large that about $points stand for all.
WITH fit AS (
    SELECT response_id, coalesce(model, 'unknown') AS model, ts, composite, rolling_mean,
        row_number() OVER (PARTITION BY coalesce(model, 'unknown') ORDER BY ts, response_id) - 1 AS place,
        count(*) OVER () AS total
    FROM response_rows WHERE composite IS NOT NULL AND
    /* filters */
),
models AS (SELECT count(DISTINCT model) AS k FROM fit)
SELECT model, max(ts) AS ts, avg(composite) AS composite, arg_max(rolling_mean, place) AS rolling_mean, count(*) AS n,
    CASE WHEN count(*) = 1 THEN any_value(response_id) END AS response_id
FROM fit, models
GROUP BY model, place // greatest(1, ceil(total / greatest(1, $points - k)))::BIGINT
ORDER BY ts, model
LIMIT $points

-- name: regressions
SELECT r.* REPLACE (coalesce(v.survivor, r.story_id) AS story_id)
FROM (
    SELECT response_id, coalesce(model, 'unknown') AS model, session_id, story_id, ts, composite, rolling_mean, delta,
        severity
    FROM response_rows WHERE severity IS NOT NULL AND
        /* filters */
    ORDER BY ts DESC, response_id DESC LIMIT $limit) AS r
LEFT JOIN story_survivors v ON v.story_id = r.story_id
ORDER BY r.ts DESC, r.response_id DESC
