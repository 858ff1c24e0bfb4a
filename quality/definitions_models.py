"""What do the numbers of models by kind of work, by week, in depth and side by side mean? Part of the catalogue."""

from quality.definition import Definition, count, score, text

QUERIES = "quality.ledger.queries_models"
COVERAGE, DISTRIBUTION, CAVEATS = f"{QUERIES}.coverage", f"{QUERIES}.distribution", f"{QUERIES}.caveats"
EFFORT, COMPARE = f"{QUERIES}.effort", f"{QUERIES}.compare"


def difference(name: str, label: str, sentence: str, source: str) -> Definition:
    return Definition(name, label, "difference", "points", -10, 10, sentence, source)


def amount(name: str, label: str, unit: str, sentence: str) -> Definition:
    return Definition(name, label, "ratio", unit, 0, None, sentence, EFFORT)


MODEL_NUMBERS: tuple[Definition, ...] = (
    text("kind", "Kind of work", "The value of the chosen part of the story's coordinate; empty = not recorded."),
    count("n_tiers", "Runs", "runs", "Runs that have a score from exactly these tiers.", COVERAGE),
    count(
        "n_step", "Runs", "runs", "Runs whose score lies in this step of one point; 10 is in the last.", DISTRIBUTION
    ),
    count("n_caveat", "Runs", "runs", "Runs with this caveat.", CAVEATS),
    amount("mean_cost", "Cost a run", "US dollars", "Mean of what runs cost, where a file states it."),
    count("n_with_cost", "n cost", "runs", "Runs whose cost is stated.", EFFORT),
    amount("median_duration", "Duration a run", "seconds", "Median of how long runs took, where a file states it."),
    count("n_with_duration", "n duration", "runs", "Runs whose duration is stated.", EFFORT),
    amount("median_duration_vs_estimate", "Duration ÷ estimate", "ratio", "Median of actual ÷ estimated."),
    count("n_with_ratio", "n estimated", "runs", "Runs with a duration and an estimate.", EFFORT),
    count("n_shared", "Shared stories", "stories", "Stories that both models have a run of.", COMPARE),
    count("n_paired", "n", "stories", "Shared stories where both models have a score of this tier.", COMPARE),
    score("first_mean", "First", "Mean over the paired stories, of each the mean of the first model's runs.", COMPARE),
    score(
        "second_mean", "Second", "Mean over the paired stories, of each the mean of the second model's runs.", COMPARE
    ),
    difference("paired_difference", "Difference", "First minus second model, mean over the paired stories.", COMPARE),
    difference("paired_low", "From", "Lower bound of the difference's 95 % interval; empty under two pairs.", COMPARE),
    difference("paired_high", "To", "Upper bound of the difference's 95 % interval; empty under two pairs.", COMPARE),
    count("n_better", "Better", "stories", "Paired stories on which the first model scores higher.", COMPARE),
    count("n_equal", "Equal", "stories", "Paired stories on which both score the same.", COMPARE),
    count("n_worse", "Worse", "stories", "Paired stories on which the first model scores lower.", COMPARE),
)
