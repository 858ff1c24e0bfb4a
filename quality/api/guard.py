"""Who may talk to the process? Requests that name an allowed host, from pages of an allowed host.

A page of another site can make a browser send requests to 127.0.0.1, or point its own name there (DNS
rebinding); both show in Host or Origin. Checked on every HTTP request and websocket (DESIGN.md, Safe by default).
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from quality.api.entered import UploadGuard
from quality.api.way_back import WayBack
from quality.errors import QualityError
from quality.settings import Settings

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
"""Names of this machine that are always allowed, with any port."""
POLICY_VIOLATION = 1008
"""Websocket close code: refused for what it is, RFC 6455."""


def middleware(settings: Settings) -> list[Middleware]:
    """The checks for `st.App(middleware=…)`, and the way back from a login."""
    return [Middleware(HostGuard, allowed=settings.server.allowed_hosts), Middleware(UploadGuard), Middleware(WayBack)]


class HostGuard:
    """Refuses requests whose Host, or Origin where there is one, is not allowed: 403 and the reason."""

    def __init__(self, app: ASGIApp, allowed: tuple[str, ...] = ()) -> None:
        self._app = app
        self._allowed = LOOPBACK_HOSTS | {host.lower().strip("[]") for host in allowed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reason = self._objection(scope) if scope["type"] in ("http", "websocket") else None
        if reason is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await JSONResponse({"error": reason, "exit_code": 2}, 403)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": "host or origin not allowed"})

    def _objection(self, scope: Scope) -> str | None:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        if len(hosts) != 1 or not self._allows(f"//{hosts[0]}"):
            return "this host name is not allowed: open 127.0.0.1, or add the name to server.allowed_hosts"
        if len(origins) > 1 or any(not self._allows(origin) for origin in origins):
            return "requests from pages of another site are not allowed: add its host to server.allowed_hosts"
        return None

    def _allows(self, address: str) -> bool:
        try:
            parts = urlsplit(address)
            _ = parts.port
        except ValueError:
            return False
        if parts.username is not None or parts.path not in ("", "/"):
            return False
        return (parts.hostname or "") in self._allowed or parts.netloc.lower() in self._allowed


def reaches_others(settings: Settings, address: str | None) -> bool:
    """Whether more than this machine is meant to reach the dashboard: by the address it binds to, or through a proxy.

    Args:
        address: the name or IP the server binds to; `None` or empty = every interface.
    """
    return not _is_loopback(address) or any(_is_elsewhere(host) for host in settings.server.allowed_hosts)


def refuse_unsafe(settings: Settings, address: str | None, has_login: bool) -> None:
    """Refuse to be reached by others without a decision about who may look, and by what programs come in.

    Args:
        address: the name or IP the server binds to; `None` or empty = every interface.
        has_login: people log in (`st.login` is configured).

    Raises:
        QualityError: others reach the dashboard, a login or a token is missing, and `server.allow_anonymous_ui` is not set.
    """
    if not reaches_others(settings, address) or settings.server.allow_anonymous_ui:
        return
    missing = [] if has_login else ["nobody has to log in (configure st.login)"]
    if not settings.server.tokens:
        missing.append("programs have no token (python -m quality token new NAME --scope ingest)")
    if missing:
        hosts = ", ".join(filter(_is_elsewhere, settings.server.allowed_hosts))
        reached = f"server.allowed_hosts {hosts}" if _is_loopback(address) else f"server.address {address or '(all)'}"
        raise QualityError(
            f"{reached}: others than this machine reach the dashboard, but {' and '.join(missing)}: do that, bind 127.0.0.1 "
            "without allowed_hosts, or set server.allow_anonymous_ui = true and let anybody look"
        )


def _is_loopback(address: str | None) -> bool:
    if not address:
        return False
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address.lower() == "localhost"


def _is_elsewhere(host: str) -> bool:
    """Whether an allowed host is another name than those of this machine alone."""
    name = urlsplit(f"//{host.lower()}").hostname if host.count(":") < 2 or "[" in host else host.lower()
    return not _is_loopback(name)
