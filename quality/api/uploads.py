"""How do an artifact's bytes reach the owner of the ledger? As multipart parts, streamed to a folder of its own.

Part `command` is JSON; `artifact` and its companions (`artifact-wal`, `artifact-journal`) are files. No
name or path of the request is ever used as a path.
"""

from pathlib import Path
from typing import BinaryIO

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from quality.errors import QualityError
from quality.readers.base import COMPANION_SUFFIXES

COMMAND_PART = "command"
ARTIFACT_PART = "artifact"
FILE_PARTS = (ARTIFACT_PART, *(ARTIFACT_PART + suffix for suffix in COMPANION_SUFFIXES))
JSON_BYTES = 64 * 1024**2
"""A larger JSON body, or `command` part, is refused."""


class TooLarge(QualityError):
    status = 413


class Malformed(QualityError):
    status = 422


async def read_body(request: Request, limit: int) -> bytes:
    """A JSON body, refused as soon as it is longer than allowed."""
    limit = min(limit, JSON_BYTES)
    _refuse_declared(request, limit)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise _too_large(limit)
    return bytes(body)


async def receive_artifact(request: Request, folder: Path, limit: int) -> tuple[bytes, Path]:
    """Store the parts in `folder`; returns the JSON of the command and the artifact's path.

    Raises:
        TooLarge: the request is larger than `limit` bytes.
        Malformed: it is no multipart request, was cut short, or lacks a part.
    """
    _refuse_declared(request, limit)
    kind, options = parse_options_header(request.headers.get("content-type"))
    if kind != b"multipart/form-data" or not options.get(b"boundary"):
        raise Malformed("import_artifact: send multipart/form-data with the parts command and artifact")
    parts = _Parts(folder)
    received = 0
    try:
        parser = MultipartParser(options[b"boundary"], parts.callbacks())
        async for chunk in request.stream():
            received += len(chunk)
            if received > limit:
                raise _too_large(limit)
            await run_in_threadpool(parser.write, chunk)
    except MultipartParseError as error:
        raise Malformed(f"import_artifact: the multipart body cannot be read: {error}") from error
    finally:
        parts.close()
    if not parts.ended:
        raise Malformed("import_artifact: the request ends early: send it again")
    artifact = folder / ARTIFACT_PART
    if not parts.command or not artifact.exists():
        raise Malformed("import_artifact: give the parts command (JSON) and artifact (the file)")
    return bytes(parts.command), artifact


class _Parts:
    """Takes the parser's events; one file open at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._header, self._value = b"", b""
        self._name = ""
        self._seen: set[str] = set()
        self._file: BinaryIO | None = None
        self.command = bytearray()
        self.ended = False

    def callbacks(self) -> dict:
        return {
            "on_part_begin": self._begin, "on_header_field": self._field, "on_header_value": self._add_value,
            "on_header_end": self._header_end, "on_headers_finished": self._open, "on_part_data": self._data,
            "on_part_end": self.close, "on_end": self._end,
        }  # fmt: skip

    def close(self) -> None:
        if self._file:
            self._file.close()
        self._file = None

    def _begin(self) -> None:
        self._name, self._header, self._value = "", b"", b""

    def _field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            _, options = parse_options_header(self._value)
            self._name = options.get(b"name", b"").decode("utf-8", "replace")
        self._header, self._value = b"", b""

    def _open(self) -> None:
        if self._name in self._seen:
            raise Malformed(f"import_artifact: the part {self._name} comes twice: send one artifact a request")
        self._seen.add(self._name)
        if self._name in FILE_PARTS:
            self._file = (self._folder / self._name).open("wb")
        elif self._name != COMMAND_PART:
            known = ", ".join((COMMAND_PART, *FILE_PARTS))
            raise Malformed(f"import_artifact: no such part {self._name[:80]!r}: give {known}")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file:
            self._file.write(data[start:end])
        else:
            self.command += data[start:end]
            if len(self.command) > JSON_BYTES:
                raise _too_large(JSON_BYTES)

    def _end(self) -> None:
        self.ended = True


def _refuse_declared(request: Request, limit: int) -> None:
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limit:
        raise _too_large(limit)


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"the request is larger than {limit:,} bytes (limits.request_bytes): split it or raise the limit")
