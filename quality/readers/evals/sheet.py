"""What do the results of an evaluation become? Runs with ratings and test counts, gathered into batches.

The artifact names its stories and, mostly, its models; a part of a run's key that it does not state is the caller's
(`--agent`, `--model`, `--attempt`).
"""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from quality.observations import Batch, Evidence, Override, Reject, RunFact, SignalReading, StoryFact, Verdict
from quality.readers.base import Target
from quality.readers.document import text
from quality.readers.evals.scale import Rating
from quality.readers.evidence import excerpt
from quality.readers.instants import Clock
from quality.readers.results import TestCounts
from quality.readers.rows import SHOWN_VALUE

NO_MODEL = "it does not name the model that was evaluated: name it with --model (and --agent)"
BATCH_RUNS = 2_000
MOST_NOTE = 20_000
"""Characters of a grader's explanation."""
MOST_ATTEMPT = 2**31 - 1
HUMAN = "human"


class Sheet:
    """Results as they are read; `full` tells when a batch should be taken."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._records: list[BaseModel] = []
        self._runs: dict[tuple, int] = {}
        self._stories: set[str] = set()
        self.warnings: list[str] = []
        self._faulty: set[str] = set()
        """What is wrong with times that were told of."""

    def moment(self, value: Any) -> datetime | None:
        """A time that states its zone and lies in the past, in UTC; the first of each other kind is a warning."""
        clock = Clock()
        clock.note(text(value))
        if not self._faulty.issuperset(clock.faults):
            self.warnings += clock.warnings
            self._faulty |= clock.faults.keys()
        return clock.latest

    def needs_model(self) -> None:
        """Warn where neither the artifact nor the caller names the model."""
        if not self._target.model_version:
            self.warnings.append(NO_MODEL)

    @property
    def full(self) -> bool:
        return len(self._runs) >= BATCH_RUNS

    def run(
        self, story: str, *, title: str | None = None, agent: str = "", model: str = "", attempt: int | None = None,
        line: int | None = None,
    ) -> int:  # fmt: skip
        """The run's place in the batch."""
        stated = attempt if isinstance(attempt, int) and 1 <= attempt <= MOST_ATTEMPT else self._target.attempt
        key = (story, agent or self._target.agent, model or self._target.model_version, stated)
        if key not in self._runs:
            self._runs[key] = len(self._runs)
            if story not in self._stories:
                self._stories.add(story)
                self._records.append(StoryFact(story_id=story, title=title or None, line=line))
            run = RunFact(story_id=story, agent=key[1], model_version=key[2], attempt=stated, line=line)
            self._records.append(run)
        return self._runs[key]

    def rate(
        self, run: int, found: Rating, rater: str, *, rater_model: str | None = None, correct: bool | None = None,
        note: str = "", source_id: str = "", at: datetime | None = None, line: int | None = None, shown: Any = None,
    ) -> None:  # fmt: skip
        """A rating for the run, or the reject that says why it has none."""
        if found.quality is None:
            self.reject(found.reason, found.raw, line=line)
            return
        stated = {
            "run": run, "line": line, "occurred_at": at, "quality": found.quality, "raw": found.raw, "correct": correct,
            "note": note[:MOST_NOTE] or None, "source_id": source_id or None,
        }  # fmt: skip
        if found.tier == HUMAN:
            self._records.append(Override(**stated, reviewer=rater or None))
        else:
            self._records.append(Verdict(**stated, verifier_agent=rater or None, verifier_model=rater_model or None))
        if shown is not None:
            self._records.append(Evidence(run=run, line=line, signal=found.tier, text=extract(shown)))

    def count(
        self, run: int, counts: TestCounts, *, at: datetime | None = None, line: int | None = None, shown: Any = None
    ) -> None:
        """Test counts of the run."""
        reading = SignalReading(
            run=run, line=line, occurred_at=at, test_pass_rate=counts.rate, tests_total=counts.total,
            tests_passed=counts.passed, tests_failed=counts.failed, tests_errors=counts.errors,
            tests_skipped=counts.skipped, tests_flaky=counts.flaky,
        )  # fmt: skip
        self._records.append(reading)
        if shown is not None:
            self._records.append(Evidence(run=run, line=line, signal="test_pass_rate", text=extract(shown)))

    def reject(self, reason: str, value: Any = None, line: int | None = None, field: str | None = "quality") -> None:
        """A result that gives no rating."""
        self._records.append(Reject(line=line, field=field, reason=reason, value=text(value)[:SHOWN_VALUE] or None))

    def take(self) -> Iterator[Batch]:
        """What was gathered since the last time, if anything."""
        if self._records or self.warnings:
            yield Batch.of(*self._records, warnings=self.warnings)
        self._records, self._runs, self._stories, self.warnings = [], {}, set(), []


def extract(value: Any) -> str:
    """A part of a document as lines of text, secrets masked.

    >>> print(extract({"match": {"value": "I"}}))
    {
     "match": {
      "value": "I"
     }
    }
    """
    written = json.dumps(_cut(value, 0), ensure_ascii=False, indent=1, default=str)
    lines = written.split("\n")
    return str(excerpt(lines, 1, len(lines)))


def _cut(value: Any, depth: int) -> Any:
    """Short enough to be shown."""
    if isinstance(value, str):
        return text(value[:SHOWN_VALUE])
    if depth > 6:
        return "…"
    if isinstance(value, dict):
        return {text(key): _cut(item, depth + 1) for key, item in list(value.items())[:50]}
    if isinstance(value, list):
        return [_cut(item, depth + 1) for item in value[:50]]
    return value
