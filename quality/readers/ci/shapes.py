"""Which pull requests, checks and reviews does a JSON of GitHub's hold? REST, GraphQL, `gh` and webhooks.

The shapes differ, what they hold does not: every one becomes `Subject`s, the pull requests or commits that the
checks and reviews are about.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from quality.readers.ci.checks import Check, Outcome, check_of, counted, latest, newest_commit
from quality.readers.ci.reviews import Review, review_of
from quality.readers.document import holds, mapping, objects, text

ROLLUP, REVIEWS, LATEST = "statusCheckRollup", "reviews", "latestReviews"
PULL_KEYS = (ROLLUP, REVIEWS, LATEST)
CHECK_LISTS = ("check_runs", "check_suites", "workflow_runs", "jobs", "statuses")
"""Keys of REST answers that list checks."""
CHECK_EVENTS = ("check_suite", "check_run", "workflow_run", "workflow_job")
"""Keys of webhook events that hold one."""
GH_FIELDS = frozenset({
    "additions", "assignees", "author", "autoMergeRequest", "baseRefName", "baseRefOid", "body", "changedFiles",
    "closed", "closedAt", "closingIssuesReferences", "comments", "commits", "createdAt", "deletions", "files",
    "fullDatabaseId", "headRefName", "headRefOid", "headRepository", "headRepositoryOwner", "id", "isCrossRepository",
    "isDraft", "labels", "latestReviews", "maintainerCanModify", "mergeCommit", "mergeStateStatus", "mergeable",
    "mergedAt", "mergedBy", "milestone", "number", "potentialMergeCommit", "projectCards", "projectItems",
    "reactionGroups", "reviewDecision", "reviewRequests", "reviews", "state", "statusCheckRollup", "title",
    "updatedAt", "url",
})  # fmt: skip
"""What `gh pr view --json` can print."""
CHECK_TYPES = ("CheckRun", "StatusContext")
PAGES = (30, 100)
"""Reviews on a full page of a REST answer: there may be another."""
ENVELOPE = ("payload", "request")
"""Keys under which a delivery of GitHub's, or whoever kept one, puts a webhook's payload."""
MOST_DEPTH, MOST_SUBJECTS = 12, 1_000


@dataclass
class Subject:
    """A pull request or commit with what the file says about it."""

    name: str = ""
    """`#8`, a branch or a commit."""
    author: str = ""
    state: str = ""
    """`open`, `closed` or `merged`, where stated."""
    checks: list[Check] | None = None
    all_checks: bool = True
    reviews: list[Review] | None = None
    reviews_missing: str = ""
    """Why there may be more reviews than the file holds."""
    needles: list[str] = field(default_factory=list)
    """Texts by which its place in the file is found."""
    one_check: bool = False
    """A webhook's event: it tells of one check or suite, and there may be others."""

    def outcome(self) -> Outcome | None:
        """What its checks say; `None` where the file is not about checks."""
        return None if self.checks is None else Outcome(newest_commit(latest(self.checks)), self.all_checks)

    def joined(self, other: "Subject") -> "Subject":
        """Both, of one pull request told twice."""
        return Subject(
            self.name or other.name, self.author or other.author, other.state or self.state,
            _both(self.checks, other.checks), self.all_checks and other.all_checks, _both(self.reviews, other.reviews),
            self.reviews_missing or other.reviews_missing, self.needles or other.needles,
            self.one_check and other.one_check and len(_both(self.checks, other.checks) or ()) < 2,
        )  # fmt: skip


def subjects(value: Any) -> list[Subject]:
    """Every pull request or commit in a document, in order; none in a JSON that is not GitHub's."""
    if isinstance(value, list):
        return _of_list(objects(value))
    if not isinstance(value, dict):
        return []
    return _of_event(_payload(value)) or _of_answer(value) or list(_of_tree(value, 0))


def _of_list(items: list[dict[str, Any]]) -> list[Subject]:
    if not items:
        return []
    if all(_is_pull(item) for item in items):
        return [_pull(item) for item in items[:MOST_SUBJECTS]]
    reviews = [_review_in_list(item) for item in items]
    if all(reviews):
        return _by_pull(items, [review for review in reviews if review])
    events = [subject for item in items for subject in _of_event(_payload(item))]
    if events:
        return events
    checks = [check_of(item) for item in items if _is_check(item)]
    known = [check for check in checks if check]
    if len(known) == len(items) and all(check.name for check in known):
        return _by_branch(known, True)
    return []


