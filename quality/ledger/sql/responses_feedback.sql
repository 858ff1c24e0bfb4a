-- One response updated by one event, with those around it.

-- name: row
SELECT rowid AS row, response_id, model, epoch_us(ts) AS ts, weights, tools_ok, tools_failed, tools_unknown, response_error, new_errors,
    new_warnings, resolved_errors, resolved_warnings, accept, revert, redo, edit_after_apply, composite, correctness,
    user_feedback, static_analysis, coverage, settings_hash, rolling_mean, delta, severity
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

-- name: beside
-- When the model's scored responses in the rows from $low to $high ended (µs: cheaper to hand over than times).
SELECT epoch_us(ts) AS ts FROM response_rows WHERE model = $model AND composite IS NOT NULL AND rowid BETWEEN $low AND $high

-- name: reach
-- When the first of the $n scored responses up to $ts ended, and the last of the $n from it on (µs): cheaper than sorting them.
SELECT epoch_us(list_min(max(ts, $n) FILTER (ts <= make_timestamptz($ts)))) AS first,
    epoch_us(list_max(min(ts, $n) FILTER (ts >= make_timestamptz($ts)))) AS last
FROM response_rows WHERE model = $model AND composite IS NOT NULL

-- name: near
SELECT rowid AS row, response_id, model, epoch_us(ts) AS ts, composite, rolling_mean, delta, severity
FROM response_rows
WHERE model = $model AND composite IS NOT NULL AND ts BETWEEN make_timestamptz($first) AND make_timestamptz($last)

-- name: update_row
UPDATE response_rows SET accept = $accept, revert = $revert, redo = $redo, edit_after_apply = $edit_after_apply,
    composite = $composite, user_feedback = $user_feedback, rolling_mean = $rolling_mean, delta = $delta, severity = $severity
WHERE rowid = $row

-- name: update_rows
-- The same, and in the same statement how the rows around it stand now. The bounds spare the scan of all others.
UPDATE response_rows SET
    accept = CASE WHEN part.row = $row THEN $accept ELSE accept END,
    revert = CASE WHEN part.row = $row THEN $revert ELSE revert END,
    redo = CASE WHEN part.row = $row THEN $redo ELSE redo END,
    edit_after_apply = CASE WHEN part.row = $row THEN $edit_after_apply ELSE edit_after_apply END,
    composite = CASE WHEN part.row = $row THEN $composite ELSE composite END,
    user_feedback = CASE WHEN part.row = $row THEN $user_feedback ELSE user_feedback END,
    rolling_mean = part.rolling_mean, delta = part.delta, severity = part.severity
FROM (
    SELECT unnest($rows) AS row, unnest($rolling_means) AS rolling_mean, unnest($deltas)::DOUBLE AS delta,
        unnest($severities)::VARCHAR AS severity
) AS part
WHERE response_rows.rowid = part.row AND response_rows.rowid BETWEEN $low AND $high

-- name: add_regressions
INSERT INTO response_regressions
SELECT uuidv7(), unnest($response_ids), unnest($severities)::VARCHAR, unnest($deltas)::DOUBLE, unnest($composites), $model,
    $now::TIMESTAMPTZ, $actor
