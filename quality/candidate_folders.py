"""What is in the folders that candidates aim at? Five names are looked up in each; no file is opened, nothing is written.

A path from a file of candidates is somebody's word: it is followed inside the roots that the caller gave and nowhere
else, whether it leads out by `..`, by a link, or by being absolute.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from quality.candidate_evidence import STRUCTURE
from quality.candidate_input import Candidate, FaultyCandidates, named
from quality.errors import QualityError

MEMBERS = {"skill_md": "SKILL.md", "readme": "README.md", "scripts": "scripts", "evals": "evals", "tests": "tests"}
"""`STRUCTURE` → the name in the folder; the first two are files, the others folders."""
FILES = ("skill_md", "readme")
REFERENCES = "references"
"""A target in a folder of this name belongs to the folder above."""
LONGEST_PATH = 4096


@dataclass(frozen=True)
class Folder:
    """What a candidate's target stands in."""

    structure: tuple[bool, ...] = (False,) * len(STRUCTURE)
    """In the order of `STRUCTURE`."""
    warnings: tuple[str, ...] = ()


@dataclass
class Folders:
    """The folders of n candidates."""

    found: list[Folder] = field(default_factory=list)

    @property
    def structure(self) -> NDArray[np.bool_]:
        """n × 5, in the order of `STRUCTURE`."""
        return np.array([folder.structure for folder in self.found], dtype=np.bool_).reshape(-1, len(STRUCTURE))


def default_roots(source: Path | None) -> list[Path]:
    """The folder of the file of candidates and the working folder; never the whole file system."""
    places = [*([source.resolve().parent] if source else []), Path.cwd()]
    return [place for place in dict.fromkeys(places) if place != Path(place.anchor)]


def look_into(candidates: Sequence[Candidate], roots: Sequence[Path]) -> Folders:
    """What stands in the folder of each candidate's target; a candidate without a target has none.

    A relative path is taken from the first root where its folder is. A folder that is not there is unrated.

    Raises:
        FaultyCandidates: a path leads out of the roots, or cannot be one; a line each, with the candidate's id.
        QualityError: a root is no folder.
    """
    for root in roots:
        if not root.is_dir():
            raise QualityError(f"{root}: no such folder: give the one that holds the targets")
    real = [os.path.realpath(root) for root in roots]
    looked: dict[str, Folder] = {}
    placed: dict[str, str | None] = {}
    found, faults = [], []
    for place, candidate in enumerate(candidates):
        path = candidate.target_path
        if path is None or not path.strip():
            found.append(Folder(warnings=("no target_path: the skill is unrated",)))
            continue
        try:
            if path not in placed:
                placed[path] = _folder_of(path, real)
        except QualityError as error:
            faults.append(f"{named({'id': candidate.id}, place)}: target_path = {path[:80]!r}: {error}")
            continue
        folder = placed[path]
        if folder is None:
            found.append(Folder(warnings=("the target's folder was not found: the skill is unrated",)))
            continue
        if folder not in looked:
            looked[folder] = _look(folder, real)
        found.append(looked[folder])
    if faults:
        raise FaultyCandidates(faults)
    return Folders(found)


def _folder_of(path: str, roots: Sequence[str]) -> str | None:
    """The folder of the skill that the path belongs to, `None` if it is nowhere."""
    if "\0" in path or len(path) > LONGEST_PATH:
        raise QualityError("cannot be a path: give that of the file to be changed")
    expanded = os.path.expanduser(path)
    for target in _places(expanded, roots):
        folder = target if os.path.isdir(target) else os.path.dirname(target)
        above = os.path.dirname(folder)
        if folder != target and os.path.basename(folder) == REFERENCES and _inside(above, roots):
            folder = above
        if not _inside(folder, roots):
            raise QualityError(_outside(roots))
        if os.path.isdir(folder):
            return folder
    return None


def _places(path: str, roots: Sequence[str]) -> Iterator[str]:
    """Where the path may lead, links followed."""
    if os.path.isabs(path):
        real = os.path.realpath(path)
        if not _inside(real, roots):
            raise QualityError(_outside(roots))
        yield real
        return
    for root in roots:
        real = os.path.realpath(os.path.join(root, path))
        if not _inside(real, [root]):
            raise QualityError(_outside([root]))
        yield real


def _look(folder: str, roots: Sequence[str]) -> Folder:
    there, warnings = [], []
    for name in STRUCTURE:
        member = os.path.join(folder, MEMBERS[name])
        exists = os.path.isfile(member) if name in FILES else os.path.isdir(member)
        if exists and not _inside(os.path.realpath(member), roots):
            warnings.append(f"{MEMBERS[name]} leads out of the root: not counted")
            exists = False
        there.append(exists)
    return Folder(tuple(there), tuple(warnings))


def _inside(path: str, roots: Sequence[str]) -> bool:
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _outside(roots: Sequence[str]) -> str:
    return f"leads out of {' and '.join(roots) or 'every root'}: give a path inside, or name its folder as the root"