def _by_pull(items: list[dict[str, Any]], reviews: list[Review]) -> list[Subject]:
    """Reviews by the pull request that each names."""
    found: dict[str, list[Review]] = {}
    for item, review in zip(items, reviews):
        number = text(item.get("pull_request_url")).rpartition("/")[2]
        found.setdefault(f"#{number}" if number else "", []).append(review)
    full = "it holds exactly one page of them" if len(reviews) in PAGES else ""
    return [Subject(name, reviews=some, reviews_missing=full, needles=[some[0].author]) for name, some in found.items()]


def _is_check(item: dict[str, Any]) -> bool:
    """By a key that only GitHub's checks have: many a report has names and statuses."""
    return (
        "conclusion" in item
        or "bucket" in item
        or holds(item, ("context", "state"))
        or item.get("__typename") in CHECK_TYPES
    )


def _review_in_list(item: dict[str, Any]) -> Review | None:
    marks = ("submitted_at", "submittedAt", "pull_request_url", "authorAssociation", "author_association", "commit_id")
    person = "user" in item or "author" in item
    return review_of(item) if person and any(mark in item for mark in marks) else None


def _payload(value: dict[str, Any]) -> dict[str, Any]:
    """Of a webhook, without what a delivery puts around it."""
    for name in ENVELOPE * 2:
        inner = value.get(name)
        value = inner if isinstance(inner, dict) else value
    return value


def _of_event(value: dict[str, Any]) -> list[Subject]:
    """A webhook's payload."""
    if holds(value, ("review", "pull_request")):
        review = review_of(mapping(value["review"]))
        pull = mapping(value["pull_request"])
        if review is None:
            return []
        subject = _named(pull)
        subject.reviews = [review]
        subject.reviews_missing = "a webhook's event holds one review"
        subject.needles = ["pull_request_review", review.author] if review.author else []
        return [subject]
    for kind in CHECK_EVENTS:
        item = mapping(value.get(kind))
        check = check_of(item) if "action" in value or "repository" in value else None
        if check:
            pulls = objects(item.get("pull_requests"))
            name = (
                f"#{text(pulls[0].get('number'))}" if pulls else text(item.get("head_branch") or item.get("head_sha"))
            )
            return [Subject(name, checks=[check], needles=[kind, "conclusion"], one_check=True)]
    if holds(value, ("state", "context", "sha", "repository")):
        check = check_of(value)
        return [Subject(text(value["sha"])[:12], checks=[check], needles=["state"], one_check=True)] if check else []
    return []


def _of_answer(value: dict[str, Any]) -> list[Subject]:
    """A REST answer that lists checks; `gh run view --json jobs`."""
    for name in CHECK_LISTS:
        items = value.get(name)
        if not isinstance(items, list) or not (items or "total_count" in value or "totalCount" in value):
            continue
        found = [check for item in objects(items) if _is_check(item) and (check := check_of(item))]
        if objects(items) and not found:
            continue
        total = value.get("total_count", value.get("totalCount"))
        whole = not isinstance(total, int) or total <= len(items)
        own = check_of(value) if name == "jobs" else None
        return _by_branch([own] if own and text(value.get("conclusion")) else found, whole)
    return []


def _by_branch(checks: list[Check], whole: bool) -> list[Subject]:
    branches = list(dict.fromkeys(check.branch for check in checks if check.branch))
    if len(branches) < 2:
        return [Subject(branches[0] if branches else "", checks=checks, all_checks=whole)]
    return [Subject(name, checks=[c for c in checks if c.branch == name], all_checks=whole) for name in branches]


def _of_tree(value: Any, depth: int) -> Iterator[Subject]:
    """Pull requests and commits anywhere in a GraphQL answer or `gh pr status --json`."""
    if depth > MOST_DEPTH:
        return
    if isinstance(value, list):
        for item in value[:MOST_SUBJECTS]:
            yield from _of_tree(item, depth + 1)
    elif isinstance(value, dict):
        if _is_pull(value):
            yield _pull(value)
        else:
            for item in value.values():
                yield from _of_tree(item, depth + 1)


