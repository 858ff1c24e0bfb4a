-- The files that were brought in, and what would be without one of them.

-- name: list
SELECT i.import_id::VARCHAR AS import_id, i.label, i.format, i.bytes, i.sha256, i.counts, i.target, i.actor,
    i.recorded_at, w.import_id IS NOT NULL AS withdrawn, t.actor AS turned_by, t.reason, t.recorded_at AS turned_at
FROM imports i LEFT JOIN withdrawn.imports w USING (import_id) LEFT JOIN (
    SELECT * FROM import_withdrawals
    QUALIFY row_number() OVER (PARTITION BY import_id ORDER BY recorded_at DESC) = 1) t USING (import_id)
WHERE i.status = 'imported' AND ($withdrawn::BOOLEAN IS NULL OR (w.import_id IS NOT NULL) = $withdrawn)
    AND ($file::VARCHAR IS NULL OR contains(lower(i.label), lower($file)))
ORDER BY i.recorded_at DESC, i.import_id DESC LIMIT $limit OFFSET $offset

-- name: count
-- Of those that fit, how many; `withdrawn` whichever of them is asked for.
SELECT count(*) FILTER ($withdrawn::BOOLEAN IS NULL OR (w.import_id IS NOT NULL) = $withdrawn) AS n,
    count(w.import_id) AS withdrawn
FROM imports i LEFT JOIN withdrawn.imports w USING (import_id)
WHERE status = 'imported' AND ($file::VARCHAR IS NULL OR contains(lower(i.label), lower($file)))

-- name: one
SELECT i.import_id::VARCHAR AS import_id, i.label, i.format, i.bytes, i.sha256, i.status, i.counts, i.warnings,
    i.target, i.actor, i.recorded_at, w.import_id IS NOT NULL AS withdrawn
FROM imports i LEFT JOIN withdrawn.imports w USING (import_id) WHERE i.import_id = try_cast($import_id AS UUID)

-- name: turns
SELECT coalesce(reinstates, false) AS reinstates, actor, reason, recorded_at FROM import_withdrawals
WHERE import_id = try_cast($import_id AS UUID) ORDER BY recorded_at DESC

-- name: brought
-- Of an import that counts, or of one that is withdrawn what lies aside.
WITH readings AS (FROM signal_readings UNION ALL BY NAME FROM withdrawn.signal_readings),
given AS (FROM verdicts UNION ALL BY NAME FROM withdrawn.verdicts),
rated AS (FROM overrides UNION ALL BY NAME FROM withdrawn.overrides),
facts AS (FROM run_facts UNION ALL BY NAME FROM withdrawn.run_facts),
lines AS (FROM evidence UNION ALL BY NAME FROM withdrawn.evidence),
known AS (SELECT run_id, import_id FROM runs UNION ALL SELECT run_id, import_id FROM withdrawn.runs),
said AS (
    SELECT run_id, import_id FROM facts UNION ALL SELECT run_id, import_id FROM readings
    UNION ALL SELECT run_id, import_id FROM given UNION ALL SELECT run_id, import_id FROM lines
    UNION ALL SELECT run_id, import_id FROM rated WHERE import_id IS NOT NULL),
mine AS (
    SELECT run_id FROM said WHERE import_id = $import_id::UUID
    UNION SELECT run_id FROM known WHERE import_id = $import_id::UUID),
others AS (
    SELECT DISTINCT run_id FROM said SEMI JOIN mine USING (run_id)
    WHERE import_id IS NULL OR (
        import_id <> $import_id::UUID AND import_id NOT IN (SELECT import_id FROM withdrawn.imports))),
gone AS (
    SELECT k.run_id FROM known k SEMI JOIN mine USING (run_id) ANTI JOIN others USING (run_id)
    WHERE k.import_id = $import_id::UUID OR k.import_id IN (SELECT import_id FROM withdrawn.imports))
SELECT (SELECT count(*) FROM gone) AS runs_gone,
    (SELECT count(*) FROM mine) - (SELECT count(*) FROM gone) AS runs_kept,
    (SELECT count(*) FROM rated SEMI JOIN gone USING (run_id) WHERE import_id IS NULL AND withdraws IS NULL
        AND override_id NOT IN (SELECT withdraws FROM rated WHERE withdraws IS NOT NULL)) AS ratings_waiting,
    (SELECT count(*) FROM readings WHERE import_id = $import_id::UUID) AS signals,
    (SELECT count(*) FROM given WHERE import_id = $import_id::UUID) AS verdicts,
    (SELECT count(*) FROM rated WHERE import_id = $import_id::UUID) AS overrides,
    (SELECT count(DISTINCT story_id) FROM (FROM story_facts UNION ALL BY NAME FROM withdrawn.story_facts)
        WHERE import_id = $import_id::UUID) AS stories,
    (SELECT count(*) FROM (FROM rejects UNION ALL BY NAME FROM withdrawn.rejects)
        WHERE import_id = $import_id::UUID) AS rejects

-- name: runs
-- The runs that it says something of, those first that are gone without it; `quality` where the run counts now.
WITH said AS (
    SELECT run_id, import_id FROM (FROM run_facts UNION ALL BY NAME FROM withdrawn.run_facts)
    UNION ALL SELECT run_id, import_id FROM (FROM signal_readings UNION ALL BY NAME FROM withdrawn.signal_readings)
    UNION ALL SELECT run_id, import_id FROM (FROM verdicts UNION ALL BY NAME FROM withdrawn.verdicts)
    UNION ALL SELECT run_id, import_id FROM (FROM overrides UNION ALL BY NAME FROM withdrawn.overrides)
        WHERE import_id IS NOT NULL
    UNION ALL SELECT run_id, import_id FROM (FROM evidence UNION ALL BY NAME FROM withdrawn.evidence)),
known AS (FROM runs UNION ALL BY NAME FROM withdrawn.runs),
mine AS (
    SELECT run_id FROM said WHERE import_id = $import_id::UUID
    UNION SELECT run_id FROM known WHERE import_id = $import_id::UUID)
SELECT k.run_id::VARCHAR AS run_id, coalesce(l.story_id, k.story_id) AS story_id, k.agent, k.model_version,
    coalesce(l.attempt, k.attempt) AS attempt, l.quality, l.run_id IS NOT NULL AS counts,
    (k.import_id = $import_id::UUID OR k.import_id IN (SELECT import_id FROM withdrawn.imports)) AND NOT EXISTS (
        SELECT 1 FROM said WHERE said.run_id = k.run_id AND (said.import_id IS NULL OR (
            said.import_id <> $import_id::UUID AND said.import_id NOT IN (SELECT import_id FROM withdrawn.imports))))
        AS gone
FROM known k SEMI JOIN mine USING (run_id) LEFT JOIN ledger l USING (run_id)
ORDER BY gone DESC, story_id, k.run_id LIMIT $limit
