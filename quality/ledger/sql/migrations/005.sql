-- Schema 5: drafts of ratings, the list of what to review, corrections, and what was forgotten.

-- name: response_rows_by_id
-- A person waits for a feedback event; nothing leans on this index for identity.
CREATE INDEX response_rows_by_id ON response_rows (response_id);
