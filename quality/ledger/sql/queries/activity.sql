-- Who wrote what, read from the audit.

-- name: fitting
-- The conditions of `older`, `newer` and `count`. A write is known by its instant as well as by its id.
WHERE ($by::VARCHAR IS NULL OR actor = $by)
    AND ($kinds::VARCHAR[] IS NULL OR name IN $kinds::VARCHAR[])
    AND ($since::TIMESTAMPTZ IS NULL OR recorded_at >= $since)
    AND ($until::TIMESTAMPTZ IS NULL OR recorded_at < $until)
    AND ($instants::TIMESTAMPTZ[] IS NULL OR recorded_at IN $instants::TIMESTAMPTZ[])

-- name: about
-- Instants of the writes about one thing: each row that came with a write carries its instant. $ids are its own and, of a
-- story, those that were merged into one with it.
WITH mine AS MATERIALIZED (
    SELECT run_id, recorded_at FROM runs WHERE story_id IN (SELECT unnest($ids::VARCHAR[])) OR run_id = try_cast($about AS UUID)
), instants AS (
    SELECT recorded_at FROM mine
    UNION ALL SELECT recorded_at FROM story_facts WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))
    UNION ALL SELECT recorded_at FROM run_facts SEMI JOIN mine USING (run_id)
    UNION ALL SELECT recorded_at FROM attestations SEMI JOIN mine USING (run_id)
    UNION ALL SELECT recorded_at FROM report_acceptances SEMI JOIN mine USING (run_id)
    UNION ALL SELECT recorded_at FROM signal_readings SEMI JOIN mine USING (run_id)
    UNION ALL SELECT recorded_at FROM verdicts SEMI JOIN mine USING (run_id)
    UNION ALL SELECT recorded_at FROM overrides SEMI JOIN mine USING (run_id)
    UNION ALL SELECT recorded_at FROM redactions
        WHERE story_id IN (SELECT unnest($ids::VARCHAR[])) OR run_id IN (SELECT run_id FROM mine)
    UNION ALL SELECT recorded_at FROM responses
        WHERE story_id IN (SELECT unnest($ids::VARCHAR[])) OR response_id = $about
    UNION ALL SELECT recorded_at FROM response_feedback WHERE response_id = $about
    UNION ALL SELECT recorded_at FROM evaluations
        WHERE story_id IN (SELECT unnest($ids::VARCHAR[])) OR evaluation_id = try_cast($about AS UUID)
    UNION ALL SELECT recorded_at FROM rankings WHERE ranking_id = try_cast($about AS UUID)
)
SELECT DISTINCT recorded_at FROM instants

-- name: naming
-- Instants of the writes whose request names it, of those that may leave no row.
SELECT DISTINCT recorded_at FROM audit
WHERE name NOT IN ('add_rating', 'undo_rating', 'add_feedback', 'store_responses') AND contains(request, $needle)

-- name: place
-- When a write was made, so that a page can go on from it.
SELECT recorded_at FROM audit WHERE command_id = try_cast($command_id AS UUID)

-- name: older
SELECT command_id::VARCHAR AS command_id, name, actor, recorded_at, request, answer FROM audit
/* fitting */
    AND ($at::TIMESTAMPTZ IS NULL OR recorded_at < $at OR (recorded_at = $at AND command_id < try_cast($id AS UUID)))
ORDER BY recorded_at DESC, audit.command_id DESC
LIMIT $limit

-- name: newer
SELECT command_id::VARCHAR AS command_id, name, actor, recorded_at, request, answer FROM audit
/* fitting */
    AND (recorded_at > $at OR (recorded_at = $at AND command_id > try_cast($id AS UUID)))
ORDER BY recorded_at, audit.command_id
LIMIT $limit

-- name: count
SELECT count(*) AS n FROM audit
/* fitting */

-- name: settings_begun
-- Settings that came into force with one of these writes; a ledger's first are no change.
SELECT hash, valid_from FROM settings_sets
WHERE valid_from IN $instants::TIMESTAMPTZ[] AND valid_from > (SELECT min(valid_from) FROM settings_sets)

-- name: one
SELECT command_id::VARCHAR AS command_id, name, actor, recorded_at, request, answer,
    (SELECT any_value(import_id::VARCHAR) FROM imports WHERE imports.recorded_at = audit.recorded_at) AS import_id
FROM audit WHERE command_id = try_cast($command_id AS UUID)

-- name: actors
SELECT actor FROM audit GROUP BY actor ORDER BY count(*) DESC, actor LIMIT $limit

-- name: kinds
SELECT name FROM audit GROUP BY name ORDER BY count(*) DESC, name
