"""Which diagnostics stood before a response and after it? Counts, findings, or what a language server or linter wrote.

Read are our own counts or findings, LSP `publishDiagnostics` (one, many, or one a line), a map of files to LSP
diagnostics, and the JSON of pyright, ruff and eslint. Each is all that stood at one moment, with one exception that
LSP makes: a notification speaks of its own file only, so files that are not in the later ones keep what was published.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from quality.problems import first_problem
from quality.readers.base import Artifact
from quality.readers.document import documents, holds, mapping, objects, text
from quality.readers.lint.counts import ERROR, HINT, INFORMATION, WARNING, severity_of
from quality.readers.lint.json_tools import NOTHING_CHECKED
from quality.readers.lint.lsp import published
from quality.response_models import Diagnostic, Diagnostics, Level

LEVELS: dict[str, Level] = {ERROR: "error", WARNING: "warning", INFORMATION: "information", HINT: "hint"}
"""A kind of finding (`lint/counts.py`) → its level; any other is unspecified, and counts for nothing."""
LSP: dict[object, Level] = {1: "error", 2: "warning", 3: "information", 4: "hint"}
ESLINT: dict[object, Level] = {1: "warning", 2: "error"}
ALLOWED = "errors and warnings, findings, LSP publishDiagnostics, a map of files, or pyright, ruff or eslint JSON"


class NoSnapshot(ValueError):
    """The value is no snapshot of diagnostics; the text says why."""


@dataclass
class _Published:
    """What language servers say of each file."""

    files: dict[str, list[Diagnostic]]


Snapshot = Diagnostics | _Published


def snapshot_of(value: Any) -> Snapshot:
    """A JSON value as a snapshot.

    Raises:
        NoSnapshot: it is none; the text names the value's fault and what can be read.

    >>> together(snapshot_of({"errors": 2, "warnings": 0}), None)
    (Diagnostics(errors=2, warnings=0, findings=None), None)
    """
    for fits, read in _SHAPES:
        if fits(value):
            return read(value)
    raise NoSnapshot(f"no snapshot of diagnostics: give {ALLOWED}")


def together(before: Snapshot | None, after: Snapshot | None) -> tuple[Diagnostics | None, Diagnostics | None]:
    """Both as counts and findings; where both are notifications, the later ones are laid over the earlier."""
    if isinstance(before, _Published) and isinstance(after, _Published):
        after = _Published(before.files | after.files)
    return _counted(before), _counted(after)


def read_snapshot(artifact: Artifact) -> Snapshot:
    """The snapshot in a file of one document, or of one a line.

    Raises:
        NoSnapshot: a line is no JSON, or the content is no snapshot; the text begins with file and line.
    """

    def problem(line: int, reason: str, value: str) -> None:
        raise NoSnapshot(f"{artifact.label}:{line}: {reason}")

    values = [each.value for each in documents(artifact, problem)]
    try:
        return snapshot_of(values[0] if len(values) == 1 else values)
    except NoSnapshot as error:
        raise NoSnapshot(f"{artifact.label}: {error}") from None


def _counted(snapshot: Snapshot | None) -> Diagnostics | None:
    if isinstance(snapshot, _Published):
        return _of([finding for findings in snapshot.files.values() for finding in findings])
    return snapshot


def _of(findings: list[Diagnostic]) -> Diagnostics:
    return Diagnostics.model_validate({"findings": findings})


def _own(value: Any) -> Diagnostics:
    try:
        return Diagnostics.model_validate(value)
    except ValidationError as error:
        raise NoSnapshot(first_problem(error, list(Diagnostics.model_fields))) from None


def _notifications(value: Any) -> _Published:
    # A later notification replaces what was published for the same file.
    return _Published({uri: [_lsp(uri, item) for item in items] for uri, items in published(value)})


def _map(value: dict[str, list]) -> Diagnostics:
    return _of([_lsp(file, item) for file, items in value.items() for item in objects(items)])


def _lsp(file: str, item: dict[str, Any]) -> Diagnostic:
    code = item.get("code")
    return _finding(
        file, _known(LSP, item.get("severity")), mapping(code).get("value", code), text(item.get("source")),
        item.get("message"), mapping(mapping(item.get("range")).get("start")).get("line"), first=0,
    )  # fmt: skip


def _pyright(value: dict[str, Any]) -> Diagnostics:
    if mapping(value.get("summary")).get("filesAnalyzed") == 0:
        raise NoSnapshot(NOTHING_CHECKED)
    return _of(
        [
            _finding(
                text(item.get("file")), _word(item.get("severity")), item.get("rule"), "pyright", item.get("message"),
                mapping(mapping(item.get("range")).get("start")).get("line"), first=0,
            )
            for item in objects(value.get("generalDiagnostics"))
        ]
    )  # fmt: skip


def _ruff(value: list[Any]) -> Diagnostics:
    """Older reports state no severity; ruff calls each of those findings an error."""
    return _of(
        [
            _finding(
                text(item.get("filename")), _word(item.get("severity") or "error"), item.get("code"), "ruff",
                item.get("message"), mapping(item.get("location")).get("row"),
            )
            for item in objects(value)
        ]
    )  # fmt: skip


def _eslint(value: list[Any]) -> Diagnostics:
    return _of(
        [
            _finding(
                text(file.get("filePath")), _known(ESLINT, item.get("severity")), item.get("ruleId"), "eslint",
                item.get("message"), item.get("line"),
            )
            for file in objects(value)
            for item in objects(file.get("messages"))
        ]
    )  # fmt: skip


def _finding(file: str, level: Level, code: Any, source: str, message: Any, line: Any, first: int = 1) -> Diagnostic:
    """`first` is the number that the tool gives the first line of a file."""
    at = line + 1 - first if isinstance(line, int) and not isinstance(line, bool) and line >= first else None
    return Diagnostic(
        file=file or None, severity=level, code=text(code) or None, source=source or None, message=text(message) or None,
        line=at,
    )  # fmt: skip


def _known(table: dict[object, Level], value: Any) -> Level:
    return table.get(value, "unspecified") if isinstance(value, int) and not isinstance(value, bool) else "unspecified"


def _word(value: Any) -> Level:
    return LEVELS.get(severity_of(value), "unspecified")


def _each(value: Any, *keys: str) -> bool:
    return isinstance(value, list) and bool(value) and all(holds(item, keys) for item in value)


def _shapes() -> Iterator[tuple[Callable[[Any], bool], Callable[[Any], Snapshot]]]:
    yield lambda v: isinstance(v, Diagnostics), lambda v: v
    yield lambda v: isinstance(v, dict) and bool({"errors", "warnings", "findings"} & set(v)), _own
    yield lambda v: holds(v, ("generalDiagnostics",)), _pyright
    yield lambda v: any(True for _ in published(v)), _notifications
    yield lambda v: _each(v, "filePath", "messages"), _eslint
    yield lambda v: _each(v, "filename", "location"), _ruff
    yield lambda v: v == [], lambda v: _of([])
    yield lambda v: _each(v, "severity"), _own
    yield lambda v: isinstance(v, dict) and all(isinstance(items, list) for items in v.values()), _map


_SHAPES = tuple(_shapes())
