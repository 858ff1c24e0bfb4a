"""How does anybody write to the ledger? Through one door: `Ledger.execute(command)`.

It runs each write in one transaction with its audit row, and answers a repeated idempotency key with the
answer it gave the first time.
"""

from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from quality.activity_commands import ListActivity, ShowWrite
from quality.backup_commands import BackedUp, BackUp, CheckBackup, ListBackups, Restore, Restored
from quality.command_base import Touched
from quality.commands import (
    AcceptReport,
    AddRating,
    AddVerdict,
    AttestModel,
    Command,
    EvaluationsStored,
    Examine,
    ImportArtifact,
    Imported,
    ListEvaluations,
    ListModels,
    ListScores,
    ModelAttested,
    Question,
    RatingStored,
    RatingWithdrawn,
    Rebuild,
    Rebuilt,
    ReportAccepted,
    ShowEvaluation,
    ShowRun,
    ShowStory,
    StoreEvaluations,
    UndoRating,
    VerdictStored,
)
from quality.correction_commands import (
    ImportReinstated,
    ImportWithdrawn,
    ListImports,
    ReinstateImport,
    ShowImport,
    WithdrawImport,
)
from quality.draft_commands import ListRatingDrafts, ShowRatingDraft
from quality.errors import Conflict
from quality.ledger import queries, review_queue
from quality.ledger.acceptance import accept_report
from quality.ledger.activity import list_activity, show_write
from quality.ledger.auditing import record
from quality.ledger.backup_checking import check_backup
from quality.ledger.backup_restoring import restore
from quality.ledger.backups import back_up, list_backups
from quality.ledger.drafts import WRITERS as DRAFT_WRITERS
from quality.ledger.drafts import list_rating_drafts, show_rating_draft
from quality.ledger.evaluations import list_evaluations, show_evaluation, store_evaluations
from quality.ledger.importing import import_artifact
from quality.ledger.kept import KeptStates
from quality.ledger.migrations import SCHEMA_VERSION, bring_up_to_date
from quality.ledger.past import Past
from quality.ledger.rankings import store_ranking
from quality.ledger.rankings_reading import list_rankings, reviewer_agreement, show_ranking
from quality.ledger.ratings import add_rating, attest_model, undo_rating
from quality.ledger.recompute import rebuild_all
from quality.ledger.redactions import list_redactions, redact, suppose_redaction
from quality.ledger.responses import add_feedbacks, prune_responses, store_responses
from quality.ledger.responses_feedback import add_feedback
from quality.ledger.responses_reading import list_responses, response_series, response_stats, show_response
from quality.ledger.responses_scoring import rescore_all, settings_key
from quality.ledger.review_list import add_to_review_list, remove_from_review_list, show_review_list
from quality.ledger.rewriting import finish, write_afresh
from quality.ledger.sqlfiles import load_all_sql, load_sql
from quality.ledger.store import Store, Transaction
from quality.ledger.story_corrections import WRITERS as STORY_WRITERS
from quality.ledger.story_corrections import corrections_of, suppose
from quality.ledger.tour import hide_tour, show_tour, take_tour_step
from quality.ledger.trust_questions import TrustQuestions
from quality.ledger.verdicts import add_verdict, show_run
from quality.ledger.withdrawals import list_imports, reinstate_import, settle_anew, show_import, withdraw_import
from quality.queue_commands import DrawForReview, ShowReviewQueue, ShowReviewTotals
from quality.ranking_commands import ListRankings, RankingStored, ReviewerAgreement, ShowRanking, StoreRanking
from quality.redaction_commands import ListRedactions, Redact, Redacted, SupposeRedaction
from quality.response_commands import (
    AddFeedback,
    AddFeedbacks,
    FeedbacksStored,
    FeedbackStored,
    ListResponses,
    PruneResponses,
    ResponseSeries,
    ResponsesPruned,
    ResponsesStored,
    ResponseStats,
    ShowResponse,
    StoreResponses,
)
from quality.review_commands import AddToReviewList, RemoveFromReviewList, ReviewListed, ReviewUnlisted, ShowReviewList
from quality.roles import NOBODY, OWNER, Who, admit
from quality.settings import Settings
from quality.story_commands import ShowStoryCorrections, SupposeStoryChange
from quality.tour_commands import HideTour, ShowTour, TakeTourStep, TourState
from quality.trust_commands import ListPairs, RankKinds, RankModels, ShowRoute, ShowTrends, ShowTrust

Writer = Callable[[Transaction, Any, Settings], BaseModel]


def _rebuild(tx: Transaction, command: Rebuild, settings: Settings) -> Rebuilt:
    tx.execute(load_sql("recompute")["touch_none"])
    settle_anew(tx)
    responses = rescore_all(tx, settings.responses, command.actor)
    runs = rebuild_all(tx, settings.scoring)
    return Rebuilt(runs=runs, responses=responses, settings_hash=settings.scoring.hash)


