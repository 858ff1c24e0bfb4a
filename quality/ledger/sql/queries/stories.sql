-- Ledger rows for tables.

-- name: page
SELECT run_id::VARCHAR AS run_id, story_id, title, agent, model_version, model, attempt, discipline, org_domain, industry, phase,
    quality, signal_source, low_confidence, quality_auto, quality_verifier, quality_human, n_human, n_verifier, reviewer, note,
    rework, accepted, caveats, ts
FROM ledger WHERE rowid IN (
    -- Only the sorted columns are sorted; the others are fetched for the rows of the page.
    SELECT rowid FROM ledger WHERE /* filters */ ORDER BY /* order */ LIMIT $limit OFFSET $offset)
ORDER BY /* order */

-- name: count
SELECT count(*) AS n FROM ledger WHERE
/* filters */

-- name: full_rows
SELECT * REPLACE (run_id::VARCHAR AS run_id) FROM ledger WHERE
/* filters */
ORDER BY ts DESC, run_id
LIMIT $limit OFFSET $offset
