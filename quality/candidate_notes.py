"""What stands against a candidate, and what is said about it? Blockers in their fixed order, notes in sentences."""

from collections.abc import Iterator, Sequence
from typing import Any

from quality.candidate_input import LONGEST_NAME, Candidate
from quality.candidates import BONUS, NO_LEVEL, OTHER, RISK

BLOCKERS = {
    "protected_target": "The target is a protected path: a human decides.",
    "executor_not_supported": "The executor cannot carry this change out.",
    "not_auto_keep_category": "Only docs, reference and guardrail may be carried out without a human.",
    "skill_level_insufficient_for_structural_change":
        "The skill is at level 1: too low for a change to its workflow, prompt or tests.",
    "evaluator_reject": "The evidence is too weak.",
    "llm_judge_reject": "The judge rejects it.",
}  # fmt: skip
"""Blocker → what it says; `risk_<level>` is made from the level."""
RISK_BLOCKER = "risk_"
ADVICE = {
    "accept_for_execution": "Low risk, and of a category that may be kept: it can go to the executor.",
    "hold": "Held until a human has decided.",
    "reject": "Rejected: too little to gain, too little evidence, or too much risk.",
}
"""Recommendation → what it says."""
NO_VERDICT = "The judge gave no usable answer: scored without it."


def blocker_words(blocker: str) -> str:
    """A blocker as a sentence.

    >>> blocker_words("risk_high"), blocker_words("evaluator_reject")
    ('The risk is high.', 'The evidence is too weak.')
    """
    if blocker in BLOCKERS:
        return BLOCKERS[blocker]
    return f"The risk is {blocker.removeprefix(RISK_BLOCKER)}." if blocker.startswith(RISK_BLOCKER) else blocker


def blockers_of(
    candidate: Candidate, protected: bool, keep: bool, level_too_low: bool, evidence_rejects: bool, judge_rejects: bool
) -> list[str]:
    """In the order of MODEL.md."""
    level = NO_LEVEL if candidate.risk_level is None else candidate.risk_level
    against = (
        ("protected_target", protected),
        ("executor_not_supported", candidate.executor_support is not True),
        ("not_auto_keep_category", not keep),
        (f"{RISK_BLOCKER}{level}", level != "low"),
        ("skill_level_insufficient_for_structural_change", level_too_low),
        ("evaluator_reject", evidence_rejects),
        ("llm_judge_reject", judge_rejects),
    )
    return [name for name, stands in against if stands]


def notes_of(
    recommendation: str, blockers: Sequence[str], evidence: dict[str, Any] | None, verdicts: Sequence[Any],
    label: str | None = None,
) -> list[str]:  # fmt: skip
    """Sentences for people: what to do, why, and what evidence and judge said.

    Args:
        verdicts: a judge's answer each, `None` where there was none; empty where none was asked.
        label: of the panel.
    """
    notes = [ADVICE[recommendation], *(blocker_words(blocker) for blocker in blockers)]
    if label == "DISPUTED":
        notes.append("The reviewers do not agree: held.")
    if evidence is not None:
        notes.append(
            f"Evidence: {evidence['overall']:g} of 1, {evidence['verdict']}; skill: {evidence['skill_level']}."
        )
        notes += [f"Evidence: {warning}." for warning in evidence["warnings"]]
    for verdict in verdicts:
        if verdict is None:
            notes.append(NO_VERDICT)
            continue
        made_up = ", made up: no judgement" if verdict.backend_used == "mock" else ""
        notes.append(f"Judge ({verdict.backend_used}{made_up}): {verdict.score:g} of 1, {verdict.decision}.")
        if verdict.said is not None and verdict.said != verdict.decision:
            notes.append(f"The judge said {verdict.said}; by its scores it is {verdict.decision}.")
        notes += [f"Judge: {warning}." for warning in verdict.warnings]
    return list(dict.fromkeys(notes))


def unknown_words(candidate: Candidate) -> Iterator[str]:
    """What the candidate says that is in no table, and what stands for it.

    >>> list(unknown_words(Candidate(id="a", category="misc", risk_level="low")))
    ["category 'misc' is not known: it counts as other"]
    """
    if candidate.category is not None and candidate.category not in BONUS:
        yield f"category {candidate.category[:LONGEST_NAME]!r} is not known: it counts as {OTHER}"
    if candidate.risk_level is not None and candidate.risk_level not in RISK:
        yield f"risk_level {candidate.risk_level[:LONGEST_NAME]!r} is not known: it counts as {OTHER}"
