-- What people say of stories besides their sources: edits, and that two ids are one story (design/DESIGN.md, Storage).

-- name: said
-- All that is said of stories by $as_of, under the id that stands for each. What counts is the last by given_at: a source's
-- word by its time, a person's after it, and before both what was said of an id that was merged into this one.
SELECT coalesce(v.survivor, s.story_id) AS story_id, s.story_id AS told_of, s.recorded_at, s.line, s.title, s.discipline, s.org_domain, s.industry,
    s.phase, s.estimated_tokens, s.done_criteria, s.synthetic, s.attributes, s.is_edit,
    CASE WHEN v.survivor IS NULL AND s.is_edit THEN TIMESTAMPTZ '9999-01-01 00:00:00+00'
        WHEN v.survivor IS NULL THEN s.recorded_at
        WHEN s.is_edit THEN TIMESTAMPTZ '0002-01-01 00:00:00+00'
        ELSE TIMESTAMPTZ '0001-01-01 00:00:00+00' END AS given_at
FROM (
    SELECT story_id, recorded_at, line, title, discipline, org_domain, industry, phase, estimated_tokens, done_criteria,
        synthetic, attributes, false AS is_edit
    FROM story_facts WHERE recorded_at <= $as_of AND story_id IN (SELECT story_id FROM spoken_of)
    UNION ALL
    SELECT story_id, recorded_at, NULL, title, discipline, org_domain, industry, phase, estimated_tokens, done_criteria,
        NULL, NULL, true
    FROM story_edits e WHERE recorded_at <= $as_of AND undoes IS NULL AND story_id IN (SELECT story_id FROM spoken_of)
        AND NOT EXISTS (SELECT 1 FROM story_edits u WHERE u.undoes = e.edit_id AND u.recorded_at <= $as_of)) AS s
LEFT JOIN story_survivors v USING (story_id)

-- name: gather_said
-- Of the stories of the runs in `chunk`.
CREATE OR REPLACE TEMP TABLE said AS
WITH meant AS (
    SELECT DISTINCT coalesce(v.survivor, r.story_id) AS story_id
    FROM runs r SEMI JOIN chunk USING (run_id) LEFT JOIN story_survivors v USING (story_id)
), spoken_of AS (
    SELECT story_id FROM meant UNION ALL SELECT v.story_id FROM story_survivors v JOIN meant m ON m.story_id = v.survivor
)
/* said */

-- name: stories
SELECT story_id, given_at, recorded_at, line, title, discipline, org_domain, industry, phase, synthetic FROM said

-- name: estimates
-- Of ids whose estimate is another than a source says of them, since a person corrected it or merged them: what the source
-- says, and what counts. Where no source says any, there is nothing that a ratio was measured against.
SELECT told.told_of, told.stated, meant.corrected
FROM (
    SELECT told_of, any_value(story_id) AS story_id,
        last(estimated_tokens ORDER BY recorded_at, line) FILTER (NOT is_edit AND estimated_tokens > 0) AS stated
    FROM said GROUP BY told_of) AS told
JOIN (
    SELECT story_id, last(estimated_tokens ORDER BY given_at, recorded_at, line) FILTER (estimated_tokens > 0) AS corrected
    FROM said GROUP BY story_id) AS meant USING (story_id)
WHERE told.stated <> meant.corrected

-- name: story
-- One story, as `story` of queries/story.sql.
WITH spoken_of AS (SELECT unnest($ids::VARCHAR[]) AS story_id), said AS (
/* said */
)
SELECT $story_id AS story_id,
    last(title ORDER BY given_at, recorded_at, line) FILTER (title IS NOT NULL) AS title,
    last(discipline ORDER BY given_at, recorded_at, line) FILTER (discipline IS NOT NULL) AS discipline,
    last(org_domain ORDER BY given_at, recorded_at, line) FILTER (org_domain IS NOT NULL) AS org_domain,
    last(industry ORDER BY given_at, recorded_at, line) FILTER (industry IS NOT NULL) AS industry,
    last(phase ORDER BY given_at, recorded_at, line) FILTER (phase IS NOT NULL) AS phase,
    last(estimated_tokens ORDER BY given_at, recorded_at, line) FILTER (estimated_tokens IS NOT NULL) AS estimated_tokens,
    last(done_criteria ORDER BY given_at, recorded_at, line) FILTER (done_criteria IS NOT NULL) AS done_criteria,
    coalesce(last(synthetic ORDER BY given_at, recorded_at, line) FILTER (synthetic IS NOT NULL), false) AS synthetic,
    last(attributes ORDER BY given_at, recorded_at, line) FILTER (attributes IS NOT NULL) AS attributes,
    count(*) AS facts
