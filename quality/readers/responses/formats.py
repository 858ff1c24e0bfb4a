"""Which reader reads an artifact's responses? The first in this list that recognises its bytes."""

from collections.abc import Iterator

from quality.readers.base import Artifact
from quality.readers.responses.base import Found, ResponseReader, ResponseReading, reject
from quality.readers.responses.claude_code import ClaudeCodeReader
from quality.readers.responses.codex import CodexReader
from quality.readers.responses.otel_spans import SpansReader
from quality.readers.responses.own import MetadataReader
from quality.readers.text import head_text

TRANSCRIPTS: tuple[ResponseReader, ...] = (ClaudeCodeReader(), CodexReader())
READERS: tuple[ResponseReader, ...] = (*TRANSCRIPTS, SpansReader(), MetadataReader())
UNRECOGNISED = "unrecognised"


def reader_of(artifact: Artifact) -> ResponseReader | None:
    """The reader that recognises the artifact."""
    return next((reader for reader in READERS if reader.recognises(artifact)), None)


def response_format(artifact: Artifact) -> str | None:
    """The format of an artifact that holds responses."""
    reader = reader_of(artifact)
    return reader and reader.format


def read_responses(artifact: Artifact) -> ResponseReading:
    """The responses in an artifact; of one that nothing recognises a single reject that says what can be read."""
    reader = reader_of(artifact)
    if reader is None:
        return ResponseReading(UNRECOGNISED, _refusal(artifact))
    one = isinstance(reader, MetadataReader) and reader.is_one(artifact)
    reading = ResponseReading(reader.format, iter(()), one)
    reading.items = reader.read(artifact, reading.warnings)
    return reading


def _refusal(artifact: Artifact) -> Iterator[Found]:
    what = "the content is of no format that holds responses" if artifact.size else "the file is empty"
    formats = ", ".join(reader.format for reader in READERS)
    yield reject(1, f"{what}. What can be read: {formats}", (head_text(artifact.head) or "")[:200])
