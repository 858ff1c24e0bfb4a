-- What a subscriber gets (MODEL.md, CSV for Tokq subscribers): a row a run, stable columns. The forms are written
-- by the database, a line a row, which is as fast as its own COPY (design/004). The chosen columns, each in the form of
-- its kind, take the places of the comments (quality/ledger/exporting.py).

-- name: rows
-- One window of the rows in their order: after ($after_ts, $after_id), up to ($upto_ts, $upto_id); NULL = open.
SELECT run_id::VARCHAR AS run_id,
    'tokq://capability/' || url_encode(coalesce(discipline, 'unknown')) || '/' || url_encode(coalesce(org_domain, 'unknown'))
        || '/' || url_encode(coalesce(industry, 'unknown')) || '/' || url_encode(model_version) AS address,
    story_id, title, agent, model_version, attempt, discipline, org_domain, industry, phase,
    signal_source, signal_weight, quality + 0.0 AS quality, low_confidence, caveats,
    quality_auto + 0.0 AS quality_auto, test_pass_rate + 0.0 AS test_pass_rate, tests_total, build_success, verified_by_ci,
    rework_count, pr_review_cycles, duration_vs_estimate, micro_rework, coverage,
    quality_verifier + 0.0 AS quality_verifier, n_verifier, verifier_agent, verifier_model, verifier_at,
    quality_human + 0.0 AS quality_human, n_human, reviewer, note, rework, correct, human_at, review_reason,
    review_probability, split_model, ts, model, accepted, synthetic, model_at_dispatch, model_at_completion, started_at,
    recorded_at, settings_hash
FROM ledger
WHERE ($after_ts IS NULL OR (ts >= $after_ts::TIMESTAMPTZ AND (ts > $after_ts::TIMESTAMPTZ OR run_id > $after_id::UUID)))
    AND ($upto_ts IS NULL OR (ts <= $upto_ts::TIMESTAMPTZ AND (ts < $upto_ts::TIMESTAMPTZ OR run_id <= $upto_id::UUID)))
    AND
    /* filters */
ORDER BY ledger.ts, ledger.run_id

-- name: marks
-- Where the windows of $size rows end; the last mark is the last row, and place is how many rows there are up to it.
WITH placed AS (
    SELECT ts, run_id, row_number() OVER (ORDER BY ts, run_id) AS place, count(*) OVER () AS total
    FROM ledger WHERE
    /* filters */
)
SELECT ts, run_id::VARCHAR AS run_id, place FROM placed WHERE place % $size = 0 OR place = total ORDER BY place

-- name: count
SELECT count(*) FROM ledger WHERE
/* filters */

-- name: first
SELECT * FROM (/* rows */) LIMIT $limit

-- name: typed
SELECT /* columns */ FROM (/* rows */)

-- name: csv
SELECT concat_ws(',', /* columns */) || chr(13) || chr(10) AS line FROM (/* rows */)

-- name: jsonl
SELECT to_json(typed) || chr(10) AS line FROM (SELECT /* columns */ FROM (/* rows */)) AS typed

-- name: state
-- What the rows follow: the last write, and the settings that rows were scored with.
SELECT max(command_id)::VARCHAR AS last_write, count(*) AS writes FROM audit

-- name: make_iso
-- ISO 8601 UTC with Z; microseconds where there are any.
CREATE OR REPLACE TEMP MACRO iso(instant) AS replace(instant::TIMESTAMP::VARCHAR, ' ', 'T') || 'Z'

-- name: make_quoted
-- Quoted as RFC 4180 does it.
CREATE OR REPLACE TEMP MACRO quoted(value) AS '"' || replace(value, '"', '""') || '"'

-- name: make_text_cell
-- Inert in a spreadsheet (one more ' before '…'= + - @ tab CR) and quoted where RFC 4180 asks for it. Whatever begins
-- below "A" is looked at closely: that takes in every dangerous sign, blanks and the empty text, and is cheap to ask.
-- A text that begins with ' as if it had been marked for Excel gets one more too, so that an import gives it back.
CREATE OR REPLACE TEMP MACRO text_cell(value) AS coalesce(
    CASE WHEN value < 'A' OR contains(value, ',') OR contains(value, '"') OR contains(value, chr(10)) OR contains(value, chr(13))
        THEN quoted(CASE WHEN regexp_matches(value, '^\x{27}*/* run */') OR (starts_with(value, chr(39)) AND regexp_matches(value, '/* marked */'))
            THEN chr(39) || value ELSE value END)
        ELSE value END, '')

-- name: make_excel_cut
-- Excel counts a character beyond the basic plane twice.
CREATE OR REPLACE TEMP MACRO excel_cut(value) AS CASE
    WHEN strlen(value) <= /* most */ OR length(value) + length(regexp_replace(value, '[\x{0}-\x{FFFF}]', '', 'g')) <= /* most */
        THEN value
    ELSE left(value, CASE WHEN regexp_matches(value, '[\x{10000}-\x{10FFFF}]') THEN /* most */ // 2 ELSE /* most */ END
        - length('/* cut */')) || '/* cut */' END

-- name: make_excel_text_cell
-- Also inert where Excel would make a number, a date or a truth value of it, and no longer than a cell may be.
CREATE OR REPLACE TEMP MACRO excel_text_cell(value) AS coalesce(
    CASE WHEN value < 'A' OR contains(value, ',') OR contains(value, '"') OR contains(value, chr(10)) OR contains(value, chr(13))
            OR strlen(value) > /* most */ OR regexp_matches(value, '^/* converted */$')
        THEN quoted(excel_cut(CASE WHEN regexp_matches(value, '^\x{27}*(?:/* run */|/* converted */$)')
            THEN chr(39) || value ELSE value END))
        ELSE value END, '')

-- name: make_cell
CREATE OR REPLACE TEMP MACRO cell(value) AS coalesce(value::VARCHAR, '')

-- name: make_list_cell
CREATE OR REPLACE TEMP MACRO list_cell(value) AS coalesce(array_to_string(value, ';'), '')

-- name: make_time_cell
CREATE OR REPLACE TEMP MACRO time_cell(instant) AS coalesce(iso(instant), '')

-- name: make_excel_time_cell
-- In UTC. Excel takes 2026-03-01 09:30:00 for a time and the form with T and Z for a text.
CREATE OR REPLACE TEMP MACRO excel_time_cell(instant) AS coalesce(instant::TIMESTAMP::VARCHAR, '')
