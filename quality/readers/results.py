"""What do test results amount to? Counts, their rate, and the batch that an artifact of results becomes."""

from dataclasses import dataclass

from quality.observations import Batch, Evidence, Reject, RunFact, SignalReading, StoryFact
from quality.readers.base import Target
from quality.readers.evidence import Excerpt
from quality.readers.stated import Stated
from quality.readers.test_names import Named

NO_STORY = "the artifact does not say which story it is about: name it with --story (and --agent, --model, --attempt)"


@dataclass(frozen=True)
class TestCounts:
    """How the tests of a run ended, each test once.

    >>> TestCounts(passed=3, failed=1, skipped=2).rate
    0.75
    """

    __test__ = False

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    """Skipped, disabled or left to do: outside the rate."""
    flaky: int = 0
    """Passed in the end after a failure; among `passed`."""

    @property
    def total(self) -> int:
        """passed + failed + errors."""
        return self.passed + self.failed + self.errors

    @property
    def rate(self) -> float | None:
        """passed ÷ total, 0–1; `None` where nothing is counted."""
        return self.passed / self.total if self.total else None


def evidence_of(signal: str, line: int | None, text: str) -> Evidence:
    """Where a signal was read, and the text there, with its lines' numbers where it is lines of the artifact."""
    kept = {"first_line": text.first_line(line), "member": text.member} if isinstance(text, Excerpt) and line else {}
    return Evidence(run=0, line=line, signal=signal, text=str(text), **kept)


def test_batch(
    target: Target, counts: TestCounts | None, evidence: list[tuple[str, int | None, str]], warnings: list[str],
    rejects: list[Reject], *, named: Named | None = None, stated: Stated | None = None,  # noqa: PT028
    **signals: bool | int | float | str | None,
) -> Batch:  # fmt: skip
    """One signal reading for the run that `target` names, with the lines it was read from.

    Args:
        counts: `None` = no test was counted: the rate is unknown.
        evidence: signal, line and excerpt.
        named: what each counted test is known by, where the artifact names all of them.
        stated: what the artifact itself says of its run.
        signals: other fields of `SignalReading`, such as `build_success`; a `test_pass_rate` given here stands.
    """
    meant = (stated or Stated()).resolve(target, warnings)
    target = meant.target
    if meant.refusal or not target.story_id:
        return Batch.of(Reject(reason=meant.refusal or NO_STORY), *rejects, warnings=warnings)
    run = RunFact(
        story_id=target.story_id, agent=target.agent, model_version=target.model_version, attempt=target.attempt,
        started_at=meant.started_at,
    )  # fmt: skip
    tests = {} if counts is None else {
        "test_pass_rate": counts.rate, "tests_total": counts.total, "tests_passed": counts.passed,
        "tests_failed": counts.failed, "tests_errors": counts.errors, "tests_skipped": counts.skipped,
        "tests_flaky": counts.flaky,
    }  # fmt: skip
    if counts is not None and named is not None:
        tests |= {"test_ids": named.ids, "test_outcomes": named.outcomes}
    reading = SignalReading(run=0, line=evidence[0][1] if evidence else None, **(tests | signals))
    found = [evidence_of(signal, line, text) for signal, line, text in evidence]
    return Batch.of(StoryFact(story_id=target.story_id), run, reading, *found, *rejects, warnings=warnings)


test_batch.__test__ = False  # pytest: not a test
