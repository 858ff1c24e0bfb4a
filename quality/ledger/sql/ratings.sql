-- Writes of single people: ratings, their withdrawal, attestations; and the audit of every command.

-- name: find_run
-- The run a choice means: by id, or the latest of the story that fits the stated parts of the key.
SELECT run_id::VARCHAR AS run_id, story_id, agent, model_version, attempt
FROM ledger
WHERE story_id = $story_id
    AND ($run_id IS NULL OR run_id = try_cast($run_id AS UUID))
    AND ($agent IS NULL OR agent = $agent)
    AND ($model_version IS NULL OR model_version = $model_version)
    AND ($attempt IS NULL OR attempt = $attempt)
    AND (NOT $unsettled OR split_model OR model_version = 'unknown')
    AND (NOT $attested OR run_id IN (SELECT run_id FROM attestations))
ORDER BY coalesce(auto_at, recorded_at) DESC, attempt DESC, run_id DESC
LIMIT 1

-- name: runs_of_story
SELECT agent, model_version, attempt FROM ledger WHERE story_id = $story_id ORDER BY recorded_at, run_id LIMIT 20

-- name: story_exists
SELECT 1 FROM story_facts WHERE story_id = $story_id UNION ALL SELECT 1 FROM runs WHERE story_id = $story_id LIMIT 1

-- name: similar_stories
SELECT story_id FROM (SELECT DISTINCT story_id FROM story_facts)
ORDER BY jaro_winkler_similarity(lower(story_id), lower($story_id)) DESC, story_id LIMIT 3

-- name: add_story
INSERT INTO story_facts BY NAME
SELECT uuidv7() AS story_fact_id, $story_id AS story_id, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor

-- name: add_run
INSERT INTO runs BY NAME
SELECT uuidv7() AS run_id, $story_id AS story_id, $agent AS agent, $model_version AS model_version, $attempt AS attempt,
    $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
RETURNING run_id::VARCHAR

-- name: add_rating
INSERT INTO overrides BY NAME
SELECT uuidv7() AS override_id, $run_id::UUID AS run_id, $rating::DOUBLE AS quality, 1 AS n_ratings,
    false AS raters_disagree, $correct::BOOLEAN AS correct, $rework::BOOLEAN AS rework, $note AS note,
    $reviewer AS reviewer, $review_reason AS review_reason, $review_probability::DOUBLE AS review_probability,
    $given_at::TIMESTAMPTZ AS occurred_at, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
RETURNING override_id::VARCHAR

-- name: latest_standing_rating
-- Of the story, or of one run, by one reviewer or by anybody.
SELECT o.override_id::VARCHAR AS override_id, o.run_id::VARCHAR AS run_id, o.quality, o.note, o.reviewer
FROM overrides o JOIN runs r USING (run_id)
WHERE r.story_id IN (SELECT unnest($story_ids::VARCHAR[])) AND o.withdraws IS NULL
    AND ($run_id IS NULL OR o.run_id = try_cast($run_id AS UUID))
    AND ($reviewer IS NULL OR o.reviewer = $reviewer)
    AND o.override_id NOT IN (SELECT withdraws FROM overrides WHERE withdraws IS NOT NULL)
ORDER BY o.recorded_at DESC, o.line DESC
LIMIT 1

-- name: withdraw_rating
INSERT INTO overrides BY NAME
SELECT uuidv7() AS override_id, $run_id::UUID AS run_id, $withdraws::UUID AS withdraws, $reviewer AS reviewer,
    $now::TIMESTAMPTZ AS recorded_at, $actor AS actor

-- name: attest
INSERT INTO attestations BY NAME
SELECT uuidv7() AS attestation_id, $run_id::UUID AS run_id, $model AS model_version, $original AS original,
    $now::TIMESTAMPTZ AS recorded_at, $actor AS actor

-- name: past_answer
SELECT name, answer FROM audit WHERE idempotency_key = $idempotency_key LIMIT 1

-- name: add_audit
INSERT INTO audit BY NAME
SELECT uuidv7() AS command_id, $idempotency_key AS idempotency_key, $name AS name, $actor AS actor,
    $now::TIMESTAMPTZ AS recorded_at, $request AS request, $answer AS answer

-- name: current_settings
SELECT hash FROM settings_sets ORDER BY valid_from DESC LIMIT 1

-- name: add_settings
INSERT INTO settings_sets SELECT $hash, $settings, $now::TIMESTAMPTZ, $actor
