"""What does each number mean? One catalogue for the tooltips of the screens, the CLI and the CSV.

A name is the column's name in a query. A test keeps screens, exports and this table in step.
"""

from quality.definition import WORDS, Definition, count, score, share, text
from quality.definitions_activity import ACTIVITY_NUMBERS
from quality.definitions_candidates import CANDIDATE_NUMBERS
from quality.definitions_corrections import CORRECTION_NUMBERS
from quality.definitions_export import EXPORT_NUMBERS
from quality.definitions_models import MODEL_NUMBERS
from quality.definitions_responses import RESPONSE_NUMBERS
from quality.definitions_review import REVIEW_NUMBERS
from quality.definitions_stories import STORY_NUMBERS
from quality.definitions_trust import TRUST_NUMBERS
from quality.errors import did_you_mean

RESOLUTION, MODELS = "MODEL.md, Resolution", "MODEL.md, Model scores"
CSV, HUMAN, VERIFIER = "MODEL.md, CSV for Tokq subscribers", "MODEL.md, Tier 3", "MODEL.md, Tier 2"
AUTO, RESOLVE, POINTS = "quality.signals.auto_score", "quality.tiers.resolve", "quality.signals.signal_points"
EXPLAIN, COMPOSITE, SCORE_RUNS = (
    "quality.signals.explain_auto",
    "quality.composite.weighted_composite",
    "quality.scoring.score_runs",
)
EXAMINE, IMPORT = "quality.preview.examine", "quality.ledger.importing.import_artifact"
COMBINE, RESOLVE_RUNS = "quality.combining.combine", "quality.resolution.resolve_runs"
LEADERBOARD, TOTALS = "quality.ledger.queries.leaderboard", "quality.ledger.queries.totals"
PROMPTS = "MODEL.md, Prompts"
SCORE_REPLY, EVALUATED = "quality.prompts.score_reply", "quality.prompts.evaluation_of"
EVALUATIONS = "quality.ledger.evaluations.list_evaluations"

