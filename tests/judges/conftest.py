"""A judge of either backend, asking a server on this machine."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from quality.judges.network import NetworkJudge
from quality.judges.spending import Budget
from quality.judging import JudgeRequest
from quality.settings import JudgeSettings
from tests.judges.server import JudgeServer

KEY = "sk-planted-0123456789abcdef"
PATHS = {"anthropic": "", "openai": "/v1"}
"""What each library wants in its base URL."""


@dataclass
class Bench:
    """A server, and judges that ask it without waiting between tries."""

    backend: str
    server: JudgeServer
    waits: list[float] = field(default_factory=list)
    """What the judges would have waited, in seconds."""
    opened: list[NetworkJudge] = field(default_factory=list)

    def judge(self, model: str = "gpt-4o-mini", budget: Budget | None = None, **settings: object) -> NetworkJudge:
        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        chosen = JudgeSettings(**{"timeout_seconds": 20, **settings})
        judge = NetworkJudge(self.backend, model, chosen, budget or Budget(chosen), sleep=sleep, draw=lambda: 0.0)
        self.opened.append(judge)
        return judge


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer() as running:
        yield running


@pytest.fixture(params=["anthropic", "openai"])
def bench(request, server, monkeypatch) -> Iterator[Bench]:
    """Once for each backend, with a key and the server's address in the environment."""
    backend = request.param
    monkeypatch.setenv(f"{backend.upper()}_API_KEY", KEY)
    monkeypatch.setenv(f"{backend.upper()}_BASE_URL", server.address + PATHS[backend])
    made = Bench(backend, server)
    yield made
    for judge in made.opened:
        judge.close()


@pytest.fixture
def question() -> Callable[..., JudgeRequest]:
    def build(user: str = "How good?", **more: object) -> JudgeRequest:
        return JudgeRequest(**{"system": "Judge.", "user": user, "purpose": "test", "prompt_version": "t-v1", **more})

    return build
