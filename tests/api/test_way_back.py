"""After a login a person is where they were, and never anywhere else than on this server."""

from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from quality.api.way_back import COOKIE, LONGEST, WayBack, way_back

HERE = "http://testserver"


def answering(status: int = 302) -> TestClient:
    """A server whose login and callback answer as Streamlit's do; the callback with this status."""

    async def login(request: Request) -> RedirectResponse:
        return RedirectResponse("https://provider.example.org/authorize", 302)

    async def callback(request: Request) -> PlainTextResponse | RedirectResponse:
        return RedirectResponse("/", status) if status < 400 else PlainTextResponse("no", status)

    routes = [Route("/auth/login", login), Route("/oauth2callback", callback)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(WayBack)]), HERE, follow_redirects=False)


def test_page_and_filters_come_back():
    """Whatever letters they hold; the cookie is gone afterwards."""
    client, place = answering(), "/stories?q=na%C3%AFve+%22a%26b%22&model=m-1&run=7"
    assert (
        client.get("/auth/login", headers={"referer": HERE + place}).headers["location"].startswith("https://provider")
    )
    assert client.cookies[COOKIE] == quote(place, safe="/")
    assert client.get("/oauth2callback").headers["location"] == place
    assert COOKIE not in client.cookies
    assert client.get("/oauth2callback").headers["location"] == "/"


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites():
    """And of plain HTTP where the page came by HTTPS."""
    client = answering()
    sent = client.get("/auth/login", headers={"referer": f"{HERE}/stories"}).headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Max-Age=900"} <= set(sent.split("; "))
    assert "Secure" not in sent
    client.base_url = "https://testserver"
    sent = client.get("/auth/login", headers={"referer": "https://testserver/stories"}).headers["set-cookie"]
    assert "Secure" in sent.split("; ")


@pytest.mark.parametrize(
    "referer",
    [
        "", "https://evil.example.org/stories", f"{HERE}//evil.example.org", f"{HERE}/\\evil.example.org", "http://[x",
        f"{HERE}/oauth2callback?code=1", f"{HERE}/stories?q={'x' * LONGEST}",
    ],
)  # fmt: skip
def test_what_is_no_page_of_this_server_is_not_noted(referer: str):
    """Another site's, a step of a login, one too long for a cookie: the login leads to the first page."""
    client = answering()
    assert "set-cookie" not in client.get("/auth/login", headers={"referer": referer}).headers
    assert client.get("/oauth2callback").headers["location"] == "/"


@pytest.mark.parametrize(
    "made_up", ["//evil.example.org", "https://evil.example.org", "/\\evil.example.org", "/a\r\nx: y"]
)
def test_a_cookie_that_was_made_up_leads_nowhere_else(made_up: str):
    """It is dropped, and the first page comes."""
    client = answering()
    client.cookies.set(COOKIE, quote(made_up, safe=""))
    assert client.get("/oauth2callback").headers["location"] == "/"


def test_a_callback_that_fails_is_left_as_it_is():
    """Its status and words are the answer."""
    client = answering(400)
    client.get("/auth/login", headers={"referer": f"{HERE}/stories"})
    answer = client.get("/oauth2callback")
    assert (answer.status_code, answer.text, answer.headers.get("location")) == (400, "no", None)


def test_behind_a_base_path_the_way_back_keeps_it():
    """A proxy may serve the dashboard below a path."""
    assert way_back("https://q.example.org/tiers/stories?page=2", "Q.example.org") == "/tiers/stories?page=2"