FROM said

-- name: with_criteria
-- Stories whose done criteria are known, as `with_criteria` of queries/story.sql, where people corrected some.
WITH spoken_of AS (SELECT story_id FROM story_facts UNION SELECT story_id FROM story_edits), said AS (
/* said */
)
SELECT story_id, last(title ORDER BY given_at, recorded_at, line) FILTER (title IS NOT NULL) AS title
FROM said GROUP BY story_id
HAVING last(done_criteria ORDER BY given_at, recorded_at, line) FILTER (done_criteria IS NOT NULL) IS NOT NULL
ORDER BY max(recorded_at) DESC, story_id LIMIT $limit

-- name: ids_of
-- The id that stands for this one, and every id that it stands for, itself first.
WITH meant AS (
    SELECT coalesce((SELECT any_value(survivor) FROM story_survivors WHERE story_id = $story_id), $story_id) AS story_id)
SELECT story_id FROM meant
UNION ALL SELECT v.story_id FROM story_survivors v JOIN meant m ON m.story_id = v.survivor

-- name: is_edited
SELECT EXISTS (SELECT 1 FROM story_edits WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))) AS is_edited

-- name: survivors
-- Merged id → the id that stands for it, as known at $as_of. Of several merges of one id, as a restore of another ledger can
-- bring, the latest holds; ids that were merged in a circle stay as they are.
WITH RECURSIVE standing AS (
    SELECT from_id, arg_max(into_id, recorded_at) AS into_id FROM story_merges m
    WHERE undoes IS NULL AND recorded_at <= $as_of
        AND NOT EXISTS (SELECT 1 FROM story_merges u WHERE u.undoes = m.merge_id AND u.recorded_at <= $as_of)
    GROUP BY from_id
), chain AS (
    SELECT from_id, into_id FROM standing
    UNION SELECT c.from_id, s.into_id FROM chain c JOIN standing s ON s.from_id = c.into_id
)
SELECT from_id AS story_id, into_id AS survivor FROM chain
WHERE into_id NOT IN (SELECT from_id FROM standing)

-- name: forget_survivors
DELETE FROM story_survivors

-- name: derive_survivors
INSERT INTO story_survivors
/* survivors */

-- name: survivors_then
-- From here on `story_survivors` is this one, in this snapshot and for nobody else.
CREATE OR REPLACE TEMP TABLE story_survivors AS
/* survivors */

-- name: runs
-- As `runs` of recompute.sql, with the story that each run is of, and the one that it came with (`told_of`). A run that was merged in keeps its attempt where that is
-- free; else it gets the next number after the highest, in the order in which the runs became known.
WITH gathered AS (
    SELECT r.run_id, v.survivor, r.agent, r.model_version, r.attempt, r.recorded_at, r.story_id <> v.survivor AS moved
    FROM runs r JOIN (
        SELECT story_id, survivor FROM story_survivors UNION SELECT survivor, survivor FROM story_survivors) v
        USING (story_id)
    WHERE r.recorded_at <= $as_of
), placed AS (
    SELECT *, max(attempt) OVER (PARTITION BY survivor, agent, model_version) AS highest,
        row_number() OVER (PARTITION BY survivor, agent, model_version, attempt ORDER BY moved, recorded_at, run_id) > 1
            AS is_taken
    FROM gathered
), numbered AS (
    SELECT run_id, survivor, CASE WHEN is_taken THEN least(highest::BIGINT + row_number() OVER (
        PARTITION BY survivor, agent, model_version, is_taken ORDER BY recorded_at, run_id), 2147483647)::INTEGER
        ELSE attempt END AS attempt
    FROM placed
)
SELECT c.place, r.run_id, coalesce(n.survivor, r.story_id) AS story_id, r.story_id AS told_of, r.agent,
    coalesce(a.model_version, r.model_version) AS model_version, coalesce(n.attempt, r.attempt) AS attempt, r.recorded_at,
    a.model_version IS NOT NULL AS attested
FROM chunk c JOIN runs r USING (run_id) LEFT JOIN numbered n USING (run_id) LEFT JOIN (
    SELECT run_id, arg_max(model_version, recorded_at) AS model_version FROM attestations
    WHERE recorded_at <= $as_of GROUP BY run_id) a USING (run_id)
WHERE r.recorded_at <= $as_of

