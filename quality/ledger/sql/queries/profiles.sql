-- A row a coordinate × model (quality/profiles.py says what the columns are). Ages are measured from $now.

-- name: keep_calibrated
-- For as long as the snapshot lasts.
CREATE OR REPLACE TEMP TABLE calibrated AS FROM lent

-- name: profiles
WITH rated AS (
    SELECT *, signal_weight * pow($decay, greatest(0, (epoch_us($now::TIMESTAMPTZ) - epoch_us(ts)) // $week)) AS routing_weight
    FROM ledger
    WHERE NOT split_model AND NOT synthetic AND
    /* filters */
)
SELECT 'tokq://capability/' || url_encode(coalesce(discipline, 'unknown')) || '/' || url_encode(coalesce(org_domain, 'unknown'))
        || '/' || url_encode(coalesce(industry, 'unknown')) || '/' || url_encode(model) AS address,
    discipline, org_domain, industry, phase, model,
    count(*) AS n_runs,
    count(quality) AS n,
    count(*) FILTER (signal_source = 'auto') AS n_from_auto,
    count(*) FILTER (signal_source = 'verifier') AS n_from_verifier,
    count(*) FILTER (signal_source = 'human') AS n_from_human,
    round(favg(quality), $decimals) AS effective_mean,
    round(stddev_samp(quality), $decimals) AS effective_sd,
    round(quantile_cont(quality, 0.25), $decimals) AS effective_p25,
    round(quantile_cont(quality, 0.75), $decimals) AS effective_p75,
    round(any_value(calibrated_score), $decimals) AS calibrated_score,
    round(any_value(ci_low), $decimals) AS ci_low,
    round(any_value(ci_high), $decimals) AS ci_high,
    round(fsum(routing_weight * quality) / nullif(fsum(routing_weight) FILTER (quality IS NOT NULL), 0), $decimals)
        AS routing_score,
    round(favg(quality_auto), $decimals) AS mean_auto,
    count(quality_auto) AS n_with_auto,
    round(favg(quality_verifier), $decimals) AS mean_verifier,
    count(quality_verifier) AS n_with_verifier,
    round(favg(quality_human), $decimals) AS mean_human,
    count(quality_human) AS n_with_human,
    round(avg(low_confidence::DOUBLE), $decimals) AS low_confidence_share,
    round(count(quality_human) / nullif(count(quality), 0), $decimals) AS override_share,
    round(avg(accepted::DOUBLE), $decimals) AS accepted_share,
    round(avg(rework::DOUBLE), $decimals) AS rework_share,
    count(rework) AS n_with_rework,
    round(avg(verified_by_ci::DOUBLE), $decimals) AS ci_pass_share,
    count(verified_by_ci) AS n_with_ci,
    round(favg(test_pass_rate), $decimals) AS mean_test_pass_rate,
    round(avg(build_success::DOUBLE), $decimals) AS build_success_share,
    round(avg(rework_count), $decimals) AS mean_rework_count,
    round(avg(pr_review_cycles), $decimals) AS mean_pr_review_cycles,
    round(favg(duration_vs_estimate), $decimals) AS mean_duration_vs_estimate,
    round(avg(list_contains(caveats, 'few_tests')::DOUBLE), $decimals) AS share_few_tests,
    round(avg(list_contains(caveats, 'low_coverage')::DOUBLE), $decimals) AS share_low_coverage,
    round(avg(list_contains(caveats, 'conflicting_verdicts')::DOUBLE), $decimals) AS share_conflicting_verdicts,
    round(avg(list_contains(caveats, 'raters_disagree')::DOUBLE), $decimals) AS share_raters_disagree,
    round(avg(list_contains(caveats, 'tiers_disagree')::DOUBLE), $decimals) AS share_tiers_disagree,
    round(avg(list_contains(caveats, 'same_family_verifier')::DOUBLE), $decimals) AS share_same_family_verifier,
    round(avg(list_contains(caveats, 'unknown_model')::DOUBLE), $decimals) AS share_unknown_model,
    round(avg(list_contains(caveats, 'results_disagree')::DOUBLE), $decimals) AS share_results_disagree,
    round(avg(list_contains(caveats, 'older_report')::DOUBLE), $decimals) AS share_older_report,
    min(ts) FILTER (quality IS NOT NULL) AS first_ts,
    max(ts) FILTER (quality IS NOT NULL) AS last_ts
FROM rated LEFT JOIN calibrated ON rated.model = calibrated.of_model
    AND rated.discipline IS NOT DISTINCT FROM calibrated.of_discipline
    AND rated.org_domain IS NOT DISTINCT FROM calibrated.of_org_domain
    AND rated.industry IS NOT DISTINCT FROM calibrated.of_industry
    AND rated.phase IS NOT DISTINCT FROM calibrated.of_phase
GROUP BY discipline, org_domain, industry, phase, model
ORDER BY discipline NULLS LAST, org_domain NULLS LAST, industry NULLS LAST, phase NULLS LAST, model

-- name: count
SELECT count(*) AS n FROM (
    SELECT 1 FROM ledger WHERE NOT split_model AND NOT synthetic AND
    /* filters */
    GROUP BY discipline, org_domain, industry, phase, model
)
