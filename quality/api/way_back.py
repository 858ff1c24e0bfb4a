"""Where does a login lead to? Back to the page, filters and run that the person had opened before it, not to the first page.

The provider sends everybody to one address, so the page waits in a cookie meanwhile: path and query alone, of this server,
for as long as a login may take.
"""

from urllib.parse import quote, unquote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOGIN, CALLBACK = "/auth/login", "/oauth2callback"
COOKIE = "quality_tiers_way_back"
SECONDS = 15 * 60
"""How long a login may take, second factor included."""
LONGEST = 2_000
"""Bytes of a way back as a cookie; a longer one leads to the first page."""
REDIRECTS = (302, 303, 307)


class WayBack:
    """Notes at the way to a login which page it was asked from, and sends the browser there afterwards."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        if path.endswith(LOGIN):
            send = _noting(scope, send)
        elif path.endswith(CALLBACK):
            send = _returning(scope, send)
        await self._app(scope, receive, send)


def way_back(address: str, host: str) -> str | None:
    """Path and query of a page's address, if it is one of this host and no step of a login.

    >>> way_back("https://q.example.org/stories?q=a+b#x", "q.example.org")
    '/stories?q=a+b'
    >>> way_back("https://other.example.org/stories", "q.example.org") is None
    True
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    place = parts.path + (f"?{parts.query}" if parts.query else "")
    if parts.netloc.lower() != host.lower() or parts.path.endswith((LOGIN, CALLBACK)) or not is_of_here(place):
        return None
    return place


def is_of_here(place: str) -> bool:
    r"""Whether a browser that is sent to this place stays on this server.

    >>> is_of_here("/stories?run=1"), is_of_here("//example.org"), is_of_here("/\\example.org"), is_of_here("https://x")
    (True, False, False, False)
    """
    return place.startswith("/") and place[1:2] not in ("/", "\\") and place.isprintable() and "\\" not in place


def _noting(scope: Scope, send: Send) -> Send:
    headers = Headers(scope=scope)
    place = way_back(headers.get("referer", ""), headers.get("host", ""))
    value = quote(place, safe="/") if place else ""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start" and value and len(value) <= LONGEST:
            MutableHeaders(scope=message).append("set-cookie", _cookie(scope, value, SECONDS))
        await send(message)

    return sent


def _returning(scope: Scope, send: Send) -> Send:
    place = unquote(cookie_parser(Headers(scope=scope).get("cookie", "")).get(COOKIE, ""))

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start" and place:
            headers = MutableHeaders(scope=message)
            headers.append("set-cookie", _cookie(scope, "", 0))
            if message["status"] in REDIRECTS and is_of_here(place):
                headers["location"] = quote(place, safe="/?&=+%:,;@!$'()*~-._")
        await send(message)

    return sent


def _cookie(scope: Scope, value: str, seconds: int) -> str:
    """Out of the reach of scripts; `Lax`, because the provider's redirect comes from another site."""
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    return f"{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
