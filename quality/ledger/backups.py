"""How is a ledger backed up while it is used? As the bytes of its file, right after everything committed is in them.

Writers wait for the length of the copy, readers do not (design/009). The copy is whole before it has its name, and it is
read back before it counts.
"""

import glob
import hashlib
import json
import os
import shutil
import threading
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from quality.backup_commands import BackedUp, BackUp, Manifest
from quality.errors import Conflict, LedgerUnusable, QualityError
from quality.ledger.sqlfiles import load_sql
from quality.ledger.store import Store, Transaction, reading_file

FOLDER = "backups"
SUFFIX, MANIFEST, PART = ".duckdb", ".json", ".part"
CHUNK = 8 * 1024**2
"""Bytes copied at once."""
ROOM = 1.1
"""Free bytes that a copy needs, as a multiple of the file."""
MOST_NAMES = 1_000
"""Backups of one second."""
RECEIVED = "-received"
"""What the name of a backup from elsewhere ends in."""
_one_at_a_time = threading.Lock()


def folder_of(ledger: Path) -> Path:
    """Where the backups of a ledger lie by default."""
    return ledger.parent / FOLDER


def back_up(store: Store, command: BackUp) -> BackedUp:
    """Write the backup and what is to be known of it; the caller records it in the audit.

    Raises:
        Conflict: the file is there already.
        LedgerUnusable: no room, no permission, or what was written cannot be read back.
    """
    with _one_at_a_time:
        target = _target(store.path, command.path)
        part = target.with_name(target.name + PART)
        try:
            _sweep(store.path, target.parent)
            with store.alone():
                store.checkpoint()
                copy_whole(store.path, part)
                found = contents(store)
            return _finished(store.path, part, target, found, command.actor)
        except OSError as error:
            raise unwritten(target, error) from error
        finally:
            part.unlink(missing_ok=True)


def _sweep(ledger: Path, folder: Path) -> None:
    """Remove what a backup that was killed has left."""
    for path in folder.glob(f"{ledger.stem}-*{SUFFIX}{PART}"):
        path.unlink(missing_ok=True)


def _finished(ledger: Path, part: Path, target: Path, found: dict[str, Any], actor: str, **kind: bool) -> BackedUp:
    if read_back(part) != found:
        raise LedgerUnusable(f"{target}: read back, the backup is not what was written: back up to another disk")
    sync(part)
    manifest = described(part, ledger, found, actor, **kind)
    _write(target.with_name(target.name + MANIFEST), manifest)
    try:
        os.link(part, target)  # unlike a rename it never replaces a file that has come meanwhile
    except FileExistsError as error:
        raise _is_there(target) from error
    except OSError:  # a file system without links
        if target.exists():
            raise _is_there(target) from None
        part.rename(target)
    sync(target.parent)
    return BackedUp(**manifest.model_dump(), name=target.name, path=str(target))


def contents(source: Store | Transaction) -> dict[str, Any]:
    """Runs, stories, writes, last write, schema, and whether it is the sample."""
    return source.rows(load_sql("backups")["contents"])[0]


def read_back(path: Path) -> dict[str, Any]:
    """The contents of a file, of which every value was read, so that a damaged block shows.

    Raises:
        LedgerUnusable: not a ledger, or damaged.
    """
    with reading_file(path) as reading:
        tables = [row["table_name"] for row in reading.rows(load_sql("meta")["tables"])]
        if "meta" not in tables or "ledger" not in tables:
            raise LedgerUnusable(f"{path}: not a ledger: name a backup that `backup` has written")
        for name in tables:
            reading.value(load_sql("backups")["read_all"], {"name": name})
        return contents(reading)


def described(file: Path, ledger: Path, found: dict[str, Any], actor: str, **kind: bool) -> Manifest:
    """What is to be known of a backup; `kind` = `replaced` or `received`, where it is that."""
    return Manifest(
        sha256=sha256_of(file), bytes=file.stat().st_size, ledger=ledger.name, made_at=datetime.now(UTC), actor=actor,
        **kind, **found,
    )  # fmt: skip


