"""Host and Origin: other sites' pages do not reach the process, over HTTP or a websocket."""

import asyncio
import json

import pytest

from quality.api import HostGuard, refuse_unsafe
from quality.errors import QualityError
from quality.settings import Settings


async def inside(scope, receive, send):
    """The app behind the guard: it lets everybody in."""
    kind = "websocket.accept" if scope["type"] == "websocket" else "http.response.start"
    await send({"type": kind, "status": 200, "headers": []})


def knock(*headers: tuple[str, str], kind: str = "http") -> list[dict]:
    """What the guard, or the app behind it, sends to a request with these headers."""
    guard = HostGuard(inside, ("Quality.Example", "only.example:8501"))
    sent: list[dict] = []

    async def receive():
        return {"type": f"{kind}.connect" if kind == "websocket" else "http.request"}

    async def send(message):
        sent.append(message)

    scope = {"type": kind, "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers]}
    asyncio.run(guard(scope, receive, send))
    return sent


def status(*headers: tuple[str, str]) -> int:
    return knock(*headers)[0]["status"]


ALLOWED = ["127.0.0.1", "127.0.0.1:8501", "localhost:1", "LOCALHOST", "[::1]:8501", "quality.example", "quality.example:443",
           "only.example:8501"]  # fmt: skip
REFUSED = ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil@localhost", "localhost:port",
           "127.0.0.2", "0.0.0.0", "localhost/x", "only.example", "[::1", "null"]  # fmt: skip


@pytest.mark.parametrize("host", ALLOWED)
def test_allowed_hosts_pass(host):
    """Loopback names with any port, and those that were added."""
    assert status(("host", host)) == 200
    assert status(("host", "localhost"), ("origin", f"http://{host}")) == 200


@pytest.mark.parametrize("host", REFUSED)
def test_other_hosts_are_refused(host):
    """403 with the remedy."""
    start, body = knock(("host", host))
    assert start["status"] == 403
    assert "server.allowed_hosts" in json.loads(body["body"])["error"]


def test_a_missing_or_second_host_is_refused():
    """Which one counts would be anybody's guess."""
    assert status() == 403
    assert status(("host", "localhost"), ("host", "evil.example")) == 403


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", "https://evil.example:8501", "file://", "", "localhost"]
)
def test_pages_of_other_sites_are_refused(origin):
    """A browser says where the page is from."""
    assert status(("host", "localhost"), ("origin", origin)) == 403


@pytest.mark.parametrize(
    "headers", [[("host", "evil.example")], [("host", "localhost"), ("origin", "http://evil.example")]]
)
def test_websockets_are_checked_too(headers):
    """The dashboard lives on one."""
    assert knock(("host", "localhost"), kind="websocket")[0]["type"] == "websocket.accept"
    (refused,) = knock(*headers, kind="websocket")
    assert (refused["type"], refused["code"]) == ("websocket.close", 1008)


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.9"])
def test_this_machine_alone_needs_no_login(address):
    """The default."""
    refuse_unsafe(Settings(), address, has_login=False)


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "::", "192.168.1.5", "team.example"])
def test_listening_wider_needs_a_decision(address):
    """A login, or an explicit allow_anonymous_ui."""
    with pytest.raises(QualityError, match=r"configure a login for st\.login, or set server\.allow"):
        refuse_unsafe(Settings(), address, has_login=False)
    refuse_unsafe(Settings(), address, has_login=True)
    refuse_unsafe(Settings.model_validate({"server": {"allow_anonymous_ui": True}}), address, has_login=False)