-- name: has_corrections
SELECT EXISTS (SELECT 1 FROM story_edits) OR EXISTS (SELECT 1 FROM story_survivors) AS has_corrections

-- name: batch_is_corrected
-- Whether a run of the batch is of a story that a person corrected.
SELECT EXISTS (SELECT 1 FROM batch_runs SEMI JOIN (
    SELECT story_id FROM story_edits UNION ALL SELECT story_id FROM story_survivors
    UNION ALL SELECT survivor FROM story_survivors) USING (story_id))

-- name: match_merged
-- A run that is named by a merged id and is not there under it: the run of the story that stands for it with the same key,
-- or, where the key is given in part, the latest that fits.
UPDATE matched SET run_id = found.run_id FROM (
    SELECT b.run, l.run_id
    FROM batch_runs b JOIN story_survivors v USING (story_id) JOIN ledger l ON l.story_id = v.survivor
        AND (b.agent IS NULL OR b.agent = l.agent) AND (b.model_version IS NULL OR b.model_version = l.model_version)
        AND (b.attempt IS NULL OR b.attempt = l.attempt)
    QUALIFY row_number() OVER (
        PARTITION BY b.run ORDER BY coalesce(l.auto_at, l.recorded_at) DESC, l.attempt DESC, l.run_id DESC) = 1) AS found
WHERE matched.run = found.run AND (matched.run_id IS NULL OR matched.run IN (
    SELECT run FROM batch_runs WHERE run_id IS NULL AND (agent IS NULL OR model_version IS NULL OR attempt IS NULL)))

-- name: touch_merged
-- Every run of the merged stories that the batch is about: attempts, and what is known of the story, may change.
INSERT INTO touched SELECT run_id FROM ledger WHERE story_id IN (
    SELECT v.survivor FROM story_survivors v
    WHERE v.story_id IN (SELECT story_id FROM batch_runs) OR v.survivor IN (SELECT story_id FROM batch_runs))

-- name: touch_told
-- The same of stories that something new is known of.
INSERT INTO touched SELECT run_id FROM ledger WHERE story_id IN (
    SELECT v.survivor FROM story_survivors v WHERE v.story_id IN (SELECT story_id FROM story_news))

-- name: leave_out_corrected
-- A row of our own export states a ratio against the corrected estimate; stored, it would be corrected once more.
UPDATE signal_readings SET duration_vs_estimate = NULL
FROM (
    SELECT l.run_id, l.duration_vs_estimate AS ratio FROM ledger l WHERE l.story_id IN (
        SELECT coalesce(v.survivor, e.story_id) FROM story_edits e LEFT JOIN story_survivors v USING (story_id)
        WHERE e.undoes IS NULL AND e.estimated_tokens IS NOT NULL)
    OR l.run_id IN (SELECT run_id FROM runs SEMI JOIN story_survivors USING (story_id))) AS known
WHERE signal_readings.import_id = $import_id::UUID AND signal_readings.run_id = known.run_id
    AND signal_readings.duration_vs_estimate = known.ratio

-- name: touch_all_corrected
INSERT INTO touched SELECT run_id FROM runs WHERE story_id IN (
    SELECT story_id FROM story_edits UNION ALL SELECT from_id FROM story_merges UNION ALL SELECT into_id FROM story_merges)

-- name: touch_stories
INSERT INTO touched SELECT run_id FROM runs WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))

-- name: rows_before
CREATE OR REPLACE TEMP TABLE rows_before AS
SELECT l.run_id, l.story_id, l.attempt, l.quality, l.quality_auto, l.discipline, l.org_domain, l.industry, l.phase
FROM ledger l SEMI JOIN touched USING (run_id)

-- name: changes
-- What became of the rows in `rows_before`.
SELECT count(*) AS runs, count(*) FILTER (l.story_id <> b.story_id) AS moved,
    count(*) FILTER (l.attempt <> b.attempt) AS renumbered,
    count(*) FILTER (l.quality_auto IS DISTINCT FROM b.quality_auto) AS scores,
    count(*) FILTER (l.quality IS DISTINCT FROM b.quality) AS effective,
    count(*) FILTER ((l.discipline, l.org_domain, l.industry, l.phase)
        IS DISTINCT FROM (b.discipline, b.org_domain, b.industry, b.phase)) AS coordinates,
    (SELECT count(*) FROM overrides o WHERE o.withdraws IS NULL AND o.run_id IN (
        SELECT b.run_id FROM rows_before b JOIN ledger l USING (run_id) WHERE l.story_id <> b.story_id)
        AND o.override_id NOT IN (SELECT withdraws FROM overrides WHERE withdraws IS NOT NULL)) AS ratings
