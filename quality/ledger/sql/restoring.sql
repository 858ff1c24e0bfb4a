-- A full export back into the tables it came from (quality/ledger/restoring.py). `part` is an Arrow table with the
-- records of one table; ids are text there, place is their order. Only what is missing, by id, is added.

-- name: no_aliases
-- Runs of the file that the ledger knows under another id.
CREATE OR REPLACE TEMP TABLE aliases (given_id UUID, run_id UUID)

-- name: stories_before
CREATE OR REPLACE TEMP TABLE stories_before AS SELECT DISTINCT story_id FROM story_facts

-- name: count_new_stories
SELECT count(DISTINCT story_id) FROM story_facts ANTI JOIN stories_before USING (story_id)

-- name: note_aliases
INSERT INTO aliases
SELECT part.run_id::UUID, any_value(r.run_id)
FROM part JOIN runs r ON r.story_id = part.story_id AND r.agent = part.agent AND r.model_version = part.model_version
    AND r.attempt = part.attempt
WHERE part.run_id::UUID NOT IN (SELECT run_id FROM runs)
GROUP BY part.run_id

-- name: count_aliases
SELECT count(*) FROM aliases

-- name: touch_stories
INSERT INTO touched SELECT run_id FROM runs SEMI JOIN part USING (story_id)

-- name: touch_runs
INSERT INTO touched SELECT DISTINCT run_id::UUID FROM part

-- name: touch_aliases
INSERT INTO touched SELECT run_id FROM aliases

-- name: forget_untouchable
-- Ids that turned out to be aliases or of no run.
DELETE FROM touched WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: add_settings_sets
INSERT INTO settings_sets BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN settings_sets s ON s.hash = part.hash AND s.valid_from = part.valid_from
QUALIFY row_number() OVER (PARTITION BY part.hash, part.valid_from ORDER BY place) = 1 ORDER BY place

-- name: add_import_withdrawals
INSERT INTO import_withdrawals BY NAME
SELECT part.* EXCLUDE (place) FROM part
ANTI JOIN import_withdrawals w ON w.import_id = part.import_id::UUID AND w.recorded_at = part.recorded_at
QUALIFY row_number() OVER (PARTITION BY part.import_id, part.recorded_at ORDER BY place) = 1 ORDER BY place

-- name: add_imports
INSERT INTO imports BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN imports known ON known.import_id = part.import_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.import_id ORDER BY place) = 1 ORDER BY place

-- name: add_rejects
INSERT INTO rejects BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN rejects known ON known.reject_id = part.reject_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.reject_id ORDER BY place) = 1 ORDER BY place

-- name: add_story_facts
INSERT INTO story_facts BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN story_facts known ON known.story_fact_id = part.story_fact_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.story_fact_id ORDER BY place) = 1 ORDER BY place

-- name: add_runs
INSERT INTO runs BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN runs known ON known.run_id = part.run_id::UUID
ANTI JOIN aliases ON aliases.given_id = part.run_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.run_id ORDER BY place) = 1 ORDER BY place

-- name: add_run_facts
INSERT INTO run_facts BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN run_facts known ON known.run_fact_id = part.run_fact_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.run_fact_id ORDER BY place) = 1 ORDER BY place

-- name: add_attestations
INSERT INTO attestations BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN attestations known ON known.attestation_id = part.attestation_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.attestation_id ORDER BY place) = 1 ORDER BY place

-- name: add_report_acceptances
INSERT INTO report_acceptances BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN report_acceptances known ON known.acceptance_id = part.acceptance_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.acceptance_id ORDER BY place) = 1 ORDER BY place

-- name: add_review_list
INSERT INTO review_list BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN review_list known ON known.entry_id = part.entry_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.entry_id ORDER BY place) = 1 ORDER BY place

-- name: add_review_draws
INSERT INTO review_draws BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN review_draws known ON known.event_id = part.event_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.event_id ORDER BY place) = 1 ORDER BY place

-- name: add_signal_readings
INSERT INTO signal_readings BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN signal_readings known ON known.reading_id = part.reading_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.reading_id ORDER BY place) = 1 ORDER BY place

-- name: add_verdicts
INSERT INTO verdicts BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN verdicts known ON known.verdict_id = part.verdict_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.verdict_id ORDER BY place) = 1 ORDER BY place

-- name: add_overrides
INSERT INTO overrides BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN overrides known ON known.override_id = part.override_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.override_id ORDER BY place) = 1 ORDER BY place

