"""What is in a ZIP archive? Its members by name, in memory and bounded: nothing is ever written to a path."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAGIC = b"PK\x03\x04"
MOST_MEMBER = 64 * 1024 * 1024
"""Bytes of one member, unpacked."""
MOST_ALL = 1024 * 1024 * 1024
"""Bytes of all members together."""
MOST_MEMBERS = 200_000
_FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError,
    OverflowError, MemoryError,
)  # fmt: skip
"""What a damaged, encrypted or unusually packed archive raises."""


class Unreadable(Exception):
    """The archive or a member cannot be read; the message says why."""


class Members:
    """The members of an open archive."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left = MOST_ALL
        self.names = list(dict.fromkeys(archive.namelist()))

    def read(self, name: str) -> bytes:
        """One member, unpacked.

        Raises:
            Unreadable: it is damaged, encrypted, packed in an unknown way, or unpacks to more than the bounds.
        """
        most = min(MOST_MEMBER, self._left)
        try:
            with self._archive.open(name) as file:
                content = file.read(most + 1)
        except KeyError:
            raise Unreadable(f"{name}: not in the archive") from None
        except _FAULTS as error:
            raise Unreadable(f"{name}: cannot be unpacked ({error})") from error
        if len(content) > most:
            raise Unreadable(f"{name}: unpacks to more than {most:,} bytes")
        self._left -= len(content)
        return content


@contextmanager
def opened(path: Path) -> Iterator[Members]:
    """The members of the archive at `path`.

    Raises:
        Unreadable: it is no archive, is damaged, or has too many members.
    """
    try:
        archive = zipfile.ZipFile(path)
    except _FAULTS as error:
        raise Unreadable(f"the ZIP archive cannot be read ({error}): is it complete?") from error
    with archive:
        if len(archive.filelist) > MOST_MEMBERS:
            raise Unreadable(f"the ZIP archive has more than {MOST_MEMBERS:,} members")
        yield Members(archive)
