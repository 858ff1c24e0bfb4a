"""What is a reader of responses? Bytes in; responses and rejects out, each with its line; nothing is stored."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import ValidationError

from quality.observations import Reject
from quality.problems import first_problem
from quality.readers.base import Artifact
from quality.readers.rows import SHOWN_VALUE
from quality.readers.text import shown
from quality.response_models import ResponseRecord


@dataclass(frozen=True)
class FoundResponse:
    """One response and the line that it begins at."""

    line: int
    record: ResponseRecord


Found = FoundResponse | Reject


@dataclass
class ResponseReading:
    """What one artifact says: its format and a stream of responses and rejects, bounded in memory."""

    format: str
    items: Iterator[Found]
    one: bool = False
    """The artifact is a single record, not a file that may hold many."""
    warnings: list[str] = field(default_factory=list)
    """Filled while `items` are taken."""


class ResponseReader(Protocol):
    """One file in this folder a format; adding one is adding a file and its line in `formats.py`."""

    format: str

    def recognises(self, artifact: Artifact) -> bool:
        """Whether the bytes are of this format. Looks at `artifact.head` only, never raises."""
        ...

    def read(self, artifact: Artifact, warnings: list[str]) -> Iterator[Found]:
        """The responses in order. Never raises for what is in the bytes."""
        ...


def reject(line: int, reason: str, value: object = None, field: str | None = None) -> Reject:
    """What could not be used, with its place."""
    written = None if value is None else shown(str(value))[:SHOWN_VALUE]
    return Reject(line=line, reason=shown(reason), value=written or None, field=field)


def checked(fields: dict, line: int) -> Found:
    """The record that the fields make, or why they make none."""
    try:
        return FoundResponse(line, ResponseRecord.model_validate(fields))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in problem["loc"])
        value = None if problem["type"] == "missing" else problem["input"]
        known = [*ResponseRecord.model_fields, *ResponseRecord.model_fields["metadata"].annotation.model_fields]
        return reject(line, first_problem(error, known), value, place or None)
