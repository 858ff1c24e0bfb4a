"""What do the session transcripts of coding agents have in common? Lines of JSON, and turns of an assistant.

A response is one turn: all that the assistant did from one prompt of the user to the next, tool calls included
(design/007-responses.md). A turn without any message or call of the assistant is none.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from quality.observations import Reject
from quality.readers.base import Artifact
from quality.readers.document import beginning, loads, text
from quality.readers.instants import instant
from quality.readers.responses.base import Found, checked, reject
from quality.readers.text import head_text, lines_of, shown, utf8_blocks
from quality.response_models import ToolStatus

SHOWN_LINE = 200
HEAD_LINES = 100
"""Lines at the beginning of a file that a recogniser looks at."""


@dataclass
class Turn:
    """A response in the making. Bounded by the turn, not by the file: texts are not kept."""

    line: int
    calls: dict[str, tuple[str, ToolStatus]] = field(default_factory=dict)
    """Id of a tool call → its name and how it ended."""
    response_id: str | None = None
    models: Counter[str] = field(default_factory=Counter)
    model: str | None = None
    """The last that answered."""
    ended_at: datetime | None = None
    error: str | None = None
    """What the last thing that happened in it says went wrong."""
    tokens: dict[str, int | None] = field(default_factory=dict)

    def call(self, call_id: str, name: str, status: ToolStatus = "unknown") -> None:
        """A tool was called."""
        known = self.calls.get(call_id, ("", "unknown"))[1]
        self.calls[call_id] = name, known if status == "unknown" else status

    def end(self, call_id: str, status: ToolStatus) -> bool:
        """A call ended; false if the turn has no such call. What is unknown does not replace what is known."""
        if call_id not in self.calls:
            return False
        name, known = self.calls[call_id]
        self.calls[call_id] = name, known if status == "unknown" else status
        return True

    def answered_by(self, model: str) -> None:
        """A message of the assistant is by this model."""
        self.models[model] += 1
        self.model = model

    def found(self, **stated: Any) -> Found:
        """The response, or why it is none."""
        metadata = {
            "response_id": self.response_id,
            "model": self.model,
            "occurred_at": self.ended_at,
            "tool_results": [{"name": name, "status": status} for name, status in self.calls.values()],
            "error": self.error,
            "tokens": self.tokens,
            **stated,
        }
        return checked({"metadata": metadata}, self.line)


@dataclass
class Remarks:
    """What a reader passed over or wants known besides, counted."""

    passed_over: Counter[str] = field(default_factory=Counter)
    several_models: int = 0
    refused: int = 0
    """Calls that the user did not allow: they never ran, so they count as unknown."""

    def of(self, turn: Turn) -> None:
        self.several_models += len(turn.models) > 1

    def sentences(self) -> list[str]:
        said = []
        if self.passed_over:
            kinds = ", ".join(f"{kind} {n:,}" for kind, n in sorted(self.passed_over.items()))
            said.append(f"lines that are no message were passed over: {kinds}")
        if self.several_models:
            said.append(
                f"{_number(self.several_models, 'response is', 'responses are')} by several models: the last one is named"
            )
        if self.refused:
            calls = _number(self.refused, "tool call was", "tool calls were")
            said.append(
                f"{calls} refused or interrupted by the user and {'counts' if self.refused == 1 else 'count'} as unknown"
            )
        return said


def json_lines(artifact: Artifact) -> Iterator[tuple[int, dict[str, Any]] | Reject]:
    """Each line with its number; what is no JSON object is a reject. One line is in memory at a time."""
    for number, line in enumerate(lines_of(utf8_blocks(artifact.path, 1 << 20)), start=1):
        if line is None:
            yield reject(number, "a line too long to be read")
        elif line.strip():
            try:
                value = loads(line)
            except ValueError:
                yield reject(number, "the line is no JSON: is the file complete?", line.strip()[:SHOWN_LINE])
                continue
            if isinstance(value, dict):
                yield number, value
            else:
                yield reject(number, "the line is no JSON object", line.strip()[:SHOWN_LINE])


def head_objects(artifact: Artifact) -> list[dict[str, Any]]:
    """The objects on the first lines, and what of a first line can be read that is longer than the head."""
    lines = (head_text(artifact.head) or "").splitlines()[:HEAD_LINES]
    values = [beginning(artifact)]
    for line in lines:
        try:
            values.append(loads(line))
        except ValueError:
            continue
    return [value for value in values if isinstance(value, dict)]


def stamp(value: Any) -> datetime | None:
    """A time as written, in UTC."""
    found = instant(text(value)) if value else None
    return found[0] if found else None


def count(value: Any) -> int | None:
    """A number of tokens; `None` for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def words(value: Any) -> str:
    """The text of a message: a string, or the texts of its blocks."""
    if isinstance(value, str):
        return shown(value)
    blocks = value if isinstance(value, list) else []
    return "\n".join(text(block.get("text")) for block in blocks if isinstance(block, dict) and block.get("text"))


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
