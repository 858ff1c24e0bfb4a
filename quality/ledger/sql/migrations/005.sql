-- Schema 5: drafts of ratings, the list of what to review, corrections, and what was forgotten.

-- name: response_rows_by_id
-- A person waits for a feedback event; nothing leans on this index for identity.
CREATE INDEX response_rows_by_id ON response_rows (response_id);

-- name: review_list
-- What waits for a rating: `reason` 'choice' where somebody picked the run, else how it was drawn, with `probability` from a
-- `pool` of so many. A row with `removes` set takes that entry off the list, its `reason` says how: 'removed', 'skipped'.
CREATE TABLE review_list (
    entry_id UUID, run_id UUID, removes UUID, reason VARCHAR, probability DOUBLE, pool BIGINT, why VARCHAR,
    recorded_at TIMESTAMPTZ, actor VARCHAR
);