WRITERS: dict[type[Command], tuple[Writer, type[BaseModel]]] = {
    AddRating: (add_rating, RatingStored),
    UndoRating: (undo_rating, RatingWithdrawn),
    AttestModel: (attest_model, ModelAttested),
    AddVerdict: (add_verdict, VerdictStored),
    ImportArtifact: (import_artifact, Imported),
    AcceptReport: (accept_report, ReportAccepted),
    StoreEvaluations: (store_evaluations, EvaluationsStored),
    StoreResponses: (store_responses, ResponsesStored),
    AddFeedback: (add_feedback, FeedbackStored),
    AddFeedbacks: (add_feedbacks, FeedbacksStored),
    PruneResponses: (prune_responses, ResponsesPruned),
    StoreRanking: (store_ranking, RankingStored),
    AddToReviewList: (add_to_review_list, ReviewListed),
    RemoveFromReviewList: (remove_from_review_list, ReviewUnlisted),
    Rebuild: (_rebuild, Rebuilt),
    WithdrawImport: (withdraw_import, ImportWithdrawn),
    ReinstateImport: (reinstate_import, ImportReinstated),
    Redact: (redact, Redacted),
    TakeTourStep: (take_tour_step, TourState),
    HideTour: (hide_tour, TourState),
    **STORY_WRITERS,
    **DRAFT_WRITERS,
    **review_queue.WRITERS,
}
"""Command → what carries it out, and the model of its answer."""
FILE_WRITERS: dict[type[Command], tuple[Callable[[Store, Any], BaseModel], type[BaseModel]]] = {
    BackUp: (back_up, BackedUp),
    Restore: (restore, Restored),
}
"""The same for what concerns the file as a whole, and so cannot be one transaction in it."""


def answer_model(command: Command) -> type[BaseModel]:
    """The model of the answer to a command."""
    return (WRITERS.get(type(command)) or FILE_WRITERS[type(command)])[1]


