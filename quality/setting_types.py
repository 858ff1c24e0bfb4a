"""What kinds of value can a setting be? The base of every section, and the ranges they share."""

import math
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def finite(value: float) -> float:
    """The value itself, if it is neither infinite nor NaN."""
    if not math.isfinite(value):
        raise ValueError("must be a finite number")
    return value


Finite = Annotated[float, AfterValidator(finite)]
Weight = Annotated[float, Field(ge=0), AfterValidator(finite)]
Share = Annotated[float, Field(ge=0, le=1), AfterValidator(finite)]
Rating = Annotated[float, Field(ge=0, le=10), AfterValidator(finite)]
Positive = Annotated[float, Field(gt=0), AfterValidator(finite)]


class Section(BaseModel):
    """A table of settings: unknown keys are refused, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