-- name: add_evidence
INSERT INTO evidence BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN evidence known ON known.evidence_id = part.evidence_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.evidence_id ORDER BY place) = 1 ORDER BY place

-- name: add_prompt_texts
INSERT INTO prompt_texts BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN prompt_texts known ON known.sha256 = part.sha256
QUALIFY row_number() OVER (PARTITION BY part.sha256 ORDER BY place) = 1 ORDER BY place

-- name: add_evaluations
INSERT INTO evaluations BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN evaluations known ON known.evaluation_id = part.evaluation_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.evaluation_id ORDER BY place) = 1 ORDER BY place

-- name: add_responses
INSERT INTO responses BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN responses known ON known.statement_id = part.statement_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.statement_id ORDER BY place) = 1 ORDER BY place

-- name: add_response_feedback
INSERT INTO response_feedback BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN response_feedback known ON known.feedback_id = part.feedback_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.feedback_id ORDER BY place) = 1 ORDER BY place

-- name: add_response_scores
INSERT INTO response_scores BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN response_scores known ON known.score_id = part.score_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.score_id ORDER BY place) = 1 ORDER BY place

-- name: add_response_regressions
INSERT INTO response_regressions BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN response_regressions known ON known.regression_id = part.regression_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.regression_id ORDER BY place) = 1 ORDER BY place

-- name: add_response_settings
INSERT INTO response_settings BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN response_settings known ON known.hash = part.hash
QUALIFY row_number() OVER (PARTITION BY part.hash ORDER BY place) = 1 ORDER BY place

-- name: no_restored_responses
CREATE OR REPLACE TEMP TABLE restored_responses (response_id VARCHAR)

-- name: note_responses
INSERT INTO restored_responses SELECT DISTINCT response_id FROM part

-- name: restored_responses
-- Those that are stored, not only spoken of.
SELECT DISTINCT response_id FROM restored_responses SEMI JOIN responses USING (response_id)

-- name: add_rankings
-- One that is here under another id is not added again, and neither are its candidates.
INSERT INTO rankings BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN rankings known
    ON known.ranking_id = part.ranking_id::UUID OR known.content_key = part.content_key
QUALIFY row_number() OVER (PARTITION BY part.content_key ORDER BY place) = 1 ORDER BY place

-- name: add_ranked_candidates
INSERT INTO ranked_candidates BY NAME
SELECT part.* EXCLUDE (place) FROM part SEMI JOIN rankings ON rankings.ranking_id = part.ranking_id::UUID
ANTI JOIN ranked_candidates known ON known.ranking_id = part.ranking_id::UUID AND known.line = part.line
QUALIFY row_number() OVER (PARTITION BY part.ranking_id, part.line ORDER BY place) = 1 ORDER BY place

-- name: add_audit
INSERT INTO audit BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN audit known ON known.command_id = part.command_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.command_id ORDER BY place) = 1 ORDER BY place

-- name: add_story_edits
INSERT INTO story_edits BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN story_edits known ON known.edit_id = part.edit_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.edit_id ORDER BY place) = 1 ORDER BY place

-- name: add_story_merges
INSERT INTO story_merges BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN story_merges known ON known.merge_id = part.merge_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.merge_id ORDER BY place) = 1 ORDER BY place

-- name: count_story_edits
SELECT count(*) FROM story_edits

-- name: add_redactions
INSERT INTO redactions BY NAME
SELECT part.* EXCLUDE (place) FROM part ANTI JOIN redactions known ON known.redaction_id = part.redaction_id::UUID
QUALIFY row_number() OVER (PARTITION BY part.redaction_id ORDER BY place) = 1 ORDER BY place

-- name: count_redactions
SELECT count(*) FROM redactions

-- name: redaction_ids
SELECT redaction_id::VARCHAR AS redaction_id FROM redactions

-- name: count_story_merges
SELECT count(*) FROM story_merges

-- name: count_settings_sets
SELECT count(*) FROM settings_sets

-- name: count_import_withdrawals
SELECT count(*) FROM import_withdrawals

-- name: count_imports
SELECT count(*) FROM imports

-- name: count_rejects
SELECT count(*) FROM rejects

-- name: count_story_facts
SELECT count(*) FROM story_facts

-- name: count_runs
SELECT count(*) FROM runs

-- name: count_run_facts
SELECT count(*) FROM run_facts

-- name: count_attestations
SELECT count(*) FROM attestations

