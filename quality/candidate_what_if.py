"""What would a candidate's score be if something about it were another? And how does a score come about, step by step?

The answer comes from the same call as the ranking's own (`candidate_ranking.rank`), with what was found then: the
structure of the target's folder, and what the judge said. Nothing is looked up or asked anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quality.candidate_evidence import STRUCTURE
from quality.candidate_folders import Folder, Folders
from quality.candidate_input import Candidate, CandidateFile, Target
from quality.candidate_output import Evidence, Parts, ScoredCandidate, Verdict
from quality.candidate_ranking import RESERVED, Verdicts, rank
from quality.panel import REVIEWERS

SUPPOSED = "(supposed)"
"""Stands for a reference that is not there."""
HEURISTIC_STEPS = ("base", "bonus", "refs", "executor", "risk", "protection", "clamp")
"""Parts of a score that sum to the heuristic."""
BLENDED = ("judge", "evidence")
DIGITS = 2


@dataclass(frozen=True)
class Supposed:
    """How a candidate is scored: as it is, unless something is supposed to be otherwise."""

    risk_level: str | None
    executor_support: bool
    refs: int
    panel: bool
    evidence: bool
    judge: bool


@dataclass(frozen=True)
class Step:
    """What one part adds to a score or takes from it; `total` = it is the sum so far."""

    name: str
    value: float
    total: bool = False


def as_it_is(scored: ScoredCandidate, judge_asked: bool) -> Supposed:
    """How the candidate was scored."""
    one = candidate_of(scored)
    return Supposed(
        risk_level=one.risk_level, executor_support=one.executor_support is True, refs=len(one.source_refs or ()),
        panel=scored.panel is not None, evidence=scored.evidence is not None, judge=judge_asked,
    )  # fmt: skip


def what_if(scored: ScoredCandidate, supposed: Supposed, protected_paths: Sequence[str]) -> ScoredCandidate:
    """The candidate as it would be ranked.

    Evidence and judge count only where the candidate has them. A panel of a candidate that was judged once supposes
    that each reviewer heard the same; a panel's candidate without it, the mean of what the reviewers heard.
    """
    one = candidate_of(scored)
    refs = [*(one.source_refs or ())[: supposed.refs]]
    refs += [SUPPOSED] * (supposed.refs - len(refs))
    changed = Candidate.model_validate(
        one.given()
        | {"risk_level": supposed.risk_level, "executor_support": supposed.executor_support, "source_refs": refs}
    )
    found = scored.evidence if supposed.evidence else None
    ranking = rank(
        CandidateFile(run_id="what-if", target=Target(path="what-if"), candidates=[changed]),
        with_panel=supposed.panel,
        folders=None if found is None else Folders([_folder(found)]),
        verdicts=_verdicts(scored, supposed.panel) if supposed.judge else None,
        protected_paths=protected_paths,
    )
    return ranking.scored_candidates[0]


def candidate_of(scored: ScoredCandidate) -> Candidate:
    """The candidate that was scored, as it was given."""
    given = {name: value for name, value in (scored.model_extra or {}).items() if name not in RESERVED}
    return Candidate.model_validate({**given, "id": scored.id})


def steps(parts: Parts) -> list[Step]:
    """From the base to the score: every step is what it adds; what changes nothing is left out, the base never is.

    Of a blend, the heuristic is a sum on the way; judge and evidence then pull it to themselves by their weights.
    """
    found = [
        Step(name, value) for name in HEURISTIC_STEPS if (value := getattr(parts, name)) or name == HEURISTIC_STEPS[0]
    ]
    pulls = [
        Step(name, round(weight * (getattr(parts, name) - parts.heuristic), DIGITS))
        for name in BLENDED
        if (weight := parts.blend.weights.get(name))
    ]
    if pulls:
        off = round(parts.blend.value - parts.heuristic - sum(step.value for step in pulls), DIGITS)
        pulls[-1] = Step(pulls[-1].name, round(pulls[-1].value + off, DIGITS))  # so that what is shown adds up
        found += [Step("heuristic", parts.heuristic, total=True), *pulls]
    return [*found, Step("score", parts.blend.value, total=True)]


def _folder(evidence: Evidence) -> Folder:
    return Folder(tuple(evidence.structure[name] for name in STRUCTURE), tuple(evidence.warnings))


def _verdicts(scored: ScoredCandidate, with_panel: bool) -> Verdicts:
    if not with_panel:
        return [[scored.llm_verdict]]
    if scored.panel is None:
        return [[scored.llm_verdict] * len(REVIEWERS)]
    heard: dict[str, Verdict | None] = {one.reviewer: one.llm_verdict for one in scored.panel.panel_reviews}
    return [[heard.get(reviewer.name) for reviewer in REVIEWERS]]


def differs(before: ScoredCandidate, after: ScoredCandidate) -> dict[str, tuple[Any, Any]]:
    """What would change of recommendation and label: name → (before, after)."""
    pairs = {
        "recommendation": (before.recommendation, after.recommendation),
        "label": (before.panel and before.panel.cognitive_label, after.panel and after.panel.cognitive_label),
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