_ALL = (
    # a run
    text("run_id", "Run id", "Our own id of the run; it never changes."),
    text("address", "Address", "Capability address: kind of work and model, percent-encoded.", CSV),
    text("story_id", "Story", "Id of the unit of work."),
    text("title", "Title", "Title of the story, as given."),
    text("agent", "Agent", "Who built it; unknown where it is not recorded."),
    text("model_version", "Model", "Model id as given by the source; unknown where it is not recorded."),
    text(
        "model",
        "Model",
        "Canonical id of the model: an alias resolved, a provider prefix stripped.",
        "quality.catalogue.canonical_model",
    ),
    Definition(
        "attempt",
        "Attempt",
        "count",
        "attempt",
        1,
        None,
        "Which independent attempt at the story this run is.",
        WORDS,
    ),
    text("discipline", "Discipline", "Kind of work: the discipline of the story."),
    text("org_domain", "Org domain", "Kind of work: the part of the organisation."),
    text("industry", "Industry", "Kind of work: the industry."),
    text("phase", "Phase", "Kind of work: the phase of the project."),
    # the tiers of a run
    score(
        "quality",
        "Effective",
        "Score of the highest tier present: human, else verifier, else auto; empty = not scored.",
        RESOLVE,
    ),
    text("signal_source", "Tier", "Which tier the effective score comes from.", RESOLVE),
    Definition(
        "signal_weight",
        "Tier weight",
        "weight",
        "weight",
        0,
        1,
        "How much the effective tier counts in a routing score.",
        RESOLVE,
    ),
    text(
        "low_confidence",
        "Low confidence",
        "True where only the automatic tier speaks; empty = not scored.",
        RESOLVE,
        "flag",
    ),
    text(
        "caveats",
        "Caveats",
        "What a reader should know besides the score.",
        "quality.tiers.caveat_mask",
        "list",
    ),
    score(
        "quality_auto",
        "Auto",
        "Weighted composite of the objective signals; empty where no outcome signal is known.",
        AUTO,
    ),
    score(
        "quality_verifier",
        "Verifier",
        "Latest rating by a verifier agent; ties in time count as their mean.",
        VERIFIER,
    ),
    score(
        "quality_human",
        "Human",
        "Latest standing rating by a reviewer; ties in time count as their mean.",
        HUMAN,
    ),
    share("coverage", "Coverage", "Share of the automatic weight that was measured.", AUTO),
    count("n_verifier", "n verifier", "ratings", "Verifier ratings behind the run's verifier score.", RESOLUTION),
    count("n_human", "n human", "ratings", "Human ratings behind the run's human score.", RESOLUTION),
    text("verifier_agent", "Verifier agent", "Who verified.", VERIFIER),
    text("verifier_model", "Verifier model", "The verifier's own model, never the builder's.", VERIFIER),
    text("verifier_at", "Verified", "When the verifier's rating was given.", RESOLUTION, "time"),
    text("reviewer", "Reviewer", "Who gave the human rating that counts.", HUMAN),
    text("note", "Note", "The reviewer's note, kept byte for byte.", HUMAN),
    text("human_at", "Reviewed", "When the human rating was given.", RESOLUTION, "time"),
    text(
        "review_reason",
        "Why reviewed",
        "random = drawn by lot, queue = suggested, choice = picked by the reviewer.",
        HUMAN,
    ),
    Definition(
        "review_probability",
        "Draw probability",
        "ratio",
        "probability",
        0,
        1,
        "With what probability the run was drawn for review; empty where it was picked by choice.",
        HUMAN,
    ),
    text("rework", "Rework", "A rater asked for rework; it never changes a score.", RESOLUTION, "flag"),
    text(
        "correct",
        "Correct",
        "As the human, else the verifier, else the CI outcome states it.",
        RESOLUTION,
        "flag",
    ),
    text(
        "accepted",
        "Accepted",
        "Effective score at or above the threshold and no rework asked for.",
        SCORE_RUNS,
        "flag",
    ),
    text("split_model", "Split model", "The model changed between dispatch and completion.", RESOLUTION, "flag"),
    text(
        "ts",
        "Rated",
        "When the effective score was given; for a run that is not scored, when it was recorded.",
        SCORE_RUNS,
        "time",
    ),
    # the signals
    share("test_pass_rate", "Test pass rate", "passed ÷ (passed + failed + errors).", POINTS),
    count("tests_total", "Tests", "tests", "passed + failed + errors.", AUTO),
    count("reports", "Artifacts counted", "artifacts", "Artifacts that the counts of tests are from.", COMBINE),
    text("started_at", "Began", "When the agent began the run, as it was stated last.", RESOLVE_RUNS, "time"),
    text("build_success", "Build", "The build or lint outcome.", POINTS, "flag"),
    text("verified_by_ci", "CI after merge", "The CI outcome after the merge.", POINTS, "flag"),
    count("rework_count", "Re-dispatches", "re-dispatches", "Re-dispatches before done.", POINTS),
    count("pr_review_cycles", "Review cycles", "rounds", "Review rounds that asked for changes.", POINTS),
    Definition(
        "duration_vs_estimate",
        "Duration ÷ estimate",
        "ratio",
        "ratio",
        0,
        None,
        "Actual ÷ estimated tokens, cost or time.",
        POINTS,
    ),
    count(
        "micro_rework",
        "Micro rework",
        "retries",
        "Retries inside one dispatch; stored, never scored.",
        "MODEL.md, Tier 1",
    ),
    # how the automatic score adds up
    text("signal", "Signal", "An objective fact about the run, read from an artifact.", EXPLAIN),
    text("raw", "Measured", "The value as it was read; empty = not measured.", EXPLAIN),
    score("points", "Points", "What the value is worth on the signal's curve.", POINTS),
    Definition(
        "weight",
        "Weight",
        "count",
        "weight",
        0,
        None,
        "Configured weight of the signal; only the ratio matters.",
        COMPOSITE,
    ),
    share(
        "used_weight",
        "Used weight",
        "The signal's part of the score: missing signals share theirs out.",
        COMPOSITE,
    ),
    Definition(
        "contribution",
        "Contribution",
        "score",
        "points",
        -10,
        10,
        "Points × used weight; the contributions and the cap add up to the score.",
        COMPOSITE,
    ),
    # the history of ratings
    text("tier", "Tier", "Who the rating comes from: a verifier agent or a human.", WORDS),
    text("rater", "Rater", "The reviewer, or the verifier and its model.", WORDS),
    score("rating", "Rating", "The rating as it was stored.", RESOLUTION),
    text("given_at", "Given", "When the rating was given.", RESOLUTION, "time"),
    text(
        "standing",
        "Standing",
        "Whether the rating stands, was withdrawn, or is only shown (simulated).",
        RESOLUTION,
    ),
    text("actor", "Recorded by", "Who recorded it here.", HUMAN),
    # a file that is brought in
    text("file", "File", "The file's name as it was dropped.", EXAMINE),
    text("status", "State", "What storing the file would do, or has done.", EXAMINE),
    text("format", "Format", "What the content is recognised as, whatever the name says.", EXAMINE),
    count("tests_passed", "Passed", "tests", "Tests that passed in the end.", EXAMINE),
    count("tests_failed", "Failed", "tests", "Tests that failed.", EXAMINE),
    count("tests_errors", "Errors", "tests", "Tests that broke before they could fail.", EXAMINE),
    count("tests_skipped", "Skipped", "tests", "Skipped, disabled or left to do: never passed.", EXAMINE),
    count("tests_flaky", "Flaky", "tests", "Passed in the end after a failure; among the passed.", EXAMINE),
    text("found", "Read from it", "Signals of its one run, else how many of each kind it holds.", EXAMINE),
    text("goes_to", "Goes to", "The run it names, or the one that is chosen for it.", EXAMINE),
    text("run", "Run", "The run as the file names it.", EXAMINE),
    text("line", "Line", "Line of the file, counted from 1.", EXAMINE),
    text("reason", "Reason", "Why the record cannot be used.", EXAMINE),
    text("value", "Value", "The value as it was written.", EXAMINE),
    count("rejects", "Rejects", "records", "Records that cannot be used; kept with line and reason.", EXAMINE),
    count("warnings", "Warnings", "warnings", "What to know about how it was read.", EXAMINE),
    count("new_stories", "New stories", "stories", "Stories that the file started.", IMPORT),
    count("new_runs", "New runs", "runs", "Runs that the file started.", IMPORT),
    count("new_signals", "Readings", "readings", "Readings of signals that were stored.", IMPORT),
    count("new_verdicts", "Verdicts", "verdicts", "Ratings by a verifier agent that were stored.", IMPORT),
    count("new_overrides", "Ratings", "ratings", "Ratings by humans that were stored.", IMPORT),
    count("duplicates", "Duplicates", "records", "Records that were in the ledger already.", IMPORT),
    # what fits the filters
    count("runs", "Runs", "runs", "Runs that fit the filters.", TOTALS),
    count("stories", "Stories", "stories", "Different stories among those runs.", TOTALS),
    count("scored", "Scored", "runs", "Runs with a score from at least one tier.", TOTALS),
    count("human", "Human-reviewed", "runs", "Runs whose effective score comes from a human.", TOTALS),
    share(
        "low_confidence_share",
        "Low confidence",
        "Share of the scored runs where only the automatic tier speaks.",
        TOTALS,
    ),
    count(
        "left_out",
        "Left out",
        "runs",
        "Runs with a split model or of a synthetic story: shown, but not in model scores.",
        TOTALS,
    ),
    # a model
    count("n_runs", "Runs", "runs", "Scored or not.", MODELS),
    count("n", "n", "runs", "Scored runs behind the effective mean and the routing score.", LEADERBOARD),
    score(
        "effective_mean",
        "Effective",
        "Plain mean of the effective scores; it mixes the three tiers.",
        LEADERBOARD,
    ),
    score(
        "routing_score",
        "Routing",
        "Mean weighted by tier and by age: a week older counts 0.85 as much (default).",
        LEADERBOARD,
    ),
    score("mean_auto", "Auto", "Mean of the automatic scores of all runs that have one.", LEADERBOARD),
    score("mean_verifier", "Verifier", "Mean of the verifier scores of all runs that have one.", LEADERBOARD),
    score("mean_human", "Human", "Mean of the human scores of all runs that have one.", LEADERBOARD),
    count("n_with_auto", "n auto", "runs", "Runs with an automatic score, whichever tier counts.", LEADERBOARD),
    count(
        "n_with_verifier",
        "n verifier",
        "runs",
        "Runs with a verifier score, whichever tier counts.",
        LEADERBOARD,
    ),
    count("n_with_human", "n human", "runs", "Runs with a human score.", LEADERBOARD),
    text(
        "tier_mix",
        "Tier mix",
        "Shares of the scored runs whose effective score is automatic, the verifier's, a human's.",
        LEADERBOARD,
    ),
    *MODEL_NUMBERS,
    *TRUST_NUMBERS,
    *REVIEW_NUMBERS,
    *STORY_NUMBERS,
    # a prompt
    score("overall", "Overall", "Weighted composite of the judge's four scores; empty where it failed.", SCORE_REPLY),
    score("dimension_score", "Score", "The judge's, clamped to 0–10; 5 stands for one that is unusable.", SCORE_REPLY),
    Definition(
        "dimension_weight", "Weight", "weight", "weight", 0, 1,
        "The dimension's share of the overall score, a quarter each unless `EVAL_WEIGHT_…` says otherwise.",
        "quality.dimensions.weights_in_force",
    ),
    Definition(
        "difference", "Difference", "difference", "points", -10, 10,
        "Score of the later evaluation minus that of the earlier one.", "quality.versions.compare",
    ),
    text("dimension", "Dimension", "What the judge scores a prompt on.", PROMPTS),
    text("prompt", "Prompt", "What people call the prompt; its versions share the name.", PROMPTS),
    text("label", "Label", "The overall score in a word.", "quality.dimensions.label_of"),
    text("judge", "Judge", "The model that judged; scripted is no real judgement.", PROMPTS),
    text("evaluated_at", "Evaluated", "When the judge's answer was stored.", PROMPTS, "time"),
    count("version", "Version", "versions", "Which of the prompt's different texts it is, in order.", EVALUATIONS),
    count("versions", "Versions", "versions", "Different texts of the prompt that were evaluated.", EVALUATIONS),
    count("n_evaluations", "Evaluations", "evaluations", "Of this prompt, all versions together.", EVALUATIONS),
    count("characters", "Characters", "characters", "Length of the prompt.", EVALUATIONS),
    count("input_tokens", "Tokens in", "tokens", "What the judge read, by its own count.", EVALUATED),
    count("output_tokens", "Tokens out", "tokens", "What the judge wrote, by its own count.", EVALUATED),
    count("latency_ms", "Latency", "ms", "From the question to the judge's answer, retries included.", EVALUATED),
    Definition(
        "cost_usd", "Cost", "ratio", "US dollars", 0, None,
        "Of the judge's answer, by the price table; unknown for a model without a price there.", EVALUATED,
    ),
    *RESPONSE_NUMBERS,
    *ACTIVITY_NUMBERS,
    *CORRECTION_NUMBERS,
    *CANDIDATE_NUMBERS,
    *EXPORT_NUMBERS,
)  # fmt: skip

DEFINITIONS: dict[str, Definition] = {definition.name: definition for definition in _ALL}
"""Name → definition."""


def define(name: str) -> Definition:
    """The definition of a name.

    Raises:
        KeyError: no such name; names the nearest.
    """
    if name not in DEFINITIONS:
        raise KeyError(f"{name} has no definition.{did_you_mean(name, list(DEFINITIONS))}")
    return DEFINITIONS[name]
