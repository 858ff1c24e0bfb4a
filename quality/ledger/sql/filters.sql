-- The conditions of `Filters`, each of which a query has only where it is stated: a condition that is not stated
-- costs a pass over every row all the same when it is left to a NULL parameter.

-- name: word
-- Once a word, as a pattern: half the time of comparing what is put in lower case. An id that was merged finds its story.
story_id ILIKE $word OR title ILIKE $word OR note ILIKE $word
    OR story_id IN (SELECT survivor FROM story_survivors v WHERE v.story_id ILIKE $word)

-- name: word_as_written
-- Once a word that holds a letter with a meaning in patterns; the pattern has any letter there and leaves little to compare.
((story_id ILIKE $word OR title ILIKE $word OR note ILIKE $word)
    AND contains(lower(concat_ws(' ', story_id, title, note)), lower($written)))
    OR story_id IN (SELECT survivor FROM story_survivors v WHERE contains(lower(v.story_id), lower($written)))

-- name: story_id
story_id = coalesce((SELECT any_value(survivor) FROM story_survivors v WHERE v.story_id = $story_id), $story_id)

-- name: agent
agent = $agent

-- name: model_version
(model_version = $model_version OR model = $model_version)

-- name: discipline
discipline = $discipline

-- name: org_domain
org_domain = $org_domain

-- name: industry
industry = $industry

-- name: phase
phase = $phase

-- name: tier
signal_source = $tier

-- name: low_confidence
low_confidence = $low_confidence

-- name: caveat
list_contains(caveats, $caveat)

-- name: reviewer
reviewer = $reviewer

-- name: has_note
(note IS NOT NULL) = $has_note

-- name: on_review_list
(run_id IN (SELECT run_id FROM (/* waiting */))) = $on_review_list

-- name: since
ts >= $since::TIMESTAMPTZ

-- name: until
ts < $until::TIMESTAMPTZ
