"""What is a judge? A request in, a reply or a typed failure out. Backends are one file each in `quality/judges/`.

Nothing else in the package talks to a network about scores; what a judge said is read by the same readers
as any other review. The words stand in the core so that scorers can ask a judge without knowing any backend.
"""

from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

Backend = Literal["anthropic", "openai", "scripted"]
ALIASES: dict[str, Backend] = {"claude": "anthropic", "mock": "scripted"}
"""Other names of the backends, accepted wherever one is named (MODEL.md)."""
FailureCode = Literal["no_key", "timeout", "rate_limit", "refused", "server_error"]


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
    backend: Backend
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: float | None = None


class JudgeFailure(BaseModel):
    """Why there is no answer. Data, not an exception: a judge that fails is a fact about the evaluation."""

    code: FailureCode
    message: str
    backend: Backend


class Judge(Protocol):
    """A backend."""

    backend: Backend

    def ask(self, request: JudgeRequest) -> JudgeReply | JudgeFailure:
        """One answer. Never raises for what the network or the model does."""
        ...
