"""How good is a prompt, by a judge's four scores? From the judge's words to one score with its explanation.

The dimensions and weights are in `dimensions.py`, the form of the answer in `evaluation.py`; how a reply is taken
apart is in `judge_json.py`.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from quality.composite import weighted_composite
from quality.dimensions import (
    DIMENSIONS,
    HIGHEST,
    KEYS,
    LOWEST,
    Weights,
    colour_of,
    label_of,
    number,
    rubric,
    scaled,
    weights_in_force,
)
from quality.errors import QualityError
from quality.evaluation import LONGEST_PROMPT, DimensionScore, Evaluation, EvaluationFailure, EvaluationMetadata
from quality.judge_json import NotAnObject, clean, reply_object
from quality.judging import Judge, JudgeFailure, JudgeReply, JudgeRequest

__all__ = [
    "CRITERIA",
    "DIMENSIONS",
    "STORY_PROMPT",
    "Evaluation",
    "check_prompt",
    "evaluate_prompt",
    "prompt_request",
    "rubric",
    "score_replies",
    "score_reply",
    "texts_of_story",
]

PURPOSE = "prompt_evaluation"
MAX_TOKENS = 2048
TEMPERATURE = 0.3
UNSCORED = 5.0
"""What stands for a score that is missing or unusable."""
CUT = (
    "the reply was cut at the {tokens:,} tokens that an evaluation may take, so its JSON is unfinished: run the evaluation "
    "again; if it is cut again, name a model that thinks or writes less"
)
NO_FEEDBACK = "No feedback available"
PARSE_FAILED = "EVALUATION_PARSE_FAILED"
GivenWeights = Weights | Mapping[str, float] | Sequence[float] | None
CRITERIA = "done_criteria"
"""The name of a story's done criteria as a prompt."""
STORY_PROMPT = "prompt"
"""The name of a story's prompt, unless another is given."""
_TENTH = Decimal("0.1")
_NOISE_DIGITS = 12
"""Decimals kept before rounding: binary noise is smaller, what a judge writes is larger."""


def score_reply(reply: str, weights: GivenWeights = None) -> Evaluation:
    """What a judge's reply says about a prompt; never raises for what is in the reply.

    A score outside 0–10 is clamped; a missing or unusable one (null, true, a text that is no number…) counts 5
    with "No feedback available" and a warning. Overall = weighted composite, one decimal, halves up.

    Args:
        reply: the judge's words.
        weights: by key, in the order of `DIMENSIONS`, or `Weights`; by default those of the environment.

    Returns:
        SUCCESS, or FAILED with `EVALUATION_PARSE_FAILED` where the reply is no JSON object.

    >>> score_reply('{"structure": 7, "clarity": 7, "completeness": 7, "specificity": 8}', (1, 1, 1, 1)).overall
    7.3
    """
    return score_replies([reply], weights)[0]


def score_replies(replies: Iterable[str], weights: GivenWeights = None) -> list[Evaluation]:
    """The same for many replies: one composite over all rows."""
    used = _used(weights)
    read = [(reply, _read(reply)) for reply in replies]
    rows = [said.scores for _, said in read if isinstance(said, _Said)]
    values = iter(weighted_composite(rows, used.values).value.tolist() if rows else ())
    return [
        _scored(reply, said, next(values), used) if isinstance(said, _Said) else _failed(reply, said, used)
        for reply, said in read
    ]


def evaluate_prompt(text: str, judge: Judge, weights: Weights | None = None) -> Evaluation:
    """Ask the judge once and score what it says. A judge that fails is a FAILED evaluation, not an exception.

    Raises:
        QualityError: the prompt is blank or longer than 50,000 characters.
    """
    request = prompt_request(text)
    return evaluation_of(text, request, judge.ask(request), weights)


def prompt_request(text: str) -> JudgeRequest:
    """The question to a judge about this prompt: at most 2048 output tokens, temperature 0.3.

    Raises:
        QualityError: as `check_prompt`.
    """
    from quality.judges.wording import wording  # loaded where a judge is asked

    words = wording("evaluate_prompt", dimensions=rubric(), prompt=clean(check_prompt(text)))
    return JudgeRequest(
        system=words.system, user=words.user, prompt_version=words.version, purpose=PURPOSE, max_tokens=MAX_TOKENS,
        temperature=TEMPERATURE,
    )  # fmt: skip


def evaluation_of(
    text: str, request: JudgeRequest, answer: JudgeReply | JudgeFailure, weights: Weights | None = None
) -> Evaluation:
    """The evaluation of a prompt from what the judge answered to `prompt_request(text)`."""
    known = {"backend": answer.backend, "prompt_version": request.prompt_version, "prompt_sha256": sha256_of(text)}
    scripted = answer.backend == "scripted"
    if isinstance(answer, JudgeFailure):
        used = _used(weights)
        failure = EvaluationFailure(code=f"JUDGE_{answer.code.upper()}", message=clean(answer.message))
        return Evaluation(
            status="FAILED", failure=failure, warnings=list(used.warnings), weights=used.by_key(),
            metadata=EvaluationMetadata(**known, model=answer.model, latency_ms=answer.latency_ms, scripted=scripted),
        )  # fmt: skip
    metadata = EvaluationMetadata(
        **known, model=answer.model, input_tokens=answer.input_tokens, output_tokens=answer.output_tokens,
        latency_ms=answer.latency_ms, stop_reason=answer.stop_reason, cost_usd=answer.cost_usd, scripted=scripted,
    )  # fmt: skip
    found = score_reply(answer.text, weights)
    changes: dict[str, Any] = {"metadata": metadata}
    if answer.adapted:
        changes["warnings"] = [*found.warnings, f"the model did not accept {', '.join(answer.adapted)}: asked without"]
    if found.failure and answer.truncated:
        cut = CUT.format(tokens=request.max_tokens)
        changes["failure"] = found.failure.model_copy(update={"message": cut})
    return found.model_copy(update=changes)


