-- What became of one run. Its observations stand alone under the names of their tables, in this snapshot and for nobody else,
-- so that the statements of recompute.sql, which say what counts at an instant, have no more than these to read.

-- name: alone_runs
CREATE TEMP TABLE runs AS SELECT * FROM runs WHERE run_id = try_cast($run_id AS UUID)

-- name: alone_run_facts
CREATE TEMP TABLE run_facts AS SELECT * FROM run_facts WHERE run_id = try_cast($run_id AS UUID)

-- name: alone_attestations
CREATE TEMP TABLE attestations AS SELECT * FROM attestations WHERE run_id = try_cast($run_id AS UUID)

-- name: alone_report_acceptances
CREATE TEMP TABLE report_acceptances AS SELECT * FROM report_acceptances WHERE run_id = try_cast($run_id AS UUID)

-- name: alone_signal_readings
CREATE TEMP TABLE signal_readings AS SELECT * FROM signal_readings WHERE run_id = try_cast($run_id AS UUID)

-- name: alone_verdicts
CREATE TEMP TABLE verdicts AS SELECT * FROM verdicts WHERE run_id = try_cast($run_id AS UUID)

-- name: alone_overrides
CREATE TEMP TABLE overrides AS SELECT * FROM overrides WHERE run_id = try_cast($run_id AS UUID)

-- name: alone_story_facts
-- Those of merged stories with it: whether the run is of one, and since when, another table says.
CREATE TEMP TABLE story_facts AS SELECT * FROM story_facts WHERE story_id IN (
    SELECT story_id FROM runs UNION ALL SELECT story_id FROM story_survivors UNION ALL SELECT survivor FROM story_survivors)

-- name: own_story
-- The id that the run came with, whatever it was merged into since.
SELECT story_id FROM runs

-- name: events
-- What was recorded of the run and, by $ids, of its story, the latest first; of what one write recorded, a row a kind.
SELECT recorded_at, kind, any_value(who) AS who, count(*) AS n, any_value(value) AS value, any_value(label) AS label FROM (
    SELECT s.recorded_at, 'signals' AS kind, s.actor AS who, NULL::DOUBLE AS value, i.label AS label
    FROM signal_readings s LEFT JOIN imports i USING (import_id)
    UNION ALL SELECT recorded_at, CASE WHEN simulated THEN 'simulated' ELSE 'verdict' END,
        concat_ws(' / ', nullif(verifier_agent, ''), nullif(verifier_model, '')), quality, NULL FROM verdicts
    UNION ALL SELECT o.recorded_at, CASE WHEN o.withdraws IS NULL THEN 'rating' ELSE 'withdrawal' END,
        coalesce(o.reviewer, o.actor), coalesce(o.quality, w.quality), w.reviewer
    FROM overrides o LEFT JOIN overrides w ON w.override_id = o.withdraws
    UNION ALL SELECT recorded_at, 'model', actor, NULL, model_version FROM attestations
    UNION ALL SELECT recorded_at, 'acceptance', actor, NULL, NULL FROM report_acceptances
    UNION ALL SELECT recorded_at, CASE WHEN reinstates THEN 'brought_back' ELSE 'taken_out' END, actor, NULL, label
    FROM turns_of_run
    UNION ALL SELECT recorded_at, CASE WHEN undoes IS NULL THEN 'correction' ELSE 'uncorrection' END, actor, NULL, story_id
    FROM story_edits WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))
    UNION ALL SELECT recorded_at, CASE WHEN undoes IS NULL THEN 'merge' ELSE 'split' END, actor, NULL,
        concat_ws(' → ', from_id, into_id)
    FROM story_merges
    WHERE from_id IN (SELECT unnest($ids::VARCHAR[])) OR into_id IN (SELECT unnest($ids::VARCHAR[])))
GROUP BY recorded_at, kind
ORDER BY recorded_at DESC, kind LIMIT $limit

-- name: here
SELECT story_id, model, run_id, coalesce(started_at, occurred_at, recorded_at) AS began FROM ledger
WHERE run_id = try_cast($run_id AS UUID)

-- name: before
-- The run just before, of the same story or model (`/* of */`), by when runs began or became known.
SELECT run_id::VARCHAR AS run_id, story_id, title, model, agent, attempt, quality, signal_source,
    coalesce(started_at, occurred_at, recorded_at) AS began
FROM ledger WHERE /* of */ = $value
    AND (began < $began::TIMESTAMPTZ OR (began = $began::TIMESTAMPTZ AND run_id < $run_id::UUID))
ORDER BY began DESC, run_id DESC LIMIT 1

-- name: after
SELECT run_id::VARCHAR AS run_id, story_id, title, model, agent, attempt, quality, signal_source,
    coalesce(started_at, occurred_at, recorded_at) AS began
FROM ledger WHERE /* of */ = $value
    AND (began > $began::TIMESTAMPTZ OR (began = $began::TIMESTAMPTZ AND run_id > $run_id::UUID))
ORDER BY began, run_id LIMIT 1
