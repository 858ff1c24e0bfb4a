"""What can be asked of a ledger? Every write is a command, and so is every question of the command line.

Pages, CLI and HTTP only build these; `Ledger.execute(command)` is the one door. A request therefore
reaches whoever owns the file, in this process or over HTTP, in the same form.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field

from quality.activity_commands import ACTIVITY_REQUESTS
from quality.backup_commands import BACKUP_REQUESTS
from quality.command_base import AnyOf, Model
from quality.command_base import Command as Command
from quality.command_base import Question as Question
from quality.correction_commands import CORRECTION_REQUESTS
from quality.draft_commands import DRAFT_REQUESTS, Seen
from quality.evaluation import LONGEST_PROMPT, Evaluation
from quality.judging import Backend
from quality.observations import Attempt, Count, NonEmpty, Score10
from quality.ranking_commands import RANKING_REQUESTS
from quality.response_commands import RESPONSE_REQUESTS
from quality.review_commands import REVIEW_REQUESTS
from quality.roles import Role
from quality.story_commands import STORY_REQUESTS
from quality.tour_commands import TOUR_REQUESTS
from quality.trust_commands import TRUST_REQUESTS

ReviewReason = Literal["random", "queue", "choice"]
Format = Literal["csv", "excel", "parquet", "jsonl"]
Tier = Literal["auto", "verifier", "human"]
RUNS_NAMED = 1_000
"""Runs named in the answer to an import."""
MOST_EVALUATIONS = 1_000
"""Evaluations that one command stores."""


class RunChoice(Model):
    """Which run of a story is meant: by id, by parts of its key, or, bare, the latest by its builder."""

    story_id: NonEmpty
    run_id: str | None = None
    agent: str | None = None
    model_version: str | None = None
    attempt: Attempt | None = None


class RunRef(Model):
    """The run that an answer is about."""

    run_id: str
    story_id: str
    agent: str
    model_version: str
    attempt: int


class AddRating(Command, RunChoice):
    """A reviewer's rating of a run. It never touches an earlier one: both stay in the history."""

    name = "add_rating"
    needs, scope = "reviewer", "review"
    touches = "scores"
    signed = ("actor", "reviewer")
    rating: Score10
    reviewer: NonEmpty
    rework: bool | None = None
    correct: bool | None = None
    note: str | None = None
    seen: Seen | None = None
    """The run's latest rating that the reviewer knows of; a newer one is a conflict. Not given = store it in any case."""
    review_reason: ReviewReason = "choice"
    review_probability: float | None = Field(default=None, gt=0, le=1)
    given_at: datetime | None = None
    """When the rating was given, if not now."""
    create: bool = False
    """Create story and run where the story is not known."""


class UndoRating(Command):
    """Withdraw a reviewer's latest standing rating of a story. Another's needs `force`; it is audited."""

    name = "undo_rating"
    needs, scope = "reviewer", "review"
    touches = "scores"
    signed = ("actor", "reviewer")
    story_id: NonEmpty
    reviewer: NonEmpty
    run_id: str | None = None
    force: bool = False

    def requires(self) -> Role:
        return "admin" if self.force else self.needs


class AttestModel(Command, RunChoice):
    """State which model did a run whose model is unknown or split; the original is kept."""

    name = "attest_model"
    needs, scope = "reviewer", "review"
    model: NonEmpty


class StoryDetails(Model):
    """What a caller can say of a story besides its id; what is not stated stays as it is known."""

    title: str | None = None
    discipline: str | None = None
    org_domain: str | None = None
    industry: str | None = None
    phase: str | None = None


