-- Schema 1. Observation tables are append-only; `ledger` is derived from them, a row a run.
-- No keys, constraints or sequences: identity is a UUIDv7, idempotence an anti-join (design/001).
-- All times are UTC instants. occurred_at = the source's time, recorded_at = ours.

-- name: meta
CREATE TABLE meta (key VARCHAR, value VARCHAR);

-- name: settings_sets
CREATE TABLE settings_sets (hash VARCHAR, settings VARCHAR, valid_from TIMESTAMPTZ, actor VARCHAR);

-- name: audit
-- Every command that wrote: who, what, when, and the answer it got.
CREATE TABLE audit (
    command_id UUID, idempotency_key VARCHAR, name VARCHAR, actor VARCHAR, recorded_at TIMESTAMPTZ,
    request VARCHAR, answer VARCHAR
);

-- name: imports
CREATE TABLE imports (
    import_id UUID, sha256 VARCHAR, target VARCHAR, label VARCHAR, format VARCHAR, bytes BIGINT, status VARCHAR,
    counts VARCHAR, warnings VARCHAR, actor VARCHAR, recorded_at TIMESTAMPTZ
);

-- name: import_withdrawals
CREATE TABLE import_withdrawals (import_id UUID, actor VARCHAR, reason VARCHAR, recorded_at TIMESTAMPTZ);

-- name: rejects
CREATE TABLE rejects (
    reject_id UUID, import_id UUID, line BIGINT, field VARCHAR, reason VARCHAR, value VARCHAR, actor VARCHAR,
    recorded_at TIMESTAMPTZ
);

-- name: story_facts
CREATE TABLE story_facts (
    story_fact_id UUID, story_id VARCHAR, title VARCHAR, discipline VARCHAR, org_domain VARCHAR, industry VARCHAR,
    phase VARCHAR, estimated_tokens BIGINT, done_criteria VARCHAR, synthetic BOOLEAN, attributes VARCHAR, line BIGINT,
    occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR, import_id UUID
);

-- name: runs
-- The key as first recorded; run_facts and attestations say more later.
CREATE TABLE runs (
    run_id UUID, story_id VARCHAR, agent VARCHAR, model_version VARCHAR, attempt INTEGER,
    recorded_at TIMESTAMPTZ, actor VARCHAR, import_id UUID
);

-- name: run_facts
CREATE TABLE run_facts (
    run_fact_id UUID, run_id UUID, model_at_dispatch VARCHAR, model_at_completion VARCHAR, split_model BOOLEAN,
    attributes VARCHAR, line BIGINT, occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR, import_id UUID
);

-- name: attestations
-- Which model did a run whose model was unknown or split; the original stays in `runs`.
CREATE TABLE attestations (
    attestation_id UUID, run_id UUID, model_version VARCHAR, original VARCHAR, recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: signal_readings
CREATE TABLE signal_readings (
    reading_id UUID, run_id UUID, test_pass_rate DOUBLE, tests_total INTEGER, tests_passed INTEGER, tests_failed INTEGER,
    tests_errors INTEGER, tests_skipped INTEGER, tests_flaky INTEGER, build_success BOOLEAN, verified_by_ci BOOLEAN,
    rework_count INTEGER, micro_rework INTEGER, pr_review_cycles INTEGER, duration_vs_estimate DOUBLE, line BIGINT,
    occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR, import_id UUID
);

-- name: verdicts
CREATE TABLE verdicts (
    verdict_id UUID, run_id UUID, source_id VARCHAR, quality DOUBLE, raw VARCHAR, n_ratings INTEGER,
    raters_disagree BOOLEAN, correct BOOLEAN, rework BOOLEAN, note VARCHAR, verifier_agent VARCHAR, verifier_model VARCHAR,
    conflicting BOOLEAN, simulated BOOLEAN, line BIGINT,
    occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR, import_id UUID
);

-- name: overrides
-- A row with `withdraws` set takes that override back; its quality is NULL.
CREATE TABLE overrides (
    override_id UUID, run_id UUID, withdraws UUID, source_id VARCHAR, quality DOUBLE, raw VARCHAR, n_ratings INTEGER,
    raters_disagree BOOLEAN, correct BOOLEAN, rework BOOLEAN, note VARCHAR, reviewer VARCHAR, review_reason VARCHAR,
    review_probability DOUBLE, line BIGINT,
    occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR, import_id UUID
);

-- name: evidence
CREATE TABLE evidence (
    evidence_id UUID, run_id UUID, signal VARCHAR, text VARCHAR, line BIGINT,
    occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR, import_id UUID
);

-- name: ledger
-- First what was resolved of the observations, then (from `model` on) what quality/scoring.py makes of it.
-- model = the canonical id of model_version; quality = the effective score; ts = when it was given.
CREATE TABLE ledger (
    run_id UUID, story_id VARCHAR, title VARCHAR, agent VARCHAR, model_version VARCHAR, attempt INTEGER,
    discipline VARCHAR, org_domain VARCHAR, industry VARCHAR, phase VARCHAR, synthetic BOOLEAN,
    model_at_dispatch VARCHAR, model_at_completion VARCHAR, split_model BOOLEAN, occurred_at TIMESTAMPTZ,
    recorded_at TIMESTAMPTZ, test_pass_rate DOUBLE, tests_total INTEGER, build_success BOOLEAN, verified_by_ci BOOLEAN, rework_count INTEGER,
    micro_rework INTEGER, pr_review_cycles INTEGER, duration_vs_estimate DOUBLE, auto_at TIMESTAMPTZ,
    quality_verifier DOUBLE, n_verifier INTEGER, verifier_agent VARCHAR, verifier_model VARCHAR, verifier_at TIMESTAMPTZ,
    verifier_correct BOOLEAN, verifier_rework BOOLEAN, verifier_spread DOUBLE, verifier_disagree BOOLEAN,
    conflicting BOOLEAN,
    quality_human DOUBLE, n_human INTEGER, reviewer VARCHAR, note VARCHAR, human_at TIMESTAMPTZ,
    human_correct BOOLEAN, human_rework BOOLEAN, human_spread DOUBLE, human_disagree BOOLEAN,
    review_reason VARCHAR, review_probability DOUBLE,
    model VARCHAR, quality_auto DOUBLE, coverage DOUBLE, quality DOUBLE, signal_source VARCHAR, signal_weight DOUBLE,
    low_confidence BOOLEAN, rework BOOLEAN, correct BOOLEAN, accepted BOOLEAN, caveats VARCHAR[], ts TIMESTAMPTZ,
    settings_hash VARCHAR
);
