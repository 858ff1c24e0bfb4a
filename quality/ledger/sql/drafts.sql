-- Ratings that are being written: at most one row a reviewer and run, replaced whole.

-- name: draft_of
SELECT run_id::VARCHAR AS run_id, reviewer, rating, rework, note, seen, revision, recorded_at
FROM rating_drafts WHERE run_id = try_cast($run_id AS UUID) AND reviewer = $reviewer

-- name: drop
DELETE FROM rating_drafts WHERE run_id = try_cast($run_id AS UUID) AND reviewer = $reviewer

-- name: add
INSERT INTO rating_drafts BY NAME
SELECT $run_id::UUID AS run_id, $reviewer AS reviewer, $rating::DOUBLE AS rating, $rework::BOOLEAN AS rework,
    $note::VARCHAR AS note, $seen::VARCHAR AS seen, $revision AS revision, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor

-- name: run_exists
SELECT 1 FROM ledger WHERE run_id = try_cast($run_id AS UUID)

-- name: drafts
-- Of runs that there are now, the latest first.
SELECT d.run_id::VARCHAR AS run_id, d.reviewer, d.rating, d.rework, d.note, d.seen, d.revision, d.recorded_at, l.story_id,
    l.title, l.agent, l.model_version, l.attempt
FROM rating_drafts d JOIN ledger l USING (run_id)
WHERE d.reviewer = $reviewer ORDER BY d.recorded_at DESC, d.run_id LIMIT $limit

-- name: count_drafts
SELECT count(*) AS n FROM rating_drafts d SEMI JOIN ledger USING (run_id) WHERE d.reviewer = $reviewer

-- name: rated_since
-- Ratings of the run that stand and were recorded after the one that was seen, the latest first. One that is not known here
-- (as after a restore) was seen at no time, so all of them are new.
SELECT o.override_id::VARCHAR AS override_id, o.reviewer, o.quality AS rating, o.rework, o.note,
    coalesce(o.occurred_at, o.recorded_at) AS given_at
FROM overrides o
WHERE o.run_id = try_cast($run_id AS UUID) AND o.withdraws IS NULL
    AND o.override_id NOT IN (SELECT withdraws FROM overrides WHERE withdraws IS NOT NULL AND run_id = try_cast($run_id AS UUID))
    AND o.recorded_at > coalesce((
        SELECT max(recorded_at) FROM (
            SELECT recorded_at FROM overrides WHERE override_id = try_cast($seen AS UUID) UNION ALL
            SELECT recorded_at FROM withdrawn.overrides WHERE override_id = try_cast($seen AS UUID))),
        '-infinity'::TIMESTAMPTZ)
ORDER BY o.recorded_at DESC, o.line DESC LIMIT $limit
