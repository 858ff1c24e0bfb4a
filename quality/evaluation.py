"""What is an evaluation of a prompt? Its scores with their explanation, or why there are none (MODEL.md, Prompts)."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", protected_namespaces=())


class DimensionScore(_Part):
    """What the judge said about one dimension: 0–10, why, and how much it counts (the weights sum to 1)."""

    key: str
    score: float
    feedback: str
    weight: float


class EvaluationFailure(_Part):
    """Why there is no score, and what to do."""

    code: str
    message: str


class EvaluationMetadata(_Part):
    """Who judged, with which words, and what it took; unknown where a recorded reply does not say."""

    backend: str | None = None
    model: str | None = None
    prompt_version: str | None = None
    """Version of the judge's instructions."""
    prompt_sha256: str | None = None
    """Of the prompt under judgement, in UTF-8."""
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: float | None = None
    scripted: bool = False
    """Judged by the scripted backend: made up, not a judgement."""


class Evaluation(_Part):
    """A scored prompt, or why it has no score. `overall` is 0–10 with one decimal; `None` when FAILED."""

    status: Literal["SUCCESS", "FAILED"]
    overall: float | None = None
    label: str | None = None
    colour: str | None = None
    dimensions: list[DimensionScore] = []
    """In the order of `DIMENSIONS`; empty when FAILED."""
    suggestions: list[str] = []
    failure: EvaluationFailure | None = None
    metadata: EvaluationMetadata = EvaluationMetadata()
    warnings: list[str] = []
    """What a reader should know besides, such as weights that could not be used."""
    weights: dict[str, float] = {}
    """Dimension → weight in force, FAILED or not."""
    reply: str | None = None
    """The judge's words, as they came."""

    def answer(self) -> dict[str, Any]:
        """The JSON of MODEL.md: status, overall, label, colour, dimensions, suggestions, failure."""
        return self.model_dump(mode="json", exclude={"metadata", "warnings", "weights", "reply"})
