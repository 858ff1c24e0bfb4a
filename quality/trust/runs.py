"""What do the trust statistics read of a run? Columns of equal length, checked once."""

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]

LOWEST, HIGHEST = 0.0, 10.0
"""Points of a score."""
REASONS = ("random", "queue", "choice")
"""Why a run was reviewed; the code of a reason is its place here (MODEL.md, Tier 3)."""
RANDOM, QUEUE, CHOICE = range(len(REASONS))
NOT_KNOWN = -1
"""The code of a name that is not known: no family, no verifier, no coordinate, no reason."""


@dataclass(frozen=True)
class Runs:
    """Scored runs, a row each. A score is 0–10, NaN where the tier is missing; a code is ≥ 0, `NOT_KNOWN` = unknown.

    Left out by the caller: runs that no tier has scored, synthetic and simulated ones, and split models (MODEL.md).
    """

    model: Codes
    """Code of the builder's canonical model, never unknown."""
    auto: Floats
    verifier: Floats
    human: Floats
    story: Codes
    """Code of the story: runs of one story are compared in pairs."""
    coordinate: Codes
    """Code of the kind of work."""
    reason: Codes
    """Place in `REASONS` of a reviewed run."""
    probability: Floats
    """The chance that the run had to be reviewed, (0, 1], NaN where it had none: see `weights.py`."""
    pool: Floats
    """Unreviewed runs of its model at the draw, itself included; NaN where `probability` is the chance of being in at all."""
    verifier_model: Codes
    """Code of the model that verified."""
    builder_family: Codes
    verifier_family: Codes
    """Codes of families, the same code for the same family in both."""
    week: Codes
    """Number of the week of the rating that counts, from any start on."""

    @classmethod
    def of(
        cls,
        model: ArrayLike,
        *,
        auto: ArrayLike | None = None,
        verifier: ArrayLike | None = None,
        human: ArrayLike | None = None,
        story: ArrayLike | None = None,
        coordinate: ArrayLike | None = None,
        reason: ArrayLike | None = None,
        probability: ArrayLike | None = None,
        pool: ArrayLike | None = None,
        verifier_model: ArrayLike | None = None,
        builder_family: ArrayLike | None = None,
        verifier_family: ArrayLike | None = None,
        week: ArrayLike | None = None,
    ) -> "Runs":
        """Columns as they come; one that is left out is unknown in every row, a story then is one run's alone.

        Raises:
            ValueError: columns of different lengths, a score outside 0–10, a probability outside (0, 1], a pool
                below 1, a model without code, or a run without any score.

        >>> Runs.of([0, 1], verifier=[7.5, None], human=[None, 6]).effective.tolist()
        [7.5, 6.0]
        """
        codes = np.asarray(model, np.int64)
        size = codes.size

        def number(values: ArrayLike | None) -> Floats:
            return np.full(size, np.nan) if values is None else np.asarray(values, np.float64)

        def code(values: ArrayLike | None, missing: Codes | int = NOT_KNOWN) -> Codes:
            return np.full(size, missing, np.int64) if values is None else np.asarray(values, np.int64)

        reviewed = number(human)
        runs = cls(
            model=codes,
            auto=number(auto),
            verifier=number(verifier),
            human=reviewed,
            story=code(story, np.arange(size)),
            coordinate=code(coordinate),
            reason=code(reason, np.where(np.isnan(reviewed), NOT_KNOWN, CHOICE)),
            probability=number(probability),
            pool=number(pool),
            verifier_model=code(verifier_model),
            builder_family=code(builder_family),
            verifier_family=code(verifier_family),
            week=code(week),
        )
        runs.check()
        return runs

    def only(self, rows: Flags) -> "Runs":
        """The runs where `rows` is true, with the codes as they are."""
        return Runs(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    def check(self) -> None:
        """Raise a `ValueError` that names the column, what is allowed and what was found."""
        for field in fields(self):
            column = getattr(self, field.name)
            if column.shape != self.model.shape or column.ndim != 1:
                raise ValueError(
                    f"{field.name} has shape {column.shape}, model {self.model.shape}: give one value a run"
                )
        for name in ("auto", "verifier", "human"):
            _within(name, getattr(self, name), LOWEST, HIGHEST)
        _within("probability", self.probability, np.nextafter(0, 1), 1)
        _within("pool", self.pool, 1, np.inf)
        if self.model.size and self.model.min() < 0:
            raise ValueError(
                f"model holds the code {self.model.min()}: codes are ≥ 0, leave out runs of unknown models"
            )
        if np.isnan(self.effective).any():
            row = int(np.flatnonzero(np.isnan(self.effective))[0])
            raise ValueError(f"run {row} has no score of any tier: leave such runs out")

    @cached_property
    def n_models(self) -> int:
        return int(self.model.max()) + 1 if self.model.size else 0

    @cached_property
    def reviewed(self) -> Flags:
        return ~np.isnan(self.human)

    @cached_property
    def reviewed_rows(self) -> Codes:
        """Places of the reviewed runs: few, so what needs a human score works on them alone."""
        return np.flatnonzero(self.reviewed)

    @cached_property
    def same_family(self) -> Flags:
        """The verifier's model is of the builder's family; an unknown family never is."""
        return (self.builder_family == self.verifier_family) & (self.builder_family != NOT_KNOWN)

    @cached_property
    def cheap(self) -> Floats:
        """What is known without people: verifier, else auto, else NaN."""
        return np.where(np.isnan(self.verifier), self.auto, self.verifier)

    @cached_property
    def effective(self) -> Floats:
        """Score of the highest tier present (MODEL.md, Resolution)."""
        return np.where(self.reviewed, self.human, self.cheap)


def _within(name: str, column: Floats, low: float, high: float) -> None:
    if not column.size or np.isnan(column).all():
        return
    least, most = np.nanmin(column), np.nanmax(column)
    if least < low or most > high:
        found = least if least < low else most
        raise ValueError(f"{name} holds {found:g}: allowed is {low:g} to {high:g}, NaN where it is missing")
