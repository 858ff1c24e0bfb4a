"""How many review rounds asked for changes? `pr_review_cycles` of MODEL.md, Tier 1.

A round is what happens between two pushes: however many people ask for changes to one commit, it is one round. Where
the reviews do not name the commit, a round ends when somebody who asked for changes in it asks again. Reviews by bots,
by the author of the pull request, dismissed and pending ones do not count, and neither do comments. A pull request
that no person has reviewed has no number of rounds: unknown, not 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from quality.readers.document import mapping, text

ASKED, APPROVED, COMMENTED, DISMISSED, PENDING = "changes_requested", "approved", "commented", "dismissed", "pending"
STATES = (ASKED, APPROVED, COMMENTED, DISMISSED, PENDING)
COUNTED = (ASKED, APPROVED, COMMENTED)
BOTS = frozenset({
    "chatgpt-codex-connector", "claude", "codecov", "codecov-commenter", "coderabbitai", "copilot",
    "copilot-pull-request-reviewer", "cursor", "deepsource-autofix", "dependabot", "devin-ai-integration",
    "ellipsis-dev", "gemini-code-assist", "github-actions", "github-advanced-security", "google-cla", "graphite-app",
    "greptile-apps", "pre-commit-ci", "qodo-merge-pro", "renovate", "semgrep-code", "sonarcloud", "sonarqubecloud",
    "sourcery-ai", "vercel",
})  # fmt: skip
"""Apps whose login `gh` and GraphQL print like a person's, without a type."""


@dataclass(frozen=True)
class Review:
    """One submitted review."""

    author: str
    state: str
    commit: str = ""
    at: str = ""
    bot: bool = False
    id: str = ""


@dataclass(frozen=True)
class Rounds:
    """What the reviews of one pull request say."""

    asked: int
    """Rounds that asked for changes."""
    people: int
    """Reviews by people other than the author that stand."""
    by_commit: bool
    """Whether every request named its commit."""
    words: str


def review_of(item: dict[str, Any]) -> Review | None:
    """A review in REST, GraphQL, `gh` or webhook spelling; `None` for anything else."""
    state = text(item.get("state")).lower()
    if state not in STATES:
        return None
    person = mapping(item.get("user") or item.get("author"))
    login = text(person.get("login"))
    kind = text(person.get("type") or person.get("__typename"))
    return Review(
        author=login, state=state, at=text(item.get("submitted_at") or item.get("submittedAt")),
        commit=text(item.get("commit_id") or mapping(item.get("commit")).get("oid")), bot=is_bot(login, kind, person),
        id=text(item.get("id") or item.get("node_id")),
    )  # fmt: skip


def is_bot(login: str, kind: str = "", person: dict[str, Any] | None = None) -> bool:
    """By the type the file states, else by the login.

    >>> is_bot("renovate[bot]"), is_bot("app/dependabot"), is_bot("coderabbitai"), is_bot("dana")
    (True, True, True, False)
    """
    name = login.lower()
    stated = kind.lower() in ("bot", "app") or bool((person or {}).get("is_bot"))
    return stated or name.endswith("[bot]") or name.startswith("app/") or (kind != "User" and name in BOTS)


def rounds_of(reviews: Iterable[Review], author: str) -> Rounds:
    """The rounds among the reviews of one pull request by `author` ("" = not stated)."""
    found = _newest(reviews)
    standing = [
        review for review in found
        if review.state in COUNTED and not review.bot and not (author and review.author.lower() == author.lower())
    ]  # fmt: skip
    asking = sorted((review for review in standing if review.state == ASKED), key=lambda review: review.at)
    commits = {review.commit for review in asking if review.commit}
    loose = _loose_rounds([review for review in asking if not review.commit])
    n = {state: sum(review.state == state for review in standing) for state in COUNTED}
    left_out = len(found) - len(standing)
    words = (
        f"{n[APPROVED]} approvals, {n[ASKED]} changes requested, {n[COMMENTED]} comments"
        f"{f', {left_out} not counted (bots, dismissed, pending, or the author)' * (left_out > 0)}"
    )
    return Rounds(len(commits) + loose, len(standing), all(review.commit for review in asking), words)


def _newest(reviews: Iterable[Review]) -> list[Review]:
    """Each review once, as its last mention says it: a dismissal follows the review it dismisses."""
    found: dict[str, Review] = {}
    for number, review in enumerate(reviews):
        found[review.id or f"#{number}"] = review
    return list(found.values())


def _loose_rounds(asking: list[Review]) -> int:
    """Rounds by who asks again, for reviews in the order of their times."""
    rounds, askers = 0, set()
    for review in asking:
        if not rounds or (review.author and review.author in askers):
            rounds, askers = rounds + 1, set()
        askers.add(review.author)
    return rounds
