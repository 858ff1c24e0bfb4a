-- What the ledger knows of files and stories that somebody is about to bring in.

-- name: known_files
-- Imports of files with these hashes, the first time each was stored for a run.
SELECT sha256, target, label, min(recorded_at) AS recorded_at FROM imports
WHERE status = 'imported' AND list_contains($hashes::VARCHAR[], sha256) AND import_id NOT IN (
    SELECT import_id FROM withdrawn.imports)
GROUP BY sha256, target, label

-- name: find_stories
-- Stories whose runs fit, the one that exactly this id means first, then the latest.
SELECT story_id, any_value(title) AS title, count(*) AS runs FROM ledger WHERE
/* filters */
GROUP BY story_id
ORDER BY story_id = coalesce((SELECT any_value(survivor) FROM story_survivors v WHERE v.story_id = $exact), $exact) DESC,
    max(recorded_at) DESC, story_id LIMIT $limit

-- name: start_of_run
-- When the latest run that fits began.
SELECT started_at FROM ledger WHERE
/* filters */
ORDER BY coalesce(auto_at, recorded_at) DESC, attempt DESC, run_id DESC LIMIT 1
