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
