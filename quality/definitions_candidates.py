"""What do the numbers of improvement candidates mean? Part of the catalogue. Scores are 0–10, evidence and judges 0–1."""

from quality.definition import Definition, count, score, share, text

RULES = "MODEL.md, Improvement candidates"
HEURISTIC, BLEND, RECOMMEND = (
    "quality.candidates.heuristic",
    "quality.candidates.blend",
    "quality.candidates.recommend",
)
PANEL, OUTCOME = "quality.panel.panel", "quality.panel.outcome"
EVIDENCE, VERDICT = "quality.candidate_evidence.evidence_for", "quality.candidate_judging.verdict_of"
RANK = "quality.candidate_ranking.rank"


def _step(name: str, label: str, sentence: str, low: float, high: float) -> Definition:
    return Definition(name, label, "difference", "points", low, high, sentence, HEURISTIC)


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
)  # fmt: skip
