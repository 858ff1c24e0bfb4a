-- Rankings of improvement candidates, read.

-- name: list
-- Latest first.
SELECT ranking_id::VARCHAR AS ranking_id, candidate_run, critic_mode, panel, evidence, backend_used, simulated, source,
    source_sha256, candidates, accepted, held, rejected, occurred_at, recorded_at, actor
FROM rankings
WHERE $candidate_run IS NULL OR candidate_run = $candidate_run
ORDER BY recorded_at DESC, rankings.ranking_id DESC
LIMIT $limit OFFSET $offset

-- name: count
SELECT count(*) AS n FROM rankings WHERE $candidate_run IS NULL OR candidate_run = $candidate_run

-- name: one
SELECT ranking_id::VARCHAR AS ranking_id, candidate_run, critic_mode, panel, evidence, backend_used, simulated, source,
    source_sha256, candidates, accepted, held, rejected, occurred_at, recorded_at, actor, head, protected_paths
FROM rankings WHERE ranking_id = try_cast($ranking_id AS UUID)

-- name: fitting
-- The conditions of `candidates` and `count_candidates`.
WHERE ranking_id = try_cast($ranking_id AS UUID)
    AND ($recommendation::VARCHAR[] IS NULL OR recommendation IN $recommendation::VARCHAR[])
    AND ($category::VARCHAR[] IS NULL OR category IN $category::VARCHAR[])
    AND ($risk::VARCHAR[] IS NULL OR risk_level IN $risk::VARCHAR[])
    AND ($label::VARCHAR[] IS NULL OR label IN $label::VARCHAR[])
    AND ($candidate::VARCHAR IS NULL OR candidate = $candidate)

-- name: candidates
SELECT line, document FROM ranked_candidates
/* fitting */
ORDER BY line
LIMIT $limit OFFSET $offset

-- name: count_candidates
SELECT count(*) AS n FROM ranked_candidates
/* fitting */

-- name: documents
-- All of a ranking, in order.
SELECT document FROM ranked_candidates WHERE ranking_id = try_cast($ranking_id AS UUID) ORDER BY line

-- name: counted
-- The latest panel ranking of each improvement run, without those that the mock judged.
SELECT ranking_id FROM rankings
WHERE panel AND NOT simulated AND ($candidate_run IS NULL OR candidate_run = $candidate_run)
QUALIFY row_number() OVER (PARTITION BY candidate_run ORDER BY recorded_at DESC, ranking_id DESC) = 1

-- name: votes
-- How often the reviewers voted so.
SELECT votes, count(*) AS n
FROM ranked_candidates SEMI JOIN (/* counted */) USING (ranking_id)
WHERE reviewers = $reviewers::VARCHAR[]
GROUP BY votes ORDER BY votes

-- name: spread
-- Highest − lowest score of a candidate's reviewers.
SELECT avg(list_max(review_scores) - list_min(review_scores)) AS mean,
    max(list_max(review_scores) - list_min(review_scores)) AS most,
    count(DISTINCT ranking_id) AS rankings
FROM ranked_candidates SEMI JOIN (/* counted */) USING (ranking_id)
WHERE reviewers = $reviewers::VARCHAR[]

-- name: reviewer_means
SELECT place, avg(review_scores[place]) AS mean
FROM ranked_candidates SEMI JOIN (/* counted */) USING (ranking_id),
    (SELECT unnest(range(1, len($reviewers::VARCHAR[]) + 1)) AS place)
WHERE reviewers = $reviewers::VARCHAR[]
GROUP BY place ORDER BY place

-- name: simulated
-- Panel rankings that do not count since the mock judged.
SELECT count(*) AS n FROM rankings WHERE panel AND simulated AND ($candidate_run IS NULL OR candidate_run = $candidate_run)
