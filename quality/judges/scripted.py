"""What does the scripted judge say? Something plausible, the same for the same question, and never a judgement.

It needs no key and no network. Every answer is labelled with the model `scripted` and says in its text that it is made up.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable

from quality.judging import Backend, JudgeFailure, JudgeReply, JudgeRequest

MODEL = "scripted"
LABEL = "Scripted answer, made from a hash of the question: not a judgement."
Script = str | JudgeReply | JudgeFailure | Callable[[JudgeRequest], "str | JudgeReply | JudgeFailure"]

PROMPT_DIMENSIONS = ("structure", "clarity", "completeness", "specificity")
CANDIDATE_DIMENSIONS = ("clarity", "specificity", "consistency", "safety")
LOWEST_SCORE, HALF_POINTS = 3.0, 13
"""A scripted score is one of 13 half points from 3.0 to 9.0."""


class ScriptedJudge:
    """Deterministic by the content of the question; or the answers it is given, in turn, and then its own."""

    backend: Backend = "scripted"
    model = MODEL

    def __init__(self, answers: Iterable[Script] = ()) -> None:
        self._answers = iter(answers)
        self._lock = threading.Lock()

    def ask(self, request: JudgeRequest) -> JudgeReply | JudgeFailure:
        """No call is made: no tokens, no time, no cost."""
        with self._lock:
            script = next(self._answers, None)
        answer = script(request) if callable(script) else script
        if isinstance(answer, JudgeReply | JudgeFailure):
            return answer
        text = made_up(request) if answer is None else answer
        return JudgeReply(
            text=text, model=MODEL, backend="scripted", input_tokens=0, output_tokens=0, latency_ms=0.0,
            stop_reason="end_turn", attempts=0, cost_usd=0.0,
        )  # fmt: skip

    def close(self) -> None:
        """Nothing to let go of."""


def made_up(request: JudgeRequest) -> str:
    """The answer for what the question is for; a purpose that is not known gets the label alone.

    >>> question = JudgeRequest(system="s", user="u", purpose="chat", prompt_version="chat-v1")
    >>> made_up(question) == LABEL
    True
    """
    asked = (request.purpose, request.prompt_version, request.system, request.user)
    digest = hashlib.sha256("\x00".join(asked).encode("utf-8", "surrogatepass")).digest()
    write = WRITERS.get(request.purpose)
    return write(digest) if write else LABEL


def _prompt_evaluation(digest: bytes) -> str:
    said = {
        name: {"score": _score(digest[place]), "feedback": f"{LABEL} It stands where feedback on {name} would."}
        for place, name in enumerate(PROMPT_DIMENSIONS)
    }
    return json.dumps({**said, "suggestions": [f"{LABEL} Ask a real judge for suggestions."]}, indent=1)


def _verifier_review(digest: bytes) -> str:
    quality = _score(digest[0])
    meta = (
        f"quality={quality:g}\ncorrect={_yes(quality >= 5)}\nrework_needed={_yes(quality < 7)}\nverifier_model={MODEL}"
    )
    return f"{LABEL}\n\n# synlynk-meta\n{meta}\n"


def _candidate_judgement(digest: bytes) -> str:
    scores = {name: _score(digest[place]) / 10 for place, name in enumerate(CANDIDATE_DIMENSIONS)}
    said = {"verdict": "conditional", "confidence": 0.5, "rationale": LABEL}
    return json.dumps({**scores, **said}, indent=1)


def _score(byte: int) -> float:
    return LOWEST_SCORE + (byte % HALF_POINTS) / 2


def _yes(value: bool) -> str:
    return "true" if value else "false"


WRITERS: dict[str, Callable[[bytes], str]] = {
    "prompt_evaluation": _prompt_evaluation,
    "verifier_review": _verifier_review,
    "candidate_judgement": _candidate_judgement,
}
"""Purpose → what is answered."""
