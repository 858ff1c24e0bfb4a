-- Words that are to be forgotten (quality/ledger/redactions.py): what they are, where they stand, and taking them out.
-- `/* table */` and `/* column */` stand for each text column of the file in turn.

-- name: of_rating
-- The statements `of_…` give the texts of one thing, and what it is about.
SELECT note AS text, run_id::VARCHAR AS run_id, NULL AS story_id, NULL AS import_id, recorded_at
FROM (FROM overrides UNION ALL BY NAME FROM withdrawn.overrides) WHERE override_id = try_cast($id AS UUID)

-- name: of_verdict
-- With the lines that it was read from, and the review as it was asked for.
WITH meant AS (
    SELECT * FROM (FROM verdicts UNION ALL BY NAME FROM withdrawn.verdicts) WHERE verdict_id = try_cast($id AS UUID))
SELECT note AS text, run_id::VARCHAR AS run_id, NULL AS story_id, import_id::VARCHAR AS import_id, recorded_at FROM meant
UNION ALL SELECT e.text, e.run_id::VARCHAR, NULL, e.import_id::VARCHAR, e.recorded_at
FROM (FROM evidence UNION ALL BY NAME FROM withdrawn.evidence) e JOIN meant m
    ON e.run_id = m.run_id AND e.recorded_at = m.recorded_at AND e.import_id IS NOT DISTINCT FROM m.import_id
WHERE e.signal = 'verifier'
UNION ALL SELECT json_extract_string(a.request, '$.review'), NULL, NULL, NULL, a.recorded_at
FROM audit a JOIN meant m USING (recorded_at) WHERE a.name = 'add_verdict'

-- name: of_evidence
-- With the excerpts of the same artifact that share a line with it.
WITH kept AS (
    SELECT *, first_line + len(string_split(text, chr(10))) - 1 AS last_line
    FROM (FROM evidence UNION ALL BY NAME FROM withdrawn.evidence)),
meant AS (SELECT * FROM kept WHERE evidence_id = try_cast($id AS UUID))
SELECT k.text, k.run_id::VARCHAR AS run_id, NULL AS story_id, k.import_id::VARCHAR AS import_id, k.recorded_at
FROM kept k JOIN meant m ON k.evidence_id = m.evidence_id OR (
    k.import_id = m.import_id AND k.member IS NOT DISTINCT FROM m.member
    AND k.first_line <= m.last_line AND k.last_line >= m.first_line)

-- name: of_rejects
SELECT r.value AS text, NULL AS run_id, NULL AS story_id, i.import_id::VARCHAR AS import_id, i.recorded_at
FROM imports i LEFT JOIN (FROM rejects UNION ALL BY NAME FROM withdrawn.rejects) r USING (import_id)
WHERE i.import_id = try_cast($id AS UUID)

-- name: of_title
-- All that any source or person ever called the story, under this id or one that was merged into it.
SELECT title AS text, NULL AS run_id, story_id, NULL AS import_id, recorded_at
FROM (FROM story_facts UNION ALL BY NAME FROM withdrawn.story_facts) WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))
UNION ALL SELECT unnest([title, json_extract_string(before, '$.title')]), NULL, story_id, NULL, recorded_at
FROM story_edits WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))

-- name: of_criteria
SELECT done_criteria AS text, NULL AS run_id, story_id, NULL AS import_id, recorded_at
FROM (FROM story_facts UNION ALL BY NAME FROM withdrawn.story_facts) WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))
UNION ALL SELECT unnest([done_criteria, json_extract_string(before, '$.done_criteria')]), NULL, story_id, NULL, recorded_at
FROM story_edits WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))

-- name: runs_of_stories
SELECT run_id::VARCHAR AS run_id FROM (FROM runs UNION ALL BY NAME FROM withdrawn.runs)
WHERE story_id IN (SELECT unnest($ids::VARCHAR[]))

-- name: columns
-- Every text column of the file, twins of withdrawn imports included.
SELECT schema_name || '.' || table_name AS "table", table_name AS name, list(column_name ORDER BY column_index) AS columns,
    list(column_name ORDER BY column_index) FILTER (data_type = 'VARCHAR') AS texts
