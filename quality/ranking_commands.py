"""What can be asked about rankings of improvement candidates? To keep one, to list and open them, and what reviewers do.

A ranking is known by its content: stored twice, by the command line and by the screen, it is one.
"""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from quality.candidate_output import Label, Ranking, Recommendation, ScoredCandidate
from quality.candidates import PROTECTED_PATHS
from quality.command_base import Command, Model, Question
from quality.observations import Count, NonEmpty

MOST_CANDIDATES = 100_000
"""Candidates of one ranking that is stored."""
Category = Literal["docs", "reference", "guardrail", "workflow", "tests", "prompt", "other"]
Level = Literal["low", "medium", "high", "other"]


class StoreRanking(Command):
    """Keep a ranking whole. The same content again, whatever its time and the path of its input, changes nothing."""

    name = "store_ranking"
    needs, scope = "reviewer", "ingest"
    touches = "apart"
    ranking: Ranking
    protected_paths: tuple[str, ...] = PROTECTED_PATHS
    """Patterns of protected paths that it was made with."""

    @field_validator("ranking")
    @classmethod
    def _not_too_many(cls, ranking: Ranking) -> Ranking:
        if (count := len(ranking.scored_candidates)) > MOST_CANDIDATES:
            raise ValueError(
                f"{count:,} candidates: at most {MOST_CANDIDATES:,} of one ranking are stored, split the input"
            )
        return ranking

    def for_audit(self) -> str:
        """Without the candidates: they are in the tables, once."""
        return self.model_dump_json(exclude={"ranking": {"scored_candidates"}}, exclude_none=True)


class RankingHead(Ranking):
    """A ranking as it is kept: its candidates stand beside it."""

    scored_candidates: Annotated[list[ScoredCandidate], Field(default_factory=list)]


class RankingStored(Model):
    """Answer to `StoreRanking`."""

    ranking_id: str
    status: Literal["stored", "known"]
    """`known`: the same ranking is here already, under this id."""
    candidates: Count


class ListRankings(Question):
    """Rankings without their candidates, latest first; of one improvement run by its `run_id`."""

    name = "list_rankings"
    candidate_run: NonEmpty | None = None
    limit: Count = 1000
    offset: Count = 0


class CandidateFilters(Model):
    """Which candidates of a ranking: every stated condition must hold, any value of a list will do."""

    recommendation: list[Recommendation] | None = None
    category: list[Category] | None = None
    """As it counts: one that is not known is other."""
    risk: list[Level] | None = None
    """As it counts: none is medium, one that is not known is other."""
    label: list[Label] | None = None
    candidate: str | None = None
    """Its id."""


class ShowRanking(Question):
    """A ranking with the candidates that fit, best first."""

    name = "show_ranking"
    ranking_id: NonEmpty
    filters: CandidateFilters = CandidateFilters()
    limit: Annotated[int, Field(ge=0)] = 1000
    offset: Count = 0


class ReviewerAgreement(Question):
    """How the reviewers of panels agree: over the latest panel ranking of each improvement run, mocked ones left out."""

    name = "reviewer_agreement"
    candidate_run: NonEmpty | None = None


RANKING_REQUESTS = (StoreRanking, ListRankings, ShowRanking, ReviewerAgreement)
