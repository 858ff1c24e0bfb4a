-- Schema 4: responses with their feedback, and improvement candidates.

-- name: responses
-- What was stated about a response, each time it was stated in other words: the latest counts. content_key = hash of the
-- words. The four changes of the diagnostics are known together or not at all. tools and weights are JSON; line = place
-- in its batch.
CREATE TABLE responses (
    statement_id UUID, response_id VARCHAR, content_key VARCHAR, model VARCHAR, provider VARCHAR, agent VARCHAR,
    session_id VARCHAR, story_id VARCHAR, tools_ok BIGINT, tools_failed BIGINT, tools_unknown BIGINT, tools VARCHAR,
    response_error BOOLEAN, error VARCHAR, new_errors BIGINT, new_warnings BIGINT, resolved_errors BIGINT,
    resolved_warnings BIGINT, input_tokens BIGINT, output_tokens BIGINT, reasoning_tokens BIGINT, cache_read_tokens BIGINT,
    cache_write_tokens BIGINT, weights VARCHAR, line BIGINT, occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: response_feedback
-- What people did with responses. event_id is the caller's; on a response that is not in `responses` it is held.
CREATE TABLE response_feedback (
    feedback_id UUID, response_id VARCHAR, event_id VARCHAR, signal VARCHAR, occurred_at TIMESTAMPTZ,
    recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: response_scores
-- Every score that a response had, the first included. cause: stored, restated, feedback or settings.
CREATE TABLE response_scores (
    score_id UUID, response_id VARCHAR, cause VARCHAR, composite DOUBLE, correctness DOUBLE, user_feedback DOUBLE,
    static_analysis DOUBLE, coverage DOUBLE, settings_hash VARCHAR, recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: response_regressions
-- Each change of how severe a response's regression is; severity NULL = it is none any more.
CREATE TABLE response_regressions (
    regression_id UUID, response_id VARCHAR, severity VARCHAR, delta DOUBLE, composite DOUBLE, model VARCHAR,
    recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: response_settings
-- Weights and points (JSON) that scores were made with, by hash.
CREATE TABLE response_settings (hash VARCHAR, settings VARCHAR, recorded_at TIMESTAMPTZ, actor VARCHAR);

-- name: response_rows
-- A row a response, derived from the tables above and kept current: its latest statement, its feedback counted, its
-- score, and its place among its model's. ts = occurred_at, else when it was first recorded, in the order of its batch.
CREATE TABLE response_rows (
    response_id VARCHAR, model VARCHAR, provider VARCHAR, agent VARCHAR, session_id VARCHAR, story_id VARCHAR,
    tools_ok BIGINT, tools_failed BIGINT, tools_unknown BIGINT, tools VARCHAR, response_error BOOLEAN, error VARCHAR,
    new_errors BIGINT, new_warnings BIGINT, resolved_errors BIGINT, resolved_warnings BIGINT, input_tokens BIGINT,
    output_tokens BIGINT, reasoning_tokens BIGINT, cache_read_tokens BIGINT, cache_write_tokens BIGINT, weights VARCHAR,
    accept BIGINT, revert BIGINT, redo BIGINT, edit_after_apply BIGINT, composite DOUBLE, correctness DOUBLE,
    user_feedback DOUBLE, static_analysis DOUBLE, coverage DOUBLE, settings_hash VARCHAR, rolling_mean DOUBLE, delta DOUBLE,
    severity VARCHAR, ts TIMESTAMPTZ, recorded_at TIMESTAMPTZ
);

-- name: rankings
-- Ranked candidates of an improvement run. content_key = hash of the ranking, so that the same one is here once;
-- candidate_run = its run_id; head (JSON) = the ranking without its candidates, protected_paths (JSON) = patterns in force.
-- source and source_sha256 point to the input; simulated = judged by the mock.
CREATE TABLE rankings (
    ranking_id UUID, content_key VARCHAR, candidate_run VARCHAR, critic_mode VARCHAR, panel BOOLEAN, evidence BOOLEAN,
    backend_used VARCHAR, simulated BOOLEAN, source VARCHAR, source_sha256 VARCHAR, protected_paths VARCHAR,
    candidates BIGINT, accepted BIGINT, held BIGINT, rejected BIGINT, head VARCHAR,
    occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR
);

-- name: ranked_candidates
-- A row a candidate of a ranking; line = its place, from 1. category and risk_level as they count; votes and
-- review_scores are in the order of reviewers, empty without a panel. document (JSON) = all that the ranking says of it.
CREATE TABLE ranked_candidates (
    ranking_id UUID, line BIGINT, candidate VARCHAR, category VARCHAR, risk_level VARCHAR, score DOUBLE,
    recommendation VARCHAR, label VARCHAR, reviewers VARCHAR[], votes VARCHAR[], review_scores DOUBLE[], document VARCHAR
);
