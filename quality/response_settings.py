"""What can a team set about the scoring of responses? Weights, points, regressions, retention (MODEL.md, Responses)."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from quality.setting_types import Finite, Section, Weight, finite

Points = Annotated[float, Field(ge=0, le=100), AfterValidator(finite)]
Delta = Annotated[float, Field(lt=0, ge=-100), AfterValidator(finite)]
Severity = Literal["minor", "moderate", "severe"]


class ResponseWeights(Section):
    """Weight of each sub-score in the composite; only their ratio matters."""

    correctness: Weight = 40.0
    user_feedback: Weight = 35.0
    static_analysis: Weight = 25.0

    @model_validator(mode="after")
    def _some_weight(self) -> "ResponseWeights":
        if not sum(dict(self).values()) > 0:
            raise ValueError("the weights sum to 0: at least one must be > 0")
        return self


class CorrectnessPoints(Section):
    """What is added to 100 · succeeded / all tool calls."""

    response_error: Finite = -40.0
    """Once, if the response itself errored."""
    new_error: Finite = -10.0
    """An error that the diagnostics show after the response and not before."""


class FeedbackPoints(Section):
    """Where user feedback starts, and what each signal adds."""

    start: Points = 70.0
    """Neutral: counts from the start, before any signal."""
    accept: Finite = 15.0
    revert: Finite = -30.0
    redo: Finite = -15.0
    edit_after_apply: Finite = -5.0


class StaticPoints(Section):
    """Where static analysis starts, and what each change of the diagnostics adds."""

    start: Points = 80.0
    new_error: Finite = -15.0
    new_warning: Finite = -5.0
    resolved_error: Finite = 5.0
    resolved_warning: Finite = 2.0


class RegressionSettings(Section):
    """When a response is worse than those of its model before it, and how much worse is worth an alert."""

    window: Annotated[int, Field(ge=1, le=1000)] = 20
    """Responses of the model before it whose mean it is compared with; also the rolling mean's."""
    minimum: Annotated[int, Field(ge=1, le=1000)] = 5
    """With fewer before it, nothing is said."""
    minor: Delta = -5.0
    """Score − mean at or below this is minor,"""
    moderate: Delta = -15.0
    """at or below this moderate,"""
    severe: Delta = -30.0
    """below this severe."""
    alert_level: Severity = "moderate"
    """Regressions from this severity on are alerts."""

    @model_validator(mode="after")
    def _ordered(self) -> "RegressionSettings":
        if not self.severe < self.moderate < self.minor:
            raise ValueError("give severe < moderate < minor, all below 0")
        if self.minimum > self.window:
            raise ValueError("minimum is above window: no response would ever be compared")
        return self


class ResponseSettings(Section):
    """How responses are scored, compared and kept."""

    weights: ResponseWeights = ResponseWeights()
    correctness: CorrectnessPoints = CorrectnessPoints()
    feedback: FeedbackPoints = FeedbackPoints()
    static_analysis: StaticPoints = StaticPoints()
    regression: RegressionSettings = RegressionSettings()
    retention_days: Annotated[int, Field(ge=1, le=36_500)] = 90
    """Responses older than this, with their feedback and history, are removed (days)."""
