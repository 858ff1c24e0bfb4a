"""Did CI pass? One answer from many check runs, commit statuses, suites or workflow runs.

`verified_by_ci` (MODEL.md, Tier 1) is true only if every check that ended conclusively passed and nothing is open.
A failed one makes it false, whatever the others do. Pending, queued, cancelled, stale or waiting for somebody is not
success: without a failure the answer is unknown. Neutral and skipped checks neither pass nor fail.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from quality.readers.document import mapping, text

PASSED, FAILED, OPEN, NEITHER = "passed", "failed", "open", "neither"
STATES = {
    PASSED: ("success",),
    FAILED: ("failure", "timed_out", "startup_failure", "error"),
    NEITHER: ("neutral", "skipped"),
    OPEN: (
        "action_required", "cancelled", "stale", "expected", "pending", "queued", "in_progress",
        "requested", "waiting",
    ),
}  # fmt: skip
"""What GitHub's conclusions, statuses and states mean. Any other word is open: it is not known to be success."""
_MEANING = {word: meaning for meaning, words in STATES.items() for word in words}
COMPLETED = "completed"
SHOWN_NAMES = 5
"""Checks that a message names."""


@dataclass(frozen=True)
class Check:
    """One check run, status, suite, job or workflow run."""

    name: str
    state: str
    """The deciding word in lower case: the conclusion of a completed one, else the status."""
    key: tuple = ()
    """Runs of one check have the same key; empty = every one is a check of its own."""
    at: str = ""
    """When it started; the latest run of a check counts."""
    commit: str = ""
    branch: str = ""
    count: int = 1

    @property
    def meaning(self) -> str:
        return _MEANING.get(self.state, OPEN)


@dataclass
class Outcome:
    """What the checks of one commit say together."""

    checks: list[Check] = field(default_factory=list)
    complete: bool = True
    """Whether the file holds all checks there are."""

    @property
    def passed(self) -> bool | None:
        """`None` = unknown."""
        if self._some(FAILED):
            return False
        return True if self._some(PASSED) and not self._some(OPEN) and self.complete else None

    @property
    def deciding(self) -> list[Check]:
        """The checks that make the answer what it is."""
        return next((found for kind in (FAILED, OPEN, PASSED) if (found := self._some(kind))), self.checks)

    def words(self) -> str:
        """`passed (3 checks)`, `failed (lint: failure)`, `unknown (build: in_progress)`."""
        if not self.checks:
            return "unknown (no checks)"
        if self.passed:
            n = sum(check.count for check in self._some(PASSED))
            return f"passed ({n} check{'s' * (n != 1)})"
        if self.passed is None and not self._some(OPEN):
            return f"unknown ({'not all checks are in the file' if not self.complete else 'nothing ran to a result'})"
        named = [f"{check.name or 'check'}: {check.state}" for check in self.deciding[:SHOWN_NAMES]]
        more = len(self.deciding) - len(named)
        return (
            f"{'unknown' if self.passed is None else 'failed'} ({', '.join(named)}{f' and {more} more' * (more > 0)})"
        )

    def _some(self, meaning: str) -> list[Check]:
        return [check for check in self.checks if check.meaning == meaning and check.count > 0]


def check_of(item: dict[str, Any]) -> Check | None:
    """A check run, status context, suite, job or workflow run in REST, GraphQL or `gh` spelling; `None` for anything else."""
    status = text(item.get("status")).lower()
    conclusion = text(item.get("conclusion")).lower()
    state = text(item.get("state")).lower()
    decided = conclusion if status in ("", COMPLETED) else status
    word = decided or state or (OPEN if status == COMPLETED else "")
    if not word:
        return None
    suite = mapping(item.get("check_suite") or item.get("checkSuite"))
    workflow = mapping(item.get("workflow") or mapping(suite.get("workflowRun")).get("workflow"))
    workflow_name = text(
        item.get("workflowName") or item.get("workflow_name") or workflow.get("name") or item.get("workflow")
    )
    name = text(
        item.get("name") or item.get("context") or item.get("workflowName") or mapping(item.get("app")).get("name")
    )
    kind = text(item.get("__typename")) or ("status" if item.get("context") else "run")
    at = text(
        item.get("started_at") or item.get("startedAt") or item.get("run_started_at") or item.get("updated_at")
        or item.get("created_at") or item.get("createdAt")
    )  # fmt: skip
    parts = (
        kind,
        name,
        workflow_name,
        text(item.get("event")),
        text(suite.get("id")),
        text(mapping(item.get("app")).get("id")),
    )
    commit = text(item.get("head_sha") or item.get("headSha") or mapping(item.get("commit")).get("oid"))
    branch = text(item.get("head_branch") or item.get("headBranch") or suite.get("head_branch"))
    # a run without a name and a time cannot be told to be a rerun of another
    return Check(name, word, (*parts, commit) if name and at else (), at, commit, branch)


def latest(checks: Iterable[Check]) -> list[Check]:
    """Each check once, in the state of its latest run."""
    found: dict[tuple, Check] = {}
    for number, check in enumerate(checks):
        key = check.key or (number,)
        if key not in found or check.at > found[key].at:
            found[key] = check
    return list(found.values())


def newest_commit(checks: list[Check]) -> list[Check]:
    """Those of the commit whose checks started last; checks that name no commit are kept."""
    newest = max((check for check in checks if check.commit), key=lambda check: check.at, default=None)
    return [check for check in checks if newest is None or check.commit in ("", newest.commit)]


def counted(states: Iterable[dict[str, Any]]) -> list[Check]:
    """GraphQL's counts by state."""
    found = []
    for item in states:
        n = item.get("count")
        if isinstance(n, int) and not isinstance(n, bool) and n > 0 and text(item.get("state")):
            found.append(Check(f"{n} check{'s' * (n != 1)}", text(item["state"]).lower(), count=n))
    return found
