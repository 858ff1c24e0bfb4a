-- What one run's imports said when (quality/ledger/run_turns.py): `table` stands for one of the run's tables, which stand alone
-- in the snapshot.

-- name: no_turns
CREATE TEMP TABLE turns_of_run (import_id UUID, label VARCHAR, reinstates BOOLEAN, actor VARCHAR, recorded_at TIMESTAMPTZ)

-- name: gather_turns
-- Withdrawals of the imports that say something of the run or of its story, and what took them back.
INSERT INTO turns_of_run
SELECT w.import_id, i.label, coalesce(w.reinstates, false), w.actor, w.recorded_at
FROM import_withdrawals w LEFT JOIN imports i USING (import_id) SEMI JOIN (
    SELECT import_id FROM run_facts
    UNION SELECT import_id FROM signal_readings UNION SELECT import_id FROM verdicts UNION SELECT import_id FROM overrides
    UNION SELECT import_id FROM evidence UNION SELECT import_id FROM story_facts
    UNION SELECT import_id FROM withdrawn.run_facts WHERE run_id = try_cast($run_id AS UUID)
    UNION SELECT import_id FROM withdrawn.signal_readings WHERE run_id = try_cast($run_id AS UUID)
    UNION SELECT import_id FROM withdrawn.verdicts WHERE run_id = try_cast($run_id AS UUID)
    UNION SELECT import_id FROM withdrawn.overrides WHERE run_id = try_cast($run_id AS UUID)
    UNION SELECT import_id FROM withdrawn.evidence WHERE run_id = try_cast($run_id AS UUID)
    UNION SELECT import_id FROM withdrawn.story_facts WHERE story_id IN (SELECT story_id FROM runs)) USING (import_id)

-- name: any_turns
SELECT EXISTS (SELECT 1 FROM turns_of_run)

-- name: gather
CREATE TEMP TABLE whole_/* table */ AS
SELECT * FROM (FROM /* table */ UNION ALL BY NAME SELECT * FROM withdrawn./* table */ WHERE run_id = try_cast($run_id AS UUID))

-- name: gather_stories
CREATE TEMP TABLE whole_/* table */ AS
SELECT * FROM (FROM /* table */ UNION ALL BY NAME SELECT * FROM withdrawn./* table */ WHERE story_id IN (
    SELECT story_id FROM runs WHERE run_id = try_cast($run_id AS UUID)
    UNION ALL SELECT story_id FROM story_survivors UNION ALL SELECT survivor FROM story_survivors))

-- name: all_of_it
CREATE OR REPLACE TEMP TABLE /* table */ AS FROM whole_/* table */

-- name: stand_then
CREATE OR REPLACE TEMP TABLE /* table */ AS SELECT * FROM whole_/* table */ ANTI JOIN withdrawn_then USING (import_id)
