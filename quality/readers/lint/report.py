"""What does a report of findings become? Counts, a signal where errors stand, and the lines that show them.

The readers in this folder say what their format's findings are; here they become a batch.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from quality.observations import Batch, Reject
from quality.readers.base import Artifact, Target
from quality.readers.document import Document, documents
from quality.readers.lint.counts import ERROR, Findings, together
from quality.readers.results import test_batch
from quality.readers.rows import SHOWN_VALUE
from quality.readers.stated import Stated

SIGNAL, NO_SIGNAL = "build_success", "diagnostics"
"""What the evidence is about: the signal, or the findings alone where they give none."""
MOST_EVIDENCE = 3
"""Findings whose lines are kept: errors first."""
MOST_REJECTS = 1_000

Line = tuple[int | None, str]
"""Where, and the text around it."""


@dataclass
class Report:
    """One tool's findings; `findings` is `None` where the tool reports no outcome at all."""

    tool: str
    findings: Findings | None
    occurred_at: datetime | None = None
    properties: tuple[Any, ...] = ()
    """Objects in which the report may say which run it is of."""
    remembered: list[tuple[bool, tuple[str, ...]]] = field(default_factory=list)
    """Whether it is an error, and the texts by which it is found in the file."""

    def remember(self, severity: str, *needles: str) -> None:
        """Keep the first errors and the first others as evidence."""
        if sum(is_error == (severity == ERROR) for is_error, _ in self.remembered) < MOST_EVIDENCE:
            self.remembered.append((severity == ERROR, needles))


@dataclass
class Gathered:
    """The reports of one artifact, summed as they come."""

    by_tool: dict[str, Findings] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)
    stated: Stated = field(default_factory=Stated)
    errors: list[Line] = field(default_factory=list)
    others: list[Line] = field(default_factory=list)

    def add(self, report: Report, source: Document) -> None:
        """One report and the JSON it stands in."""
        for each in report.properties:
            self.stated.add_all(each)
        if report.findings is None:
            return
        self.by_tool[report.tool] = together([self.by_tool.get(report.tool, Findings()), report.findings])
        self.times += [report.occurred_at] if report.occurred_at else []
        for is_error, needles in report.remembered:
            kept = self.errors if is_error else self.others
            if len(kept) < MOST_EVIDENCE:
                kept.append(source.evidence(SIGNAL, *needles)[1:])

    def reject(self, line: int, reason: str, value: str) -> None:
        """Something that could not be read."""
        if len(self.rejects) < MOST_REJECTS:
            self.rejects.append(Reject(line=line, reason=reason, value=value[:SHOWN_VALUE] or None))

    def batch(self, target: Target) -> Batch:
        """All of it as one reading of the run that `target` names."""
        whole = together(self.by_tool.values()) if self.by_tool else None
        success = whole.build_success if whole else None
        said = list(self.warnings)
        if len(self.by_tool) > 1:
            said.append("; ".join(f"{tool or 'a tool'}: {found.words()}" for tool, found in self.by_tool.items()))
        signal = NO_SIGNAL if success is None else SIGNAL
        shown = self.errors if success is False else (*self.errors, *self.others)
        evidence = [(signal, line, text) for line, text in shown[:MOST_EVIDENCE]]
        when = {"occurred_at": max(self.times)} if self.times else {}
        batch = test_batch(
            target, None, evidence, said, self.rejects, stated=self.stated, build_success=success, **when,
        )  # type: ignore[arg-type] # fmt: skip
        batch.diagnostics = whole.counts() if whole else None
        return batch


class ReportReader:
    """A JSON report of findings; it names no story."""

    format = ""
    names_no_story = True

    def reports(self, value: Any, warn: list[str]) -> Iterator[Report]:
        """The reports in one JSON value."""
        raise NotImplementedError

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        gathered = Gathered()
        for each in documents(artifact, gathered.reject):
            for report in self.reports(each.value, gathered.warnings):
                gathered.add(report, each)
        yield gathered.batch(target)
