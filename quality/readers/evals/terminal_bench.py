"""What do Terminal-Bench and Harbor say? Whether each trial resolved its task, and which tests passed.

The harness is a verifier: 10 resolved, 0 not; Harbor's reward 0–1 is a rating likewise. A trial that was not judged
has no rating. Trial 2 of 5 is attempt 2. Terminal-Bench's results do not name agent and model: --agent, --model.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.document import Document, Places, beginning, document, holds, mapping, objects, text
from quality.readers.evals.scale import SHARES, Rating, rating
from quality.readers.evals.sheet import Sheet
from quality.readers.results import TestCounts

RATER, HARBOR = "terminal-bench", "harbor"
_ATTEMPT = re.compile(r"\.(\d{1,9})-of-\d{1,9}(?:\.|$)")
PASSED, FAILED = "passed", "failed"


class TerminalBenchReader:
    """`results.json` of a run or a trial, and a Harbor trial's `result.json`."""

    format = "terminal-bench results"
    takes_scales = True

    def recognises(self, artifact: Artifact) -> bool:
        value = beginning(artifact)
        return _is_trial(value) or _is_harbor(value) or any(_is_trial(item) for item in _trials(value))

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        sheet = Sheet(target)
        found = document(artifact)
        if isinstance(found, str):
            sheet.reject(found, field=None)
            yield from sheet.take()
            return
        if _is_harbor(found.value):
            _harbor(found.value, found, artifact, sheet)
        else:
            sheet.needs_model()
        attempts: Counter[str] = Counter()
        places = Places(found)
        for trial in [found.value] if _is_trial(found.value) else _trials(found.value):
            _trial(trial, places, attempts, sheet)
            if sheet.full:
                yield from sheet.take()
        yield from sheet.take()


def _trials(value: Any) -> list[dict[str, Any]]:
    return objects(mapping(value).get("results"))


def _is_trial(value: Any) -> bool:
    return holds(value, ("task_id", "is_resolved")) and "trial_name" in value


def _is_harbor(value: Any) -> bool:
    return holds(value, ("trial_name", "task_name")) and ("verifier_result" in value or "agent_info" in value)


def _trial(trial: dict[str, Any], places: Places, attempts: Counter[str], sheet: Sheet) -> None:
    task, name = text(trial.get("task_id")), text(trial.get("trial_name"))
    line = places.line(name)
    if not task:
        sheet.reject("a trial without a task_id", name, line, "task_id")
        return
    attempts[task] += 1
    numbered = _ATTEMPT.search(name)
    place = sheet.run(task, attempt=int(numbered[1]) if numbered else attempts[task], line=line)
    at = sheet.moment(trial.get("trial_ended_at"))
    shown = {key: trial.get(key) for key in ("task_id", "trial_name", "is_resolved", "failure_mode", "parser_results")}
    resolved = trial.get("is_resolved")
    if isinstance(resolved, bool):
        found = Rating(10.0 if resolved else 0.0, raw="resolved" if resolved else "unresolved")
        mode = text(trial.get("failure_mode"))
        note = "" if mode in ("", "unset", "none") else f"failure mode: {mode}"
        sheet.rate(
            place, found, RATER, rater_model=RATER, correct=resolved, note=note, source_id=text(trial.get("id")), at=at,
            line=line, shown=shown,
        )  # fmt: skip
    else:
        sheet.reject(
            f"{name or task} was not judged ({text(trial.get('failure_mode')) or 'no reason'}): no rating",
            resolved,
            line,
        )
    _tests(trial.get("parser_results"), place, at, line, shown, sheet)


def _tests(results: Any, place: int, at: Any, line: int | None, shown: Any, sheet: Sheet) -> None:
    ends = Counter(text(end).lower() for end in mapping(results).values())
    counts = TestCounts(
        passed=ends[PASSED], failed=ends[FAILED], skipped=sum(ends.values()) - ends[PASSED] - ends[FAILED]
    )
    if counts.total or counts.skipped:
        sheet.count(place, counts, at=at, line=line, shown=shown)


def _harbor(trial: dict[str, Any], source: Document, artifact: Artifact, sheet: Sheet) -> None:
    agent = mapping(trial.get("agent_info"))
    model = mapping(agent.get("model_info"))
    named = "/".join(part for part in (text(model.get("provider")), text(model.get("name"))) if part)
    task, name = text(trial["task_name"]), text(trial["trial_name"])
    line = source.line(name)
    if not task:
        sheet.reject("a trial without a task_name", name, line, "task_name")
        return
    place = sheet.run(task, agent=text(agent.get("name")), model=named, line=line)
    rewards = mapping(mapping(trial.get("verifier_result")).get("rewards"))
    if not rewards:
        reason = text(mapping(trial.get("exception_info")).get("exception_type")) or "no reward"
        sheet.reject(f"{name} was not judged ({reason}): no rating", None, line)
    for key, value in rewards.items():
        found = rating(value, key, artifact.evaluations, SHARES)
        shown = {"trial_name": name, "rewards": rewards}
        correct = {0: False, 1: True}.get(value) if isinstance(value, int | float) else None
        sheet.rate(
            place, found, HARBOR, rater_model=HARBOR, correct=correct,
            source_id=f"{text(trial.get('id')) or name}:{key}", at=sheet.moment(trial.get("finished_at")), line=line, shown=shown,
        )  # fmt: skip
