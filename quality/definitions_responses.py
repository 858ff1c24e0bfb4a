"""What do the numbers of AI responses mean? Part of the catalogue. Scores of responses are 0–100."""

from quality.definition import Definition, count, share, text

RULES = "MODEL.md, Responses"
SCORE, CHANGES = "quality.responses.score_responses", "quality.responses.diagnostic_changes"
STEPS = "quality.response_steps.score_steps"
DELTAS, MEANS = "quality.response_regressions.regression_deltas", "quality.response_regressions.rolling_means"
SEVERITY = "quality.response_regressions.regression_severity"
STATS, SHOWN = "quality.ledger.responses_reading.response_stats", "quality.ledger.responses_reading.show_response"


def _score(name: str, label: str, sentence: str, source: str = SCORE) -> Definition:
    return Definition(name, label, "score", "points", 0, 100, sentence, source)


def _difference(name: str, label: str, sentence: str, source: str) -> Definition:
    return Definition(name, label, "difference", "points", -100, 100, sentence, source)


def _tokens(name: str, label: str, sentence: str) -> Definition:
    return count(name, label, "tokens", f"{sentence} Shown, not scored.", RULES)


RESPONSE_NUMBERS: tuple[Definition, ...] = (
    # a response
    text("response_id", "Response", "Id of the response, the source's own where it states one.", RULES),
    text("session_id", "Session", "Id of the session it was given in.", RULES),
    text("provider", "Provider", "Who serves the model.", RULES),
    text("ended_at", "Ended", "When the response ended, else when it was stored.", RULES, "time"),
    _score("composite", "Score", "Weighted composite of correctness, user feedback and static analysis."),
    _score("correctness", "Correctness", "Tool calls that succeeded, less for an error of the response and for new errors."),
    _score("user_feedback", "User feedback", "Neutral 70 (default), then more or less with each signal."),
    _score("static_analysis", "Static analysis", "80 (default), then by new and resolved diagnostics; empty without them."),
    share("response_coverage", "Coverage", "Share of the weight whose parts are known.", SCORE),
    _score("rolling_mean", "Rolling mean", "Mean of the model's last 20 responses (default) up to this one.", MEANS),
    _difference("delta", "Against before", "Score minus the mean of the model's 20 responses before it (default).", DELTAS),
    text("severity", "Regression", "How much worse it is than the model's responses before it, in a word.", SEVERITY),
    text("part", "Part", "What of a response is scored.", RULES),
    Definition("part_weight", "Weight", "count", "weight", 0, None, "Configured; only the ratio of the weights matters.", SCORE),
    share("part_used_weight", "Used weight", "The part's share of the score: missing parts share theirs out.", SCORE),
    _score("part_contribution", "Contribution", "What the part adds to the score; the contributions add up to it."),
    text("step", "What", "What a sub-score is put together from.", RULES),
    count("step_number", "Number", "times", "How often it happened.", STEPS),
    _difference("step_points", "Points each", "What one of them adds (settings `responses.…`).", STEPS),
    _difference("step_adds", "Adds", "What all of them add; the steps of a part add up to its score.", STEPS),
    count("tools_ok", "Calls ok", "calls", "Tool calls that ended well.", RULES),
    count("tools_failed", "Calls failed", "calls", "Tool calls that ended in an error.", RULES),
    count("tools_unknown", "No end", "calls", "Tool calls whose end is not recorded; they count for nothing.", RULES),
    text("tool", "Tool", "What was called, as named by the source.", RULES),
    text("tool_status", "Ended", "How the call ended: success, error or unknown.", RULES),
    _tokens("response_tokens_input", "Tokens in", "What the model read, without what came from a cache."),
    _tokens("response_tokens_output", "Tokens out", "What the model wrote."),
    _tokens("response_tokens_reasoning", "Reasoning tokens", "What it thought, as far as it is stated apart."),
    _tokens("response_tokens_cache_read", "Cache read", "Tokens that came from a cache."),
    _tokens("response_tokens_cache_write", "Cache write", "Tokens that were put into a cache."),
    # what happened to it
    text("signal_given", "Signal", "What a person did with the response.", RULES),
    text("event_id", "Event", "The event's own id; the same one counts once.", RULES),
    text("told_at", "Told", "When it was recorded here.", RULES, "time"),
    text("cause", "Why", "What made this score: stored, restated, feedback, or other settings.", SHOWN),
    # a model's responses
    count("n_responses", "n", "responses", "Responses with a score, behind the mean and the percentiles.", STATS),
    count("n_all_responses", "Responses", "responses", "Scored or not.", STATS),
    count("n_sessions", "Sessions", "sessions", "Sessions that the responses are of.", STATS),
    count("n_regressions", "Regressions", "responses", "Responses that are worse than their model's before them.", STATS),
    _score("mean_response", "Mean", "Plain mean of the scores.", STATS),
    _score("p25_response", "p25", "A quarter of the scores lies below it.", STATS),
    _score("median_response", "Median", "Half of the scores lies below it.", STATS),
    _score("p75_response", "p75", "Three quarters of the scores lie below it.", STATS),
    _difference("trend_response", "Week on week", "Mean of the model's latest ISO week minus that of the week before it.", STATS),
    count("week_n", "n week", "responses", "Scored responses in the model's latest week.", STATS),
    text("severities", "Regressions", "How many of its responses are regressions, by severity.", STATS),
    text("last_at", "Latest", "When its latest response ended.", STATS, "time"),
    _score("mean_of_story", "Responses", "Mean score of the story's responses; it is no part of the run's score.", STATS),
)  # fmt: skip