class AddVerdict(Command, RunChoice):
    """Read the review that a judge was asked for, and store its verdict; without a usable block it is a reject.

    The run's builder stays as it is. A review by the scripted judge is stored as simulated.
    """

    name = "add_verdict"
    needs, scope = "reviewer", "review"
    touches = "scores"
    review: str
    """The judge's words, read like any other review."""
    backend: Backend
    verifier_model: NonEmpty
    """The model that answered; what the review claims to be by does not replace it."""
    verifier_agent: NonEmpty = "on demand"
    prompt_version: NonEmpty
    """Version of the judge's instructions."""
    diff_sha256: str | None = None
    """Of the diff that was reviewed, in UTF-8."""
    truncated: bool = False
    """The review was cut at the most tokens allowed, so what it ends with is missing."""
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    latency_ms: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    stop_reason: str | None = None
    cost_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class ImportArtifact(Command):
    """Read an artifact into the ledger: one transaction, all or nothing, keyed by its SHA-256.

    `path` is a file the owner of the ledger can read; over HTTP the bytes travel with the request instead.
    """

    name = "import_artifact"
    needs, scope, rewrites = "reviewer", "ingest", True
    path: str
    label: str = ""
    """The name to store and show; by default the path."""
    story_id: NonEmpty | None = None
    agent: str | None = None
    model_version: str | None = None
    attempt: Attempt | None = None
    story: StoryDetails = StoryDetails()
    """What else the caller knows of `story_id`."""
    started_at: AwareDatetime | None = None
    """When the agent began the run, with its zone."""
    accept_old: bool = False
    """Score a report from before the run's start all the same; also of an artifact that is stored already."""
    again: bool = False
    """Store it although an import of it was withdrawn: it counts as a new one."""


class AcceptReport(Command):
    """Confirm that an artifact older than a run's start is of that run: it is scored from now on."""

    name = "accept_report"
    needs, scope = "reviewer", "review"
    touches = "scores"
    import_id: str
    run_id: str | None = None
    """By default every run that the artifact speaks of."""


class EvaluatedPrompt(Model):
    """A prompt with what a judge made of it. Versions of one prompt share its name, within a story or without."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_PROMPT)]
    name: NonEmpty
    """What people call the prompt: a name they gave, or its file; of a story, `prompt` or `done_criteria`."""
    story_id: NonEmpty | None = None
    evaluation: Evaluation
    occurred_at: datetime | None = None
    """When the judge answered, if not now."""


class StoreEvaluations(Command):
    """Keep evaluations: all of them or none. The text of a prompt is kept once, whatever is said about it."""

    name = "store_evaluations"
    needs, scope = "reviewer", "ingest"
    touches = "apart"
    evaluations: Annotated[list[EvaluatedPrompt], Field(min_length=1, max_length=MOST_EVALUATIONS)]

    def for_audit(self) -> str:
        """Without the texts: they are in the tables, once."""
        return self.model_dump_json(exclude={"evaluations": {"__all__": {"text": True, "evaluation": True}}})


class Rebuild(Command):
    """Recompute every row with the settings in force."""

    name = "rebuild"


class Filters(Model):
    """Which rows: every stated condition must hold; of several values of one, any."""

    text: str | None = None
    """Words that title, story id or note contain, any case."""
    story_id: str | None = None
    agent: AnyOf[str] = None
    model_version: AnyOf[str] = None
    discipline: AnyOf[str] = None
    org_domain: AnyOf[str] = None
    industry: AnyOf[str] = None
    phase: AnyOf[str] = None
    tier: AnyOf[Tier] = None
    low_confidence: bool | None = None
    caveat: AnyOf[str] = None
    reviewer: AnyOf[str] = None
    has_note: bool | None = None
    """The standing rating came with a note, or not."""
    on_review_list: bool | None = None
    """Somebody put it on the list of what to review, and it still waits there."""
    since: datetime | None = None
    until: datetime | None = None


class ShowStory(Question):
    """A story with its runs, each explained, and their histories."""

    name = "show_story"
    story_id: NonEmpty


class ShowRun(Question, RunChoice):
    """The run that is meant, with everything behind it and what is known of its story."""

    name = "show_run"


class ListModels(Question):
    """Model scores, optionally at one coordinate."""

    name = "list_models"
    discipline: str | None = None
    org_domain: str | None = None
    industry: str | None = None
    phase: str | None = None
    as_of: AwareDatetime | None = None
    """As the ledger was known at this instant."""


class ListScores(Question):
    """Ledger rows that fit the filters."""

    name = "list_scores"
    filters: Filters = Filters()
    limit: Count = 1000
    offset: Count = 0


class ListEvaluations(Question):
    """Evaluations of prompts, latest first: of a prompt by its name, of a story, or with `latest` one a prompt."""

    name = "list_evaluations"
    prompt_name: NonEmpty | None = None
    story_id: NonEmpty | None = None
    no_story: bool = False
    """Only prompts that belong to no story."""
    latest: bool = False
    limit: Count = 1000


class ShowEvaluation(Question):
    """One evaluation with the text that was judged and the judge's words."""

    name = "show_evaluation"
    evaluation_id: NonEmpty


