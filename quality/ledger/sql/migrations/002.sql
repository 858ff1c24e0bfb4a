-- Schema 2. Several artifacts of one run add up, and one that is older than the run waits for a word.

-- name: signals_name_their_tests
ALTER TABLE signal_readings ADD COLUMN test_ids BIGINT[];

-- name: signals_have_outcomes
ALTER TABLE signal_readings ADD COLUMN test_outcomes VARCHAR;

-- name: signals_have_a_runner
ALTER TABLE signal_readings ADD COLUMN runner VARCHAR;

-- name: evidence_has_numbered_lines
ALTER TABLE evidence ADD COLUMN first_line BIGINT;

-- name: evidence_names_the_file_in_an_archive
ALTER TABLE evidence ADD COLUMN member VARCHAR;

-- name: signals_may_disagree
-- As `older_report`: stated by a row that was resolved elsewhere, such as one of our own export.
ALTER TABLE signal_readings ADD COLUMN results_disagree BOOLEAN DEFAULT false;

-- name: signals_may_leave_out_a_report
ALTER TABLE signal_readings ADD COLUMN older_report BOOLEAN DEFAULT false;

-- name: runs_have_a_start
ALTER TABLE run_facts ADD COLUMN started_at TIMESTAMPTZ;

-- name: report_acceptances
-- That an artifact older than a run's start is of that run.
CREATE TABLE report_acceptances (
    acceptance_id UUID, run_id UUID, import_id UUID, actor VARCHAR, recorded_at TIMESTAMPTZ
);

-- name: ledger_has_a_start
ALTER TABLE ledger ADD COLUMN started_at TIMESTAMPTZ;

-- name: ledger_knows_contradictions
ALTER TABLE ledger ADD COLUMN results_disagree BOOLEAN DEFAULT false;

-- name: ledger_knows_older_reports
ALTER TABLE ledger ADD COLUMN older_report BOOLEAN DEFAULT false;
