-- That a report from before a run's start is of the run (quality/ledger/acceptance.py).

-- name: import_exists
SELECT 1 FROM imports WHERE import_id = try_cast($import_id AS UUID)

-- name: runs_of_import
-- The runs that an artifact's readings are about.
CREATE OR REPLACE TEMP TABLE accepting AS
SELECT DISTINCT run_id, import_id FROM signal_readings
WHERE import_id = try_cast($import_id AS UUID) AND ($run_id IS NULL OR run_id = try_cast($run_id AS UUID))

-- name: none_yet
CREATE OR REPLACE TEMP TABLE accepting (run_id UUID, import_id UUID)

-- name: add_read
-- The artifacts whose dated readings this batch repeats, itself among them.
INSERT INTO accepting
SELECT DISTINCT r.run_id, s.import_id FROM batch_signals b JOIN run_of r USING (run)
JOIN signal_readings s ON s.run_id = r.run_id AND s.occurred_at = b.occurred_at

-- name: add_acceptances
INSERT INTO report_acceptances BY NAME
SELECT uuidv7() AS acceptance_id, run_id, import_id, $actor AS actor, $now::TIMESTAMPTZ AS recorded_at
FROM (SELECT DISTINCT * FROM accepting) ANTI JOIN report_acceptances USING (run_id, import_id)

-- name: touch_accepted
INSERT INTO touched SELECT run_id FROM report_acceptances SEMI JOIN accepting USING (run_id, import_id)
WHERE recorded_at = $now

-- name: count_accepted
SELECT count(*) FROM report_acceptances WHERE recorded_at = $now

-- name: accepted_runs
SELECT run_id::VARCHAR AS run_id, story_id, agent, model_version, attempt FROM ledger SEMI JOIN accepting USING (run_id)
ORDER BY run_id LIMIT $limit

-- name: doubts
-- How many readings of an import are older than the start of their run, or cannot be compared with it.
SELECT
    count(*) FILTER (s.occurred_at < l.started_at - $margin::INTERVAL) AS older,
    count(*) FILTER (s.occurred_at IS NULL) AS undated
FROM signal_readings s JOIN ledger l USING (run_id)
ANTI JOIN report_acceptances a ON a.run_id = s.run_id AND a.import_id = s.import_id
WHERE s.import_id IN (SELECT unnest($import_ids::UUID[])) AND l.started_at IS NOT NULL
