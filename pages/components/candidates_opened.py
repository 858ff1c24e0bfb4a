"""Which ranking is looked at? A stored one, or the one of this session that is not stored: both read the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from pages.components import candidates_choice, candidates_data
from quality.candidate_output import Ranking, ScoredCandidate
from quality.candidate_what_if import candidate_of
from quality.candidates import category_of, level_of
from quality.errors import NotFound
from quality.ranking_commands import CandidateFilters, RankingHead

_IN_HAND = "candidates_ranking"


@dataclass(frozen=True)
class Opened:
    """A ranking, where its candidates are read from, and what they were ranked with."""

    head: Ranking
    """Of a stored one without its candidates."""
    count: int
    protected_paths: tuple[str, ...]
    ranking_id: str | None = None
    """`None`: it is not stored."""
    recorded_at: datetime | None = None
    actor: str | None = None

    @property
    def simulated(self) -> bool:
        """Whether the mock judged."""
        return self.head.backend_used == "mock"

    @property
    def with_panel(self) -> bool:
        return self.head.critic_mode == "multi-reviewer-panel"

    def fitting(
        self, filters: CandidateFilters, limit: int, offset: int = 0
    ) -> tuple[int, list[int], list[ScoredCandidate]]:
        """How many fit; of those wanted their places, from 1, and themselves."""
        if self.ranking_id is None:
            found = [
                (place, one) for place, one in enumerate(self.head.scored_candidates, 1) if _fits(one, filters)
            ]  # fmt: skip
            page = found[offset : offset + limit]
            return len(found), [place for place, _ in page], [one for _, one in page]
        answer = candidates_data.ranking(self.ranking_id, filters, limit, offset)
        rows = answer["ranking"]["scored_candidates"]
        return answer["total"], answer["places"], [ScoredCandidate.model_validate(row) for row in rows]

    def candidate(self, name: str) -> ScoredCandidate:
        """
        Raises:
            NotFound: no such candidate.
        """
        _, _, found = self.fitting(CandidateFilters(candidate=name), 1)
        if not found:
            raise NotFound(f"{name}: no such candidate of the run {self.head.run_id}")
        return found[0]

    def file(self) -> bytes:
        """As the command line writes it."""
        return self.head.to_json() if self.ranking_id is None else candidates_data.file(self.ranking_id)


def ranking(ranking_id: str) -> Opened:
    """
    Raises:
        NotFound: no such ranking, or none in hand any more.
    """
    if ranking_id == candidates_choice.IN_HAND:
        if (found := in_hand()) is None:
            raise NotFound("a ranking that is not stored lives in its own session: rank the candidates again")
        return found
    answer = candidates_data.ranking(ranking_id, CandidateFilters(), 0, 0)
    return Opened(
        head=RankingHead.model_validate(answer["ranking"]), count=answer["candidates"],
        protected_paths=tuple(answer["protected_paths"]), ranking_id=ranking_id, recorded_at=answer["recorded_at"],
        actor=answer["actor"],
    )  # fmt: skip


def in_hand() -> Opened | None:
    """The ranking of this session that is not stored."""
    return st.session_state.get(_IN_HAND)


def take(made: Ranking, protected_paths: Sequence[str]) -> None:
    """Take a ranking in hand, and open it."""
    st.session_state[_IN_HAND] = Opened(made, len(made.scored_candidates), tuple(protected_paths))
    candidates_choice.open_ranking(candidates_choice.IN_HAND)


def drop() -> None:
    st.session_state.pop(_IN_HAND, None)


def _fits(one: ScoredCandidate, filters: CandidateFilters) -> bool:
    given = candidate_of(one)
    wanted = (
        (filters.recommendation, one.recommendation),
        (filters.category, category_of(given)),
        (filters.risk, level_of(given)),
        (filters.label, one.panel and one.panel.cognitive_label),
    )
    return filters.candidate in (None, one.id) and all(values is None or value in values for values, value in wanted)
