"""What do the numbers of trust, review, routing and trend mean? Part of the catalogue; see `quality/definitions.py`."""

from quality.definition import Definition, count, score, share, text

MODEL_SCORES, TIES = "quality.trust.calibrated.scores_by_model", "quality.trust.ties.tie_groups"
AGREEMENT, CARDS = "quality.trust.agreement.agreement", "quality.trust.verifiers.trust_cards"
KAPPA, ALPHA = "quality.trust.agreement.kappa_interval", "quality.trust.alpha.krippendorff_alpha"
AGAINST, OWN = "quality.trust.verifiers.against_auto", "quality.trust.verifiers.self_preference"
LOW, USE, DRAW = (
    "quality.trust.verifiers.low_confidence",
    "quality.trust.queue.use_of_rating",
    "quality.trust.queue.draw",
)
ROUTE, COST = "quality.trust.routing.route", "quality.trust.routing.cost_per_accepted"
TRENDS, DROP = "quality.trust.trend.trends", "quality.trust.trend.find_drop"


def difference(name: str, label: str, sentence: str, source: str) -> Definition:
    return Definition(name, label, "difference", "points", -10, 10, sentence, source)


def points(name: str, label: str, sentence: str, source: str) -> Definition:
    return Definition(name, label, "ratio", "points", 0, 10, sentence, source)


def coefficient(name: str, label: str, sentence: str, source: str) -> Definition:
    return Definition(name, label, "ratio", "agreement", -1, 1, sentence, source)


TRUST_NUMBERS: tuple[Definition, ...] = (
    # the calibrated score
    score(
        "calibrated_score", "Calibrated",
        "Mean human score of all runs, from the reviewed ones and the cheap tiers; empty under five human rows.",
        MODEL_SCORES,
    ),
    score("ci_low", "From", "Lower bound of the calibrated score's 95 % interval.", MODEL_SCORES),
    score("ci_high", "To", "Upper bound of the calibrated score's 95 % interval.", MODEL_SCORES),
    Definition(
        "lam", "λ", "weight", "weight", 0, 1,
        "How much the cheap tiers' prediction counts: 0 = the reviewed runs alone.", "quality.trust.ppi.tuned",
    ),
    difference(
        "lenience", "Lenience", "Effective mean minus calibrated score: how much kinder the cheap tiers are than people.",
        MODEL_SCORES,
    ),
    count("n_needed", "Review more", "runs", "Human rows that are missing for a calibrated score.", MODEL_SCORES),
    text(
        "trust_remark", "Against the mean", "Lenience in words where it can be told, or how many reviews a score still takes.",
        "quality.trust.calibrated.lenience_in_words",
    ),
    count("n_same_family", "Same family", "runs", "Runs whose verifier is of the builder's family.", MODEL_SCORES),
    count("n_random", "n random", "runs", "Reviewed runs that were drawn by plain lot.", MODEL_SCORES),
    count("n_queue", "n queue", "runs", "Reviewed runs that the queue drew; weighted by 1 ÷ their chance.", MODEL_SCORES),
    count("n_choice", "n choice", "runs", "Reviewed runs that somebody picked; taken for typical.", MODEL_SCORES),
    count("tie_group", "Tie group", "place", "1 = the best and all that cannot be told from it; empty = no score.", TIES),
    # a verifier
    text("family", "Family", "Model family of the builder; unknown where no pattern knows the model.",
         "quality.catalogue.model_family"),
    count("n_pairs", "Pairs", "runs", "Runs with the verifier's and a human score.", AGREEMENT),
    difference("bias", "Bias", "Mean of the rating minus the human score; above 0 is lenient.", AGREEMENT),
    difference("bias_low", "From", "Lower bound of the bias's 95 % interval.", AGREEMENT),
    difference("bias_high", "To", "Upper bound of the bias's 95 % interval.", AGREEMENT),
    points("mae", "Mean error", "Mean distance of the rating to the human score, either way.", AGREEMENT),
    coefficient(
        "weighted_kappa", "Weighted kappa", "Agreement of whole points beyond chance, squares weighted; 1 = the same.", KAPPA
    ),
    coefficient("kappa_low", "From", "Lower bound of the kappa's 95 % bootstrap interval.", KAPPA),
    coefficient("kappa_high", "To", "Upper bound of the kappa's 95 % bootstrap interval.", KAPPA),
    Definition(
        "limit_low", "Lower limit", "difference", "points", -25, 25,
        "Bland–Altman: 95 % of the differences lie above, were they normal.", AGREEMENT,
    ),
    Definition(
        "limit_high", "Upper limit", "difference", "points", -25, 25,
        "Bland–Altman: 95 % of the differences lie below, were they normal.", AGREEMENT,
    ),
    count("n_verified", "Verified", "runs", "Runs that the verifier has scored, reviewed or not.", CARDS),
    difference(
        "gain_over_auto", "Gain over auto", "Auto's mean error minus the verifier's on the same runs; above 0 = nearer.",
        AGAINST,
    ),
    difference(
        "self_preference", "Self-preference", "A verifier family's bias on its own family minus that on the others.", OWN
    ),
    points("usually_within", "Usually within", "Nine in ten automatic scores are no further from the human one.", LOW),
    coefficient(
        "alpha", "Alpha", "Krippendorff's alpha of reviewers who rated the same runs: 1 = the same, 0 = as by chance.", ALPHA
    ),
    count("n_rated_twice", "Rated twice", "runs", "Runs that two or more reviewers rated.", ALPHA),
    # the queue
    share("draw_probability", "Chance", "π: the run's chance to be drawn among all that could be.", DRAW),
    count("draw_pool", "Pool", "runs", "N: unreviewed runs that could have been drawn.", DRAW),
    share("model_probability", "Chance in model", "The run's chance, given that a run of its model was drawn.", DRAW),
    count("model_pool", "Pool of model", "runs", "Unreviewed runs of its model that could have been drawn.", DRAW),
    points("dispute", "Dispute", "Distance of verifier and auto, plus half a point.", USE),
    share("closeness", "Closeness", "1 = the model is level with the best of the others.", "quality.trust.queue.closeness"),
    share(
        "skipped_share", "Skipped", "Part of the draws that nobody rated; empty before any.",
        "quality.trust.queue.skipped_share",
    ),
    # routing
    share("p_best", "P(best)", "Chance that the model is the best for this kind of work.", ROUTE),
    points("expected_loss", "Expected loss", "Points lost on average by picking it instead of the best.", ROUTE),
    Definition(
        "cost_per_accepted", "Cost an accepted story", "ratio", "US dollars", 0, None,
        "Cost of the runs whose cost is stated ÷ stories accepted among them; empty where there is none.", COST,
    ),
    count("review_more", "Review more", "runs", "Human ratings of the model that would help to decide.", ROUTE),
    # trend
    score("week_mean", "Week", "Mean of the model's runs of the week; a week without runs is a gap.", TRENDS),
    count("n_week", "n week", "runs", "The model's runs of the week.", TRENDS),
    text("trend_verdict", "Verdict", "Whether a drop was called, or why nothing can be said.", DROP),
    score("week_before", "Before", "Mean of the model's runs before the drop.", DROP),
    score("week_after", "Since", "Mean of the model's runs from the week of the drop on.", DROP),
    count("n_weeks_scored", "Weeks", "weeks", "Weeks with a scored run of the model.", TRENDS),
    text("drop_week", "Drop since", "First week of a lower level that a rule for repeated looks calls real.", DROP),
    difference(
        "surest_drop", "At least", "Points that the drop is at least, with 95 % over all looks.", DROP,
    ),
)  # fmt: skip