-- name: count_report_acceptances
SELECT count(*) FROM report_acceptances

-- name: count_review_list
SELECT count(*) FROM review_list

-- name: count_review_draws
SELECT count(*) FROM review_draws

-- name: count_signal_readings
SELECT count(*) FROM signal_readings

-- name: count_verdicts
SELECT count(*) FROM verdicts

-- name: count_overrides
SELECT count(*) FROM overrides

-- name: count_evidence
SELECT count(*) FROM evidence

-- name: count_prompt_texts
SELECT count(*) FROM prompt_texts

-- name: count_evaluations
SELECT count(*) FROM evaluations

-- name: count_responses
SELECT count(*) FROM responses

-- name: count_response_feedback
SELECT count(*) FROM response_feedback

-- name: count_response_scores
SELECT count(*) FROM response_scores

-- name: count_response_regressions
SELECT count(*) FROM response_regressions

-- name: count_response_settings
SELECT count(*) FROM response_settings

-- name: count_rankings
SELECT count(*) FROM rankings

-- name: count_ranked_candidates
SELECT count(*) FROM ranked_candidates

-- name: count_audit
SELECT count(*) FROM audit

-- name: follow_aliases_run_facts
UPDATE run_facts SET run_id = aliases.run_id FROM aliases WHERE run_facts.run_id = aliases.given_id

-- name: orphans_run_facts
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of run_facts about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM run_facts ANTI JOIN runs USING (run_id)

-- name: drop_orphans_run_facts
DELETE FROM run_facts WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: follow_aliases_attestations
UPDATE attestations SET run_id = aliases.run_id FROM aliases WHERE attestations.run_id = aliases.given_id

-- name: orphans_attestations
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of attestations about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM attestations ANTI JOIN runs USING (run_id)

-- name: drop_orphans_attestations
DELETE FROM attestations WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: follow_aliases_report_acceptances
UPDATE report_acceptances SET run_id = aliases.run_id FROM aliases WHERE report_acceptances.run_id = aliases.given_id

-- name: orphans_report_acceptances
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of report_acceptances about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM report_acceptances ANTI JOIN runs USING (run_id)

-- name: drop_orphans_report_acceptances
DELETE FROM report_acceptances WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: follow_aliases_review_list
UPDATE review_list SET run_id = aliases.run_id FROM aliases WHERE review_list.run_id = aliases.given_id

-- name: orphans_review_list
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of review_list about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM review_list ANTI JOIN runs USING (run_id)

-- name: drop_orphans_review_list
DELETE FROM review_list WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: follow_aliases_review_draws
UPDATE review_draws SET run_id = aliases.run_id FROM aliases WHERE review_draws.run_id = aliases.given_id

-- name: orphans_review_draws
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of review_draws about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM review_draws ANTI JOIN runs USING (run_id)

-- name: drop_orphans_review_draws
DELETE FROM review_draws WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: follow_aliases_signal_readings
UPDATE signal_readings SET run_id = aliases.run_id FROM aliases WHERE signal_readings.run_id = aliases.given_id

-- name: orphans_signal_readings
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of signal_readings about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM signal_readings ANTI JOIN runs USING (run_id)

-- name: drop_orphans_signal_readings
DELETE FROM signal_readings WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: follow_aliases_verdicts
UPDATE verdicts SET run_id = aliases.run_id FROM aliases WHERE verdicts.run_id = aliases.given_id

-- name: orphans_verdicts
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of verdicts about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM verdicts ANTI JOIN runs USING (run_id)

-- name: drop_orphans_verdicts
DELETE FROM verdicts WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: follow_aliases_overrides
UPDATE overrides SET run_id = aliases.run_id FROM aliases WHERE overrides.run_id = aliases.given_id

-- name: orphans_overrides
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of overrides about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM overrides ANTI JOIN runs USING (run_id)

-- name: drop_orphans_overrides
DELETE FROM overrides WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: follow_aliases_evidence
UPDATE evidence SET run_id = aliases.run_id FROM aliases WHERE evidence.run_id = aliases.given_id

-- name: orphans_evidence
SELECT NULL::BIGINT AS line, 'run_id' AS field, 'a record of evidence about a run that is neither in the file nor here' AS reason,
    run_id::VARCHAR AS value
FROM evidence ANTI JOIN runs USING (run_id)

-- name: drop_orphans_evidence
DELETE FROM evidence WHERE run_id NOT IN (SELECT run_id FROM runs)
