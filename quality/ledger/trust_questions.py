"""Who answers what is asked about trust, and when are the runs read anew? Once a version of the scores, for all who ask.

The statistics are imported with the first such question: they take longer to load than most commands run.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from quality.commands import ListModels
from quality.ledger.as_of import snapshot_as_of
from quality.ledger.kept import KeptStates
from quality.ledger.store import Store
from quality.settings import ScoringSettings
from quality.trust_commands import ListPairs, RankKinds, RankModels, ShowRoute, ShowTrends, ShowTrust

if TYPE_CHECKING:
    from quality.ledger.trust import Lifted

TrustQuestion = ListModels | RankModels | RankKinds | ShowRoute | ShowTrust | ListPairs | ShowTrends


class TrustQuestions:
    """The runs of a ledger as the statistics read them: the present ones, and those asked "as of" last."""

    def __init__(self, store: Store, scoring: ScoringSettings) -> None:
        self._store, self._scoring = store, scoring
        self._kept: KeptStates[Lifted] = KeptStates()

    def is_ready(self, version: int, as_of: datetime | None = None) -> bool:
        """Whether the runs are at hand, so that an answer takes no reading."""
        return self._kept.has(version, as_of)

    def answer(self, question: TrustQuestion, version: int) -> dict[str, Any]:
        """The answer at this version of the scores, or as of an earlier instant, as JSON-ready values.

        Raises:
            QualityError: the instant is yet to come; what the question refuses.
        """
        from quality.ledger import trust_models, trust_verifiers

        lifted = self._lifted(version, question.as_of)
        match question:
            case ListModels():
                return trust_models.list_models(self._store, question, self._scoring, lifted)
            case RankModels():
                return trust_models.rank_models(lifted, question)
            case RankKinds():
                return trust_models.rank_kinds(lifted, question)
            case ShowRoute():
                return trust_models.show_route(lifted, question)
            case ShowTrends():
                return trust_models.show_trends(lifted, question)
            case ShowTrust():
                return trust_verifiers.show_trust(lifted, question)
            case ListPairs():
                return trust_verifiers.list_pairs(lifted, question)

    def present(self, version: int) -> "Lifted":
        """The present runs, for who draws from them."""
        return self._lifted(version, None)

    def _lifted(self, version: int, as_of: datetime | None) -> "Lifted":
        from quality.ledger.trust import lift

        def derive() -> "Lifted":
            with snapshot_as_of(self._store, as_of, self._scoring) as (snapshot, settings):
                return lift(snapshot, settings, as_of)

        return self._kept.at(version, as_of, derive)
