"""What is written about ranked candidates? The form of the ranking, for pipelines, the ledger and the screen.

What was not asked for is left out of the JSON; the fields that a candidate came with are given back beside its score.
The JSON schema beside it, `candidate_ranking.schema.json`, is made from these models by `candidate_schema.py`.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

Score = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]
Recommendation = Literal["accept_for_execution", "hold", "reject"]
Decision = Literal["approve", "conditional", "reject"]
Label = Literal["CONSENSUS", "VERIFIED", "DISPUTED"]
Mode = Literal[
    "heuristic-only", "heuristic+evaluator-phase1", "heuristic+llm-judge", "heuristic+evaluator+llm-judge",
    "multi-reviewer-panel",
]  # fmt: skip


INDENT = 2
PLACE = " " * 2 * INDENT
"""What stands before a candidate in the file."""
SHARED = {"parts", "evidence", "panel"}
"""Large, and the same object for candidates that are scored alike."""


class _Said(BaseModel):
    """Part of a ranking."""

    model_config = ConfigDict(defer_build=True, extra="forbid", protected_namespaces=())


class Blend(_Said):
    """A weighted composite with its explanation: the contributions sum to the value before it is rounded."""

    value: Score
    weights: dict[str, Share]
    """Of the parts that are there; they sum to 1."""
    contributions: dict[str, Score]
    missing: list[str] = []
    """Asked for and not there: a judge that failed."""


class Parts(_Said):
    """A score from its beginning: base + bonus + refs + executor + risk + protection + clamp = heuristic; then the blend."""

    base: Finite
    bonus: Finite
    refs: Finite
    executor: Finite
    risk: Annotated[float, Field(le=0, allow_inf_nan=False)]
    protection: Annotated[float, Field(le=0, allow_inf_nan=False)]
    clamp: Finite
    """What keeping it within 0–10 added or took away."""
    heuristic: Score
    evidence: Score | None = None
    judge: Score | None = None
    blend: Blend


class Verdict(_Said):
    """What a judge said about a candidate; `score` is the mean of the dimensions."""

    score: Share
    decision: Decision
    dimensions: dict[str, Share]
    confidence: Share | None = None
    """0.5 for the mock, 0.2 for a reply that could not be read, else what the judge said; absent = it said none."""
    reasoning: str = ""
    said: str | None = None
    """The judge's own word, where it is one of the three."""
    backend_used: str
    model: str
    prompt_version: str
    warnings: list[str] = []


class Evidence(_Said):
    """What the target's folder and the candidate's data say, 0–1 each."""

    skill_level: Literal["Level 1", "Level 2", "Level 3", "unrated"]
    structure: dict[str, bool]
    dims: dict[str, Share]
    weights: dict[str, Share]
    """As they were used, summing to 1."""
    overall: Share
    verdict: Decision
    warnings: list[str] = []


class Review(_Said):
    """One reviewer's score, made without sight of the others'."""

    reviewer: str
    score: Score
    recommendation: Recommendation
    parts: Parts
    llm_score: Share | None = None
    llm_verdict: Verdict | None = None


class Panel(_Said):
    """Four reviews and what they come to."""

    panel_reviews: list[Review]
    cognitive_label: Label
    final_recommendation: Recommendation
    aggregated_score: Score
    """Mean of the reviews, two decimals."""


class ScoredCandidate(_Said):
    """A candidate with its score; the fields it came with stand beside."""

    model_config = ConfigDict(defer_build=True, extra="allow", protected_namespaces=())

    id: str
    score: Score
    recommendation: Recommendation
    blockers: list[str]
    judge_notes: list[str]
    heuristic_score: Score | None = None
    risk_penalty: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    evaluator_score: Score | None = None
    llm_verdict: Verdict | None = None
    """With a panel the mean of the reviewers' verdicts."""
    parts: Parts | None = None
    """Absent with a panel: each review has its own."""
    evidence: Evidence | None = None
    panel: Panel | None = None


class Summary(_Said):
    """How many candidates have which recommendation."""

    accept_for_execution: Count
    hold: Count
    reject: Count


class JudgeUse(_Said):
    """Who was asked to judge, who did, and how often."""

    requested: str
    backend_used: str
    model: str
    prompt_version: str | None = None
    """Absent where there was nothing to ask."""
    asked: Count
    answered: Count
    failed: Count
    reason: str | None = None
    """Why another backend judged than the one that was requested."""
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class Ranking(_Said):
    """The candidates of a run, best first; equal scores keep the order of the input."""

    schema_version: Literal["1.0"] = "1.0"
    lane: str | None = None
    run_id: str
    stage: Literal["ranked"] = "ranked"
    critic_mode: Mode
    created_at: AwareDatetime | None = None
    source_candidate_artifact: str | None = None
    """The input, as it was named."""
    source_sha256: str | None = None
    target: dict[str, Any]
    evaluator_evidence_enabled: bool = False
    backend_used: str | None = None
    """Who judged; absent where no answer came."""
    llm_judge: JudgeUse | None = None
    scored_candidates: list[ScoredCandidate]
    summary: Summary
    warnings: list[str] = []

    def document(self) -> dict[str, Any]:
        """As JSON-ready values, without what is not there."""
        return self.model_dump(mode="json", exclude_none=True)

    def to_json(self) -> bytes:
        """The file: UTF-8, indented, ending in a line break."""
        return b"".join(self.chunks())

    def chunks(self) -> Iterator[bytes]:
        """The file in parts. What candidates share comes last in each, so that it is put into words once."""
        whole = self.model_copy(update={"scored_candidates": []}).model_dump_json(exclude_none=True, indent=INDENT)
        before, empty, after = whole.partition(f'\n{" " * INDENT}"scored_candidates": []')
        if not self.scored_candidates:
            yield f"{whole}\n".encode()
            return
        yield f"{before}{empty[:-1]}".encode()
        shared: dict[tuple[int, ...], bytes] = {}
        for place, one in enumerate(self.scored_candidates):
            alike = tuple(id(getattr(one, name)) for name in SHARED)
            if alike not in shared:
                shared[alike] = _deeper(one.model_dump_json(include=SHARED, exclude_none=True, indent=INDENT))
            own = _deeper(one.model_dump_json(exclude=SHARED, exclude_none=True, indent=INDENT))
            yield (b",\n" if place else b"\n") + _joined(own, shared[alike])
        yield f"\n{' ' * INDENT}]{after}\n".encode()


def _deeper(text: str) -> bytes:
    """One object as it stands in a list of the whole."""
    return (PLACE + text.replace("\n", f"\n{PLACE}")).encode()


def _joined(first: bytes, second: bytes) -> bytes:
    """Two objects as one."""
    if second.strip() == b"{}":
        return first
    closing = f"\n{PLACE}}}".encode()
    return first.removesuffix(closing) + b"," + second.removeprefix(f"{PLACE}{{".encode())
