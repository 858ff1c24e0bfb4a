"""What do the numbers of improvement candidates mean? Part of the catalogue. Scores are 0–10, evidence and judges 0–1."""

from quality.definition import Definition, count, share, text

RULES = "MODEL.md, Improvement candidates"
HEURISTIC, BLEND, RECOMMEND = (
    "quality.candidates.heuristic",
    "quality.candidates.blend",
    "quality.candidates.recommend",
)
PANEL, OUTCOME = "quality.panel.panel", "quality.panel.outcome"
EVIDENCE, VERDICT = "quality.candidate_evidence.evidence_for", "quality.candidate_judging.verdict_of"
RANK = "quality.candidate_ranking.rank"
LISTED, AGREES = (
    "quality.ledger.rankings_reading.list_rankings",
    "quality.ledger.rankings_reading.reviewer_agreement",
)
AGREEMENT = "quality.panel_agreement.panel_agreement"


def _step(name: str, label: str, sentence: str, low: float, high: float) -> Definition:
    return Definition(name, label, "difference", "points", low, high, sentence, HEURISTIC)


def score(name: str, label: str, sentence: str, source: str) -> Definition:
    """With two decimals: thresholds and ties are decided there."""
    return Definition(name, label, "ratio", "points", 0, 10, sentence, source)


CANDIDATE_NUMBERS: tuple[Definition, ...] = (
    text("candidate_id", "Candidate", "Id of the proposed change, as its file gives it.", RULES),
    score("candidate_score", "Score", "Heuristic, blended with evidence and judge where they were asked for.", BLEND),
    text("recommendation", "Recommendation", "What to do with the candidate.", RECOMMEND),
    text("blockers", "Blockers", "What stands against carrying it out without a human.", RULES, "list"),
    score("heuristic_score", "Heuristic", "By category, references, executor and risk, kept within 0–10.", HEURISTIC),
    _step("base", "Base", "Where every candidate begins.", 4, 4),
    _step("bonus", "Category", "What its category adds.", 0, 5),
    _step("refs", "References", "Half a point for each of up to three.", 0, 1.5),
    _step("executor", "Executor", "Half a point where the executor supports it.", 0, 0.5),
    _step("risk", "Risk", "What its level takes away; a reviewer multiplies it.", -9, 0),
    _step("protection", "Protected path", "What a protected target takes away; a reviewer multiplies it.", -5, 0),
    _step("clamp", "Kept within 0–10", "What keeping the sum within 0–10 adds or takes away.", -10, 10),
    score("evaluator_score", "Evidence", "Ten times the overall of the evidence.", EVIDENCE),
    share("evidence_overall", "Evidence", "Weighted composite of the dimensions that are measured.", EVIDENCE),
    text("skill_level", "Skill level", "By which of five names are in the target's folder.", EVIDENCE),
    share("llm_score", "Judge", "Mean of clarity, specificity, consistency and safety; a half for what is unusable.", VERDICT),
    share("confidence", "Confidence", "The judge's own; 0.5 for the mock, 0.2 for a reply that cannot be read.", VERDICT),
    text("cognitive_label", "Panel", "Whether the reviewers agree.", OUTCOME),
    score("aggregated_score", "Panel score", "Mean of the four reviews.", PANEL),
    count("n_candidates", "Candidates", "candidates", "Of the run, whatever is recommended.", RANK),
    count("candidate_place", "Place", "place", "In the ranking, best first; equal scores keep the order of the input.", RANK),
    text("candidate_title", "Title", "Title of the candidate, as given.", RULES),
    text("candidate_category", "Category", "As given; one that is not known counts as other.", RULES),
    text("candidate_risk", "Risk", "As given; none counts as medium, one that is not known as other.", RULES),
    text("candidate_run", "Improvement run", "Its run_id, as its file gives it.", RULES),
    text("critic_mode", "Mode", "What the scores are made of.", RULES),
    text("candidates_judge", "Judge", "Who judged; mock is made up, no judgement.", RULES),
    text("ranked_at", "Stored", "When the ranking was stored here.", RULES, "time"),
    count("n_accepted", "Accepted", "candidates", "Recommended for execution.", LISTED),
    count("n_held", "Held", "candidates", "Left to a human.", LISTED),
    count("n_rejected", "Rejected", "candidates", "Recommended to be dropped.", LISTED),
    text("panel_reviewer", "Reviewer", "One of the four, with weights of its own, blind to the others.", RULES),
    text("judge_decision", "Decision", "What the judge's score comes to.", VERDICT),
    share("clarity", "Clarity", "The judge's score; a half for one that is unusable.", VERDICT),
    share("specificity", "Specificity", "The judge's score; a half for one that is unusable.", VERDICT),
    share("consistency", "Consistency", "The judge's score; a half for one that is unusable.", VERDICT),
    share("safety", "Safety", "The judge's score; a half for one that is unusable.", VERDICT),
    count("n_panel_rankings", "Panel rankings", "rankings", "The latest of each improvement run, without mocked ones.", AGREES),
    count("n_panel_candidates", "Reviewed", "candidates", "Candidates of these rankings.", AGREES),
    share("consensus_share", "CONSENSUS", "Candidates where all four recommend the same.", AGREEMENT),
    share("verified_share", "VERIFIED", "Candidates where one recommendation has most votes, at least two.", AGREEMENT),
    share("disputed_share", "DISPUTED", "Candidates where no recommendation has most votes: held.", AGREEMENT),
    score("panel_spread", "Mean spread", "Highest less lowest score of a candidate's reviewers.", AGREES),
    score("most_spread", "Widest spread", "The greatest of them.", AGREES),
    score("reviewer_mean", "Mean score", "Mean of what the reviewer gave.", AGREES),
    share("reviewer_agrees", "With the panel", "Candidates where it recommends what the panel decided.", AGREEMENT),
    count("changed_without", "Changes without it", "candidates", "Decided otherwise if it were not asked.", AGREEMENT),
    share("changed_share", "Of all", "Those among all candidates that were reviewed.", AGREEMENT),
    share("changed_low", "From", "Lower end of its 95 % interval (Wilson).", "quality.panel_agreement.wilson"),
    share("changed_high", "To", "Upper end of its 95 % interval (Wilson).", "quality.panel_agreement.wilson"),
)  # fmt: skip
