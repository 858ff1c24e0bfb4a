-- Schema 5: drafts of ratings, the list of what to review, corrections, and what was forgotten.

-- name: response_rows_by_id
-- A person waits for a feedback event; nothing leans on this index for identity.
CREATE INDEX response_rows_by_id ON response_rows (response_id);

-- name: review_list
-- What waits for a rating: `reason` 'choice' where somebody picked the run, else how it was drawn, with `probability` from a
-- `pool` of so many. A row with `removes` set takes that entry off the list, its `reason` says how: 'removed', 'skipped'.
CREATE TABLE review_list (
    entry_id UUID, run_id UUID, removes UUID, reason VARCHAR, probability DOUBLE, pool BIGINT, why VARCHAR,
    recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: story_edits
-- What a person says of a story, each field that is not NULL; it comes before every source's word. A row with `undoes` set
-- takes that edit back, its fields are what is known again. before (JSON) = the fields as they were known.
CREATE TABLE story_edits (
    edit_id UUID, story_id VARCHAR, undoes UUID, title VARCHAR, discipline VARCHAR, org_domain VARCHAR, industry VARCHAR,
    phase VARCHAR, estimated_tokens BIGINT, done_criteria VARCHAR, before VARCHAR, reason VARCHAR,
    recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: story_merges
-- That two ids are one story, from now on `into_id` (or what that was merged into). A row with `undoes` set splits it off
-- again.
CREATE TABLE story_merges (
    merge_id UUID, from_id VARCHAR, into_id VARCHAR, undoes UUID, reason VARCHAR, recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: story_survivors
-- Derived from story_merges: each merged id with the one that stands for it, chains followed to their end.
CREATE TABLE story_survivors (story_id VARCHAR, survivor VARCHAR);

-- name: withdrawals_can_be_taken_back
ALTER TABLE import_withdrawals ADD COLUMN reinstates BOOLEAN DEFAULT false;

-- name: withdrawn
-- What a withdrawn import brought, and what was said of runs that only it brought. It is set aside here, in tables of the
-- same names and columns, so that whatever reads the others finds what counts, and comes back whole (withdrawals.py). A
-- column that one of the tables gets later, its twin here gets too.
CREATE SCHEMA withdrawn;

-- name: withdrawn_imports
-- The imports whose last word is a withdrawal.
CREATE VIEW withdrawn.imports AS
SELECT import_id FROM import_withdrawals GROUP BY import_id HAVING NOT coalesce(arg_max(reinstates, recorded_at), false);

-- name: withdrawn_story_facts
CREATE TABLE withdrawn.story_facts AS FROM story_facts LIMIT 0;

-- name: withdrawn_runs
CREATE TABLE withdrawn.runs AS FROM runs LIMIT 0;

-- name: withdrawn_run_facts
CREATE TABLE withdrawn.run_facts AS FROM run_facts LIMIT 0;

-- name: withdrawn_attestations
CREATE TABLE withdrawn.attestations AS FROM attestations LIMIT 0;

-- name: withdrawn_report_acceptances
CREATE TABLE withdrawn.report_acceptances AS FROM report_acceptances LIMIT 0;

-- name: withdrawn_signal_readings
CREATE TABLE withdrawn.signal_readings AS FROM signal_readings LIMIT 0;

-- name: withdrawn_verdicts
CREATE TABLE withdrawn.verdicts AS FROM verdicts LIMIT 0;

-- name: withdrawn_overrides
CREATE TABLE withdrawn.overrides AS FROM overrides LIMIT 0;

-- name: withdrawn_evidence
CREATE TABLE withdrawn.evidence AS FROM evidence LIMIT 0;

-- name: withdrawn_rejects
CREATE TABLE withdrawn.rejects AS FROM rejects LIMIT 0;

-- name: withdrawn_review_list
CREATE TABLE withdrawn.review_list AS FROM review_list LIMIT 0;
