"""Which files has this person dropped, and what do they say? Kept on disk for the session, looked at once each.

The bag outlives a page switch, which Streamlit's own uploader does not. Its folder is removed with the session. No
name that a browser sends is ever used as a path.
"""

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import streamlit as st

from pages.components import ingesting_job
from pages.components.ingesting_job import Storing
from quality.commands import Imported
from quality.errors import QualityError
from quality.manifest import MOST_BYTES, FaultyManifest, RunClaim, is_manifest, read_manifest
from quality.observations import RUN_KEY
from quality.preview import NAMES_NO_STORY, examine
from quality.readers.base import COMPANION_SUFFIXES, Target
from quality.readers.results import NO_STORY
from quality.settings import Settings

LISTED = 100
"""Records of a kind that a page shows of one file."""
SQLITE_INDEX = "-shm"
"""Beside a database too; it holds nothing that has to be read."""
TOLD = ("readings", "verdicts", "overrides")
_BAG = "ingest_bag"
_PREFIX = "quality-ingest-"


class Upload(Protocol):
    """What the uploader hands over."""

    name: str

    def getbuffer(self) -> memoryview: ...


@dataclass(eq=False)
class Dropped:
    """One file, what was read from it, and what became of it."""

    name: str
    """As the browser named it; shown and stored, never opened."""
    path: Path
    beside: list[str] = field(default_factory=list)
    """Names of the files that belong to it."""
    seen: dict[str, Any] | None = None
    """What `examine` found."""
    seen_for: Target | None = None
    needs_story: bool = False
    """Whether it says of something in it not which story that is about."""
    claim: RunClaim | None = None
    """The run that a dropped manifest says it is of."""
    is_manifest: bool = False
    """Whether it says which of the others are of which run; it is not stored itself."""
    fault: str = ""
    """Why it could not be looked at, or was refused by the ledger."""
    answer: Imported | None = None
    """What the ledger answered."""

    @property
    def is_open(self) -> bool:
        """Whether it waits to be stored."""
        return self.answer is None and not self.fault and not self.is_manifest

    @property
    def asks(self) -> bool:
        """Whether somebody has to say which run it is of."""
        return self.needs_story and self.claim is None

    def target(self, chosen: Target) -> Target:
        """The run it is stored for: the manifest's word, else its own ids, else what was chosen."""
        if self.claim:
            return Target(self.claim.story_id, self.claim.agent, self.claim.model_version, self.claim.attempt)
        return chosen if self.needs_story else Target()

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The runs that what is listed of it is about, as far as it names them."""
        rows = [row for name in TOLD for row in (self.seen or {}).get(name, [])]
        keys = dict.fromkeys(tuple(row.get(name) for name in RUN_KEY) for row in rows)
        return [dict(zip(RUN_KEY, key)) for key in keys]


class Bag:
    """The dropped files of one session, in the order of their names."""

    def __init__(self) -> None:
        _sweep()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        self.files: list[Dropped] = []
        self.drops = 0
        """Grows with each drop: names the uploader, which is an empty one afterwards."""
        self.storing = False
        """Whether somebody has just asked to store them."""
        self.job: Storing | None = None
        """What stores them, or did last."""
        self._made = 0
        self._removal = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)

    @property
    def is_busy(self) -> bool:
        """Whether files of it are being stored: until that is done it stays as it is."""
        return self.job is not None and self.job.is_running

    def add(self, uploads: Iterable[Upload]) -> None:
        """Take the files over; one of a name that is there already and waits replaces it."""
        for upload in uploads:
            self._made += 1
            path = self.folder / str(self._made) / "artifact"
            path.parent.mkdir(parents=True)
            with path.open("wb") as file:
                _write(file, upload)
            again = [file for file in self.files if file.name == upload.name]
            for file in again:
                self._discard(file)
            self.files.append(Dropped(upload.name, path))
        self.drops += 1
        self._pair()
        self.files.sort(key=lambda file: file.name)
        self._claim()

    def remove(self, file: Dropped) -> None:
        """Leave a file out; what a manifest says is asked anew."""
        if self.is_busy:
            return
        self._discard(file)
        self._claim()

    def clear(self) -> None:
        """Every file, those that are stored too."""
        if self.is_busy:
            return
        for file in list(self.files):
            self._discard(file)
        self.storing = False
        if self.job:
            ingesting_job.forget(self.job)
        self.job = None

    def unseen(self, target: Target) -> list[Dropped]:
        """Files to look at: new ones, and those whose content depends on a choice that has changed."""
        return [
            file
            for file in self.files
            if file.is_open and (file.seen is None or (file.asks and file.seen_for != target))
        ]

    def _pair(self) -> None:
        """A database's write-ahead log goes beside it, and its index is not needed."""
        by_name = {file.name: file for file in self.files}
        for suffix in (*COMPANION_SUFFIXES, SQLITE_INDEX):
            for file in list(self.files):
                owner = by_name.get(file.name.removesuffix(suffix)) if file.name.endswith(suffix) else None
                if owner is None or owner is file:
                    continue
                if suffix != SQLITE_INDEX:
                    shutil.move(file.path, owner.path.with_name(owner.path.name + suffix))
                owner.beside.append(file.name)
                owner.seen = None
                self._discard(file)

    def _discard(self, file: Dropped) -> None:
        self.files.remove(file)
        shutil.rmtree(file.path.parent, ignore_errors=True)

    def _claim(self) -> None:
        """Ask the manifests among the files which run each of the others is of."""
        claims: dict[str, RunClaim] = {}
        for manifest in self.files:
            manifest.is_manifest = _is_manifest(manifest.path)
        for manifest in [file for file in self.files if file.is_manifest]:
            manifest.fault = ""
            try:
                claims |= _claims(manifest, [file.name for file in self.files if not file.is_manifest])
            except FaultyManifest as error:
                manifest.fault = "\n".join(error.faults)
        for file in self.files:
            if file.answer is None and claims.get(file.name) != file.claim:
                file.claim, file.seen = claims.get(file.name), None


