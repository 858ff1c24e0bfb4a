-- What a subscriber gets (MODEL.md, CSV for Tokq subscribers): a row a run, stable columns.

-- name: rows
SELECT run_id::VARCHAR AS run_id,
    'tokq://capability/' || url_encode(coalesce(discipline, 'unknown')) || '/' || url_encode(coalesce(org_domain, 'unknown'))
        || '/' || url_encode(coalesce(industry, 'unknown')) || '/' || url_encode(model_version) AS address,
    story_id, title, agent, model_version, attempt, discipline, org_domain, industry, phase,
    signal_source, signal_weight, quality, low_confidence, array_to_string(caveats, ';') AS caveats,
    quality_auto, test_pass_rate, tests_total, build_success, verified_by_ci, rework_count, pr_review_cycles,
    duration_vs_estimate, micro_rework, coverage,
    quality_verifier, n_verifier, verifier_agent, verifier_model, verifier_at,
    quality_human, n_human, reviewer, note, rework, correct, human_at, review_reason, review_probability, split_model, ts
FROM ledger WHERE
-- include: fits_filters
ORDER BY ts, run_id
