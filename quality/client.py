"""How does a process use a ledger that another may hold? Through a door that finds the way by itself.

It takes the lock if it is free and works on the file; if not, it sends the same commands to the address in
the owner file. Either way it waits a bounded time and then names the holder.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_jsonable_python

from quality.api import MARK, ROWS_HEADER
from quality.api.uploads import ARTIFACT_PART, COMMAND_PART
from quality.commands import Command, ExportRows, ImportArtifact, Question
from quality.errors import LedgerBusy, NotFound, QualityError
from quality.export import export_rows, refuse_contradictions, write_whole
from quality.ledger.ledger import Ledger, answer_model
from quality.ledger.owner import Holder, OwnerFile
from quality.readers.base import Artifact
from quality.settings import Settings

LOCK_TRY_SECONDS = 0.05
"""How long one try for the lock takes; between tries the owner file is read again."""
CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 600.0
"""How long an owner may work on one request: an import of millions of rows, or a rating behind it."""

T = TypeVar("T")


class RefusedByOwner(QualityError):
    """The owner's refusal, shown like one of this process."""

    def __init__(self, text: str, exit_code: int, status: int, details: dict[str, Any] | None = None) -> None:
        super().__init__(text, details=details)
        self.exit_code = exit_code
        self.status = status


class _OwnerGone(Exception):
    """Nobody answers at the address any more, or somebody else does."""


@contextmanager
def open_door(path: Path, settings: Settings, *, purpose: str = "a script", create: bool = False) -> Iterator["Door"]:
    """A way into the ledger for the length of the block.

    Args:
        create: start a new ledger where there is none; its folder must exist.

    Raises:
        NotFound: there is no ledger at `path` and `create` is not set.
    """
    if not path.exists() and not create:
        raise NotFound(
            f"{path}: no such ledger: ingest something into it, rate with --create, or name another (--ledger)"
        )
    with Door(path, settings, purpose) as door:
        yield door


class Door:
    """Executes commands and answers questions, here or at the ledger's owner. Use `open_door`."""

    def __init__(self, path: Path, settings: Settings, purpose: str) -> None:
        self._path = path
        self._settings = settings
        self._purpose = purpose
        self._ledger: Ledger | None = None
        self._owner = OwnerFile(path.resolve())
        self._http: httpx.Client | None = None
        self._heard: Holder | None = None
        """The owner that has shown that it answers."""

    def __enter__(self) -> "Door":
        return self

    def __exit__(self, *_: object) -> None:
        if self._ledger:
            self._ledger.close()
        if self._http:
            self._http.close()
        self._ledger = self._http = None

    def execute(self, command: Command) -> Any:
        """The command's answer, as `Ledger.execute` gives it; sending it twice does it once.

        Raises:
            QualityError: what the command refuses, here or at the owner.
            LedgerBusy: the holder neither answers nor finishes within `limits.lock_seconds`.
        """
        answer = answer_model(command)

        def here(ledger: Ledger) -> BaseModel:
            return answer.model_validate(to_jsonable_python(ledger.execute(command), inf_nan_mode="null"))

        def there(holder: Holder) -> BaseModel:
            try:
                return answer.model_validate(self._sent(holder, command))
            except ValidationError as error:
                raise _not_understood(holder) from error

        return self._either(here, there)

    def ask(self, question: Question) -> dict[str, Any]:
        """The answer as JSON values (times as text)."""
        return self._either(
            lambda ledger: to_jsonable_python(ledger.ask(question), inf_nan_mode="null"),
            lambda holder: self._sent(holder, question),
        )

    def export(self, question: ExportRows, out: Path) -> int:
        """Write the rows to a file, which appears whole or not at all; returns how many."""
        refuse_contradictions(question)
        return self._either(
            lambda ledger: export_rows(ledger.store, question, out, ledger.settings.scoring),
            lambda holder: self._fetched(holder, question, out),
        )

    def _either(self, here: Callable[[Ledger], T], there: Callable[[Holder], T]) -> T:
        deadline = time.monotonic() + self._settings.limits.lock_seconds
        while True:
            try:
                self._ledger = self._ledger or Ledger(
                    self._path, self._settings, purpose=self._purpose, wait=LOCK_TRY_SECONDS
                )
            except LedgerBusy as busy:
                holder = self._owner.read()
                if holder and holder.address and is_running(holder.pid):
                    try:
                        self._hear(holder)
                        return there(holder)
                    except _OwnerGone:
                        pass  # it has stopped since it wrote its file: the lock is free soon
                if time.monotonic() > deadline:
                    raise busy
                time.sleep(LOCK_TRY_SECONDS)
            else:
                return here(self._ledger)

    def _hear(self, holder: Holder) -> None:
        """See that the owner answers at all, before it is given as long as a long request may take.

        Raises:
            LedgerBusy: it accepts connections and says nothing, as a process that hangs does.
        """
        if self._heard == holder:
            return
        seconds = max(self._settings.limits.lock_seconds, CONNECT_SECONDS)
        try:
            self._connected(holder).get(
                f"{holder.address}/api/", timeout=httpx.Timeout(seconds, connect=CONNECT_SECONDS)
            )
        except httpx.ReadTimeout as error:
            raise _silent(holder, seconds) from error
        except httpx.TransportError as error:
            raise _OwnerGone from error
        self._heard = holder

    def _sent(self, holder: Holder, asked: Command | Question) -> Any:
        with ExitStack() as files:
            body: dict[str, Any] = {"json": asked.model_dump(mode="json")}
            if isinstance(asked, ImportArtifact):
                body = _parts(asked, files)
            with _answer(self._connected(holder), holder, asked.name, body) as response:
                return _json(response, holder)

    def _fetched(self, holder: Holder, question: ExportRows, out: Path) -> int:
        body = {"json": question.model_dump(mode="json")}
        with _answer(self._connected(holder), holder, question.name, body) as response:
            write_whole(out, _bytes(response))
            return int(response.headers[ROWS_HEADER])

    def _connected(self, holder: Holder) -> httpx.Client:
        """One connection for the door's life; certificates are loaded only where they are asked for."""
        if self._http is None:
            timeout = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
            encrypted = str(holder.address).startswith("https:")
            self._http = httpx.Client(timeout=timeout, trust_env=False, verify=encrypted)
        return self._http


