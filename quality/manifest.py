"""Which files of a folder are of which run? A manifest beside them says it; here it is read and matched with names.

    {"quality_manifest": 1, "runs": [
      {"story_id": "STORY-7", "agent": "builder", "model_version": "claude-sonnet-4-6", "attempt": 1,
       "started_at": "2026-03-01T09:30:00Z", "title": "Read nested suites", "discipline": "backend",
       "artifacts": ["reports/**/*.xml", "ci.log"]}]}

Names are relative to the manifest, with `/` between folders; `*` and `?` stand for anything within a name, `**` for any
number of folders. Whatever is wrong is said before anything of it is used.
"""

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pydantic import AliasChoices, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import from_json

from quality.commands import StoryDetails
from quality.errors import QualityError, did_you_mean
from quality.observations import Attempt, NonEmpty
from quality.problems import one_line

KEY = "quality_manifest"
NAME = "quality-manifest.json"
MOST_BYTES = 4 * 1024 * 1024
MOST_FAULTS = 20
DETAILS = tuple(StoryDetails.model_fields)
"""What a run's entry can say of its story."""
SEVERAL_SIGNS = ("*", "?", "[")
_PIECES = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]/]+\]|[^*?\[]+|\[")
_DRIVE = re.compile(r"[A-Za-z]:")


class FaultyManifest(QualityError):
    """The manifest cannot be used; `faults` says why, a line each."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults[:MOST_FAULTS]))
        self.faults = faults[:MOST_FAULTS]


class RunClaim(BaseModel):
    """A run and the files that are of it."""

    model_config = ConfigDict(defer_build=True, extra="forbid", protected_namespaces=())

    story_id: NonEmpty
    agent: NonEmpty | None = None
    model_version: NonEmpty | None = Field(default=None, validation_alias=AliasChoices("model_version", "model"))
    attempt: Attempt | None = None
    started_at: AwareDatetime | None = None
    """When the agent began the run, with its zone."""
    title: str | None = None
    discipline: str | None = None
    org_domain: str | None = None
    industry: str | None = None
    phase: str | None = None
    artifacts: list[NonEmpty] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _one_model(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("model") is not None and given.get("model_version") is not None:
            raise ValueError("model and model_version are one thing: give one of them")
        return given

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of `ImportArtifact` that the claim states."""
        story = StoryDetails(**{name: getattr(self, name) for name in DETAILS})
        run = {name: getattr(self, name) for name in ("story_id", "agent", "model_version", "attempt", "started_at")}
        return run | {"story": story}


class Manifest(BaseModel):
    """All runs of a folder."""

    model_config = ConfigDict(defer_build=True, extra="forbid")

    quality_manifest: Literal[1]
    runs: list[RunClaim] = Field(min_length=1)

    def claims(self, names: Iterable[str], *, by_last_part: bool = False) -> dict[str, RunClaim]:
        """Name → the run it is of; names that no run claims are left out.

        Args:
            names: relative to the manifest, `/` between folders.
            by_last_part: the names have lost their folders (dropped files): only the last part of a pattern counts.

        Raises:
            FaultyManifest: a pattern that matches nothing or leads out of the folder, a name that two runs claim.
        """
        listed = list(names)
        found: dict[str, int] = {}
        faults = []
        for place, run in enumerate(self.runs):
            for pattern in run.artifacts:
                where = f"runs.{place}.artifacts: {pattern!r}"
                if reason := _escapes(pattern):
                    faults.append(f"{where} {reason}")
                    continue
                fits = _compiled(pattern.rpartition("/")[2] if by_last_part else pattern).fullmatch
                matched = [name for name in listed if fits(name)]
                if not matched:
                    faults.append(f"{where} matches no file: check the name; ** stands for any number of folders")
                for name in matched:
                    if found.setdefault(name, place) != place:
                        faults.append(f"{name} is claimed by runs.{found[name]} and runs.{place}: a file is of one run")
        if faults:
            raise FaultyManifest(list(dict.fromkeys(faults)))
        return {name: self.runs[found[name]] for name in listed if name in found}


def is_manifest(content: bytes) -> bool:
    """Whether it is one, by what is in it: a JSON object with `quality_manifest`."""
    if len(content) > MOST_BYTES or f'"{KEY}"'.encode() not in content:
        return False
    try:
        found = from_json(content.removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        return False
    return isinstance(found, dict) and KEY in found


def read_manifest(source: bytes | Path) -> Manifest:
    """A manifest from its bytes or its file.

    Raises:
        FaultyManifest: it is none, or says what it cannot mean; all faults are told.
    """
    try:
        content = source if isinstance(source, bytes) else source.read_bytes()
    except OSError as error:
        raise FaultyManifest([f"cannot be read ({error.strerror}): check the path and its permissions"]) from error
    if len(content) > MOST_BYTES:
        raise FaultyManifest([f"{len(content):,} bytes: a manifest has at most {MOST_BYTES:,}"])
    try:
        return Manifest.model_validate(from_json(content.removeprefix(b"\xef\xbb\xbf")))
    except ValidationError as error:
        raise FaultyManifest(list(_faults(error))) from error
    except ValueError as error:
        raise FaultyManifest([f"not JSON: {error}"]) from error


def claimed_files(path: Path) -> dict[Path, RunClaim]:
    """The files that a manifest on disk claims, in the order of a walk through its folder.

    Raises:
        FaultyManifest: as `read_manifest` and `Manifest.claims`, or a file is a link out of the folder.
    """
    manifest = read_manifest(path)
    folder = path.parent
    plain = [p for run in manifest.runs for p in run.artifacts if not any(sign in p for sign in SEVERAL_SIGNS)]
    literal = [str(PurePosixPath(p)) for p in plain if not _escapes(p) and (folder / p).is_file()]
    walked = (file.relative_to(folder).as_posix() for file in walk(folder))
    names = dict.fromkeys(name for name in (*walked, *literal) if name != path.name)
    claims = manifest.claims(names)
    home = folder.resolve()
    out = [name for name in claims if not (folder / name).resolve().is_relative_to(home)]
    if out:
        raise FaultyManifest(
            [f"{name} is a link that leads out of the manifest's folder: copy the file" for name in out]
        )
    return {folder / name: run for name, run in claims.items()}


def walk(folder: Path, report: Any = None) -> Iterator[Path]:
    """The files in a folder and those within it, in order, without hidden ones."""
    for place, folders, names in os.walk(folder, onerror=report):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))


def _escapes(pattern: str) -> str:
    """Why a pattern is not of this folder; empty if it is."""
    if "\\" in pattern:
        return "has a backslash: write / between folders"
    if pattern.startswith("/") or _DRIVE.match(pattern):
        return "is an absolute path: name files relative to the manifest"
    if ".." in pattern.split("/"):
        return "leads out of the manifest's folder: put the manifest above all its files"
    return ""


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    """
    >>> bool(_compiled("a/**/*.xml").fullmatch("a/TEST-1.xml")), bool(_compiled("*.xml").fullmatch("a/b.xml"))
    (True, False)
    """
    signs = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]", "[": r"\["}
    text = ""
    for piece in _PIECES.findall(pattern.removeprefix("./")):
        if piece in signs:
            text += signs[piece]
        elif piece.startswith("[") and len(piece) > 1:
            negated = piece.startswith("[!")
            inside = re.escape(piece[2:-1] if negated else piece[1:-1]).replace(r"\-", "-")
            text += f"[{'^/' if negated else ''}{inside}]"
        else:
            text += re.escape(piece)
    try:
        return re.compile(text)
    except re.error:  # such as [z-a]
        return re.compile(re.escape(pattern))


def _faults(error: ValidationError) -> Iterator[str]:
    for problem in error.errors(include_url=False, include_context=False):
        *around, last = problem["loc"] or ("",)
        place = ".".join(map(str, (*around, last)))
        if problem["type"] == "extra_forbidden":
            known = [*RunClaim.model_fields, "model"] if around else list(Manifest.model_fields)
            yield f"{place}: no such key.{did_you_mean(str(last), known) or ' There are: ' + ', '.join(known)}"
        elif problem["type"] == "missing":
            yield f"{place}: missing: give it"
        elif problem["type"] == "timezone_aware":
            yield f"{place} = {str(problem['input'])[:80]!r}: names no zone: write 2026-03-01T09:30:00Z"
        else:
            yield one_line(f"{place} = {str(problem['input'])[:80]!r}: {problem['msg'].removeprefix('Value error, ')}")
