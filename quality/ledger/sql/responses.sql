-- What is stored about responses. `part` is an Arrow table with statements or events, `wanted` one with response ids.

-- name: mark_known
-- Of each statement of `part`: whether its words are stored already, and whether anything about its response is.
SELECT part.line, words.response_id IS NOT NULL AS same, known.response_id IS NOT NULL AS known
FROM part
LEFT JOIN (SELECT DISTINCT response_id, content_key FROM responses SEMI JOIN part USING (response_id)) AS words
    USING (response_id, content_key)
LEFT JOIN (SELECT DISTINCT response_id FROM responses SEMI JOIN part USING (response_id)) AS known USING (response_id)
ORDER BY part.line

-- name: add_statements
INSERT INTO responses BY NAME
SELECT uuidv7() AS statement_id, part.*, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor FROM part ORDER BY line

-- name: mark_events
-- Of each event of `part`: the signal that its id stands for already, and whether its response is stored.
SELECT part.line, known.signal AS known_signal, stored.response_id IS NOT NULL AS stored
FROM part
LEFT JOIN (
    SELECT response_id, event_id, arg_min(signal, recorded_at) AS signal
    FROM response_feedback SEMI JOIN part USING (response_id) WHERE event_id IS NOT NULL GROUP BY ALL
) AS known USING (response_id, event_id)
LEFT JOIN (SELECT response_id FROM response_rows SEMI JOIN part USING (response_id)) AS stored USING (response_id)
ORDER BY part.line

-- name: add_events
INSERT INTO response_feedback BY NAME
SELECT uuidv7() AS feedback_id, part.* EXCLUDE (line), $now::TIMESTAMPTZ AS recorded_at, $actor AS actor FROM part ORDER BY line

-- name: all_ids
SELECT DISTINCT response_id FROM responses

-- name: derive
-- What is known of the responses of `wanted` now, and what was (`old_…`, NULL where there was nothing). The values
-- before are those of the history, which also stands where the row has to be made anew.
WITH stated AS (
    SELECT * FROM responses SEMI JOIN wanted USING (response_id)
),
latest AS (
    SELECT * FROM stated QUALIFY row_number() OVER (PARTITION BY response_id ORDER BY recorded_at DESC, line DESC) = 1
),
began AS (
    SELECT response_id, min(recorded_at + to_microseconds(line)) AS ts FROM stated GROUP BY response_id
),
events AS (
    SELECT response_id, arg_min(signal, recorded_at) AS signal
    FROM response_feedback SEMI JOIN wanted USING (response_id)
    GROUP BY response_id, event_id, CASE WHEN event_id IS NULL THEN feedback_id END
),
counted AS (
    SELECT response_id, count_if(signal = 'accept') AS accept, count_if(signal = 'revert') AS revert,
        count_if(signal = 'redo') AS redo, count_if(signal = 'edit_after_apply') AS edit_after_apply
    FROM events GROUP BY response_id
)
SELECT latest.* EXCLUDE (statement_id, content_key, line, occurred_at, actor),
    coalesce(latest.occurred_at, began.ts) AS ts, coalesce(accept, 0) AS accept, coalesce(revert, 0) AS revert,
    coalesce(redo, 0) AS redo, coalesce(edit_after_apply, 0) AS edit_after_apply, old_row, old_model, old_ts,
    old_composite, old_correctness, old_user_feedback, old_static_analysis, old_coverage, old_severity
FROM latest
JOIN began USING (response_id)
LEFT JOIN counted USING (response_id)
LEFT JOIN (
    SELECT rowid AS old_row, response_id, model AS old_model, ts AS old_ts FROM response_rows SEMI JOIN wanted USING (response_id)
) AS row_before USING (response_id)
LEFT JOIN (
    SELECT response_id, composite AS old_composite, correctness AS old_correctness, user_feedback AS old_user_feedback,
        static_analysis AS old_static_analysis, coverage AS old_coverage
    FROM response_scores SEMI JOIN wanted USING (response_id)
    QUALIFY row_number() OVER (PARTITION BY response_id ORDER BY recorded_at DESC, score_id DESC) = 1
) AS score_before USING (response_id)
LEFT JOIN (
    SELECT response_id, severity AS old_severity FROM response_regressions SEMI JOIN wanted USING (response_id)
    QUALIFY row_number() OVER (PARTITION BY response_id ORDER BY recorded_at DESC, regression_id DESC) = 1
) AS judged_before USING (response_id)
ORDER BY response_id

