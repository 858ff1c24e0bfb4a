-- The file about itself.

-- name: tables
SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND NOT temporary

-- name: version
SELECT value FROM meta WHERE key = 'schema_version'

-- name: set_version
INSERT INTO meta VALUES ('schema_version', $version)

-- name: forget_version
DELETE FROM meta WHERE key = 'schema_version'

-- name: counts
SELECT
    (SELECT count(DISTINCT story_id) FROM (SELECT story_id FROM story_facts UNION ALL SELECT story_id FROM runs)) AS stories,
    (SELECT count(*) FROM ledger) AS runs,
    (SELECT count(*) FROM signal_readings) AS signal_readings,
    (SELECT count(*) FROM verdicts) AS verdicts,
    (SELECT count(*) FROM overrides WHERE withdraws IS NULL) AS overrides,
    (SELECT count(*) FROM imports ANTI JOIN withdrawn.imports USING (import_id)) AS imports,
    (SELECT count(*) FROM rejects) AS rejects,
    (SELECT count(*) FROM evaluations) AS evaluations,
    (SELECT count(*) FROM response_rows) AS responses,
    (SELECT count(*) FROM rankings) AS rankings,
    (SELECT count(*) FROM meta WHERE key = 'rewrite') AS rewrites_to_do,
    (SELECT count(*) FROM ledger WHERE settings_hash IS DISTINCT FROM $hash) AS rows_with_other_settings,
    (SELECT count(*) FROM response_rows WHERE settings_hash IS DISTINCT FROM $responses_hash) AS responses_with_other_settings

-- name: counts_of_tables
-- Rows of every table that `queries/full.sql` writes out.
SELECT
    (SELECT count(*) FROM settings_sets) AS settings_sets,
    (SELECT count(*) FROM imports) AS imports,
    (SELECT count(*) FROM import_withdrawals) AS import_withdrawals,
    (SELECT count(*) FROM rejects) + (SELECT count(*) FROM withdrawn.rejects) AS rejects,
    (SELECT count(*) FROM story_facts) + (SELECT count(*) FROM withdrawn.story_facts) AS story_facts,
    (SELECT count(*) FROM runs) + (SELECT count(*) FROM withdrawn.runs) AS runs,
    (SELECT count(*) FROM run_facts) + (SELECT count(*) FROM withdrawn.run_facts) AS run_facts,
    (SELECT count(*) FROM attestations) + (SELECT count(*) FROM withdrawn.attestations) AS attestations,
    (SELECT count(*) FROM report_acceptances)
        + (SELECT count(*) FROM withdrawn.report_acceptances) AS report_acceptances,
    (SELECT count(*) FROM signal_readings) + (SELECT count(*) FROM withdrawn.signal_readings) AS signal_readings,
    (SELECT count(*) FROM verdicts) + (SELECT count(*) FROM withdrawn.verdicts) AS verdicts,
    (SELECT count(*) FROM overrides) + (SELECT count(*) FROM withdrawn.overrides) AS overrides,
    (SELECT count(*) FROM evidence) + (SELECT count(*) FROM withdrawn.evidence) AS evidence,
    (SELECT count(*) FROM prompt_texts) AS prompt_texts,
    (SELECT count(*) FROM evaluations) AS evaluations,
    (SELECT count(*) FROM responses) AS responses,
    (SELECT count(*) FROM response_feedback) AS response_feedback,
    (SELECT count(*) FROM response_scores) AS response_scores,
    (SELECT count(*) FROM response_regressions) AS response_regressions,
    (SELECT count(*) FROM response_settings) AS response_settings,
    (SELECT count(*) FROM rankings) AS rankings,
    (SELECT count(*) FROM ranked_candidates) AS ranked_candidates,
    (SELECT count(*) FROM review_list) + (SELECT count(*) FROM withdrawn.review_list) AS review_list,
    (SELECT count(*) FROM review_draws) + (SELECT count(*) FROM withdrawn.review_draws) AS review_draws,
    (SELECT count(*) FROM story_edits) AS story_edits,
    (SELECT count(*) FROM story_merges) AS story_merges,
    (SELECT count(*) FROM redactions) AS redactions,
    (SELECT count(*) FROM audit) AS audit
