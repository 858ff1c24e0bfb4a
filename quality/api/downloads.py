"""How does an export reach somebody over HTTP? As a stream: no file of it lies in memory or on disk meanwhile.

`GET /api/v1/export?format=…&tier=…` is for programs, with the secret or a token; the same state of the ledger has the same
ETag, so that an unchanged export is not sent again. `GET /api/v1/downloads/{ticket}` is for the browser of somebody who looks
at the dashboard, which can send neither: a page makes the ticket, and it works for a while.
"""

import secrets
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import ValidationError
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from quality import moments
from quality.api.tokens import who_sends
from quality.api.uploads import Malformed
from quality.commands import ExportRows, Filters
from quality.errors import QualityError, did_you_mean
from quality.export import MEDIA_TYPES, Export, etag_of, open_export, refuse_contradictions
from quality.ledger.ledger import Ledger
from quality.problems import first_problem
from quality.roles import admit

EXPORT_PATH = "/api/v1/export"
DOWNLOAD_PATH = "/api/v1/downloads/{ticket}"
ROWS_HEADER = "Quality-Rows"
AS_WRITTEN = {"Content-Encoding": "identity"}
"""Else the server squeezes the stream on one core, which takes about ten times as long. A proxy may still do it."""
LIFETIME_SECONDS = 900.0
"""How long a ticket works; a page that stays open makes a new one before."""
MOST_TICKETS = 10_000
"""The oldest go first."""
OWN = ("format", "bom", "full", "profiles", "columns", "as_of")
"""Parameters of an export besides the filters."""

Answer = Callable[[Request, Ledger], Awaitable[Response]]


class Gone(QualityError):
    """A ticket that does not work any more, or never did."""

    status = 410


@dataclass(frozen=True)
class Ticket:
    """What may be fetched with it, under which name, until when (seconds of the monotonic clock)."""

    question: ExportRows | Path
    """An export, or a file of the server's that whoever made the ticket may take along, such as a backup."""
    file_name: str
    deadline: float
    on_sent: Callable[[], None] | None = None
    """Called once an export has been sent whole, in a thread of its own; of the maker's, for whoever it was made for."""


class Tickets:
    """The tickets of this process. A ticket is 256 random bits, and nothing of what it stands for is in it."""

    def __init__(self, lifetime: float = LIFETIME_SECONDS) -> None:
        self._lifetime = lifetime
        self._held: dict[str, Ticket] = {}
        self._lock = threading.Lock()

    def issue(self, question: ExportRows | Path, file_name: str, on_sent: Callable[[], None] | None = None) -> str:
        """A new ticket for an export or a file that whoever asks may see.

        Raises:
            QualityError: the question contradicts itself.
        """
        if isinstance(question, ExportRows):
            refuse_contradictions(question)
        now = time.monotonic()
        with self._lock:
            over = [ticket for ticket, held in self._held.items() if held.deadline < now]
            for ticket in over or list(self._held)[: max(0, len(self._held) - MOST_TICKETS + 1)]:
                del self._held[ticket]
            ticket = secrets.token_urlsafe(32)
            self._held[ticket] = Ticket(question, file_name, now + self._lifetime, on_sent)
        return ticket

    def find(self, ticket: str) -> Ticket:
        """Raises Gone: it is over, or there is none such; which of these, the answer does not say."""
        with self._lock:
            found = self._held.get(ticket)
        if found is None or found.deadline < time.monotonic():
            raise Gone("this link to a download works no longer: load the page again and download from there")
        return found


TICKETS = Tickets()
"""Those that the pages of this process make."""


def download_path(ticket: str) -> str:
    """Where a browser finds it, seen from a page of the dashboard, behind a proxy too."""
    return DOWNLOAD_PATH.removeprefix("/").format(ticket=ticket)


def download_routes(
    guarded: Callable[[Answer], Callable[[Request], Awaitable[Response]]], mark: dict[str, str]
) -> list:
    """The two addresses; `guarded` opens the ledger for an answer and turns faults into JSON, `mark` goes on each answer."""

    async def export(request: Request, ledger: Ledger) -> Response:
        who = who_sends(
            request.headers.get("authorization", ""), ledger.store.owner.secret, ledger.settings.server.tokens
        )
        question = question_of(request.query_params)
        admit(who, question)
        etag = await run_in_threadpool(etag_of, ledger.store, question)
        if etag and _knows(request, etag):
            return Response(status_code=304, headers={**mark, "ETag": _quoted(etag)})
        return await streamed(ledger, question, mark)

    async def download(request: Request, ledger: Ledger) -> Response:
        ticket = TICKETS.find(request.path_params["ticket"])
        name = ticket.file_name
        plain = "".join(c if c.isascii() and c not in '"\\' else "_" for c in name)
        headers = {
            "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}",
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        }
        if isinstance(ticket.question, Path):
            return _file(ticket.question, {**mark, **headers})
        return await streamed(ledger, ticket.question, {**mark, **headers}, ticket.on_sent)

    return [
        Route(EXPORT_PATH, guarded(export), methods=["GET"]),
        Route(DOWNLOAD_PATH, guarded(download), methods=["GET"]),
    ]


def _file(path: Path, headers: dict[str, str]) -> Response:
    if not path.is_file():
        raise Gone("this file is not there any more: load the page again")
    return FileResponse(path, headers=headers, media_type="application/octet-stream")


async def streamed(
    ledger: Ledger, question: ExportRows, headers: dict[str, str], on_sent: Callable[[], None] | None = None
) -> Response:
    """An export as it is written; the next part is made when the last one was taken, and `on_sent` called after the last."""
    stack = ExitStack()
    export: Export = await run_in_threadpool(
        stack.enter_context, open_export(ledger.store, question, ledger.settings.scoring)
    )

    async def stream() -> AsyncIterator[bytes]:
        with stack:
            async for chunk in iterate_in_threadpool(export.chunks):
                yield chunk
        if on_sent:
            with suppress(QualityError):
                await run_in_threadpool(on_sent)

    headers = {**headers, **AS_WRITTEN, ROWS_HEADER: str(export.rows)}
    if export.etag:
        headers["ETag"] = _quoted(export.etag)
    return StreamingResponse(stream(), headers=headers, media_type=MEDIA_TYPES[question.format])


def question_of(query: Mapping[str, str]) -> ExportRows:
    """What the parameters of an address ask for; columns are joined by commas, a date is its end in UTC.

    >>> question_of({"tier": "human", "columns": "story_id,quality"}).columns
    ('story_id', 'quality')

    Raises:
        Malformed: a parameter that there is not, or a value that does not fit.
    """
    known = [*OWN, *Filters.model_fields]
    for name in query:
        if name not in known:
            raise Malformed(f"{name[:80]}: no such parameter.{did_you_mean(name[:80], known)}")
    fields: dict[str, Any] = {name: query[name] for name in OWN if name in query}
    if "columns" in fields:
        fields["columns"] = tuple(name.strip() for name in fields["columns"].split(","))
    if "as_of" in fields:
        fields["as_of"] = moments.as_of(fields["as_of"])
    try:
        return ExportRows(**fields, filters=Filters(**{name: query[name] for name in query if name not in OWN}))
    except ValidationError as error:
        raise Malformed(first_problem(error, known)) from error


def _knows(request: Request, etag: str) -> bool:
    """Whether the caller has this export already (RFC 9110, If-None-Match)."""
    given = [part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")]
    return _quoted(etag) in given or "*" in given


def _quoted(etag: str) -> str:
    return f'"{etag}"'
