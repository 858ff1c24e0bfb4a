"""What can be said about the tour of the sample? That a step was taken, that it is to be hidden; and how far somebody is.

What is rated is in the audit anyway; only what leaves no other trace is noted, in the sample ledger itself.
"""

from typing import Literal

from quality.command_base import Command, Model, Question
from quality.observations import NonEmpty

Step = Literal["tiers", "rate", "export"]
STEPS: tuple[Step, ...] = ("tiers", "rate", "export")
"""In the order of the tour."""


class TakeTourStep(Command):
    """Somebody has read what the tiers are, or an export was sent to them whole. Taken twice it is taken once."""

    name = "take_tour_step"
    needs, scope = "reviewer", "review"
    touches, quiet = "apart", True
    step: Literal["tiers", "export"]


class HideTour(Command):
    """Put the tour away, or bring it back."""

    name = "hide_tour"
    needs, scope = "reviewer", "review"
    touches, quiet = "apart", True
    hidden: bool = True
    by: NonEmpty | None = None
    """For whom to bring it back; by default for everybody."""


class ShowTour(Question):
    """Which steps were really taken, and whether the tour is put away."""

    name = "show_tour"
    by: NonEmpty | None = None
    """By whom; by default by anybody."""


class TourState(Model):
    """Answer to every request above."""

    taken: tuple[Step, ...] = ()
    """In the order of the tour."""
    hidden: bool = False


TOUR_REQUESTS = (TakeTourStep, HideTour, ShowTour)
