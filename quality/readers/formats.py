"""Which reader reads an artifact? The first in this list that recognises its bytes."""

from collections.abc import Iterator

from quality.observations import Batch, Reject
from quality.readers.base import Artifact, Reader, Reading, Target
from quality.readers.full_jsonl import FullJsonl

READERS: tuple[Reader, ...] = (FullJsonl(),)
"""In the order they are asked: the most particular first."""

UNRECOGNISED = "unrecognised"


def read_artifact(artifact: Artifact, target: Target) -> Reading:
    """What the artifact says; an unrecognised one is a single reject that names what could be read."""
    for reader in READERS:
        if reader.recognises(artifact):
            return Reading(reader.format, reader.read(artifact, target))
    return Reading(UNRECOGNISED, _refusal(artifact))


def _refusal(artifact: Artifact) -> Iterator[Batch]:
    formats = ", ".join(dict.fromkeys(reader.format for reader in READERS))
    what = "the file is empty" if not artifact.size else "the content is of no format that can be read"
    yield Batch.of(Reject(line=None, reason=f"{what}: give one of {formats}", value=None))
