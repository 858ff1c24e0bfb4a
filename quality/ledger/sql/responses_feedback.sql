-- One response updated by one event, with those around it.

-- name: row
SELECT rowid AS row, response_id, model, ts, weights, tools_ok, tools_failed, tools_unknown, response_error, new_errors,
    new_warnings, resolved_errors, resolved_warnings, accept, revert, redo, edit_after_apply, composite, correctness,
    user_feedback, static_analysis, coverage, rolling_mean, delta, severity
FROM response_rows WHERE response_id = $response_id

-- name: signal_of
-- What the event id stands for already.
SELECT arg_min(signal, recorded_at) FROM response_feedback WHERE response_id = $response_id AND event_id = $event_id

-- name: add_event
INSERT INTO response_feedback
SELECT uuidv7(), $response_id, $event_id, $signal, $occurred_at::TIMESTAMPTZ, $now::TIMESTAMPTZ, $actor

-- name: add_score
INSERT INTO response_scores
SELECT uuidv7(), $response_id, $cause, $composite, $correctness, $user_feedback, $static_analysis, $coverage, $settings_hash,
    $now::TIMESTAMPTZ, $actor

-- name: first_near
-- When the first of the $n scored responses up to $ts ended: cheaper than sorting them.
SELECT list_min(max(ts, $n)) FROM response_rows WHERE model = $model AND composite IS NOT NULL AND ts <= $ts::TIMESTAMPTZ

-- name: last_near
SELECT list_max(min(ts, $n)) FROM response_rows WHERE model = $model AND composite IS NOT NULL AND ts >= $ts::TIMESTAMPTZ

-- name: near
SELECT rowid AS row, response_id, model, ts, composite, rolling_mean, delta, severity
FROM response_rows
WHERE model = $model AND composite IS NOT NULL AND ts BETWEEN $first::TIMESTAMPTZ AND $last::TIMESTAMPTZ

-- name: update_row
UPDATE response_rows SET accept = $accept, revert = $revert, redo = $redo, edit_after_apply = $edit_after_apply,
    composite = $composite, correctness = $correctness, user_feedback = $user_feedback, static_analysis = $static_analysis,
    coverage = $coverage, settings_hash = $settings_hash, rolling_mean = $rolling_mean, delta = $delta, severity = $severity
WHERE rowid = $row

-- name: compare_rows
UPDATE response_rows SET rolling_mean = part.rolling_mean, delta = part.delta, severity = part.severity
FROM (
    SELECT unnest($rows) AS row, unnest($rolling_means) AS rolling_mean, unnest($deltas)::DOUBLE AS delta,
        unnest($severities)::VARCHAR AS severity
) AS part
WHERE response_rows.rowid = part.row

-- name: add_regression
INSERT INTO response_regressions
SELECT uuidv7(), $response_id, $severity::VARCHAR, $delta::DOUBLE, $composite, $model, $now::TIMESTAMPTZ, $actor
