"""What does a GitHub JSON say of a run? Whether CI passed, and how many review rounds asked for changes.

REST answers, GraphQL answers, what `gh` prints with `--json`, and webhook payloads, one or many. A run is delivered
in one pull request: a file about several gives no signal, and a warning that names each with what it says, so that
nobody has to guess which one is meant.
"""

from collections.abc import Iterator
from datetime import datetime

from quality.observations import Batch, Reject
from quality.readers.base import Artifact, Target
from quality.readers.ci.reviews import rounds_of
from quality.readers.ci.shapes import Subject, merged, subjects
from quality.readers.document import Document, beginning, documents
from quality.readers.instants import Clock
from quality.readers.results import test_batch
from quality.readers.rows import SHOWN_VALUE

CI, CYCLES = "verified_by_ci", "pr_review_cycles"
SEVERAL = "it is about {n} pull requests or branches, and a run is about one: give the file of one. "
SHOWN_SUBJECTS = 50
ONE_CHECK = "the event tells of one check or suite: others may have ended otherwise"
UNREVIEWED = "no review by a person counts: pr_review_cycles is unknown"
NOT_MERGED = "the pull request was {state}, not merged, when CI said this"
LOOSE = "the reviews do not name their commits: a round ends when somebody asks for changes again"
MOST_REJECTS = 1_000


class GithubReader:
    """Checks and reviews; it names no story."""

    format = "GitHub JSON"
    names_no_story = True

    def recognises(self, artifact: Artifact) -> bool:
        return bool(subjects(beginning(artifact)))

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        rejects: list[Reject] = []

        def problem(line: int, reason: str, value: str) -> None:
            if len(rejects) < MOST_REJECTS:
                rejects.append(Reject(line=line, reason=reason, value=value[:SHOWN_VALUE] or None))

        found: list[Subject] = []
        sources: list[Document] = []
        for each in documents(artifact, problem):
            inside = subjects(each.value)
            found = merged([*found, *inside]) if inside else found
            sources += [each] if inside and not sources else []
        yield _batch(found, sources, target, rejects)


def _batch(found: list[Subject], sources: list[Document], target: Target, rejects: list[Reject]) -> Batch:
    if len(found) != 1:
        warnings = [SEVERAL.format(n=len(found)) + "; ".join(map(_in_words, found[:SHOWN_SUBJECTS]))] if found else []
        return test_batch(target, None, [], warnings, rejects)
    (subject,) = found
    warnings: list[str] = []
    signals = {CI: _ci(subject, warnings), CYCLES: _cycles(subject, warnings)}
    outcome = subject.outcome()
    evidence = []
    if sources and signals[CI] is not None and outcome:
        names = [] if subject.one_check else [check.name for check in outcome.deciding[:1]]
        evidence.append(sources[0].evidence(CI, *subject.needles, *names))
    if sources and signals[CYCLES] is not None:
        asking = next((r.author for r in subject.reviews or () if r.state == "changes_requested"), "")
        evidence.append(sources[0].evidence(CYCLES, *subject.needles[:1], asking))
    times = [check.at for check in outcome.checks] if outcome and signals[CI] is not None else []
    times += [review.at for review in subject.reviews or ()] if signals[CYCLES] is not None else []
    return test_batch(target, None, evidence, warnings, rejects, **signals, occurred_at=_latest(times, warnings))


def _ci(subject: Subject, warnings: list[str]) -> bool | None:
    outcome = subject.outcome()
    if outcome is None:
        return None
    warnings.append(f"CI {outcome.words()}")
    if subject.one_check:
        warnings.append(ONE_CHECK)
    if outcome.passed is not None and subject.state in ("open", "closed"):
        warnings.append(NOT_MERGED.format(state=subject.state))
    return outcome.passed


def _cycles(subject: Subject, warnings: list[str]) -> int | None:
    """The rounds, if the file holds all reviews; at least so many, if it holds some that asked for changes."""
    if subject.reviews is None:
        return None
    rounds = rounds_of(subject.reviews, subject.author)
    warnings.append(f"reviews: {rounds.words}")
    if not rounds.people:
        warnings.append(UNREVIEWED)
        return None
    if not rounds.by_commit:
        warnings.append(LOOSE)
    if subject.reviews_missing:
        asked = f"at least {rounds.asked} round{'s' * (rounds.asked != 1)} asked for changes"
        tail = asked if rounds.asked else "pr_review_cycles is unknown"
        warnings.append(f"{subject.reviews_missing}: {tail}")
        return rounds.asked or None
    return rounds.asked


def _in_words(subject: Subject) -> str:
    outcome = subject.outcome()
    said = [f"CI {outcome.words()}"] if outcome else []
    if subject.reviews:
        said.append(f"reviews {rounds_of(subject.reviews, subject.author).words}")
    return f"{subject.name or 'one without a number'} {', '.join(said) or 'nothing'}"


def _latest(times: list[str], warnings: list[str]) -> datetime | None:
    """When the newest check ran or the newest review was given, by those that state their zone."""
    clock = Clock()
    for time in times:
        clock.note(time)
    warnings += clock.warnings
    return clock.latest
