"""What can be asked about trust? Calibrated scores of models, where to route, how far verifiers agree with people, trends.

Questions only: nothing of it is stored. Each can be asked "as of" an earlier instant, and is then answered from what was
recorded by it, under the settings valid at it.
"""

from typing import Literal

from pydantic import AwareDatetime

from quality.command_base import AnyOf, Model, Question
from quality.observations import NonEmpty


class KindOfWork(Model):
    """Which kind of work: a part that is not stated may be anything, of several values any will do."""

    discipline: AnyOf[str] = None
    org_domain: AnyOf[str] = None
    industry: AnyOf[str] = None
    phase: AnyOf[str] = None


class RankModels(Question, KindOfWork):
    """The calibrated score of each model with its interval and tie group, the best first."""

    name = "rank_models"
    agent: AnyOf[str] = None
    as_of: AwareDatetime | None = None


class RankKinds(Question, KindOfWork):
    """The same for each model × kind of work that has runs, by model; `by` one part of the coordinate, or by all of it."""

    name = "rank_kinds"
    agent: AnyOf[str] = None
    by: Literal["discipline", "org_domain", "industry", "phase"] | None = None
    as_of: AwareDatetime | None = None


class ShowRoute(Question):
    """Which model should this kind of work go to? Widened, and said so, where nothing is known of exactly it."""

    name = "show_route"
    discipline: NonEmpty | None = None
    org_domain: NonEmpty | None = None
    industry: NonEmpty | None = None
    phase: NonEmpty | None = None
    as_of: AwareDatetime | None = None


class ShowTrust(Question):
    """How far verifiers, the automatic tier and reviewers agree with people."""

    name = "show_trust"
    as_of: AwareDatetime | None = None


class ListPairs(Question):
    """A verifier's scores beside the human ones of the same runs, at most 2,000, by lot."""

    name = "list_pairs"
    verifier_model: NonEmpty
    as_of: AwareDatetime | None = None


class ShowTrends(Question, KindOfWork):
    """Each model's weeks, gaps included, and drops that a rule for repeated looks calls real."""

    name = "show_trends"
    as_of: AwareDatetime | None = None


TRUST_REQUESTS = (RankModels, RankKinds, ShowRoute, ShowTrust, ListPairs, ShowTrends)
