-- One story, opened.

-- name: story
SELECT $story_id AS story_id,
    last(title ORDER BY recorded_at, line) FILTER (title IS NOT NULL) AS title,
    last(discipline ORDER BY recorded_at, line) FILTER (discipline IS NOT NULL) AS discipline,
    last(org_domain ORDER BY recorded_at, line) FILTER (org_domain IS NOT NULL) AS org_domain,
    last(industry ORDER BY recorded_at, line) FILTER (industry IS NOT NULL) AS industry,
    last(phase ORDER BY recorded_at, line) FILTER (phase IS NOT NULL) AS phase,
    last(estimated_tokens ORDER BY recorded_at, line) FILTER (estimated_tokens IS NOT NULL) AS estimated_tokens,
    last(done_criteria ORDER BY recorded_at, line) FILTER (done_criteria IS NOT NULL) AS done_criteria,
    coalesce(last(synthetic ORDER BY recorded_at, line) FILTER (synthetic IS NOT NULL), false) AS synthetic,
    last(attributes ORDER BY recorded_at, line) FILTER (attributes IS NOT NULL) AS attributes,
    count(*) AS facts
FROM story_facts WHERE story_id = $story_id

-- name: with_criteria
-- Stories whose done criteria are known, the latest first.
SELECT story_id, last(title ORDER BY recorded_at, line) FILTER (title IS NOT NULL) AS title
FROM story_facts GROUP BY story_id
HAVING last(done_criteria ORDER BY recorded_at, line) FILTER (done_criteria IS NOT NULL) IS NOT NULL
ORDER BY max(recorded_at) DESC, story_id LIMIT $limit

-- name: runs
SELECT * REPLACE (run_id::VARCHAR AS run_id) FROM ledger WHERE story_id = $story_id
ORDER BY coalesce(auto_at, recorded_at), attempt, run_id

-- name: run
SELECT * REPLACE (run_id::VARCHAR AS run_id) FROM ledger WHERE run_id = try_cast($run_id AS UUID)

-- name: overrides
-- Every rating with what became of it: standing, counting, or withdrawn when and by whom.
SELECT o.override_id::VARCHAR AS override_id, o.reviewer, o.quality, o.raw, o.n_ratings, o.correct, o.rework, o.note,
    o.review_reason, o.review_probability, coalesce(o.occurred_at, o.recorded_at) AS given_at, o.recorded_at, o.actor,
    o.source_id, i.label AS artifact, o.line, w.recorded_at AS withdrawn_at, w.actor AS withdrawn_by
FROM overrides o
LEFT JOIN overrides w ON w.withdraws = o.override_id
LEFT JOIN imports i ON i.import_id = o.import_id
WHERE o.run_id = try_cast($run_id AS UUID) AND o.withdraws IS NULL
ORDER BY given_at DESC, o.recorded_at DESC, o.line DESC

-- name: verdicts
SELECT v.verdict_id::VARCHAR AS verdict_id, v.verifier_agent, v.verifier_model, v.quality, v.raw, v.n_ratings, v.correct,
    v.rework, v.note, v.conflicting, v.simulated, coalesce(v.occurred_at, v.recorded_at) AS given_at, v.recorded_at, v.actor,
    v.source_id, i.label AS artifact, i.sha256, v.line
FROM verdicts v LEFT JOIN imports i ON i.import_id = v.import_id
WHERE v.run_id = try_cast($run_id AS UUID)
ORDER BY given_at DESC, v.recorded_at DESC, v.line DESC

-- name: readings
-- Not what each test is known by, only how many are named. A reading that is older waits to be confirmed (older_report).
SELECT s.* EXCLUDE (reading_id, run_id, import_id, test_ids, test_outcomes), len(s.test_ids) AS n_named,
    coalesce(s.occurred_at, s.recorded_at) AS given_at, s.import_id::VARCHAR AS import_id, i.label AS artifact, i.format,
    i.sha256, a.run_id IS NOT NULL AS accepted,
    a.run_id IS NULL AND coalesce(s.occurred_at < l.started_at - $older_by::INTERVAL, false) AS is_older
FROM signal_readings s LEFT JOIN imports i ON i.import_id = s.import_id LEFT JOIN ledger l ON l.run_id = s.run_id
LEFT JOIN (SELECT DISTINCT run_id, import_id FROM report_acceptances) a
    ON a.run_id = s.run_id AND a.import_id = s.import_id
WHERE s.run_id = try_cast($run_id AS UUID)
ORDER BY given_at DESC, s.recorded_at DESC, s.line DESC

-- name: reports
-- The readings again, for quality/combining.py to say what their tests amount to.
SELECT 0::BIGINT AS place, coalesce(s.occurred_at, s.recorded_at) AS given_at, s.recorded_at, s.line, s.occurred_at,
    a.run_id IS NOT NULL AS accepted, s.test_pass_rate, s.tests_total, s.tests_passed, s.tests_failed, s.tests_errors,
    s.tests_skipped, s.tests_flaky, s.test_ids, s.test_outcomes, s.runner, s.build_success, s.verified_by_ci
FROM signal_readings s LEFT JOIN (SELECT DISTINCT run_id, import_id FROM report_acceptances) a
    ON a.run_id = s.run_id AND a.import_id = s.import_id
WHERE s.run_id = try_cast($run_id AS UUID)

-- name: evidence
SELECT e.evidence_id::VARCHAR AS evidence_id, e.signal, e.text, e.line, e.first_line, e.member,
    e.import_id::VARCHAR AS import_id, i.label AS artifact, i.sha256, e.recorded_at
FROM evidence e LEFT JOIN imports i ON i.import_id = e.import_id
WHERE e.run_id = try_cast($run_id AS UUID)
ORDER BY e.recorded_at DESC, e.line

-- name: attestations
SELECT model_version, original, actor, recorded_at FROM attestations
WHERE run_id = try_cast($run_id AS UUID) ORDER BY recorded_at DESC

-- name: attributes
SELECT attributes FROM run_facts WHERE run_id = try_cast($run_id AS UUID) AND attributes IS NOT NULL
ORDER BY recorded_at DESC, line DESC LIMIT 1

-- name: settings_of
SELECT settings FROM settings_sets WHERE hash = $hash ORDER BY valid_from DESC LIMIT 1
