"""A ledger with its owner: the HTTP routes under a real server, in a thread of the test."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette

from quality.api import middleware, routes
from quality.commands import AddRating
from quality.ledger.ledger import Ledger
from quality.settings import Settings


@dataclass
class Owner:
    """An open ledger that serves commands."""

    ledger: Ledger
    address: str
    secret: str

    def post(self, name: str, body: object = None, **headers: str) -> httpx.Response:
        """One request with the right secret, unless the headers say otherwise."""
        sent = {"Authorization": f"Bearer {self.secret}"} | headers
        return httpx.post(
            f"{self.address}/api/v1/commands/{name}", json=body, headers=sent, timeout=30, trust_env=False
        )


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """A server of the app in a thread; gives its address."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def serve() -> Callable[[Starlette], AbstractContextManager[str]]:
    """`with serve(app) as address`."""
    return serving


@contextmanager
def served(ledger: Ledger) -> Iterator[Owner]:
    """The owner of an open ledger."""
    app = Starlette(routes=routes(lambda: ledger), middleware=middleware(ledger.settings))
    with serving(app) as address:
        yield Owner(ledger, address, ledger.store.owner.serve_at(address))


@pytest.fixture
def serve_ledger() -> Callable[[Ledger], AbstractContextManager[Owner]]:
    """`with serve_ledger(ledger) as owner`."""
    return served


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    """A ledger with one rated story, served. A request may have 1 MiB."""
    allowed = Settings.model_validate({"limits": {"request_bytes": 1 << 20}})
    with Ledger(tmp_path / "ledger.duckdb", allowed, purpose="dashboard") as ledger:
        ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=9, note="good", create=True))
        with served(ledger) as running:
            yield running