def _parts(command: ImportArtifact, files: ExitStack) -> dict[str, Any]:
    """The artifact and its companions as open files, so that the owner needs none of our paths."""
    artifact = Artifact(Path(command.path))
    label = command.label or command.path
    sent = command.model_copy(update={"path": Path(command.path).name, "label": label})
    parts: list[tuple[str, tuple]] = [(COMMAND_PART, (None, sent.model_dump_json(), "application/json"))]
    try:
        for path in (artifact.path, *artifact.companions):
            name = ARTIFACT_PART + path.name.removeprefix(artifact.path.name)
            parts.append((name, (name, files.enter_context(path.open("rb")), "application/octet-stream")))
    except FileNotFoundError as error:
        raise NotFound(f"{label}: no such file: check the path") from error
    except OSError as error:
        raise QualityError(f"{label}: cannot be read ({error.strerror}): check the path and its permissions") from error
    return {"files": parts}


@contextmanager
def _answer(client: httpx.Client, holder: Holder, name: str, body: dict[str, Any]) -> Iterator[httpx.Response]:
    """The owner's answer, its body still unread.

    Raises:
        _OwnerGone: the connection failed, or what answers is not the ledger's owner.
        RefusedByOwner: the command was refused.
    """
    url = f"{holder.address}/api/v1/commands/{name}"
    headers = {"Authorization": f"Bearer {holder.secret}"}
    try:
        with client.stream("POST", url, headers=headers, **body) as response:
            if any(response.headers.get(name) != value for name, value in MARK.items()) or response.status_code == 401:
                raise _OwnerGone
            if response.status_code == 503:
                raise _OwnerGone  # it is starting or stopping
            if response.is_error:
                fault = _json(response, holder)
                if not isinstance(fault, dict) or not {"error", "exit_code"} <= fault.keys():
                    raise _not_understood(holder)
                raise RefusedByOwner(fault["error"], fault["exit_code"], response.status_code, fault.get("details"))
            yield response
    except httpx.ReadTimeout as error:
        raise _silent(holder, ANSWER_SECONDS) from error
    except httpx.TransportError as error:
        raise _OwnerGone from error


def _silent(holder: Holder, seconds: float) -> LedgerBusy:
    return LedgerBusy(
        f"process {holder.pid} ({holder.purpose}) at {holder.address} did not answer within {seconds:.0f} s: "
        "see whether it is still at work, or stop it"
    )


def _not_understood(holder: Holder) -> QualityError:
    return QualityError(
        f"process {holder.pid} ({holder.purpose}) at {holder.address} answers in a form that this version does not know: "
        "start it anew with the same version"
    )


def _json(response: httpx.Response, holder: Holder) -> Any:
    content = _read(response)
    try:
        return from_json(content)
    except ValueError as error:
        raise _not_understood(holder) from error


def _read(response: httpx.Response) -> bytes:
    return b"".join(_bytes(response))


def _bytes(response: httpx.Response) -> Iterator[bytes]:
    yield from response.iter_bytes(1 << 20)


def is_running(pid: int) -> bool:
    """Whether a process of this machine is alive: an owner file outlives a holder that was killed."""
    if os.name != "posix":
        return True  # there, signal 0 would end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
