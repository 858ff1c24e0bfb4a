-- Evaluations of prompts: stored once, read as a history.

-- name: add_prompt_text
INSERT INTO prompt_texts BY NAME
SELECT $sha256 AS sha256, $text AS text, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
WHERE $sha256 NOT IN (SELECT sha256 FROM prompt_texts)

-- name: add_evaluation
INSERT INTO evaluations BY NAME
SELECT uuidv7() AS evaluation_id, $name AS name, $story_id::VARCHAR AS story_id, $prompt_sha256 AS prompt_sha256,
    $status AS status, $overall::DOUBLE AS overall, $dimensions AS dimensions, $suggestions AS suggestions,
    $failure_code::VARCHAR AS failure_code, $failure_message::VARCHAR AS failure_message, $warnings AS warnings,
    $weights AS weights, $backend::VARCHAR AS backend, $model::VARCHAR AS model,
    $prompt_version::VARCHAR AS prompt_version, $input_tokens::BIGINT AS input_tokens,
    $output_tokens::BIGINT AS output_tokens, $latency_ms::DOUBLE AS latency_ms,
    $stop_reason::VARCHAR AS stop_reason, $cost_usd::DOUBLE AS cost_usd, $scripted::BOOLEAN AS scripted,
    $reply::VARCHAR AS reply, $line::BIGINT AS line, $occurred_at::TIMESTAMPTZ AS occurred_at,
    $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
RETURNING evaluation_id::VARCHAR
