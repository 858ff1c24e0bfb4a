-- What a subscriber gets (MODEL.md, CSV for Tokq subscribers): a row a run, stable columns. The forms are written
-- by the database, a line a row, which is as fast as its own COPY (design/004).

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
    review_probability, split_model, ts
FROM ledger
WHERE ($after_ts IS NULL OR (ts >= $after_ts::TIMESTAMPTZ AND (ts > $after_ts::TIMESTAMPTZ OR run_id > $after_id::UUID)))
    AND ($upto_ts IS NULL OR (ts <= $upto_ts::TIMESTAMPTZ AND (ts < $upto_ts::TIMESTAMPTZ OR run_id <= $upto_id::UUID)))
    AND
    /* filters */
ORDER BY ts, ledger.run_id

-- name: preview
SELECT * FROM (/* rows */) LIMIT $limit

-- name: marks
-- Where the windows of $size rows end; the last mark is the last row, and place is how many rows there are up to it.
WITH placed AS (
    SELECT ts, run_id, row_number() OVER (ORDER BY ts, run_id) AS place, count(*) OVER () AS total
    FROM ledger WHERE
    /* filters */
)
SELECT ts, run_id::VARCHAR AS run_id, place FROM placed WHERE place % $size = 0 OR place = total ORDER BY place

-- name: make_iso
-- ISO 8601 UTC with Z; microseconds where there are any.
CREATE OR REPLACE TEMP MACRO iso(instant) AS replace(instant::TIMESTAMP::VARCHAR, ' ', 'T') || 'Z'

-- name: make_text_cell
-- Inert in a spreadsheet (one more ' before '…'= + - @ tab CR) and quoted where RFC 4180 asks for it. Whatever begins
-- below "A" is looked at closely: that takes in every dangerous sign, blanks and the empty text, and is cheap to ask.
CREATE OR REPLACE TEMP MACRO text_cell(value) AS coalesce(
    CASE WHEN value < 'A' OR contains(value, ',') OR contains(value, '"') OR contains(value, chr(10)) OR contains(value, chr(13))
        THEN '"' || replace(CASE WHEN regexp_matches(value, '^\x{27}*[=+\-@\t\r]') THEN chr(39) || value ELSE value END, '"', '""')
            || '"'
        ELSE value END, '')

-- name: make_cell
CREATE OR REPLACE TEMP MACRO cell(value) AS coalesce(value::VARCHAR, '')

-- name: make_time_cell
CREATE OR REPLACE TEMP MACRO time_cell(instant) AS coalesce(iso(instant), '')

-- name: csv
SELECT concat_ws(',',
    cell(run_id), text_cell(address), text_cell(story_id), text_cell(title), text_cell(agent), text_cell(model_version),
    cell(attempt), text_cell(discipline), text_cell(org_domain), text_cell(industry), text_cell(phase),
    cell(signal_source), cell(signal_weight), cell(quality), cell(low_confidence), cell(array_to_string(caveats, ';')),
    cell(quality_auto), cell(test_pass_rate), cell(tests_total), cell(build_success), cell(verified_by_ci),
    cell(rework_count), cell(pr_review_cycles), cell(duration_vs_estimate), cell(micro_rework), cell(coverage),
    cell(quality_verifier), cell(n_verifier), text_cell(verifier_agent), text_cell(verifier_model), time_cell(verifier_at),
    cell(quality_human), cell(n_human), text_cell(reviewer), text_cell(note), cell(rework), cell(correct),
    time_cell(human_at), text_cell(review_reason), cell(review_probability), cell(split_model), time_cell(ts)
) || chr(13) || chr(10) AS line
FROM (/* rows */)

-- name: jsonl
SELECT to_json(typed) || chr(10) AS line
FROM (SELECT * REPLACE (iso(verifier_at) AS verifier_at, iso(human_at) AS human_at, iso(ts) AS ts) FROM (/* rows */)) AS typed
