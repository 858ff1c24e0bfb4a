-- Rankings of improvement candidates: stored once.

-- name: known
SELECT ranking_id::VARCHAR AS ranking_id, candidates FROM rankings WHERE content_key = $content_key

-- name: add_ranking
INSERT INTO rankings BY NAME
SELECT uuidv7() AS ranking_id, $content_key AS content_key, $candidate_run AS candidate_run, $critic_mode AS critic_mode,
    $panel::BOOLEAN AS panel, $evidence::BOOLEAN AS evidence, $backend_used::VARCHAR AS backend_used,
    $simulated::BOOLEAN AS simulated, $source::VARCHAR AS source, $source_sha256::VARCHAR AS source_sha256,
    $protected_paths AS protected_paths, $candidates::BIGINT AS candidates, $accepted::BIGINT AS accepted,
    $held::BIGINT AS held, $rejected::BIGINT AS rejected, $head AS head, $occurred_at::TIMESTAMPTZ AS occurred_at,
    $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
RETURNING ranking_id::VARCHAR

-- name: add_candidates
-- `part` is an Arrow table with the columns of ranked_candidates.
INSERT INTO ranked_candidates BY NAME SELECT $ranking_id::UUID AS ranking_id, part.* FROM part ORDER BY line