def manifest_of(path: Path) -> Manifest | None:
    """What stands beside a backup; `None` where nothing does that can be read."""
    try:
        return Manifest.model_validate_json(path.with_name(path.name + MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None


def list_backups(store: Store) -> dict[str, Any]:
    """`backups` beside the ledger, latest first, `folder`, `last` (when, by whom), and `writes_since`: those in no backup.

    Of a file without a manifest only name, path, bytes and time are known. The sample's and one's own never mix.
    """
    sql, folder, sample = load_sql("backups"), folder_of(store.path), is_sample(store)
    found = _in_folder(store.path)
    recorded = store.rows(sql["last_backup"])
    made = [{"recorded_at": b["made_at"], "actor": b["actor"]} for b in found if _is_of(b, store.path)]
    return {
        "folder": str(folder),
        "ledger": str(store.path),
        "sample": sample,
        "backups": [backup for backup in found if backup["sample"] in (sample, None)],
        "last": max([*recorded, *made], key=lambda one: one["recorded_at"], default=None),
        "writes_since": store.rows(sql["writes_since"])[0]["n"],
    }


def beside(ledger: Path) -> list[dict[str, Any]]:
    """What could take the place of a ledger that cannot be opened, latest first: its backups, and copies before migrations."""
    copies = [_listed(path) for path in ledger.parent.glob(f"{glob.escape(ledger.name)}.before-*") if path.is_file()]
    return _latest_first([*_in_folder(ledger), *copies])


def _in_folder(ledger: Path) -> list[dict[str, Any]]:
    files = [path for path in folder_of(ledger).glob(f"*{SUFFIX}") if path.is_file() and not is_same(path, ledger)]
    return _latest_first(map(_listed, files))


def _latest_first(found: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(found, key=lambda backup: backup["made_at"], reverse=True)


def _is_of(backup: dict[str, Any], ledger: Path) -> bool:
    """Whether it was made of this ledger, which one that was restored may not know itself."""
    return backup["ledger"] == ledger.name and not backup["replaced"] and not backup["received"]


def is_sample(store: Store | Transaction) -> bool:
    """Whether the file is marked as the sample ledger, or as a backup of it."""
    return store.rows(load_sql("backups")["is_sample"])[0]["sample"]


def is_same(path: Path, ledger: Path) -> bool:
    """Whether it is the ledger itself under another name, which is no backup: it changes with it."""
    return ledger.exists() and path.samefile(ledger)


def mark_as_sample(store: Store) -> None:
    """Mark the file, so that its backups are known for what they are."""
    if not is_sample(store):
        with store.transaction() as tx:
            tx.execute(load_sql("backups")["mark_as_sample"])


def copy_whole(source: Path, target: Path) -> None:
    """Copy the bytes into a new file that only its owner reads.

    Raises:
        LedgerUnusable: there is no room for it.
    """
    size, free = source.stat().st_size, shutil.disk_usage(target.parent).free
    if free < size * ROOM:
        raise LedgerUnusable(
            f"{target.parent}: {free:,} bytes are free and the copy needs {size:,}: make room, or name another folder"
        )
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    shutil.copyfile(source, target)  # within the kernel, where it can


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unwritten(target: Path, error: OSError) -> LedgerUnusable:
    return LedgerUnusable(f"{target}: cannot be written ({error.strerror}): check the folder's permissions and space")


def new_name(ledger: Path, folder: Path, what: str = "") -> Path:
    """A name by the time that no file has: `ledger-20261202T201500Z.duckdb`."""
    stem = f"{ledger.stem}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}{what}"
    names = (f"{stem}{f'-{place}' if place else ''}{SUFFIX}" for place in range(MOST_NAMES))
    return next(folder / name for name in names if not (folder / name).exists())


def _target(ledger: Path, wanted: str | None, what: str = "") -> Path:
    if wanted is None:
        folder_of(ledger).mkdir(mode=0o700, exist_ok=True)
        return new_name(ledger, folder_of(ledger), what)
    path = Path(wanted)
    if not path.is_absolute():
        raise QualityError(f"backup to {wanted}: give the whole path, from / on")
    if path.is_dir():
        return new_name(ledger, path)
    if path.exists():
        raise _is_there(path)
    if not path.parent.is_dir():
        raise QualityError(f"{path.parent}: no such folder: create it, or name another file")
    return path


def _is_there(path: Path) -> Conflict:
    return Conflict(f"{path}: is there already, and a backup never overwrites: name another file, or a folder")


def _listed(path: Path) -> dict[str, Any]:
    manifest, stat = manifest_of(path), path.stat()
    unknown: dict[str, Any] = dict.fromkeys(Manifest.model_fields)
    known = manifest.model_dump() if manifest else unknown | {"made_at": datetime.fromtimestamp(stat.st_mtime, UTC)}
    return {**known, "bytes": stat.st_size, "name": path.name, "path": str(path)}


def _write(path: Path, manifest: Manifest) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(manifest.model_dump(mode="json"), file, indent=2)
        file.flush()
        os.fsync(file.fileno())


def keep_manifest(path: Path, manifest: Manifest) -> None:
    """Write down what is to be known of a backup that lies at `path`."""
    _write(path.with_name(path.name + MANIFEST), manifest)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def receive(store: Store, content: BinaryIO, actor: str) -> BackedUp:
    """Put a backup from elsewhere among those beside the ledger, under a name by the time.

    Raises:
        LedgerUnusable: not a ledger, damaged, or no room; nothing is kept then.
    """
    folder = folder_of(store.path)
    with _one_at_a_time:
        target = _target(store.path, None, RECEIVED)
        part = target.with_name(target.name + PART)
        try:
            _sweep(store.path, folder)
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as out:
                shutil.copyfileobj(content, out, CHUNK)
            return _finished(store.path, part, target, read_back(part), actor, received=True)
        except OSError as error:
            raise unwritten(target, error) from error
        except LedgerUnusable as error:
            raise LedgerUnusable(str(error).replace(str(part), "the file")) from error
        finally:
            part.unlink(missing_ok=True)
