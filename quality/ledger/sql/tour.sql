-- How far people are with the tour of the sample: a note in the file itself, so that it belongs to no other ledger.

-- name: state
-- The notes by one person, or with NULL by anybody; a rating that somebody gave is in the audit, what the sample brought
-- is not.
SELECT
    (SELECT count(*) > 0 FROM meta WHERE key = 'tour tiers' AND ($by::VARCHAR IS NULL OR value = $by)) AS tiers,
    (SELECT count(*) > 0 FROM audit WHERE name = 'add_rating' AND ($by::VARCHAR IS NULL OR actor = $by)) AS rate,
    (SELECT count(*) > 0 FROM meta WHERE key = 'tour export' AND ($by::VARCHAR IS NULL OR value = $by)) AS export,
    (SELECT count(*) > 0 FROM meta WHERE key = 'tour hidden' AND ($by::VARCHAR IS NULL OR value = $by)) AS hidden

-- name: note
INSERT INTO meta
SELECT 'tour ' || $what, $actor WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'tour ' || $what AND value = $actor)

-- name: bring_back
-- Of `by`, or with NULL of everybody: who hides it for all brings it back for all.
DELETE FROM meta WHERE key = 'tour hidden' AND ($by::VARCHAR IS NULL OR value = $by)