def check_prompt(text: str) -> str:
    """The prompt, if it can be judged.

    Raises:
        QualityError: blank, or longer than 50,000 characters.
    """
    if not text.strip():
        raise QualityError(f"the prompt is empty or blank: give 1 to {LONGEST_PROMPT:,} characters")
    if len(text) > LONGEST_PROMPT:
        raise QualityError(
            f"the prompt has {len(text):,} characters: give 1 to {LONGEST_PROMPT:,}, for example its part that matters"
        )
    return text


def texts_of_story(*known: Mapping[str, Any]) -> dict[str, str]:
    """Name → text of what a story holds that can be judged; of the same text the first that is there counts.

    `known` are what is known of the story, or of a run of it before it: `done_criteria`, and `attributes` with `prompt`.

    >>> texts_of_story({"done_criteria": "It runs.", "attributes": {"prompt": " "}})
    {'done_criteria': 'It runs.'}
    """
    found: dict[str, str] = {}
    for facts in known:
        for name, text in ((CRITERIA, facts.get(CRITERIA)), (STORY_PROMPT, facts["attributes"].get(STORY_PROMPT))):
            if isinstance(text, str) and text.strip():
                found.setdefault(name, text)
    return {name: found[name] for name in (CRITERIA, STORY_PROMPT) if name in found}


def sha256_of(text: str) -> str:
    """Hex digest that tells two prompts apart, of the text in UTF-8."""
    return hashlib.sha256(clean(text).encode()).hexdigest()


def rounded(value: float) -> float:
    """One decimal, halves up, by the decimal value that is meant.

    >>> rounded(7.25), rounded(7.249999999999999), rounded(7.2499999999)
    (7.3, 7.3, 7.2)
    """
    meant = Decimal(repr(round(value, _NOISE_DIGITS)))
    return float(meant.quantize(_TENTH, ROUND_HALF_UP))


def _used(weights: GivenWeights) -> Weights:
    if weights is None:
        return weights_in_force()
    if isinstance(weights, Weights):
        return weights
    values = [weights[key] for key in KEYS] if isinstance(weights, Mapping) else list(weights)
    weighted_composite([UNSCORED] * len(KEYS), values)  # refuses what is no weight
    return Weights(scaled(tuple(values)))


class _Said(NamedTuple):
    """What is in a reply, dimension by dimension."""

    scores: list[float]
    feedback: list[str]
    suggestions: list[str]
    notes: list[str]


def _read(reply: str) -> _Said | str:
    """What the reply says, or why it is no JSON object."""
    try:
        found = reply_object(reply)
    except NotAnObject as error:
        return clean(str(error))
    parts = [_part(found.get(key)) for key in KEYS]
    suggestions, dropped = _suggestions(found.get("suggestions"))
    notes = [
        f"{key}: the reply has no usable score, {UNSCORED:g} stands for it"
        for key, (score, _) in zip(KEYS, parts)
        if score is None
    ]
    if dropped:
        notes.append("suggestions that are not text were left out")
    scores = [UNSCORED if score is None else score for score, _ in parts]
    return _Said(scores, [feedback for _, feedback in parts], suggestions, notes)


def _scored(reply: str, said: _Said, value: float, used: Weights) -> Evaluation:
    overall = rounded(value)
    parts = zip(KEYS, said.scores, said.feedback, used.values)
    return Evaluation(
        status="SUCCESS", overall=overall, label=label_of(overall), colour=colour_of(overall),
        dimensions=[DimensionScore(key=key, score=score, feedback=text, weight=weight) for key, score, text, weight in parts],
        suggestions=said.suggestions, warnings=[*used.warnings, *said.notes], weights=used.by_key(), reply=clean(reply),
    )  # fmt: skip


def _failed(reply: str, reason: str, used: Weights) -> Evaluation:
    failure = EvaluationFailure(code=PARSE_FAILED, message=f"{reason}: run the evaluation again with the same judge")
    return Evaluation(
        status="FAILED", failure=failure, warnings=list(used.warnings), weights=used.by_key(), reply=clean(reply)
    )


def _part(said: Any) -> tuple[float | None, str]:
    """Score and feedback of one dimension: an object with both, or a bare score."""
    score = _score(said.get("score") if isinstance(said, dict) else said)
    feedback = said.get("feedback") if isinstance(said, dict) else None
    if score is None or not isinstance(feedback, str) or not feedback.strip():
        return score, NO_FEEDBACK
    return score, clean(feedback)


def _score(said: Any) -> float | None:
    if isinstance(said, str):
        said = number(said)
    if not isinstance(said, float) or math.isnan(said):
        return None
    return min(max(said, LOWEST), HIGHEST) + 0.0


def _suggestions(said: Any) -> tuple[list[str], bool]:
    """The texts among them, and whether anything else was."""
    if not isinstance(said, list):
        return [], said is not None
    kept = [clean(text) for text in said if isinstance(text, str) and text.strip()]
    return kept, len(kept) < len(said)
