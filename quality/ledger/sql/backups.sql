-- The file as a whole: what is in a backup, and how two ledgers differ.

-- name: contents
SELECT (SELECT count(*) FROM ledger) AS runs,
    (SELECT count(DISTINCT story_id) FROM runs) AS stories,
    (SELECT count(*) FROM audit) AS writes,
    (SELECT max(recorded_at) FROM audit) AS last_write,
    (SELECT count(*) > 0 FROM meta WHERE key = 'sample') AS sample,
    (SELECT value::INTEGER FROM meta WHERE key = 'schema_version') AS schema_version

-- name: read_all
-- Every value of a table, so that a damaged block shows.
SELECT bit_xor(hash(t)) FROM query_table($name) t

-- name: writes
SELECT command_id FROM audit WHERE name <> 'back_up'

-- name: only_here
-- Writes that `there` does not have. That a backup was made changes nothing that could be lost.
SELECT name, count(*) AS n FROM audit ANTI JOIN there USING (command_id)
WHERE name <> 'back_up' GROUP BY name ORDER BY n DESC, name

-- name: only_there
SELECT count(*) AS n FROM there ANTI JOIN audit USING (command_id)

-- name: latest_only_here
SELECT command_id::VARCHAR AS command_id, name, actor, recorded_at, request, answer
FROM audit ANTI JOIN there USING (command_id)
WHERE name <> 'back_up'
ORDER BY recorded_at DESC, audit.command_id DESC LIMIT $limit

-- name: last_backup
SELECT recorded_at, actor FROM audit WHERE name = 'back_up' ORDER BY recorded_at DESC LIMIT 1

-- name: writes_since
-- Writes that are in no backup: all that is restored came from one.
SELECT count(*) AS n FROM audit
WHERE name NOT IN ('back_up', 'restore')
    AND recorded_at > coalesce((SELECT max(recorded_at) FROM audit WHERE name IN ('back_up', 'restore')), TIMESTAMPTZ '-infinity')

-- name: is_sample
SELECT count(*) > 0 AS sample FROM meta WHERE key = 'sample'

-- name: mark_as_sample
INSERT INTO meta VALUES ('sample', 'true')
