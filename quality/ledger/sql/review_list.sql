-- The review list. A row with `removes` set takes that entry off; its reason says how.

-- name: waiting
-- Entries that nobody took off, of runs that nobody has rated since (a rating that was withdrawn does not count).
SELECT e.* FROM review_list e
ANTI JOIN (SELECT removes FROM review_list WHERE removes IS NOT NULL) r ON r.removes = e.entry_id
ANTI JOIN (
    SELECT o.run_id, o.recorded_at FROM overrides o SEMI JOIN review_list USING (run_id)
    ANTI JOIN overrides w ON w.withdraws = o.override_id
    WHERE o.withdraws IS NULL) rated ON rated.run_id = e.run_id AND rated.recorded_at > e.recorded_at
WHERE e.removes IS NULL

-- name: unknown
-- Of the runs asked for, those that there are not.
SELECT asked.run_id AS run_id FROM (SELECT unnest($run_ids::VARCHAR[]) AS run_id) asked
ANTI JOIN ledger l ON l.run_id = try_cast(asked.run_id AS UUID) LIMIT 1

-- name: count_waiting_of
SELECT count(DISTINCT run_id) FROM (/* waiting */) WHERE run_id IN (SELECT unnest($run_ids::UUID[]))

-- name: count_waiting
SELECT count(DISTINCT run_id) AS n FROM (/* waiting */) SEMI JOIN ledger USING (run_id)

-- name: add
INSERT INTO review_list BY NAME
SELECT uuidv7() AS entry_id, asked.run_id, $reason AS reason, $why::VARCHAR AS why, $now::TIMESTAMPTZ AS recorded_at,
    $actor AS actor
FROM (SELECT DISTINCT unnest($run_ids::UUID[]) AS run_id) asked ANTI JOIN (/* waiting */) known USING (run_id)

-- name: remove
INSERT INTO review_list BY NAME
SELECT uuidv7() AS entry_id, w.run_id, w.entry_id AS removes, $reason AS reason, $now::TIMESTAMPTZ AS recorded_at,
    $actor AS actor
FROM (/* waiting */) w WHERE w.run_id IN (SELECT unnest($run_ids::UUID[]))

-- name: list
SELECT w.entry_id::VARCHAR AS entry_id, w.run_id::VARCHAR AS run_id, l.story_id, l.title, l.agent, l.model_version,
    l.attempt, l.quality, l.signal_source, w.reason, w.probability, w.why, w.actor AS listed_by,
    w.recorded_at AS listed_at
FROM (/* waiting */) w JOIN ledger l USING (run_id)
ORDER BY w.recorded_at, l.story_id, l.attempt, w.run_id LIMIT $limit OFFSET $offset

-- name: of_run
-- Everything that was said of a run on the list, the latest first.
SELECT entry_id::VARCHAR AS entry_id, removes::VARCHAR AS removes, reason, probability, why, actor, recorded_at,
    entry_id IN (SELECT entry_id FROM (/* waiting */)) AS waits
FROM review_list WHERE run_id = try_cast($run_id AS UUID) ORDER BY recorded_at DESC, entry_id DESC