def _is_pull(item: dict[str, Any]) -> bool:
    if not any(key in item for key in PULL_KEYS) and not _commit_rollups(item):
        return False
    if ROLLUP in item or LATEST in item or _commit_rollups(item):
        return True
    reviews = item[REVIEWS]
    nodes = _nodes(reviews)
    stated = bool(nodes) and all(review_of(node) for node in nodes)
    listed = isinstance(reviews, list) or isinstance(mapping(reviews).get("nodes"), list)
    return stated or (listed and not nodes and set(item) <= GH_FIELDS)


def _pull(item: dict[str, Any]) -> Subject:
    subject = _named(item)
    subject.checks, subject.all_checks = _rollup(item)
    for key in (REVIEWS, LATEST):
        if key in item and item[key] is not None:
            nodes = _nodes(item[key])
            subject.reviews = [review for node in nodes if (review := review_of(node))]
            if key == LATEST:
                subject.reviews_missing = "latestReviews holds only each person's last review"
            elif not _is_whole(item[key], nodes):
                subject.reviews_missing = "it holds only some of the reviews"
            break
    subject.needles = [text(item.get("title")) or text(item.get("url"))]
    return subject


def _named(pull: dict[str, Any]) -> Subject:
    number = text(pull.get("number"))
    name = f"#{number}" if number else text(pull.get("headRefName") or pull.get("oid") or pull.get("url"))
    person = mapping(pull.get("author") or pull.get("user"))
    merged = pull.get("merged") is True or bool(pull.get("mergedAt") or pull.get("merged_at"))
    return Subject(name, text(person.get("login")), "merged" if merged else text(pull.get("state")).lower())


def _rollup(item: dict[str, Any]) -> tuple[list[Check] | None, bool]:
    """The checks of the newest commit, and whether they are all."""
    if ROLLUP in item:
        return _checks(item[ROLLUP], 0)
    rollups = _commit_rollups(item)
    return _checks(rollups[-1], 0) if rollups else (None, True)


def _checks(rollup: Any, depth: int) -> tuple[list[Check] | None, bool]:
    if isinstance(rollup, list):
        return [check for node in objects(rollup) if (check := check_of(node))], True
    if not isinstance(rollup, dict) or depth > MOST_DEPTH:
        return [], True
    if ROLLUP in rollup:
        return _checks(rollup[ROLLUP], depth + 1)
    if "nodes" in rollup or "edges" in rollup:  # `gh` asks for the commits under the rollup's name
        commits = [mapping(node.get("commit")) for node in _nodes(rollup)]
        return _checks(commits[-1].get(ROLLUP), depth + 1) if commits else ([], True)
    contexts = mapping(rollup.get("contexts"))
    nodes = _nodes(rollup.get("contexts"))
    if nodes:
        return [check for node in nodes if (check := check_of(node))], _is_whole(contexts, nodes)
    states = [*objects(contexts.get("checkRunCountsByState")), *objects(contexts.get("statusContextCountsByState"))]
    if states:
        return counted(states), True
    own = check_of(rollup)
    return [own] if own else [], True


def _commit_rollups(item: dict[str, Any]) -> list[Any]:
    commits = [mapping(node.get("commit")) for node in _nodes(item.get("commits"))]
    return [commit[ROLLUP] for commit in commits if ROLLUP in commit]


def _nodes(connection: Any) -> list[dict[str, Any]]:
    """The items of a list, of a GraphQL connection's nodes, or of its edges."""
    if isinstance(connection, list):
        return objects(connection)
    found = objects(mapping(connection).get("nodes"))
    return found or [mapping(edge.get("node")) for edge in objects(mapping(connection).get("edges"))]


def _is_whole(connection: Any, nodes: list[dict[str, Any]]) -> bool:
    total = mapping(connection).get("totalCount")
    page = mapping(mapping(connection).get("pageInfo"))
    more = page.get("hasNextPage") is True or page.get("hasPreviousPage") is True
    return not more and not (isinstance(total, int) and total > len(nodes))


def _both(first: list | None, second: list | None) -> list | None:
    if first is None or second is None:
        return second if first is None else first
    return [*first, *(item for item in second if item not in first)]


def merged(found: list[Subject]) -> list[Subject]:
    """Each pull request once: `gh pr status` lists one under several headings, a file of events tells one many times."""
    by_name: dict[str, Subject] = {}
    for number, subject in enumerate(found):
        key = subject.name or f"?{number}"
        by_name[key] = by_name[key].joined(subject) if key in by_name else subject
    return list(by_name.values())
