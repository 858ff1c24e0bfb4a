-- Schema 3: evaluations of prompts.

-- name: prompt_texts
-- Each text once, by the SHA-256 of its UTF-8.
CREATE TABLE prompt_texts (sha256 VARCHAR, text VARCHAR, recorded_at TIMESTAMPTZ, actor VARCHAR);

-- name: evaluations
-- Evaluations of one prompt, versions of it included, share `story_id` and `name`. line = place in its batch.
-- dimensions, suggestions, warnings and weights are JSON; backend is NULL for a recorded reply.
CREATE TABLE evaluations (
    evaluation_id UUID, name VARCHAR, story_id VARCHAR, prompt_sha256 VARCHAR, status VARCHAR, overall DOUBLE,
    dimensions VARCHAR, suggestions VARCHAR, failure_code VARCHAR, failure_message VARCHAR, warnings VARCHAR,
    weights VARCHAR, backend VARCHAR, model VARCHAR, prompt_version VARCHAR, input_tokens BIGINT, output_tokens BIGINT,
    latency_ms DOUBLE, stop_reason VARCHAR, cost_usd DOUBLE, scripted BOOLEAN, reply VARCHAR, line BIGINT,
    occurred_at TIMESTAMPTZ, recorded_at TIMESTAMPTZ, actor VARCHAR, import_id UUID
);
