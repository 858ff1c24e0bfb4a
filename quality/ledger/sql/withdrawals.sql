-- What a withdrawn import brought is set aside (quality/ledger/withdrawals.py): `table` stands for one of the tables
-- that have a twin in the schema `withdrawn`.

-- name: add_turn
INSERT INTO import_withdrawals BY NAME
SELECT $import_id::UUID AS import_id, $reinstates::BOOLEAN AS reinstates, $reason::VARCHAR AS reason, $actor AS actor,
    $now::TIMESTAMPTZ AS recorded_at

-- name: any
-- Whether an import was ever withdrawn, so that something may lie aside.
SELECT EXISTS (SELECT 1 FROM import_withdrawals)

-- name: any_runs_aside
SELECT EXISTS (SELECT 1 FROM withdrawn.runs)

-- name: set_aside
INSERT INTO withdrawn./* table */ BY NAME
SELECT * FROM /* table */ WHERE import_id IN (SELECT import_id FROM withdrawn.imports)

-- name: leave_out
DELETE FROM /* table */ WHERE import_id IN (SELECT import_id FROM withdrawn.imports)

-- name: take_back
INSERT INTO /* table */ BY NAME
SELECT * FROM withdrawn./* table */
WHERE import_id IS NOT NULL AND import_id NOT IN (SELECT import_id FROM withdrawn.imports)

-- name: not_aside
DELETE FROM withdrawn./* table */
WHERE import_id IS NOT NULL AND import_id NOT IN (SELECT import_id FROM withdrawn.imports)

-- name: find_spoken_of
-- Runs that an import which stands says something of.
CREATE OR REPLACE TEMP TABLE spoken_of_runs AS
SELECT run_id FROM run_facts
UNION SELECT run_id FROM signal_readings
UNION SELECT run_id FROM verdicts
UNION SELECT run_id FROM evidence
UNION SELECT run_id FROM overrides WHERE import_id IS NOT NULL

-- name: find_gone
-- Runs that only withdrawn imports brought.
CREATE OR REPLACE TEMP TABLE moving AS
SELECT run_id FROM runs ANTI JOIN spoken_of_runs USING (run_id)
WHERE import_id IN (SELECT import_id FROM withdrawn.imports)

-- name: find_back
CREATE OR REPLACE TEMP TABLE moving AS
SELECT run_id FROM withdrawn.runs
WHERE import_id NOT IN (SELECT import_id FROM withdrawn.imports) OR run_id IN (SELECT run_id FROM spoken_of_runs)

-- name: count_moving
SELECT count(*) FROM moving

-- name: moving_out
INSERT INTO withdrawn./* table */ BY NAME SELECT * FROM /* table */ SEMI JOIN moving USING (run_id)

-- name: moved_out
DELETE FROM /* table */ WHERE run_id IN (SELECT run_id FROM moving)

-- name: moving_in
INSERT INTO /* table */ BY NAME SELECT * FROM withdrawn./* table */ SEMI JOIN moving USING (run_id)

-- name: moved_in
DELETE FROM withdrawn./* table */ WHERE run_id IN (SELECT run_id FROM moving)

-- name: moving_in_own
-- Of a table whose rows come by imports too: what people said by themselves.
INSERT INTO /* table */ BY NAME
SELECT * FROM withdrawn./* table */ SEMI JOIN moving USING (run_id) WHERE import_id IS NULL

-- name: moved_in_own
DELETE FROM withdrawn./* table */ WHERE import_id IS NULL AND run_id IN (SELECT run_id FROM moving)

-- name: everything_back
INSERT INTO /* table */ BY NAME SELECT * FROM withdrawn./* table */

-- name: nothing_aside
DELETE FROM withdrawn./* table */

-- name: told
-- Which import says something of which run; what it says may lie aside.
SELECT run_id, import_id FROM runs UNION ALL SELECT run_id, import_id FROM withdrawn.runs
UNION ALL SELECT run_id, import_id FROM run_facts UNION ALL SELECT run_id, import_id FROM withdrawn.run_facts
UNION ALL SELECT run_id, import_id FROM signal_readings
UNION ALL SELECT run_id, import_id FROM withdrawn.signal_readings
UNION ALL SELECT run_id, import_id FROM verdicts UNION ALL SELECT run_id, import_id FROM withdrawn.verdicts
UNION ALL SELECT run_id, import_id FROM overrides UNION ALL SELECT run_id, import_id FROM withdrawn.overrides
UNION ALL SELECT run_id, import_id FROM evidence UNION ALL SELECT run_id, import_id FROM withdrawn.evidence

-- name: touch_import
-- The runs that an import says something of, or of whose story; what it says may lie aside.
INSERT INTO touched
SELECT run_id FROM (/* told */)
WHERE import_id = $import_id::UUID
UNION
SELECT run_id FROM runs SEMI JOIN (
    SELECT story_id, import_id FROM story_facts UNION ALL SELECT story_id, import_id FROM withdrawn.story_facts) f
    ON f.story_id = runs.story_id AND f.import_id = $import_id::UUID

-- name: touch_aside
INSERT INTO touched SELECT run_id FROM withdrawn.runs
UNION SELECT run_id FROM withdrawn.run_facts
UNION SELECT run_id FROM withdrawn.signal_readings
UNION SELECT run_id FROM withdrawn.verdicts
UNION SELECT run_id FROM withdrawn.overrides
UNION SELECT run_id FROM withdrawn.evidence
UNION SELECT run_id FROM runs SEMI JOIN withdrawn.story_facts USING (story_id)

