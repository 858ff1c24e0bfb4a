-- Schema 5: drafts of ratings, the list of what to review, corrections, and what was forgotten.

-- name: rating_drafts
-- What a reviewer has given of a rating and not stored, at most one row a reviewer and run. seen = the rating that was the
-- run's latest when they began (its override_id), 'none' = there was none. Nothing but their own screen reads it.
CREATE TABLE rating_drafts (
    run_id UUID, reviewer VARCHAR, rating DOUBLE, rework BOOLEAN, note VARCHAR, seen VARCHAR, revision VARCHAR,
    recorded_at TIMESTAMPTZ, actor VARCHAR
);

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

-- name: redactions
-- That words were taken out for good: what they were by kind and id (target), how much, by whom and why. keyed_hash tells them
-- again to whoever has them and the key in `meta`.
CREATE TABLE redactions (
    redaction_id UUID, kind VARCHAR, target VARCHAR, run_id UUID, story_id VARCHAR, texts BIGINT, characters BIGINT,
    places BIGINT, keyed_hash VARCHAR, reason VARCHAR, recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: review_draws
-- What was drawn for whom to review, an event a row. kind = 'drawn', 'renewed' (reserved until a later expires_at), 'skipped' or
-- 'given_back'. Of a draw: the run's chance (probability) among the pool, the same within its model, why, and the seed of the lot.
CREATE TABLE review_draws (
    event_id UUID, draw_id UUID, kind VARCHAR, run_id UUID, reviewer VARCHAR, probability DOUBLE, pool BIGINT,
    model_probability DOUBLE, model_pool BIGINT, why VARCHAR, seed BIGINT, blind BOOLEAN, expires_at TIMESTAMPTZ,
    recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: withdrawn_review_draws
CREATE TABLE withdrawn.review_draws AS FROM review_draws LIMIT 0;
