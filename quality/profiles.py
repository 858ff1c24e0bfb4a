"""What does a profile say, the row a coordinate × model that stands for all its runs?

MODEL.md, CSV for Tokq subscribers (the Memory Unit) and Model scores: runs with a split model or of a synthetic story
are left out. The numbers are worked out by `ledger/sql/queries/profiles.sql`; the calibrated score and its interval are those
of all runs of that kind of work by that model (`trust/calibrated.py`), whatever filters by rating, time or text leave.
"""

from quality.tiers import CAVEATS

COORDINATE_COLUMNS = ("address", "discipline", "org_domain", "industry", "phase", "model")
LEFT_OUT = ("split_model", "synthetic")
"""Caveats of runs that are in no profile."""
CAVEAT_COLUMNS = {f"share_{name}": name for name in CAVEATS if name not in LEFT_OUT}
"""Column → the caveat whose share it is."""
PROFILE_COLUMNS = (
    *COORDINATE_COLUMNS, "n_runs", "n", "n_from_auto", "n_from_verifier", "n_from_human", "effective_mean", "effective_sd",
    "effective_p25", "effective_p75", "calibrated_score", "ci_low", "ci_high", "routing_score", "mean_auto", "n_with_auto",
    "mean_verifier", "n_with_verifier", "mean_human", "n_with_human", "low_confidence_share", "override_share",
    "accepted_share", "rework_share", "n_with_rework", "ci_pass_share", "n_with_ci", "mean_test_pass_rate",
    "build_success_share", "mean_rework_count", "mean_pr_review_cycles", "mean_duration_vs_estimate", *CAVEAT_COLUMNS,
    "first_ts", "last_ts",
)  # fmt: skip
DECIMALS = 10
"""Of a mean: sums of the same numbers in another order differ behind them, and one state must give one file."""
