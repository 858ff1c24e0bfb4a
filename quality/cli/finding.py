"""Which files does a command line mean, and of which run is each? Folders are walked, manifests are asked first."""

from dataclasses import dataclass, field
from pathlib import Path

from quality.errors import QualityError
from quality.manifest import MOST_BYTES, FaultyManifest, RunClaim, claimed_files, is_manifest, walk
from quality.readers.base import COMPANION_SUFFIXES

WAL_INDEX = "-shm"
"""SQLite's, beside a database too; it holds nothing that has to be read."""


@dataclass
class Found:
    """The files in the order they are taken, and what stands in the way."""

    files: list[tuple[Path, RunClaim | None]] = field(default_factory=list)
    empty: list[tuple[Path, QualityError]] = field(default_factory=list)
    """Folders without a file."""
    unreadable: list[str] = field(default_factory=list)
    """Folders that cannot be walked."""


def find(paths: list[Path], manifests: list[Path]) -> Found:
    """Files and folders as they are named, then what the manifests claim.

    Raises:
        FaultyManifest: a manifest cannot be used; then nothing is to be stored.
    """
    found = Found()
    claims: dict[Path, RunClaim] = {}
    owners: dict[Path, Path] = {}
    faults: list[str] = []

    def ask(manifest: Path) -> list[Path]:
        try:
            claimed = claimed_files(manifest)
        except FaultyManifest as error:
            faults.extend(f"{manifest}: {fault}" for fault in error.faults)
            return []
        for file, claim in claimed.items():
            owner = owners.setdefault(file.resolve(), manifest)
            if owner.resolve() != manifest.resolve():
                faults.append(f"{file} is claimed by {owner} and {manifest}: a file is of one run")
            claims[file.resolve()] = claim
        return list(claimed)

    listed: list[Path] = []
    asked: set[Path] = set()
    for path in paths:
        inside = _walked(path, found) if path.is_dir() else [path]
        for file in inside:
            if not _may_be_manifest(file):
                listed.append(file)
            elif file.resolve() not in asked:
                asked.add(file.resolve())
                claimed = ask(file)
                listed += [] if path.is_dir() else claimed
    for manifest in manifests:
        if manifest.resolve() not in asked:
            asked.add(manifest.resolve())
            listed += ask(manifest)
    if faults:
        raise FaultyManifest(faults)
    taken: set[Path] = set()
    for file in listed:
        place = file.resolve()
        claim = claims.get(place)
        if claim is None or place not in taken:
            found.files.append((file, claim))
        taken.add(place)
    return found


def _walked(folder: Path, found: Found) -> list[Path]:
    """Files in order, without hidden ones and those that belong to a database beside them."""

    def report(error: OSError) -> None:
        found.unreadable.append(f"{error.filename}: cannot be read ({error.strerror}): check its permissions")

    inside = list(walk(folder, report))
    there = set(inside)
    files = [file for file in inside if not _belongs_to_another(file, there)]
    if not files:
        found.empty.append((folder, QualityError(f"{folder}: no files in it: name a folder with artifacts")))
    return files


def _belongs_to_another(file: Path, there: set[Path]) -> bool:
    suffixes = (suffix for suffix in (*COMPANION_SUFFIXES, WAL_INDEX) if file.name.endswith(suffix))
    return any(file.with_name(file.name.removesuffix(suffix)) in there for suffix in suffixes)


def _may_be_manifest(file: Path) -> bool:
    """By content, of a JSON file that is short enough."""
    if file.suffix.lower() != ".json":
        return False
    try:
        return file.is_file() and file.stat().st_size <= MOST_BYTES and is_manifest(file.read_bytes())
    except OSError:
        return False
