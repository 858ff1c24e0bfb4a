"""What is a judge? A request in, a reply or a typed failure out. Backends are one file each in `quality/judges/`.

Nothing else in the package talks to a network about scores; what a judge said is read by the same readers
as any other review. The words stand in the core so that scorers can ask a judge without knowing any backend.
"""

from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

Backend = Literal["anthropic", "openai", "scripted"]
SCRIPTED: Backend = "scripted"
"""Its answers are made up: a verdict by it is simulated."""
ALIASES: dict[str, Backend] = {"claude": "anthropic", "mock": "scripted"}
"""Other names of the backends, accepted wherever one is named (MODEL.md)."""
FailureCode = Literal[
    "no_key", "auth", "bad_request", "connection", "timeout", "rate_limit", "server_error",
    "refused", "empty", "bad_reply", "spend_limit",
]  # fmt: skip
"""no_key: none is set · auth: the key is not accepted (401, 403) · bad_request: any other 4xx, or a setting that
cannot work · connection: nobody answers at the address · timeout · rate_limit: 429 · server_error: 5xx ·
refused: the model or its filter declined · empty: an answer without text · bad_reply: not what the interface
promises · spend_limit: the call was not made."""
TRUNCATED = ("max_tokens", "length", "model_context_window_exceeded")
"""Stop reasons of a reply that was cut."""


class JudgeRequest(BaseModel):
    """One question to a judge; `prompt_version` names the wording that built it."""

    model_config = ConfigDict(frozen=True)

    system: str
    user: str
    purpose: str
    """What it is for, e.g. `prompt_evaluation`; stored with the score."""
    prompt_version: str
    max_tokens: int = Field(default=2048, gt=0)
    temperature: float = Field(default=0.3, ge=0, le=2)


class JudgeReply(BaseModel):
    """What the judge answered, as text, with the model that did and what it took."""

    text: str
    model: str
    """As the server names it, else as it was asked for."""
    backend: Backend
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: float | None = None
    """From the first attempt to the answer, waits between attempts included."""
    stop_reason: str | None = None
    """In the server's word, e.g. `end_turn`, `stop`, `max_tokens`, `length`."""
    attempts: int = 1
    cost_usd: float | None = None
    """By the price table; `None` where the model has no price there or the tokens are unknown."""
    adapted: tuple[str, ...] = ()
    """Parameters that the model refused and that were changed or left out."""

    @property
    def truncated(self) -> bool:
        """The reply was cut at the most tokens allowed: what it ends with is missing."""
        return self.stop_reason in TRUNCATED


class JudgeFailure(BaseModel):
    """Why there is no answer. Data, not an exception: a judge that fails is a fact about the evaluation."""

    code: FailureCode
    message: str
    """One line: what happened and what to do. Never holds a key."""
    backend: Backend
    model: str | None = None
    attempts: int = 0
    """Calls that were made."""
    latency_ms: float | None = None


class Judge(Protocol):
    """A backend with a model."""

    backend: Backend
    model: str

    def ask(self, request: JudgeRequest) -> JudgeReply | JudgeFailure:
        """One answer. Safe from several threads. Never raises for what the network or the model does."""
        ...

    def close(self) -> None:
        """Give up what is under way and let go of connections."""
        ...
