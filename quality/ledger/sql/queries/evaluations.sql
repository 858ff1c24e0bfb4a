-- Evaluations of prompts. A prompt is a name, within a story or without one; its version counts its different texts
-- in the order in which they were first evaluated. `/* meant */` stands for the evaluations by the story that they mean.

-- name: meant
(SELECT e.* REPLACE (coalesce(v.survivor, e.story_id) AS story_id)
FROM evaluations e LEFT JOIN story_survivors v ON v.story_id = e.story_id) AS meant

-- name: list
-- Latest first. version, versions and n_evaluations are of the whole prompt, whatever the limit.
SELECT evaluation_id::VARCHAR AS evaluation_id, name, story_id, version, max(version) OVER prompt AS versions,
    count(*) OVER prompt AS n_evaluations, prompt_sha256, length(t.text) AS characters, status, overall, dimensions, suggestions,
    failure_code, failure_message, warnings, weights, backend, model, prompt_version, input_tokens, output_tokens,
    latency_ms, stop_reason, cost_usd, scripted, occurred_at, numbered.recorded_at, numbered.actor
FROM (
    SELECT *, dense_rank() OVER (PARTITION BY story_id, name ORDER BY first_at, first_line) AS version
    FROM (
        SELECT *, first_value(recorded_at) OVER one_text AS first_at, first_value(line) OVER one_text AS first_line
        FROM /* meant */
        WHERE ($name IS NULL OR name = $name) AND ($story_id IS NULL OR story_id = $story_id)
            AND (NOT $no_story OR story_id IS NULL)
        WINDOW one_text AS (PARTITION BY story_id, name, prompt_sha256 ORDER BY recorded_at, line)
    )
) AS numbered
LEFT JOIN prompt_texts t ON t.sha256 = numbered.prompt_sha256
WINDOW prompt AS (PARTITION BY story_id, name)
QUALIFY NOT $latest
    OR row_number() OVER (PARTITION BY story_id, name ORDER BY numbered.recorded_at DESC, line DESC, evaluation_id) = 1
ORDER BY numbered.recorded_at DESC, line DESC, evaluation_id
LIMIT $limit

-- name: count
-- Evaluations that fit, or with `latest` prompts.
SELECT CASE WHEN $latest THEN count(DISTINCT (story_id, name)) ELSE count(*) END AS n
FROM /* meant */
WHERE ($name IS NULL OR name = $name) AND ($story_id IS NULL OR story_id = $story_id)
    AND (NOT $no_story OR story_id IS NULL)

-- name: prompt_of
-- Which prompt an evaluation is of.
SELECT name, story_id FROM /* meant */ WHERE evaluation_id = try_cast($evaluation_id AS UUID)

-- name: words_of
-- What was judged, and what the judge said.
SELECT t.text, e.reply
FROM evaluations e LEFT JOIN prompt_texts t ON t.sha256 = e.prompt_sha256
WHERE e.evaluation_id = try_cast($evaluation_id AS UUID)
