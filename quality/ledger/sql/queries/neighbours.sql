-- Where a run stands among those that fit, in an order. `/* sort */` is the column of the order, `/* beyond */` the comparison
-- that holds for what comes after it; unknown values come last, equal ones in the order of their ids.

-- name: here
SELECT /* sort */ AS value, run_id FROM ledger WHERE run_id = try_cast($run_id AS UUID)

-- name: before
(/* sort */ IS NOT NULL AND (SELECT value FROM here) IS NULL)
    OR (SELECT value FROM here) /* beyond */ /* sort */
    OR (/* sort */ IS NOT DISTINCT FROM (SELECT value FROM here) AND run_id < (SELECT run_id FROM here))

-- name: after
(/* sort */ IS NULL AND (SELECT value FROM here) IS NOT NULL)
    OR /* sort */ /* beyond */ (SELECT value FROM here)
    OR (/* sort */ IS NOT DISTINCT FROM (SELECT value FROM here) AND run_id > (SELECT run_id FROM here))

-- name: place
WITH here AS MATERIALIZED (/* here */)
SELECT count(*) AS total, count(*) FILTER (/* before */) AS before,
    (SELECT count(*) FROM here) > 0 AS known,
    coalesce(bool_or(run_id = (SELECT run_id FROM here)), false) AS fits
FROM ledger WHERE /* filters */

-- name: next
WITH here AS MATERIALIZED (/* here */)
SELECT run_id::VARCHAR AS run_id FROM ledger WHERE (/* filters */) AND (/* after */)
ORDER BY /* order */ LIMIT 1

-- name: previous
WITH here AS MATERIALIZED (/* here */)
SELECT run_id::VARCHAR AS run_id FROM ledger WHERE (/* filters */) AND (/* before */)
ORDER BY /* reverse */ LIMIT 1