def bag() -> Bag:
    """This session's; where it has none with files, that of the person's earlier session that is being stored, or was unseen."""
    own: Bag | None = st.session_state.get(_BAG)
    if not (own and own.files):
        if job := ingesting_job.to_take_up():
            own = job.keeps
        st.session_state[_BAG] = own or Bag()
    return st.session_state[_BAG]


def known() -> Bag | None:
    """This session's, where it has been at Ingest."""
    return st.session_state.get(_BAG)


def look(file: Dropped, target: Target, settings: Settings) -> None:
    """Read it without storing anything; what cannot be read says why and stops no other."""

    def read(wanted: Target) -> dict[str, Any]:
        return examine(file.path, wanted, settings, label=file.name, most=LISTED)

    try:
        if file.claim:
            file.seen = read(file.target(target))
            return
        if file.seen is None or not target.story_id:
            file.seen = read(Target())
            file.needs_story = _asks_for_story(file.seen)
        if file.needs_story and target.story_id:
            file.seen = read(target)
        file.seen_for = target
    except QualityError as error:
        file.fault = str(error)
    except OSError as error:
        file.fault = f"{file.name}: the dropped copy cannot be read ({error.strerror}): drop it again"


def _asks_for_story(seen: dict[str, Any]) -> bool:
    return NAMES_NO_STORY in seen["warnings"] or any(reject["reason"] == NO_STORY for reject in seen["rejects"])


def _is_manifest(path: Path) -> bool:
    return path.is_file() and path.stat().st_size <= MOST_BYTES and is_manifest(path.read_bytes())


def _claims(manifest: Dropped, names: list[str]) -> dict[str, RunClaim]:
    """Names as they were dropped: of a folder they are relative to it, else they have lost their folders."""
    home = manifest.name.rpartition("/")[0]
    inside = {name.removeprefix(f"{home}/"): name for name in names if name.startswith(f"{home}/")} if home else {}
    if not inside:
        return read_manifest(manifest.path).claims(names, by_last_part=True)
    return {inside[name]: run for name, run in read_manifest(manifest.path).claims(inside).items()}


def _sweep() -> None:
    """Remove the folders of processes that are gone: one that is killed cannot do it itself."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdecimal() and not _is_running(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _write(file: BinaryIO, upload: Upload) -> None:
    file.write(upload.getbuffer())
