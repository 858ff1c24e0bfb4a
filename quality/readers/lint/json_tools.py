"""What do the JSON reports of pyright, ruff, eslint, mypy, gcc and cargo hold? One row of the table a tool.

Where a tool states a severity it is used. Ruff's older reports state none: every finding is an error then, which is
what ruff itself says since it states it, and what its exit code says. Totals that disagree with the findings are a
warning, and the findings win.
"""

from collections.abc import Iterator
from typing import Any

from quality.readers.base import Artifact
from quality.readers.document import beginning, holds, mapping, objects, text
from quality.readers.instants import Clock
from quality.readers.lint.counts import ERROR, WARNING, Findings, severity_of
from quality.readers.lint.report import Report, ReportReader

NOTHING_CHECKED = "no file was checked: the outcome is unknown, not clean"
ESLINT = {1: WARNING, 2: ERROR}
MOST_DEPTH = 20
MOST_DIGITS = 20


class PyrightReader(ReportReader):
    """`pyright --outputjson`, `basedpyright --outputjson`."""

    format = "pyright JSON"

    def recognises(self, artifact: Artifact) -> bool:
        return holds(beginning(artifact), ("generalDiagnostics",))

    def reports(self, value: Any, warn: list[str]) -> Iterator[Report]:
        summary = mapping(mapping(value).get("summary"))
        found, clock = Findings(), Clock()
        _note_time(mapping(value).get("time"), clock)
        warn += clock.warnings
        report = Report("pyright", found, occurred_at=clock.latest)
        for item in objects(mapping(value).get("generalDiagnostics")):
            severity = severity_of(item.get("severity"))
            found.add(severity)
            report.remember(severity, text(item.get("file")), text(item.get("message")))
        if summary.get("filesAnalyzed") == 0 and not found.standing:
            warn.append(NOTHING_CHECKED)
            report.findings = None
        _compare(summary, {"errorCount": found.errors, "warningCount": found.warnings}, warn)
        yield report


class EslintReader(ReportReader):
    """`eslint --format json`: a list of files with their messages."""

    format = "eslint JSON"

    def recognises(self, artifact: Artifact) -> bool:
        first = _first(artifact)
        return holds(first, ("filePath", "messages")) and isinstance(first["messages"], list)

    def reports(self, value: Any, warn: list[str]) -> Iterator[Report]:
        report = Report("eslint", found := Findings())
        declared = {"errorCount": 0, "warningCount": 0}
        for file in objects(value):
            found.suppressed += len(objects(file.get("suppressedMessages")))
            for key in declared:
                declared[key] += file[key] if isinstance(file.get(key), int) else 0
            for item in objects(file.get("messages")):
                level = item.get("severity")
                severity = ERROR if item.get("fatal") is True else ESLINT.get(level) if isinstance(level, int) else None
                severity = severity or severity_of(level)
                found.add(severity, fixable=bool(item.get("fix")))
                report.remember(severity, text(file.get("filePath")), text(item.get("message")))
        _compare(declared, {"errorCount": found.errors, "warningCount": found.warnings}, warn)
        yield report


class RuffReader(ReportReader):
    """`ruff check --output-format json`, and `json-lines`."""

    format = "ruff JSON"

    def recognises(self, artifact: Artifact) -> bool:
        first = _first(artifact)
        return holds(first, ("code", "message", "location", "filename")) and isinstance(first["location"], dict)

    def reports(self, value: Any, warn: list[str]) -> Iterator[Report]:
        report = Report("ruff", found := Findings())
        for item in objects(value) or objects([value]):
            severity = severity_of(item.get("severity"), missing=ERROR)
            found.add(severity, fixable=bool(item.get("fix")))
            report.remember(severity, text(item.get("code")), text(item.get("message")))
        yield report


class MypyReader(ReportReader):
    """`mypy --output json`: an object a finding; notes explain the finding before them."""

    format = "mypy JSON"

    def recognises(self, artifact: Artifact) -> bool:
        return holds(beginning(artifact), ("file", "line", "column", "message", "severity"))

    def reports(self, value: Any, warn: list[str]) -> Iterator[Report]:
        if holds(value, ("message", "severity")):
            report = Report("mypy", found := Findings())
            severity = severity_of(value["severity"])
            found.add(severity)
            report.remember(severity, text(value["message"]))
            yield report


class GccReader(ReportReader):
    """`gcc -fdiagnostics-format=json`: an array of diagnostics with those that explain them as children."""

    format = "gcc JSON"

    def recognises(self, artifact: Artifact) -> bool:
        first = _first(artifact)
        return holds(first, ("kind", "message", "locations")) and isinstance(first["locations"], list)

    def reports(self, value: Any, warn: list[str]) -> Iterator[Report]:
        report = Report("gcc", found := Findings())
        for item in objects(value):
            severity = severity_of(item.get("kind"))
            found.add(severity, fixable=bool(item.get("fixits")))
            report.remember(severity, text(item.get("message")))
        yield report


class CargoReader(ReportReader):
    """`cargo build --message-format json`, rustc and clippy messages; its last line tells whether the build succeeded."""

    format = "cargo JSON"

    def recognises(self, artifact: Artifact) -> bool:
        return text(mapping(beginning(artifact)).get("reason")) in _CARGO

    def reports(self, value: Any, warn: list[str]) -> Iterator[Report]:
        reason = text(mapping(value).get("reason"))
        if reason == "build-finished":
            finished = Findings(succeeded=value.get("success") if isinstance(value.get("success"), bool) else None)
            report = Report("cargo", finished)
            report.remember(ERROR, reason)
            yield report
        message = mapping(mapping(value).get("message"))
        if reason == "compiler-message" and not _is_total(message):
            report = Report("cargo", found := Findings())
            severity = severity_of(message.get("level"))
            found.add(severity, fixable=_can_be_applied(message, 0))
            report.remember(severity, text(message.get("message")))
            yield report


_CARGO = ("compiler-message", "compiler-artifact", "build-script-executed", "build-finished")


def _is_total(message: dict[str, Any]) -> bool:
    """`aborting due to 2 previous errors`, `3 warnings emitted`: about the findings, no finding."""
    words = text(message.get("message"))
    return not message.get("code") and not message.get("spans") and (
        words.startswith(("aborting due to", "For more information", "Some errors have detailed")) or words.endswith("emitted")
    )  # fmt: skip


def _can_be_applied(message: dict[str, Any], depth: int) -> bool:
    sure = any(span.get("suggestion_applicability") == "MachineApplicable" for span in objects(message.get("spans")))
    inner = objects(message.get("children")) if depth < MOST_DEPTH else []
    return sure or any(_can_be_applied(child, depth + 1) for child in inner)


def _first(artifact: Artifact) -> Any:
    """The first object of a list, or of the lines."""
    value = beginning(artifact)
    return value[0] if isinstance(value, list) and value else value


def _compare(declared: dict[str, Any], counted: dict[str, int], warn: list[str]) -> None:
    for name, n in counted.items():
        stated = declared.get(name)
        if isinstance(stated, int) and stated != n:
            warn.append(f"it declares {name} {stated}, its findings are {n}: the findings count")


def _note_time(value: Any, clock: Clock) -> None:
    """ISO 8601, or milliseconds since 1970."""
    written = text(value)
    if written.isascii() and written.isdigit() and len(written) < MOST_DIGITS:
        clock.seconds(int(written) / 1000)
    else:
        clock.note(written)
