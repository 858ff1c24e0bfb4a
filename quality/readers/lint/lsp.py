"""What does a language server say about the code? `textDocument/publishDiagnostics`, one notification or many.

A notification replaces what was published for the same file before, so the last one a file counts. A finding that
two servers report with the same place, severity and message, and no contradicting code, is one finding (`E1` of pyls
and `E1` of mypy). A missing severity is unspecified: LSP leaves it to the client. What an editor shows is no outcome
of a build: these findings give no signal.
"""

import re
from collections.abc import Iterator
from typing import Any

from quality.observations import Batch
from quality.readers.base import Artifact, Target
from quality.readers.document import (
    MOST_BYTES,
    Document,
    beginning,
    documents,
    holds,
    loads,
    mapping,
    objects,
    partial,
    text,
    whole_text,
)
from quality.readers.lint.counts import ERROR, HINT, INFORMATION, UNSPECIFIED, WARNING, Findings
from quality.readers.lint.report import Gathered, Report
from quality.readers.text import head_text

METHOD = "textDocument/publishDiagnostics"
FULL = "full"
SEVERITIES = {1: ERROR, 2: WARNING, 3: INFORMATION, 4: HINT}
NO_SIGNAL = "what an editor shows is no outcome of a build: the findings are counted and give no signal"
NOTHING_PUBLISHED = "no diagnostics were published in it: the outcome is unknown, not clean"
FRAME = re.compile(r"Content-Length: ?\d{1,9}\r?\n(?:Content-Type: ?[^\r\n]{1,200}\r?\n)?\r?\n", re.IGNORECASE)
"""What the base protocol writes before each message."""


class LspReader:
    """Notifications and pulled reports as one JSON document, an array, one a line, or as they go over the wire."""

    format = "LSP diagnostics"
    names_no_story = True

    def recognises(self, artifact: Artifact) -> bool:
        text = head_text(artifact.head) or ""
        framed = FRAME.match(text)
        first = partial(text[framed.end() :]) if framed else beginning(artifact)
        return any(True for _ in published(first)) or (framed is not None and METHOD in text)

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        gathered = Gathered()
        last: dict[str, tuple[list[dict[str, Any]], Any]] = {}
        for each in _messages(artifact, gathered):
            for uri, diagnostics in published(each.value):
                file = uri or f"pulled, {len(last)}"
                last.pop(file, None)
                last[file] = diagnostics, each
        repeated = 0
        for diagnostics, source in last.values():
            report = Report("", found := Findings())
            seen: dict[tuple, list[str]] = {}
            for item in diagnostics:
                if _is_repeated(item, seen):
                    repeated += 1
                    continue
                severity = _severity(item.get("severity"))
                found.add(severity)
                report.remember(severity, text(item.get("message")))
            gathered.add(report, source)
        if repeated:
            gathered.warnings.append(f"{repeated} repeated at the same place with the same message: counted once")
        gathered.warnings.append(NO_SIGNAL if last else NOTHING_PUBLISHED)
        for found in gathered.by_tool.values():
            found.old_errors = found.errors
        yield gathered.batch(target)


def _messages(artifact: Artifact, gathered: Gathered) -> Iterator[Document]:
    """The documents of the file; of a stream that was kept as it came, each message."""
    if not FRAME.match(head_text(artifact.head) or ""):
        yield from documents(artifact, gathered.reject)
        return
    whole = whole_text(artifact)
    if whole is None:
        gathered.reject(1, f"more than {MOST_BYTES:,} bytes: split the document", "")
        return
    place, line = 0, 1
    while framed := FRAME.search(whole, place):
        line += whole.count("\n", place, framed.end())
        end = next((found.start() for found in [FRAME.search(whole, framed.end())] if found), len(whole))
        message = whole[framed.end() : end]
        try:
            yield Document(message, loads(message), line)
        except ValueError:
            gathered.reject(line, "the message is no JSON", message)
        place = framed.end()


def published(value: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """File and diagnostics of each notification, pulled report or snapshot."""
    for message in value if isinstance(value, list) else [value]:
        params = mapping(message)
        result = mapping(params.get("result")) if "jsonrpc" in params else params
        if isinstance(result.get("items"), list) and "params" not in params:
            yield from _pulled(result)
            continue
        if "params" in params:
            if text(params.get("method")) != METHOD:
                continue
            params = mapping(params["params"])
        if holds(params, ("uri", "diagnostics")) and isinstance(params["diagnostics"], list):
            yield text(params["uri"]), objects(params["diagnostics"])


def _pulled(result: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A report that the client asked for: of one document, which it does not name, or of the workspace."""
    if text(result.get("kind")) == FULL:
        yield "", objects(result["items"])
        return
    for report in objects(result["items"]):
        if text(report.get("kind")) == FULL and isinstance(report.get("items"), list):
            yield text(report.get("uri")), objects(report["items"])


def _severity(value: Any) -> str:
    return SEVERITIES.get(value, UNSPECIFIED) if isinstance(value, int) and not isinstance(value, bool) else UNSPECIFIED


def _is_repeated(item: dict[str, Any], seen: dict[tuple, list[str]]) -> bool:
    """Whether another diagnostic of the file says the same; its code is remembered."""
    code = item.get("code")
    code = text(code.get("value")) if isinstance(code, dict) else text(code)
    span = mapping(item.get("range"))
    place = tuple(text(mapping(span.get(end)).get(part)) for end in ("start", "end") for part in ("line", "character"))
    codes = seen.setdefault((*place, text(item.get("severity")), " ".join(text(item.get("message")).split())), [])
    source = text(item.get("source"))
    for known in codes:
        known_code, _, known_source = known.partition("\0")
        if known_source != source and (not code or not known_code or code == known_code):
            return True
        if known_source == source and code == known_code:
            return True
    codes.append(f"{code}\0{source}")
    return False
