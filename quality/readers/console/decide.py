"""What do all the summaries of a log amount to? Different suites add up; a re-run replaces what it ran again.

1. Beside a runner's summary that comes with other output of that invocation (a header, progress, results), its bare
   summaries are somebody's print. Where all are bare, the last counts.
2. In one job, the same suites run again by the same runner are a re-run: the newest counts. If it ran only as many tests
   as had failed, it is a retry: each test that passed now is a flaky pass.
3. Everything else adds up: other suites, other runners, other jobs.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime

from quality.readers.console.runner import Summary, said
from quality.readers.results import TestCounts
from quality.readers.test_names import Named, named

MOST = 2**31 - 1
"""The largest count that can be stored."""
NAMES = ("passed", "failed", "errors", "skipped", "flaky")
PART = "a part of a run cannot show that all tests passed: the pass rate is unknown"


@dataclass
class Decision:
    """Counts, and how they came about."""

    counts: TestCounts | None
    used: list[Summary] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    named: Named | None = None
    """Every counted test by name, where all the summaries tell theirs."""
    at: datetime | None = None
    """When the last of them ended, where they say so."""
    runner: str | None = None
    """Whose summaries counted, where they do not name their tests."""
    is_part: bool = False
    """Whether one of them broke off and nothing failed: that cannot show that all tests passed."""


def decide(summaries: list[Summary]) -> Decision:
    """The counts of one artifact from its summaries in order."""
    notes: list[str] = []
    standing = _replaced(_without_bare(summaries, notes), notes)
    counted = [summary for summary in standing if summary.counts is not None]
    used = counted or standing
    notes += [note for summary in used for note in summary.notes]
    if not counted:
        return Decision(None, used, notes)
    if len(counted) > 1:
        told = ", ".join(dict.fromkeys(summary.runner for summary in counted))
        notes.append(f"{said(len(counted), 'summary', 'summaries')} add up ({told})")
    sums = {name: sum(getattr(summary.counts, name) for summary in counted) for name in NAMES}
    if sum(sums.values()) > MOST:
        return Decision(None, used, [*notes, "the counts add up to more than can be stored"])
    told = [summary.tests for summary in counted]
    names = named(test for tests in told for test in tests or ()) if all(tests is not None for tests in told) else None
    runner = None if names else "+".join(sorted({summary.runner for summary in counted}))
    counts = TestCounts(**sums)
    is_part = any(summary.is_part for summary in counted) and not counts.failed + counts.errors
    notes += [PART] * is_part
    at = max((summary.at for summary in counted if summary.at), default=None)
    return Decision(counts, used, notes, names, at, runner, is_part)


def _without_bare(summaries: list[Summary], notes: list[str]) -> list[Summary]:
    kept = []
    for place, summary in enumerate(summaries):
        if summary.supported:
            kept.append(summary)
            continue
        same = [other for other in summaries if other.runner == summary.runner]
        is_last = all(other.runner != summary.runner for other in summaries[place + 1 :])
        if any(other.supported for other in same) or not is_last:
            notes.append(
                f"line {summary.line}: looks like a summary of {summary.runner}, but it is not the one that counts"
            )
        else:
            kept.append(summary)
    return kept


def _replaced(summaries: list[Summary], notes: list[str]) -> list[Summary]:
    standing: list[Summary] = []
    for summary in summaries:
        place = next((at for at in range(len(standing) - 1, -1, -1) if _is_rerun(standing[at], summary)), None)
        if place is None:
            standing.append(summary)
            continue
        before = standing[place]
        retried = _retried(before, summary)
        standing[place] = retried or summary
        what = "the failed tests again" if retried else "the same suites again"
        notes.append(f"line {summary.line}: {summary.runner} ran {what}: the newest results count")
    return standing


def _is_rerun(before: Summary, after: Summary) -> bool:
    if before.runner != after.runner or before.job != after.job or not before.suites or not after.suites:
        return False
    if before.suites == after.suites:
        return True
    return after.suites < before.suites and _fits(before, after)


def _fits(before: Summary, after: Summary) -> bool:
    """Whether the second ran as many tests as had failed in the first, or fewer."""
    if before.counts is None or after.counts is None:
        return False
    return 0 < after.counts.total <= before.counts.failed + before.counts.errors


def _retried(before: Summary, after: Summary) -> Summary | None:
    first, second = before.counts, after.counts
    if first is None or second is None or not _fits(before, after) or second.total == first.total:
        return None
    left = first.failed + first.errors - second.passed
    errors = min(left, second.errors + max(0, first.errors - second.total))
    counts = TestCounts(
        passed=first.passed + second.passed, failed=left - errors, errors=errors, skipped=first.skipped,
        flaky=first.flaky + second.passed,
    )  # fmt: skip
    notes = (*before.notes, *after.notes)
    return replace(after, counts=counts, suites=before.suites, tests=None, notes=notes)
