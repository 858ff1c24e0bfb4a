"""What do the columns of an export mean that no screen shows: what else a run says, and the profiles? Part of the catalogue."""

from quality.definition import Definition, count, score, share, text
from quality.profiles import CAVEAT_COLUMNS
from quality.tiers import CAVEATS

PROFILES, RESOLVE_RUNS, SCORE_RUNS = (
    "quality.ledger.exporting.profiles_of",
    "quality.resolution.resolve_runs",
    "quality.scoring.score_runs",
)


def of_profile(name: str, label: str, sentence: str) -> Definition:
    return share(name, label, sentence, PROFILES)


def mean_count(name: str, label: str, unit: str, sentence: str) -> Definition:
    return Definition(name, label, "ratio", unit, 0, None, sentence, PROFILES)


EXPORT_NUMBERS: tuple[Definition, ...] = (
    text("synthetic", "Synthetic", "Not a real story: left out of model scores.", RESOLVE_RUNS, "flag"),
    text("model_at_dispatch", "Model at dispatch", "The model that the run began with.", RESOLVE_RUNS),
    text("model_at_completion", "Model at completion", "The model that the run ended with.", RESOLVE_RUNS),
    text("recorded_at", "Recorded", "When the run was stored here first.", RESOLVE_RUNS, "time"),
    text("settings_hash", "Settings", "Which set of weights and thresholds the row was scored with.", SCORE_RUNS),
    count("n_from_auto", "n from auto", "runs", "Scored runs whose effective score is automatic.", PROFILES),
    count("n_from_verifier", "n from verifier", "runs", "Scored runs whose effective score is a verifier's.", PROFILES),
    count("n_from_human", "n from human", "runs", "Scored runs whose effective score is a human's.", PROFILES),
    Definition(
        "effective_sd", "Spread", "ratio", "points", 0, None,
        "Standard deviation of the effective scores (n − 1); empty under two.", PROFILES,
    ),
    score("effective_p25", "Lower quarter", "A quarter of the effective scores are at or below it.", PROFILES),
    score("effective_p75", "Upper quarter", "Three quarters of the effective scores are at or below it.", PROFILES),
    of_profile("override_share", "Human override rate", "Share of the scored runs that a human rated."),
    of_profile("accepted_share", "Accepted", "Share of the scored runs that are accepted."),
    of_profile("rework_share", "Rework", "Share with rework asked for, of the runs whose rater says whether."),
    count("n_with_rework", "n rework", "runs", "Runs whose rater says whether rework is needed.", PROFILES),
    of_profile("ci_pass_share", "CI pass rate", "Share that passed CI after the merge, of the runs where that is known."),
    count("n_with_ci", "n CI", "runs", "Runs whose CI outcome after the merge is known.", PROFILES),
    of_profile("mean_test_pass_rate", "Mean test pass rate", "Mean of the test pass rates that are known."),
    of_profile("build_success_share", "Builds", "Share that built, of the runs whose build is known."),
    mean_count("mean_rework_count", "Mean re-dispatches", "re-dispatches", "Mean of the re-dispatches that are known."),
    mean_count("mean_pr_review_cycles", "Mean review cycles", "rounds", "Mean of the review rounds that are known."),
    mean_count("mean_duration_vs_estimate", "Mean duration ÷ estimate", "ratio", "Mean of actual ÷ estimated."),
    *(
        of_profile(name, f"With {caveat.replace('_', ' ')}", f"Share of the runs with this caveat: {CAVEATS[caveat]}")
        for name, caveat in CAVEAT_COLUMNS.items()
    ),
    text("first_ts", "First", "When the oldest of the effective scores was given.", PROFILES, "time"),
    text("last_ts", "Last", "When the latest of the effective scores was given.", PROFILES, "time"),
)  # fmt: skip