class ExportRows(Question):
    """The rows for a subscriber, or their profiles, or with `full` every observation."""

    name = "export_rows"
    format: Format = "csv"
    full: bool = False
    bom: bool = False
    profiles: bool = False
    """A row a coordinate × model instead of a row a run."""
    columns: tuple[str, ...] | None = None
    """Which columns, in which order; by default those of the subscriber's CSV, or all of a profile."""
    as_of: AwareDatetime | None = None
    """As the ledger was known at this instant."""
    filters: Filters = Filters()


class Examine(Question):
    """State of the ledger: schema, counts, rejects, rows scored with other settings."""

    name = "examine"


class RatingStored(Model):
    """Answer to `AddRating`: the run it went to and the row as it stands now."""

    override_id: str
    run: RunRef
    created: bool = False
    row: dict[str, Any]


class RatingWithdrawn(Model):
    override_id: str
    run: RunRef
    reviewer: str
    rating: float
    note: str | None
    row: dict[str, Any]


class RejectedRecord(Model):
    line: int | None
    reason: str
    value: str | None


class VerdictStored(Model):
    """Answer to `AddVerdict`: the verdict as it was stored, or with `verdict_id` null why there is none."""

    run: RunRef
    verdict_id: str | None
    quality: float | None = None
    correct: bool | None = None
    rework: bool | None = None
    verifier_agent: str
    verifier_model: str
    simulated: bool
    """By the scripted judge: in the history only."""
    rejects: list[RejectedRecord] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    row: dict[str, Any]
    """The run's row as it stands now."""


class ModelAttested(Model):
    run: RunRef
    original: str
    row: dict[str, Any]


class Imported(Model):
    """Answer to `ImportArtifact`."""

    path: str
    format: str | None
    sha256: str
    status: Literal["imported", "unchanged", "rejected"]
    counts: dict[str, int] = Field(default_factory=dict)
    """Stories, runs, signals, verdicts, overrides stored; rejects; duplicates left out."""
    rejects: list[RejectedRecord] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    runs: list[RunRef] = Field(default_factory=list)
    """The runs that the artifact speaks of, the first `RUNS_NAMED`."""


class ReportAccepted(Model):
    """Answer to `AcceptReport`: the runs whose rows follow the artifact now."""

    import_id: str
    runs: list[RunRef]


class EvaluationsStored(Model):
    """Answer to `StoreEvaluations`: the ids, in the order given."""

    evaluation_ids: list[str]


class Rebuilt(Model):
    runs: int
    responses: int = 0
    settings_hash: str


COMMANDS: dict[str, type[Command] | type[Question]] = {
    kind.name: kind
    for kind in (
        AddRating, UndoRating, AttestModel, AddVerdict, ImportArtifact, AcceptReport, StoreEvaluations, Rebuild,
        ShowStory, ShowRun, ListModels, ListScores, ListEvaluations, ShowEvaluation, ExportRows, Examine,
        *RESPONSE_REQUESTS, *RANKING_REQUESTS, *ACTIVITY_REQUESTS, *BACKUP_REQUESTS, *REVIEW_REQUESTS, *STORY_REQUESTS,
        *TRUST_REQUESTS, *CORRECTION_REQUESTS, *TOUR_REQUESTS, *DRAFT_REQUESTS,
    )
}  # fmt: skip
"""Name in the URL and in the audit → request model."""
