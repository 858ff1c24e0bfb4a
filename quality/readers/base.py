"""What is a reader? Bytes in; observations and rejects out; nothing else.

A reader knows one format. It is found by what the bytes say, not by the file's name, and it survives
anything: whatever it cannot use becomes a reject with line and reason.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable

from quality.observations import Batch
from quality.settings import EvaluationSettings

SNIFF_BYTES = 64 * 1024
"""How much of an artifact the recognisers see."""
STAND_IN = "(the story that --story names)"
"""The story of a target that nobody has named yet, so that an artifact can be shown before: its own id goes first."""
COMPANION_SUFFIXES = ("-wal", "-journal")
"""Files that belong to an SQLite database beside it."""


@dataclass(frozen=True)
class Artifact:
    """A file to read, with the files that belong to it."""

    path: Path
    name: str = ""
    """The name to show; by default the path as given."""
    evaluations: Mapping[str, EvaluationSettings] = field(default_factory=dict, compare=False)
    """Scales of other tools' scores by name (setting `readers.evaluations`)."""

    @property
    def label(self) -> str:
        return self.name or str(self.path)

    @cached_property
    def companions(self) -> list[Path]:
        """Write-ahead log or journal beside an SQLite file, where there is one."""
        beside = [self.path.with_name(self.path.name + suffix) for suffix in COMPANION_SUFFIXES]
        return [p for p in beside if self.head.startswith(b"SQLite format 3\0") and p.is_file() and p.stat().st_size]

    @cached_property
    def head(self) -> bytes:
        """The first bytes."""
        with self.path.open("rb") as file:
            return file.read(SNIFF_BYTES)

    @cached_property
    def size(self) -> int:
        return self.path.stat().st_size

    @cached_property
    def sha256(self) -> str:
        """Of the file's bytes, followed by those of its companions."""
        digest = hashlib.sha256()
        for path in (self.path, *self.companions):
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
        return digest.hexdigest()


@dataclass(frozen=True)
class Target:
    """The run that an artifact without ids of its own belongs to, as far as the caller stated it."""

    story_id: str | None = None
    agent: str | None = None
    model_version: str | None = None
    attempt: int | None = None


@dataclass
class Reading:
    """What one artifact says: its format and a stream of batches, bounded in memory."""

    format: str
    batches: Iterator[Batch] = field(default_factory=lambda: iter(()))


class Reader(Protocol):
    """One file in this folder per format; adding a format is adding a file and its line in `formats.py`."""

    format: str
    """Short name, shown to people and stored with the import."""

    def recognises(self, artifact: Artifact) -> bool:
        """Whether the bytes are of this format. Looks at `artifact.head` only, never raises."""
        ...

    def read(self, artifact: Artifact, target: Target) -> Iterator[Batch]:
        """The observations in order. Never raises for what is in the bytes."""
        ...


@runtime_checkable
class Explains(Protocol):
    """A reader that can say what is missing."""

    def why_not(self, artifact: Artifact, target: Target) -> str | None:
        """What an artifact that no reader recognises lacks to be of this format, if it comes near it."""
        ...
