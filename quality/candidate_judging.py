"""What is a judge asked about a candidate, and what do its answers say? One question a reviewer, none sees another's.

The wording is `judges/prompts/candidate_judgement-v*.md`; the candidate stands in it fenced, as data. Decisions: MODEL.md,
Improvement candidates.
"""

import math
from collections.abc import Sequence
from typing import Any

from pydantic_core import to_json

from quality.candidate_input import Candidate
from quality.candidate_output import Verdict
from quality.composite import weighted_composite
from quality.dimensions import number
from quality.judge_json import NotAnObject, clean, reply_object
from quality.judging import SCRIPTED, Backend, JudgeReply, JudgeRequest

PURPOSE = "candidate_judgement"
MAX_TOKENS = 1024
TEMPERATURE = 0.3
DIMENSIONS = ("clarity", "specificity", "consistency", "safety")
APPROVE_FROM, REJECT_BELOW = 0.75, 0.40
UNSCORED = 0.5
"""What stands for a dimension that is missing or unusable."""
SCRIPTED_CONFIDENCE, UNREAD_CONFIDENCE = 0.5, 0.2
DECISIONS = ("approve", "conditional", "reject")
SAID_UNDER, REASON_UNDER = ("verdict", "decision"), ("rationale", "reasoning")
"""Keys of a reply, the first that is there."""
NAMES: dict[Backend, str] = {"anthropic": "claude", "openai": "openai", "scripted": "mock"}
"""Backend → its name in a ranking, as on its command line."""
LONGEST_PART, LONGEST_REASON = 8_000, 4_000
"""Characters of one field of a candidate that are shown to the judge, and of its reasoning that are kept."""
DIGITS = 6
"""Binary noise is smaller: four scores that make 0.75 on paper approve."""
NOTHING = "(none)"


def judgement_request(candidate: Candidate) -> JudgeRequest:
    """The question about this candidate."""
    from quality.judges.wording import wording  # loaded where a judge is asked

    words = wording(PURPOSE, candidate=clean(candidate_text(candidate)))
    return JudgeRequest(
        system=words.system, user=words.user, purpose=PURPOSE, prompt_version=words.version, max_tokens=MAX_TOKENS,
        temperature=TEMPERATURE,
    )  # fmt: skip


def candidate_text(candidate: Candidate) -> str:
    """What the judge sees: the proposal, not its score. A long field is cut, and says so.

    >>> print(candidate_text(Candidate(id="a", title="Add owners")).splitlines()[0])
    Title: Add owners
    """
    plan = candidate.execution_plan
    parts = {
        "Title": candidate.title,
        "Category": candidate.category,
        "Risk level": candidate.risk_level,
        "Target": candidate.target_path,
        "Change": candidate.proposed_change_summary,
        "Reason": candidate.rationale,
        "References": _written(candidate.source_refs),
        "Plan": _written(plan.model_dump(exclude_unset=True)) if plan else None,
    }
    return "\n".join(f"{name}: {_cut(text) if text else NOTHING}" for name, text in parts.items())