class Ledger:
    """An open ledger. Use it as a context manager, or `close()` it.

    Raises (on construction): what `Store` and `bring_up_to_date` raise.
    """

    def __init__(
        self,
        path: Path | str,
        settings: Settings | None = None,
        *,
        purpose: str = "a script",
        wait: float | None = None,
        served: bool = False,
    ):
        self.settings = settings or Settings()
        self.served = served
        """Others ask through this process: what does not say who asks is nobody's, and refused where that matters."""
        load_all_sql()
        self._settled = False
        """Whether the settings in force are known to be stored; no other process can change that."""
        self._touched: Counter[Touched] = Counter()
        self.store = Store(Path(path), self.settings.limits.lock_seconds if wait is None else wait, purpose)
        self.trust = TrustQuestions(self.store, self.settings.scoring)
        self._pasts = KeptStates[Past]()
        try:
            bring_up_to_date(self.store)
            finish(self.store)
        except BaseException:
            self.store.close()
            raise

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.store.close()

    @property
    def path(self) -> Path:
        return self.store.path

    @property
    def version(self) -> int:
        """Grows with every write; what is cached by it never shows a stale row."""
        return self.store.version

    @property
    def scores_version(self) -> int:
        """Grows with every write that can change a row: a run, its scores, or whether it waits for review."""
        return self._touched["scores"] + self._touched["runs"]

    @property
    def runs_version(self) -> int:
        """Grows with every write that can change which runs there are, or what is known of them besides scores."""
        return self._touched["runs"]

    def past(self, instant: datetime) -> Past:
        """The ledger as it was known at an earlier instant, to be asked by `queries.py` and `queries_models.py`.

        Raises:
            QualityError: the instant is yet to come.
        """
        derive = partial(Past, self.store, instant, self.settings.scoring)
        return self._pasts.at(self.scores_version, instant, derive)

    def execute(self, command: Command, who: Who | None = None) -> Any:
        """Carry out a write: its answer, durable before it is returned.

        Args:
            who: who asks; by default whoever has the file, and nobody where others ask through this process.

        Raises:
            Forbidden: they may not, or sign with another's name.
            QualityError: what the command refuses, with the reason; nothing is stored then.
            Conflict: the idempotency key was used for another command.
        """
        admit(self._asking(who), command)
        if type(command) in FILE_WRITERS:
            return self._on_the_file(command)
        if isinstance(command, DrawForReview):
            return self._drawn(command)
        return self._write(command)

    def _write(self, command: Command, *prepared: Any) -> Any:
        """Carry out a command in one transaction, with what was prepared outside of it."""
        carry_out, _ = WRITERS[type(command)]
        with self.store.transaction() as tx:
            if past := _past_answer(tx, command):
                return past
            self._settle_settings(tx, command.actor)
            answer = carry_out(tx, command, self.settings, *prepared)
            if not command.quiet:
                record(tx, command, answer)
        self._settled = True
        self._note(command)
        if command.rewrites:
            write_afresh(self.store)
        return answer

    def _drawn(self, command: DrawForReview) -> Any:
        """Draw, and draw anew where somebody was quicker; the statistics take long, and nobody else waits for them."""
        while True:
            chosen = review_queue.choose(self.store, self.trust.present(self.scores_version), command)
            try:
                return self._write(command, chosen)
            except review_queue.Taken:
                continue

    def _on_the_file(self, command: Command) -> Any:
        """Carry out what is about the file as a whole; a backup is recorded once it lies there, a restore in what it restores."""
        with self.store.transaction() as tx:
            if past := _past_answer(tx, command):
                return past
        answer = FILE_WRITERS[type(command)][0](self.store, command)
        if isinstance(command, BackUp):
            with self.store.transaction() as tx:
                record(tx, command, answer)
        self._settled = False  # the settings of a restored ledger may be others
        self._note(command)
        return answer

    def _note(self, command: Command) -> None:
        creates = isinstance(command, AddRating) and command.create
        self._touched["runs" if creates else command.touches] += 1

    def ask(self, question: Question, who: Who | None = None) -> dict[str, Any]:
        """Answer a question as JSON-ready values; it changes nothing.

        Raises:
            Forbidden: who asks may not.
        """
        admit(self._asking(who), question)
        match question:
            case ShowStory():
                return queries.story(self.store, question.story_id)
            case ShowRun():
                return show_run(self.store, question)
            case ListModels() | RankModels() | RankKinds() | ShowRoute() | ShowTrust() | ListPairs() | ShowTrends():
                return self.trust.answer(question, self.scores_version)
            case ListScores():
                limit = min(question.limit, queries.MAX_ROWS)
                rows = queries.ledger_rows(self.store, question.filters, limit, question.offset)
                return {"total": queries.count_runs(self.store, question.filters), "rows": rows}
            case ListEvaluations():
                return list_evaluations(self.store, question)
            case ShowEvaluation():
                return show_evaluation(self.store, question.evaluation_id)
            case ListResponses():
                return list_responses(self.store, question, self.settings.responses)
            case ShowResponse():
                return show_response(self.store, question.response_id, self.settings.responses)
            case ResponseStats():
                return response_stats(self.store, question)
            case ResponseSeries():
                return response_series(self.store, question, self.settings.responses)
            case ListRankings():
                return list_rankings(self.store, question)
            case ShowRanking():
                return show_ranking(self.store, question)
            case ReviewerAgreement():
                return reviewer_agreement(self.store, question)
            case ShowReviewList():
                return show_review_list(self.store, question)
            case ShowReviewQueue():
                return review_queue.show_review_queue(self.store, question)
            case ShowReviewTotals():
                return review_queue.show_review_totals(self.store, question)
            case ShowRatingDraft():
                return show_rating_draft(self.store, question)
            case ListRatingDrafts():
                return list_rating_drafts(self.store, question)
            case ShowStoryCorrections():
                return corrections_of(self.store, question)
            case SupposeStoryChange():
                return suppose(self.store, question, self.settings)
            case ShowTour():
                return show_tour(self.store, question)
            case ListImports():
                return list_imports(self.store, question)
            case ShowImport():
                return show_import(self.store, question)
            case SupposeRedaction():
                return suppose_redaction(self.store, question)
            case ListRedactions():
                return list_redactions(self.store, question)
            case ListActivity():
                return list_activity(self.store, question)
            case ShowWrite():
                return show_write(self.store, question.command_id)
            case ListBackups():
                return list_backups(self.store)
            case CheckBackup():
                return check_backup(self.store, question.path)
            case Examine():
                state = queries.examine(
                    self.store, self.settings.scoring.hash, settings_key(self.settings.responses)[0]
                )
                return {
                    "ledger": str(self.path),
                    "schema": SCHEMA_VERSION,
                    "settings_hash": self.settings.scoring.hash,
                    **state,
                }
        raise TypeError(f"{type(question).__name__} is not a question of the ledger")

    def _asking(self, who: Who | None) -> Who:
        return who or (NOBODY if self.served else OWNER)

    def _settle_settings(self, tx: Transaction, actor: str) -> None:
        """Store the settings in force, if they are not the ones stored last."""
        scoring, sql = self.settings.scoring, load_sql("ratings")
        if not self._settled and tx.value(sql["current_settings"]) != scoring.hash:
            tx.execute(
                sql["add_settings"],
                {"hash": scoring.hash, "settings": scoring.canonical(), "now": tx.now, "actor": actor},
            )


def _past_answer(tx: Transaction, command: Command) -> Any:
    """The answer that the same command got before, if it was sent before.

    Raises:
        Conflict: its idempotency key was used for another command.
    """
    past = tx.row(load_sql("ratings")["past_answer"], {"idempotency_key": command.idempotency_key})
    if past and past["name"] != command.name:
        raise Conflict(f"idempotency key {command.idempotency_key} was used for {past['name']}: use a new one")
    return answer_model(command).model_validate_json(past["answer"]) if past else None
