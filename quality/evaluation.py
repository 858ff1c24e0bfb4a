"""What is an evaluation of a prompt? Its scores with their explanation, or why there are none (MODEL.md, Prompts)."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

LONGEST_PROMPT = 50_000
"""Characters of a prompt that can be judged."""

Score = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", protected_namespaces=())


class DimensionScore(_Part):
    """What the judge said about one dimension: 0–10, why, and how much it counts (the weights sum to 1)."""

    key: str
    score: Score
    feedback: str
    weight: Share


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
    input_tokens: Annotated[int, Field(ge=0)] | None = None
    output_tokens: Annotated[int, Field(ge=0)] | None = None
    latency_ms: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    stop_reason: str | None = None
    """Why the judge ended there, in the service's word, e.g. `end_turn`, `stop`, `max_tokens`, `length`."""
    cost_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    """US dollars by the price table; unknown where it has no price for the model or the tokens are unknown."""
    scripted: bool = False
    """Judged by the scripted backend: made up, not a judgement."""


class Evaluation(_Part):
    """A scored prompt, or why it has no score. `overall` is 0–10 with one decimal; `None` when FAILED."""

    status: Literal["SUCCESS", "FAILED"]
    overall: Score | None = None
    label: str | None = None
    colour: str | None = None
    dimensions: list[DimensionScore] = []
    """In the order of `DIMENSIONS`; empty when FAILED."""
    suggestions: list[str] = []
    failure: EvaluationFailure | None = None
    metadata: EvaluationMetadata = Field(default_factory=EvaluationMetadata)
    warnings: list[str] = []
    """What a reader should know besides, such as weights that could not be used."""
    weights: dict[str, Share] = {}
    """Dimension → weight in force, FAILED or not."""
    reply: str | None = None
    """The judge's words, as they came."""

    @model_validator(mode="after")
    def _score_or_failure(self) -> "Evaluation":
        scored = self.overall is not None and self.failure is None and self.dimensions
        failed = self.overall is None and self.failure is not None and not self.dimensions
        if not (scored if self.status == "SUCCESS" else failed):
            raise ValueError(f"{self.status} does not fit: SUCCESS has scores, FAILED has a failure and no score")
        return self

    def answer(self) -> dict[str, Any]:
        """The JSON of MODEL.md: status, overall, label, colour, dimensions, suggestions, failure."""
        return self.model_dump(mode="json", exclude={"metadata", "warnings", "weights", "reply"})