FROM ledger l JOIN rows_before b USING (run_id)

-- name: add_edit
INSERT INTO story_edits BY NAME
SELECT uuidv7() AS edit_id, $story_id AS story_id, $undoes::UUID AS undoes, $title::VARCHAR AS title,
    $discipline::VARCHAR AS discipline, $org_domain::VARCHAR AS org_domain, $industry::VARCHAR AS industry,
    $phase::VARCHAR AS phase, $estimated_tokens::BIGINT AS estimated_tokens, $done_criteria::VARCHAR AS done_criteria,
    $before AS before, $reason::VARCHAR AS reason, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
RETURNING edit_id::VARCHAR

-- name: note_known
-- What is known again after an edit was taken back, in the row that takes it back.
UPDATE story_edits SET title = CASE WHEN list_contains($said, 'title') THEN $title END,
    discipline = CASE WHEN list_contains($said, 'discipline') THEN $discipline END,
    org_domain = CASE WHEN list_contains($said, 'org_domain') THEN $org_domain END,
    industry = CASE WHEN list_contains($said, 'industry') THEN $industry END,
    phase = CASE WHEN list_contains($said, 'phase') THEN $phase END,
    estimated_tokens = CASE WHEN list_contains($said, 'estimated_tokens') THEN $estimated_tokens END,
    done_criteria = CASE WHEN list_contains($said, 'done_criteria') THEN $done_criteria END
WHERE edit_id = $edit_id::UUID

-- name: standing_edit
-- The latest edit of these ids that was not taken back, or the one that is named.
SELECT e.* REPLACE (e.edit_id::VARCHAR AS edit_id) FROM story_edits e
WHERE e.undoes IS NULL AND e.story_id IN (SELECT unnest($ids::VARCHAR[]))
    AND ($edit_id IS NULL OR e.edit_id = try_cast($edit_id AS UUID))
    AND e.edit_id NOT IN (SELECT undoes FROM story_edits WHERE undoes IS NOT NULL)
ORDER BY e.recorded_at DESC LIMIT 1

-- name: add_merge
INSERT INTO story_merges BY NAME
SELECT uuidv7() AS merge_id, $from_id AS from_id, $into_id AS into_id, $undoes::UUID AS undoes, $reason::VARCHAR AS reason,
    $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
RETURNING merge_id::VARCHAR

-- name: standing_merge
SELECT m.merge_id::VARCHAR AS merge_id, m.into_id, m.actor, m.reason FROM story_merges m
WHERE m.from_id = $story_id AND m.undoes IS NULL
    AND m.merge_id NOT IN (SELECT undoes FROM story_merges WHERE undoes IS NOT NULL)
ORDER BY m.recorded_at DESC LIMIT 1

-- name: edits_of
-- Edits of these ids and what took them back, the latest first; `stands` where one counts.
SELECT e.* REPLACE (e.edit_id::VARCHAR AS edit_id, e.undoes::VARCHAR AS undoes), e.undoes IS NULL AND e.edit_id NOT IN (
    SELECT undoes FROM story_edits WHERE undoes IS NOT NULL) AS stands
FROM story_edits e WHERE e.story_id IN (SELECT unnest($ids::VARCHAR[]))
ORDER BY e.recorded_at DESC LIMIT $limit

-- name: merges_of
SELECT m.* REPLACE (m.merge_id::VARCHAR AS merge_id, m.undoes::VARCHAR AS undoes), m.undoes IS NULL AND m.merge_id NOT IN (
    SELECT undoes FROM story_merges WHERE undoes IS NOT NULL) AS stands
FROM story_merges m
WHERE m.from_id IN (SELECT unnest($ids::VARCHAR[])) OR m.into_id IN (SELECT unnest($ids::VARCHAR[]))
ORDER BY m.recorded_at DESC LIMIT $limit

-- name: suppose_edits
-- In a snapshot whose rows nobody else sees, a change can be carried out to see what it would do.
CREATE TEMP TABLE story_edits AS SELECT * FROM story_edits

-- name: suppose_merges
CREATE TEMP TABLE story_merges AS SELECT * FROM story_merges

-- name: suppose_survivors
CREATE TEMP TABLE story_survivors AS SELECT * FROM story_survivors

-- name: suppose_rows
CREATE TEMP TABLE ledger AS SELECT * FROM ledger WHERE run_id IN (
    SELECT run_id FROM runs WHERE story_id IN (SELECT unnest($ids::VARCHAR[])))
