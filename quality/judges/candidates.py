"""What does a judge say about each candidate of a run? A question a reviewer each, several at once."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from quality.candidate_input import Candidate
from quality.candidate_judging import NAMES, judgement_request, verdict_of
from quality.candidate_output import JudgeUse, Verdict
from quality.judges.fallback import open_or_scripted
from quality.judges.many import Answer, ask_many
from quality.judging import JudgeFailure, JudgeReply
from quality.settings import JudgeSettings


class Judged(NamedTuple):
    """The verdicts, who gave them, and what a reader should know."""

    verdicts: list[list[Verdict | None]]
    """n × callers; `None` where no answer came."""
    use: JudgeUse
    warnings: list[str]


def judge_candidates(
    candidates: Sequence[Candidate],
    callers: int,
    name: str,
    settings: JudgeSettings,
    model: str | None = None,
    on_done: Callable[[int, Answer], None] | None = None,
) -> Judged:
    """Ask the judge of that name `callers` times about each candidate. Without its key the scripted one answers.

    No question holds anything of another's answer, so that reviewers stay blind to each other.

    Raises:
        QualityError: no such judge.
    """
    opened = open_or_scripted(name, settings, model)
    judge = opened.judge
    requests = [judgement_request(candidate) for candidate in candidates]
    try:
        answers = ask_many(
            judge, [request for request in requests for _ in range(callers)], settings.concurrency, on_done
        )
    finally:
        judge.close()
    verdicts = [
        [
            verdict_of(answer, request) if isinstance(answer, JudgeReply) else None
            for answer in answers[place * callers : (place + 1) * callers]
        ]
        for place, request in enumerate(requests)
    ]
    used, wanted = NAMES[judge.backend], NAMES[opened.requested]
    came = [answer for answer in answers if isinstance(answer, JudgeReply)]
    use = JudgeUse(
        requested=wanted, backend_used=used, model=next((answer.model for answer in came), judge.model),
        prompt_version=next((request.prompt_version for request in requests), None), asked=len(answers),
        answered=len(came), failed=len(answers) - len(came), reason=opened.reason,
        input_tokens=_sum([answer.input_tokens for answer in came]),
        output_tokens=_sum([answer.output_tokens for answer in came]), cost_usd=_sum([answer.cost_usd for answer in came]),
    )  # fmt: skip
    return Judged(verdicts, use, _warnings(use, answers, verdicts))


def _warnings(use: JudgeUse, answers: Sequence[Answer], verdicts: Sequence[Sequence[Verdict | None]]) -> list[str]:
    told = []
    if use.reason is not None:
        told.append(
            f"judge {use.requested}: {use.reason}. The {use.backend_used} judge answered instead: made up, no judgement"
        )
    failures = Counter(f"{one.code}: {one.message}" for one in answers if isinstance(one, JudgeFailure))
    for failure, times in failures.most_common():
        told.append(f"judge {use.backend_used}: {times:,} of {use.asked:,} questions have no answer ({failure})")
    flawed = sum(bool(verdict.warnings) for row in verdicts for verdict in row if verdict is not None)
    if flawed:
        told.append(
            f"judge {use.backend_used}: {flawed:,} of {use.answered:,} answers were not as asked for: see the notes"
        )
    return told


def _sum(values: Sequence[float | None]) -> float | None:
    """`None` where one is unknown, or none is there."""
    return None if not values or any(value is None for value in values) else sum(values)  # type: ignore[arg-type]
