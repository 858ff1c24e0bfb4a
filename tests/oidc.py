"""A small OpenID Connect provider of the test's own: people with claims, an authorization code flow, signed ID tokens.

What it does: discovery, an authorization page with a link a person, token endpoint with the client's secret, keys, logout.
"""

import base64
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.routing import Route

CLIENT_ID, CLIENT_SECRET = "quality-tiers", "a-secret-of-this-test"


@dataclass
class Provider:
    """Who can log in, and what is said of them. Change `people` while it runs."""

    people: dict[str, dict[str, Any]]
    """Name of the link → claims."""
    address: str = ""
    codes: dict[str, tuple[dict[str, Any], str | None]] = field(default_factory=dict)
    """Code → claims and nonce, until it is used."""
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, parameters={"kid": "test", "use": "sig"}))
    logouts: int = 0

    def routes(self) -> list[Route]:
        return [
            Route("/.well-known/openid-configuration", self.discovery),
            Route("/authorize", self.authorize),
            Route("/choose/{person}", self.choose),
            Route("/token", self.token, methods=["POST"]),
            Route("/keys", self.keys),
            Route("/logout", self.logout),
        ]

    async def discovery(self, request: Request) -> JSONResponse:
        paths = {
            "authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys",
            "end_session_endpoint": "logout",
        }  # fmt: skip
        served = {name: f"{self.address}/{path}" for name, path in paths.items()}
        signed = {"id_token_signing_alg_values_supported": ["RS256"], "response_types_supported": ["code"]}
        return JSONResponse({"issuer": self.address, "subject_types_supported": ["public"], **served, **signed})

    async def authorize(self, request: Request) -> HTMLResponse:
        assert request.query_params["client_id"] == CLIENT_ID
        asked = urlencode(dict(request.query_params))
        links = "".join(f'<p><a href="/choose/{person}?{asked}">{person}</a></p>' for person in self.people)
        return HTMLResponse(f"<h1>Who are you?</h1>{links}")

    async def choose(self, request: Request) -> RedirectResponse:
        asked, code = request.query_params, secrets.token_urlsafe(16)
        self.codes[code] = (self.people[request.path_params["person"]], asked.get("nonce"))
        back = urlencode({"code": code, "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{back}", 302)

    async def token(self, request: Request) -> JSONResponse:
        form = await request.form()
        sent = request.headers.get("authorization", "").removeprefix("Basic ")
        assert base64.b64decode(sent).decode() == f"{CLIENT_ID}:{CLIENT_SECRET}"
        claims, nonce = self.codes.pop(str(form["code"]))
        now = int(time.time())
        stated = {"iss": self.address, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": nonce, **claims}
        signed = jwt.encode({"alg": "RS256", "kid": "test"}, stated, self.key)
        return JSONResponse({"access_token": "unused", "token_type": "Bearer", "expires_in": 300, "id_token": signed})

    async def keys(self, request: Request) -> JSONResponse:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    async def logout(self, request: Request) -> RedirectResponse:
        self.logouts += 1
        return RedirectResponse(request.query_params["post_logout_redirect_uri"].removesuffix("oauth2callback"), 302)


@contextmanager
def providing(people: dict[str, dict[str, Any]], port: int) -> Iterator[Provider]:
    """The provider while the block runs."""
    provider = Provider(people, f"http://localhost:{port}")
    server = uvicorn.Server(
        uvicorn.Config(Starlette(routes=provider.routes()), port=port, log_level="warning", lifespan="off", ws="none")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield provider
    finally:
        server.should_exit = True
        thread.join()


def secrets_toml(provider: Provider, dashboard: str) -> str:
    """What stands in Streamlit's secrets to log in there."""
    return (
        f'[auth]\nredirect_uri = "{dashboard}/oauth2callback"\ncookie_secret = "{secrets.token_hex(16)}"\n'
        f'client_id = "{CLIENT_ID}"\nclient_secret = "{CLIENT_SECRET}"\n'
        f'server_metadata_url = "{provider.address}/.well-known/openid-configuration"\n'
    )
