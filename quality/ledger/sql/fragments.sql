-- Parts that several queries share.

-- name: fits_filters
-- Every stated condition of `Filters` holds; NULL = not stated. $words are in lower case.
(
    ($words IS NULL OR list_bool_and(list_transform($words::VARCHAR[], lambda word: contains(
        lower(concat_ws(' ', story_id, title, note)), word))))
    AND ($story_id IS NULL OR story_id = $story_id)
    AND ($agent IS NULL OR agent = $agent)
    AND ($model_version IS NULL OR model_version = $model_version OR model = $model_version)
    AND ($discipline IS NULL OR discipline = $discipline)
    AND ($org_domain IS NULL OR org_domain = $org_domain)
    AND ($industry IS NULL OR industry = $industry)
    AND ($phase IS NULL OR phase = $phase)
    AND ($tier IS NULL OR signal_source = $tier)
    AND ($low_confidence IS NULL OR low_confidence = $low_confidence)
    AND ($caveat IS NULL OR list_contains(caveats, $caveat))
    AND ($reviewer IS NULL OR reviewer = $reviewer)
    AND ($since IS NULL OR ts >= $since::TIMESTAMPTZ)
    AND ($until IS NULL OR ts < $until::TIMESTAMPTZ)
)