def verdict_of(answer: JudgeReply, request: JudgeRequest) -> Verdict:
    """What the judge's answer says; never raises for what is in it.

    A dimension is clamped to 0–1, a missing or unusable one counts 0.5 with a warning. ≥ 0.75 approve unless it said
    reject, < 0.40 reject, else conditional. No JSON object: 0.5, conditional, confidence 0.2.

    >>> asked = judgement_request(Candidate(id="a"))
    >>> verdict_of(JudgeReply(text="fine", model="m", backend="openai"), asked).confidence
    0.2
    """
    known = {"backend_used": NAMES[answer.backend], "model": answer.model, "prompt_version": request.prompt_version}
    adapted = [f"the model did not accept {', '.join(answer.adapted)}: asked without"] if answer.adapted else []
    try:
        reply = reply_object(answer.text)
    except NotAnObject as error:
        cut = f"; it was cut at {request.max_tokens:,} tokens" if answer.truncated else ""
        return Verdict(
            score=UNSCORED, decision="conditional", dimensions=dict.fromkeys(DIMENSIONS, UNSCORED),
            confidence=UNREAD_CONFIDENCE, warnings=[f"{clean(str(error))}{cut}: 0.5 stands for it", *adapted], **known,
        )  # fmt: skip
    dimensions, warnings = {}, adapted
    for name in DIMENSIONS:
        dimensions[name], warning = _dimension(name, reply.get(name))
        warnings = warnings + warning
    said = _first_text(reply, SAID_UNDER).strip().lower()
    score = mean_of(list(dimensions.values()))
    return Verdict(
        score=score, decision=decision_of(score, said == "reject"), dimensions=dimensions,
        confidence=_confidence(reply.get("confidence"), answer.backend),
        reasoning=clean(_first_text(reply, REASON_UNDER))[:LONGEST_REASON], said=said if said in DECISIONS else None,
        warnings=warnings, **known,
    )  # fmt: skip


def decision_of(score: float, said_reject: bool = False) -> str:
    """
    >>> decision_of(0.75), decision_of(0.75, said_reject=True), decision_of(0.4), decision_of(0.39)
    ('approve', 'conditional', 'conditional', 'reject')
    """
    if score >= APPROVE_FROM and not said_reject:
        return "approve"
    return "reject" if score < REJECT_BELOW else "conditional"


def mean_verdict(verdicts: Sequence[Verdict | None]) -> Verdict | None:
    """What a panel's answers come to: the mean of those that came, the least confidence of them; `None` without any.

    It is no approval if more than half of them said reject.
    """
    came = [one for one in verdicts if one is not None]
    if not came:
        return None
    dimensions = {name: mean_of([one.dimensions[name] for one in came]) for name in DIMENSIONS}
    score = mean_of([one.score for one in came])
    most = sum(one.said == "reject" for one in came) * 2 > len(came)
    stated = [one.confidence for one in came if one.confidence is not None]
    return Verdict(
        score=score, decision=decision_of(score, most), dimensions=dimensions, confidence=min(stated, default=None),
        said="reject" if most else None, backend_used=came[0].backend_used, model=came[0].model,
        prompt_version=came[0].prompt_version,
    )  # fmt: skip


def mean_of(values: Sequence[float]) -> float:
    """Their weighted composite with equal weights, without binary noise."""
    return round(float(weighted_composite(values, [1.0] * len(values)).value[0]), DIGITS)


def _dimension(name: str, said: Any) -> tuple[float, list[str]]:
    value = said.get("score") if isinstance(said, dict) else said
    if isinstance(value, str):
        value = number(value)
    if isinstance(value, bool) or not isinstance(value, float) or math.isnan(value):
        return UNSCORED, [f"{name}: the reply has no usable score, {UNSCORED:g} stands for it"]
    kept = min(max(value, 0.0), 1.0) + 0.0
    return kept, [] if kept == value else [f"{name}: {value:g} is not within 0–1, {kept:g} stands for it"]


def _confidence(said: Any, backend: Backend) -> float | None:
    """A made-up answer never claims to be surer than chance, whatever it says."""
    if backend == SCRIPTED:
        return SCRIPTED_CONFIDENCE
    if isinstance(said, bool) or not isinstance(said, float) or math.isnan(said):
        return None
    return min(max(said, 0.0), 1.0) + 0.0


def _first_text(reply: dict[str, Any], keys: Sequence[str]) -> str:
    return next((text for key in keys if isinstance(text := reply.get(key), str)), "")


def _written(value: Any) -> str | None:
    return to_json(value, indent=1, inf_nan_mode="null").decode() if value else None


def _cut(text: str) -> str:
    if len(text) <= LONGEST_PART:
        return text
    return f"{text[:LONGEST_PART]} … ({len(text) - LONGEST_PART:,} more characters are not shown)"
