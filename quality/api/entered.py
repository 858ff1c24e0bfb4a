"""Whose browser may send files to the process? Sessions that a page has let in; a stranger at the door may not.

Streamlit takes an upload for any open session, and the door page is one: without this a stranger could fill the memory.
"""

import re
import threading

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

MOST_SESSIONS = 10_000
"""Let in longest ago goes first; its next page lets it in again."""
UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/")
"""Path of an upload, with the session that it is for."""
HARMLESS = ("GET", "HEAD", "OPTIONS")


class Entered:
    """The sessions that may see the ledger. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._sessions: dict[str, None] = {}
        self._lock = threading.Lock()

    def note(self, session: str, may: bool) -> None:
        """Remember, with every page, whether the session's person may enter: a login ends."""
        with self._lock:
            self._sessions.pop(session, None)
            if may:
                self._sessions[session] = None
            while len(self._sessions) > MOST_SESSIONS:
                del self._sessions[next(iter(self._sessions))]

    def __contains__(self, session: str) -> bool:
        with self._lock:
            return session in self._sessions


ENTERED = Entered()
"""Those of this process."""


class UploadGuard:
    """Refuses files for a session whose person was not let in: 403, before they are received."""

    def __init__(self, app: ASGIApp, entered: Entered = ENTERED) -> None:
        self._app, self._entered = app, entered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if upload is None or scope["method"] in HARMLESS or upload[1] in self._entered:
            await self._app(scope, receive, send)
        else:
            refusal = {"error": "log in before you send a file", "exit_code": 2}
            await JSONResponse(refusal, 403)(scope, receive, send)
