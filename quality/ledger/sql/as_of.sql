-- The ledger as it was known at an instant (quality/ledger/as_of.py), made of the statements of recompute.sql: whatever
-- those read counts here too, as long as they keep to $as_of. A table that they read is named in `changed_since` as well.

-- name: settings_at
-- The settings valid at $as_of.
SELECT settings FROM settings_sets WHERE valid_from <= $as_of ORDER BY valid_from DESC LIMIT 1

-- name: changed_since
-- The runs that something was recorded of, or of their story or import, after $as_of, and those whose row was scored
-- with other settings than $hash. Every other run's row is what it was.
CREATE OR REPLACE TEMP TABLE touched AS
SELECT run_id FROM runs WHERE recorded_at > $as_of
UNION SELECT run_id FROM run_facts WHERE recorded_at > $as_of
UNION SELECT run_id FROM attestations WHERE recorded_at > $as_of
UNION SELECT run_id FROM report_acceptances WHERE recorded_at > $as_of
UNION SELECT run_id FROM signal_readings WHERE recorded_at > $as_of
UNION SELECT run_id FROM verdicts WHERE recorded_at > $as_of
UNION SELECT run_id FROM overrides WHERE recorded_at > $as_of
UNION SELECT run_id FROM runs SEMI JOIN (SELECT story_id FROM story_facts WHERE recorded_at > $as_of) USING (story_id)
UNION SELECT run_id FROM runs SEMI JOIN (
    SELECT story_id FROM story_edits WHERE recorded_at > $as_of
    UNION ALL SELECT from_id FROM story_merges UNION ALL SELECT into_id FROM story_merges) USING (story_id)
UNION SELECT run_id FROM ledger WHERE settings_hash IS DISTINCT FROM $hash

-- name: known_then
-- Of those, the runs that there were at $as_of.
CREATE OR REPLACE TEMP TABLE known_then AS SELECT run_id FROM (/* runs */)

-- name: unchanged
-- From here on `ledger` is this one, in this snapshot and for nobody else.
CREATE TEMP TABLE ledger AS SELECT * FROM ledger ANTI JOIN touched USING (run_id)

-- name: keep_known
CREATE OR REPLACE TEMP TABLE touched AS SELECT run_id FROM known_then

-- name: rows_then
FROM ledger

-- name: stated_then
-- What files stated of runs by then, as far as pages show it.
SELECT run_id, recorded_at, line, attributes FROM run_facts WHERE recorded_at <= $as_of AND attributes IS NOT NULL