FROM duckdb_columns() SEMI JOIN (
    SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT temporary AND NOT internal) t
    USING (schema_name, table_name)
WHERE database_name = current_database() GROUP BY ALL ORDER BY ALL

-- name: holding
-- Values that one of the texts stands in, as it is or as JSON writes it.
SELECT rowid AS place, "/* column */" AS value, /* run */ AS run_id, /* story */ AS story_id
FROM /* table */
WHERE "/* column */" IS NOT NULL AND (/* scope */)
    AND len(list_filter($needles::VARCHAR[], lambda needle: contains("/* column */", needle))) > 0


-- name: within_run_id
run_id IN (SELECT unnest($runs::UUID[]))

-- name: within_story_id
story_id IN (SELECT unnest($stories::VARCHAR[]))

-- name: within_import_id
import_id IN (SELECT unnest($imports::UUID[]))

-- name: within_audit
recorded_at IN (SELECT unnest($instants::TIMESTAMPTZ[])) OR len(list_filter($names::VARCHAR[],
    lambda said: contains(request, said) OR contains(answer, said))) > 0

-- name: within_prompt_texts
sha256 IN (SELECT prompt_sha256 FROM evaluations WHERE story_id IN (SELECT unnest($stories::VARCHAR[])))

-- name: write
UPDATE /* table */ AS kept SET "/* column */" = changed.value FROM changed WHERE kept.rowid = changed.place

-- name: remaining
SELECT count(*) FROM /* table */ WHERE contains("/* column */", $text)

-- name: touch
-- The rows of the ledger that follow what was changed.
INSERT INTO touched SELECT run_id FROM runs
WHERE run_id IN (SELECT unnest($runs::UUID[])) OR story_id IN (SELECT unnest($stories::VARCHAR[]))

-- name: key
SELECT value FROM meta WHERE key = 'redaction_key'

-- name: keep_key
INSERT INTO meta VALUES ('redaction_key', $key)

-- name: add
INSERT INTO redactions BY NAME
SELECT uuidv7() AS redaction_id, $kind AS kind, $target::VARCHAR AS target, $run_id::UUID AS run_id,
    $story_id::VARCHAR AS story_id, $texts::BIGINT AS texts, $characters::BIGINT AS characters, $places::BIGINT AS places,
    $keyed_hash AS keyed_hash, $reason AS reason, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor
RETURNING redaction_id::VARCHAR

-- name: list
SELECT redaction_id::VARCHAR AS redaction_id, kind, target, run_id::VARCHAR AS run_id, story_id, texts, characters,
    places, reason, actor, recorded_at
FROM redactions
WHERE ($run_id::VARCHAR IS NULL OR run_id = try_cast($run_id AS UUID))
    AND ($story_ids::VARCHAR[] IS NULL OR story_id IN (SELECT unnest($story_ids::VARCHAR[])))
ORDER BY recorded_at DESC LIMIT $limit

-- name: run_of
SELECT run_id::VARCHAR AS run_id, story_id, agent, model_version, attempt FROM ledger WHERE run_id = try_cast($run_id AS UUID)

-- name: path
SELECT path FROM duckdb_databases() WHERE database_name = current_database()

-- name: pending
-- That the file still has to be written afresh, so that nothing of what was taken out is among its bytes.
SELECT count(*) > 0 AS pending FROM meta WHERE key = 'rewrite'

-- name: note_pending
INSERT INTO meta SELECT 'rewrite', 'pending' WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = 'rewrite')

-- name: done
DELETE FROM meta WHERE key = 'rewrite'

-- name: empty
DELETE FROM /* table */

-- name: rows
SELECT * FROM /* table */

-- name: fill
INSERT INTO /* table */ BY NAME SELECT * FROM part

-- name: count
SELECT count(*) AS n FROM /* table */

-- name: targets
-- What was forgotten by its id, as far as these say.
SELECT kind, target FROM redactions
WHERE redaction_id IN (SELECT unnest($ids::UUID[])) AND target IS NOT NULL ORDER BY recorded_at