-- name: around
-- A model's responses from $first_ts, $first_id to $last_ts, $last_id, and the $window scored ones before and after them.
SELECT rowid AS row, response_id, model, ts, composite, rolling_mean, delta, severity
FROM response_rows
WHERE model = $model AND ts BETWEEN $first_ts::TIMESTAMPTZ AND $last_ts::TIMESTAMPTZ
    AND (ts > $first_ts::TIMESTAMPTZ OR response_id >= $first_id) AND (ts < $last_ts::TIMESTAMPTZ OR response_id <= $last_id)
UNION ALL
(SELECT rowid, response_id, model, ts, composite, rolling_mean, delta, severity
FROM response_rows
WHERE model = $model AND composite IS NOT NULL AND ts <= $first_ts::TIMESTAMPTZ
    AND (ts < $first_ts::TIMESTAMPTZ OR response_id < $first_id)
ORDER BY ts DESC, response_id DESC LIMIT $window)
UNION ALL
(SELECT rowid, response_id, model, ts, composite, rolling_mean, delta, severity
FROM response_rows
WHERE model = $model AND composite IS NOT NULL AND ts >= $last_ts::TIMESTAMPTZ
    AND (ts > $last_ts::TIMESTAMPTZ OR response_id > $last_id)
ORDER BY ts, response_id LIMIT $window)

-- name: of_models
-- Every response of the models in $models.
SELECT rowid AS row, response_id, model, ts, composite, rolling_mean, delta, severity
FROM response_rows WHERE model IN (SELECT unnest($models))

-- name: drop_rows
DELETE FROM response_rows WHERE rowid IN (SELECT old_row FROM part WHERE old_row IS NOT NULL)

-- name: add_rows
INSERT INTO response_rows BY NAME SELECT * EXCLUDE (old_row) FROM part

-- name: compare_rows
-- How rows stand among their model's now.
UPDATE response_rows SET rolling_mean = part.rolling_mean, delta = part.delta, severity = part.severity
FROM part WHERE response_rows.rowid = part.row

-- name: update_rows
-- Feedback and scores of rows whose statement is as it was.
UPDATE response_rows SET accept = part.accept, revert = part.revert, redo = part.redo,
    edit_after_apply = part.edit_after_apply, composite = part.composite, correctness = part.correctness,
    user_feedback = part.user_feedback, static_analysis = part.static_analysis, coverage = part.coverage,
    settings_hash = part.settings_hash, rolling_mean = part.rolling_mean, delta = part.delta, severity = part.severity
FROM part WHERE response_rows.rowid = part.old_row

-- name: add_scores
INSERT INTO response_scores BY NAME
SELECT uuidv7() AS score_id, response_id, $cause AS cause, composite, correctness, user_feedback, static_analysis, coverage,
    settings_hash, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
FROM part

-- name: add_regressions
INSERT INTO response_regressions BY NAME
SELECT uuidv7() AS regression_id, response_id, severity, delta, composite, model, $now::TIMESTAMPTZ AS recorded_at,
    $actor AS actor
FROM part

-- name: settings_known
SELECT 1 FROM response_settings WHERE hash = $hash

-- name: add_settings
INSERT INTO response_settings SELECT $hash, $settings, $now::TIMESTAMPTZ, $actor

-- name: oldest
SELECT least((SELECT min(recorded_at) FROM response_rows), (SELECT min(recorded_at) FROM response_feedback)) AS oldest

-- name: find_expired
-- Responses that were stated last before $before; and held feedback of that age.
CREATE OR REPLACE TEMP TABLE expired AS
SELECT response_id FROM response_rows WHERE recorded_at < $before::TIMESTAMPTZ
UNION
SELECT response_id FROM response_feedback ANTI JOIN response_rows USING (response_id)
GROUP BY response_id HAVING max(response_feedback.recorded_at) < $before::TIMESTAMPTZ

-- name: count_expired
SELECT
    (SELECT count(*) FROM response_rows SEMI JOIN expired USING (response_id)) AS responses,
    (SELECT count(*) FROM response_feedback SEMI JOIN expired USING (response_id)) AS feedback,
    (SELECT count(*) FROM response_scores SEMI JOIN expired USING (response_id)) AS scores,
    (SELECT count(*) FROM response_regressions SEMI JOIN expired USING (response_id)) AS regressions

-- name: drop_expired_rows
DELETE FROM response_rows WHERE response_id IN (SELECT response_id FROM expired)

-- name: drop_expired_statements
DELETE FROM responses WHERE response_id IN (SELECT response_id FROM expired)

-- name: drop_expired_feedback
DELETE FROM response_feedback WHERE response_id IN (SELECT response_id FROM expired)

-- name: drop_expired_scores
DELETE FROM response_scores WHERE response_id IN (SELECT response_id FROM expired)

-- name: drop_expired_regressions
DELETE FROM response_regressions WHERE response_id IN (SELECT response_id FROM expired)