-- name: forget_rows
DELETE FROM ledger WHERE run_id IN (SELECT run_id FROM touched) AND run_id NOT IN (SELECT run_id FROM runs)

-- name: forget_touched
DELETE FROM touched WHERE run_id NOT IN (SELECT run_id FROM runs)

-- name: find_named
-- Runs that lie aside and are meant by what is read (`matched`): by id, or, where no run that stands is meant, by key or
-- by the key that was attested; of each named run one.
CREATE OR REPLACE TEMP TABLE moving AS
WITH attested AS (
    SELECT run_id, arg_max(model_version, recorded_at) AS model_version FROM withdrawn.attestations GROUP BY run_id
),
named AS (
    SELECT m.run, r.run_id, 1 AS way FROM matched m JOIN withdrawn.runs r ON r.run_id = m.given_id
    UNION ALL
    SELECT m.run, r.run_id, 2 AS way FROM matched m JOIN withdrawn.runs r USING (story_id, agent, model_version, attempt)
    WHERE m.run_id IS NULL
    UNION ALL
    SELECT m.run, r.run_id, 3 AS way FROM matched m JOIN withdrawn.runs r USING (story_id, agent, attempt)
    JOIN attested a ON a.run_id = r.run_id AND a.model_version = m.model_version
    WHERE m.run_id IS NULL
)
SELECT DISTINCT run_id
FROM (FROM named QUALIFY row_number() OVER (PARTITION BY run ORDER BY way, run_id DESC) = 1)

-- name: find_keyed
CREATE OR REPLACE TEMP TABLE moving AS
SELECT run_id FROM withdrawn.runs WHERE story_id = $story_id AND agent = $agent AND model_version = $model_version
    AND attempt = $attempt

-- name: name_moving
-- That a run was named again keeps it, whatever else is said of it.
INSERT INTO run_facts BY NAME
SELECT uuidv7() AS run_fact_id, run_id, $now::TIMESTAMPTZ AS recorded_at, $actor AS actor, $import_id::UUID AS import_id
FROM moving

-- name: moved_run
SELECT run_id::VARCHAR AS run_id FROM moving LIMIT 1

-- name: withdrawn_then
-- As of an instant (quality/ledger/as_of.py): the imports that were withdrawn then.
CREATE OR REPLACE TEMP TABLE withdrawn_then AS
SELECT import_id FROM import_withdrawals WHERE recorded_at <= $as_of
GROUP BY import_id HAVING NOT coalesce(arg_max(reinstates, recorded_at), false)

-- name: turned_since
CREATE OR REPLACE TEMP TABLE turned AS SELECT DISTINCT import_id FROM import_withdrawals WHERE recorded_at > $as_of

-- name: touch_since
-- The runs of imports that were withdrawn, or reinstated, since.
INSERT INTO touched
SELECT run_id FROM (/* told */)
SEMI JOIN turned USING (import_id)
UNION
SELECT run_id FROM (SELECT run_id, story_id FROM runs UNION ALL SELECT run_id, story_id FROM withdrawn.runs)
SEMI JOIN (
    SELECT story_id FROM (
        SELECT story_id, import_id FROM story_facts UNION ALL SELECT story_id, import_id FROM withdrawn.story_facts)
    SEMI JOIN turned USING (import_id)) USING (story_id)

-- name: as_then
-- From here on the table is this one, with what stood then of the touched runs, in this snapshot and for nobody else.
CREATE TEMP TABLE /* table */ AS
SELECT * FROM (FROM /* table */ UNION ALL BY NAME FROM withdrawn./* table */)
SEMI JOIN touched USING (run_id) ANTI JOIN withdrawn_then USING (import_id)

-- name: as_then_about
CREATE TEMP TABLE /* table */ AS
SELECT * FROM (FROM /* table */ UNION ALL BY NAME FROM withdrawn./* table */) SEMI JOIN touched USING (run_id)

-- name: as_then_stories
CREATE TEMP TABLE story_facts AS
SELECT * FROM (FROM story_facts UNION ALL BY NAME FROM withdrawn.story_facts) ANTI JOIN withdrawn_then USING (import_id)

-- name: as_then_runs
-- Of the touched runs those that stood then; the others as they are.
CREATE TEMP TABLE runs AS
WITH spoken_of AS (
    SELECT run_id FROM run_facts WHERE recorded_at <= $as_of
    UNION SELECT run_id FROM signal_readings WHERE recorded_at <= $as_of
    UNION SELECT run_id FROM verdicts WHERE recorded_at <= $as_of
    UNION SELECT run_id FROM evidence WHERE recorded_at <= $as_of
    UNION SELECT run_id FROM overrides WHERE import_id IS NOT NULL AND recorded_at <= $as_of
)
SELECT * FROM runs ANTI JOIN touched USING (run_id)
UNION ALL BY NAME
SELECT * FROM (FROM runs UNION ALL BY NAME FROM withdrawn.runs) r SEMI JOIN touched USING (run_id)
WHERE r.import_id IS NULL OR r.import_id NOT IN (SELECT import_id FROM withdrawn_then)
    OR r.run_id IN (SELECT run_id FROM spoken_of)
