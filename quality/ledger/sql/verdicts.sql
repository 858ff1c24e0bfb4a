-- A review that a judge was asked for, stored like an artifact's; `batch_…` and run_of as in importing.sql.

-- name: name_run
-- The one run of the review.
CREATE OR REPLACE TEMP TABLE run_of AS SELECT 0::BIGINT AS run, $run_id::UUID AS run_id

-- name: verdict_of_import
SELECT verdict_id::VARCHAR AS verdict_id, quality, correct, rework FROM verdicts WHERE import_id = $import_id
