-- The review queue. A row of review_draws is an event of a draw: its kind is 'drawn', 'renewed' (a later expires_at), or how
-- it ended, 'skipped' or 'given_back'.

-- name: states
-- Every draw with its state at an instant, from what was known then. A rating answers the draw whose chance it carries; it
-- wins over the end of the reservation, and once withdrawn the draw is open again for the rest of it.
SELECT d.draw_id, d.run_id, d.reviewer, d.recorded_at AS drawn_at, d.probability, d.pool, d.model_probability, d.model_pool,
    d.why, d.blind, coalesce(later.expires_at, d.expires_at) AS expires_at,
    CASE WHEN rated.rated_at > d.recorded_at THEN 'rated' WHEN later.ended IS NOT NULL THEN later.ended
        WHEN coalesce(later.expires_at, d.expires_at) <= $now::TIMESTAMPTZ THEN 'expired' ELSE 'open' END AS state
FROM (FROM review_draws WHERE kind = 'drawn' AND recorded_at <= $known) d
LEFT JOIN (
    SELECT draw_id, max(expires_at) AS expires_at, arg_min(kind, recorded_at) FILTER (kind <> 'renewed') AS ended
    FROM review_draws WHERE kind <> 'drawn' AND recorded_at <= $known GROUP BY draw_id) later USING (draw_id)
LEFT JOIN (
    SELECT o.run_id, o.reviewer, o.review_probability, max(o.recorded_at) AS rated_at
    FROM overrides o SEMI JOIN review_draws USING (run_id)
    ANTI JOIN (FROM overrides WHERE recorded_at <= $known) w ON w.withdraws = o.override_id
    WHERE o.withdraws IS NULL AND o.review_reason = 'queue' AND o.recorded_at <= $known
    GROUP BY o.run_id, o.reviewer, o.review_probability) rated
    ON rated.run_id = d.run_id AND rated.reviewer = d.reviewer AND rated.review_probability = d.probability

-- name: was_drawn
SELECT 1 FROM review_draws WHERE run_id = $run_id::UUID AND reviewer = $reviewer AND kind = 'drawn' LIMIT 1

-- name: chance_of
-- With what chance the run was drawn for this reviewer, where they may still answer, or correct their answer.
SELECT probability FROM (/* states */)
WHERE run_id = $run_id::UUID AND reviewer = $reviewer AND state IN ('open', 'rated') ORDER BY drawn_at DESC LIMIT 1

-- name: not_for
-- Runs that must not be drawn for this reviewer: reserved by anybody, or passed over by them.
SELECT DISTINCT run_id::VARCHAR AS run_id FROM (/* states */)
WHERE state = 'open' OR (state = 'skipped' AND reviewer = $reviewer)

-- name: gone
-- Of the runs that were drawn just now, one that was rated, reserved or withdrawn since they were read.
SELECT run_id FROM drawn
WHERE try_cast(run_id AS UUID) NOT IN (SELECT run_id FROM ledger WHERE quality IS NOT NULL AND quality_human IS NULL)
    OR run_id IN (SELECT run_id FROM (/* not_for */)) LIMIT 1

-- name: add
INSERT INTO review_draws BY NAME
SELECT uuidv7() AS event_id, uuidv7() AS draw_id, 'drawn' AS kind, run_id::UUID AS run_id, $reviewer AS reviewer,
    probability, pool, model_probability, model_pool, why, $seed::BIGINT AS seed, $blind::BOOLEAN AS blind,
    $expires_at::TIMESTAMPTZ AS expires_at, $recorded_at::TIMESTAMPTZ AS recorded_at, $actor AS actor
FROM drawn ORDER BY place

-- name: end
INSERT INTO review_draws BY NAME
SELECT uuidv7() AS event_id, draw_id, $kind AS kind, run_id, reviewer, $recorded_at::TIMESTAMPTZ AS recorded_at,
    $actor AS actor
FROM (/* states */) WHERE reviewer = $reviewer AND state = 'open' AND ($draw_id IS NULL OR draw_id = try_cast($draw_id AS UUID))

-- name: renew
INSERT INTO review_draws BY NAME
SELECT uuidv7() AS event_id, draw_id, 'renewed' AS kind, run_id, reviewer, $expires_at::TIMESTAMPTZ AS expires_at,
    $recorded_at::TIMESTAMPTZ AS recorded_at, $actor AS actor
FROM (/* states */) WHERE reviewer = $reviewer AND state = 'open' AND expires_at < $soon::TIMESTAMPTZ

-- name: one
SELECT run_id::VARCHAR AS run_id, reviewer, state FROM (/* states */) WHERE draw_id = try_cast($draw_id AS UUID)

-- name: open
-- In the order of the draws: of one round each was drawn from what the ones before it left.
SELECT q.draw_id::VARCHAR AS draw_id, q.run_id::VARCHAR AS run_id, l.story_id, q.why, q.probability, q.pool,
    q.model_probability, q.model_pool, q.blind, q.drawn_at, q.expires_at
FROM (/* states */) q JOIN ledger l USING (run_id)
WHERE q.reviewer = $reviewer AND q.state = 'open' ORDER BY q.drawn_at, q.pool DESC

-- name: counts
-- Of a reviewer since an instant, or of everybody.
SELECT count(*) AS drawn, count(*) FILTER (state = 'rated') AS rated, count(*) FILTER (state = 'skipped') AS skipped,
    count(*) FILTER (state = 'given_back') AS given_back, count(*) FILTER (state = 'expired') AS expired,
    count(*) FILTER (state = 'open') AS "left"
FROM (/* states */)
WHERE ($reviewer IS NULL OR reviewer = $reviewer) AND ($since IS NULL OR drawn_at >= $since::TIMESTAMPTZ)

-- name: round
-- When the reviewer's present round began: the oldest draw that is open, or where none is, the latest there was.
SELECT coalesce(min(drawn_at) FILTER (state = 'open'), max(drawn_at)) AS since FROM (/* states */) WHERE reviewer = $reviewer
