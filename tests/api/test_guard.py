"""Host and Origin: other sites' pages do not reach the process, over HTTP or a websocket."""

import asyncio
import json

import pytest

from quality.api import HostGuard, reaches_others, refuse_unsafe
from quality.api.entered import MOST_SESSIONS, Entered, UploadGuard
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


TOKENS = {"ci": {"sha256": "0" * 64, "scopes": ["ingest"]}}
WIDER = [None, "", "0.0.0.0", "::", "192.168.1.5", "team.example"]


@pytest.mark.parametrize("address", WIDER)
def test_listening_wider_needs_a_login_and_tokens(address):
    """One of them is not enough, and the refusal names what is missing."""
    tokens = Settings.model_validate({"server": {"tokens": TOKENS}})
    with pytest.raises(
        QualityError, match=r"configure st\.login\) and programs have no token \(python -m quality token"
    ):
        refuse_unsafe(Settings(), address, has_login=False)
    with pytest.raises(QualityError, match=r"reach the dashboard, but programs have no token"):
        refuse_unsafe(Settings(), address, has_login=True)
    with pytest.raises(QualityError, match=r"nobody has to log in \(configure st\.login\): do that"):
        refuse_unsafe(tokens, address, has_login=False)
    refuse_unsafe(tokens, address, has_login=True)


@pytest.mark.parametrize("address", WIDER)
def test_anybody_may_look_where_that_is_said(address):
    """An explicit allow_anonymous_ui."""
    refuse_unsafe(Settings.model_validate({"server": {"allow_anonymous_ui": True}}), address, has_login=False)


@pytest.mark.parametrize(("host", "elsewhere"), [("quality.example", True), ("quality.example:8501", True), ("10.0.0.7", True),
                                                 ("localhost:9000", False), ("::1", False), ("[::1]:80", False)])  # fmt: skip
def test_a_proxy_in_front_is_listening_wider(host, elsewhere):
    """Whoever adds a name to allowed_hosts has others come through it, though the server itself binds 127.0.0.1."""
    settings = Settings.model_validate({"server": {"allowed_hosts": [host]}})
    assert reaches_others(settings, "127.0.0.1") is elsewhere
    if elsewhere:
        with pytest.raises(QualityError, match=r"server\.allowed_hosts .*: others than this machine"):
            refuse_unsafe(settings, "127.0.0.1", has_login=True)
    else:
        refuse_unsafe(settings, "127.0.0.1", has_login=False)


def upload(entered, path, method="PUT"):
    """How an upload to a path ends behind the guard."""
    sent: list[dict] = []

    async def send(message):
        sent.append(message)

    asyncio.run(UploadGuard(inside, entered)({"type": "http", "path": path, "method": method}, None, send))
    return sent[0]["status"]


def test_only_sessions_that_were_let_in_send_files():
    """A stranger at the door has a session too; it is refused before anything of the file is received."""
    entered = Entered()
    for path in ("/_stcore/upload_file/s1/f1", "/base/_stcore/upload_file/s1/f1"):
        assert (upload(entered, path), upload(entered, path, "DELETE"), upload(entered, path, "OPTIONS")) == (
            403,
            403,
            200,
        )
    entered.note("s1", True)
    assert upload(entered, "/_stcore/upload_file/s1/f1") == 200
    assert upload(entered, "/_stcore/upload_file/s2/f1") == 403
    entered.note("s1", False)
    assert upload(entered, "/_stcore/upload_file/s1/f1") == 403
    assert upload(entered, "/_stcore/health", "GET") == 200


def test_the_list_of_sessions_stays_small():
    """Those let in longest ago go first; their next page lets them in again."""
    entered = Entered()
    for number in range(MOST_SESSIONS + 1):
        entered.note(f"s{number}", True)
    assert "s0" not in entered
    assert "s1" in entered
