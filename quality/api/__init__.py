"""How does another process reach the ledger? `POST /api/v1/commands/{name}` at its owner, with the owner's secret or a token.

The body is the command of `quality/commands.py`; the answer its result as JSON. A fault is {"error": one line,
"exit_code": n}, and "details" where a program can decide by them: no traceback, path of the server's or secret ever leaves.
"""

import logging
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json, to_json
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from quality.api.downloads import ROWS_HEADER as ROWS_HEADER
from quality.api.downloads import Answer, download_routes, streamed
from quality.api.guard import HostGuard, middleware, reaches_others, refuse_unsafe
from quality.api.tokens import Unauthorised as Unauthorised
from quality.api.tokens import who_sends
from quality.api.uploads import Malformed, read_body, receive_artifact
from quality.commands import COMMANDS, Command, ExportRows, ImportArtifact, Question
from quality.errors import NotFound, QualityError, did_you_mean
from quality.ledger.ledger import Ledger
from quality.problems import first_problem
from quality.roles import Forbidden, Who, admit, objection

__all__ = ["HostGuard", "middleware", "reaches_others", "refuse_unsafe", "routes"]

COMMANDS_PATH = "/api/v1/commands/{name}"
MARK = {"Quality-Tiers": "1"}
"""On every answer: a caller tells it from whatever else may listen at an old address."""
STATUS_HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 405: {"Allow": "POST"}}

_log = logging.getLogger(__name__)


class NotAllowed(QualityError):
    status = 405


class Starting(QualityError):
    status = 503


def routes(get_ledger: Callable[[], Ledger | None]) -> list[Route]:
    """The routes for `st.App(routes=…)`; `get_ledger` gives the open ledger, `None` while there is none."""

    def guarded(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                return await answer(request, _opened(get_ledger))
            except QualityError as error:
                return _fault(error.status, str(error), error.exit_code, error.details)
            except ClientDisconnect:
                return _fault(400, "the request ends early: send it again", 2)
            except Exception:
                _log.exception("%s failed", request.url.path)
                return _fault(500, "the ledger's owner met an unexpected fault: see its log", 2)

        return endpoint

    async def nothing(request: Request) -> Response:
        return _fault(404, f"no such address: POST to {COMMANDS_PATH}", 2)

    every = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return [
        Route(COMMANDS_PATH, guarded(_answer), methods=every),
        *download_routes(guarded, MARK),
        Route("/api/{rest:path}", nothing, methods=every),
    ]


def _opened(get_ledger: Callable[[], Ledger | None]) -> Ledger:
    try:
        ledger = get_ledger()
    except QualityError as error:
        raise Starting(str(error)) from error
    if ledger is None:
        raise Starting("the ledger is not open yet: try again in a moment")
    return ledger


async def _answer(request: Request, ledger: Ledger) -> Response:
    if request.method != "POST":
        raise NotAllowed(f"{request.method} is not allowed here: use POST")
    who = who_sends(request.headers.get("authorization", ""), ledger.store.owner.secret, ledger.settings.server.tokens)
    kind = _kind(request.path_params["name"])
    if reason := objection(who, kind):
        raise Forbidden(reason)  # before its body is received
    limit = ledger.settings.limits.request_bytes
    if kind is ImportArtifact:
        with tempfile.TemporaryDirectory(prefix="quality-upload-") as folder:
            body, artifact = await receive_artifact(request, Path(folder), limit)
            sent = _parsed(kind, body, who)
            command = sent.model_copy(update={"path": str(artifact), "label": sent.label or Path(sent.path).name})
            return _json(await run_in_threadpool(ledger.execute, command, who))
    asked = _parsed(kind, await read_body(request, limit), who)
    if isinstance(asked, ExportRows):
        admit(who, asked)
        return await streamed(ledger, asked, MARK)
    return _json(await run_in_threadpool(ledger.execute if isinstance(asked, Command) else ledger.ask, asked, who))


def _kind(name: str) -> type[Command] | type[Question]:
    if name not in COMMANDS:
        raise NotFound(f"{name[:80]}: no such command.{did_you_mean(name[:80], list(COMMANDS))}")
    return COMMANDS[name]


def _parsed(kind: type[Any], body: bytes, who: Who) -> Any:
    try:
        return kind.model_validate_json(_signed(kind, body, who))
    except ValidationError as error:
        raise Malformed(f"{kind.name}: {first_problem(error, list(kind.model_fields))}") from error


def _signed(kind: type[Any], body: bytes, who: Who) -> bytes:
    """With the name of who asks where the body leaves it out: a token need not say whose it is."""
    if who.name is None:
        return body
    try:
        stated = from_json(body)
    except ValueError:
        return body  # whose fault is named when it is read as a command
    if not isinstance(stated, dict) or stated.keys() >= set(kind.signed):
        return body
    return to_json({**dict.fromkeys(kind.signed, who.name), **stated})


def _json(answer: Any) -> Response:
    return Response(to_json(answer, inf_nan_mode="null"), media_type="application/json", headers=MARK)


def _fault(status: int, text: str, exit_code: int, details: dict[str, Any] | None = None) -> Response:
    body = to_json({"error": text, "exit_code": exit_code, **({"details": details} if details else {})})
    return Response(body, status, {**MARK, **STATUS_HEADERS.get(status, {})}, "application/json")
