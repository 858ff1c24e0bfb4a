"""What stands in a ledger of which every screen shows something? The sample, and one of each thing that it has none of."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from quality.activity_commands import ListActivity
from quality.backup_commands import BackUp
from quality.candidate_input import read_candidates
from quality.candidate_ranking import rank
from quality.commands import AddRating, EvaluatedPrompt, ImportArtifact, ShowStory, StoreEvaluations
from quality.evaluation import EvaluationMetadata
from quality.ledger.ledger import Ledger
from quality.prompts import score_reply, sha256_of
from quality.ranking_commands import StoreRanking
from quality.response_commands import AddFeedback, StoreResponses
from quality.review_commands import AddToReviewList
from quality.story_commands import EditStory

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)><b>b</b> **bold** _it_ :red[x] :material/home: "
    "[go](javascript:alert(3)) `code` $x^2$ # h \u202egnimoc \u05e9\u05dc\u05d5\u05dd 🧪 =1+1"
)
"""Other people's text: HTML, markdown, a right-to-left override, Hebrew, an emoji, a formula of a spreadsheet."""
STORY, MODEL, OTHER, AGENT, REVIEWER = "PARSER-7", "m-one", "m-two", "builder", "dana"
LONG_STORY, LONG_MODEL = "S-" + "long-" * 30 + "1", "vendor/" + "a-very-long-model-name-" * 6 + "20261101"
STRANGE = "<b>S</b>*x*"
"""A story's id that would be markup."""
BEGIN = datetime(2026, 11, 2, 9, tzinfo=UTC)
CRITERIA = ("Nested suites are counted once.", "Nested suites are counted once, and a file without suites is a reject.")
REPLIES = (
    '{"structure": {"score": 6, "feedback": "One line."}, "clarity": {"score": 8, "feedback": "One meaning."}, '
    '"completeness": {"score": 5, "feedback": "No empty file."}, "specificity": {"score": 7, "feedback": "Exact."}, '
    '"suggestions": ["Say what an empty file is."]}',
    '{"structure": {"score": 7, "feedback": "Two parts."}, "clarity": {"score": 8, "feedback": "One meaning."}, '
    '"completeness": {"score": 8, "feedback": "Empty files too."}, "specificity": {"score": 8, "feedback": "Exact."}, '
    '"suggestions": []}',
)
CANDIDATES = b"""{"run_id": "improve-3", "target": {"path": "skills"}, "candidates": [
    {"id": "docs", "category": "docs", "risk_level": "low", "executor_support": true, "source_refs": ["a", "b"],
     "title": "Say what an empty file is"},
    {"id": "flow", "category": "workflow", "risk_level": "medium", "title": "Ask before each merge"},
    {"id": "tests", "category": "tests", "risk_level": "low", "source_refs": ["c"], "title": "A test a reader"}]}"""
COLUMNS = (
    "story_id,title,agent,model,attempt,test_pass_rate,tests_total,build_success,discipline,org_domain,industry,phase,"
    "done_criteria"
)


@dataclass(frozen=True)
class Ids:
    """What the links of the tests name."""

    run: str
    hostile_run: str
    ranking: str
    evaluation: str
    other_evaluation: str
    write: str
    backup: str


@dataclass(frozen=True)
class Furnished:
    """A running dashboard of which every screen shows something, and what its links name."""

    address: str
    ids: Ids


def furnish(path: Path) -> Ids:
    """Write one of each thing into the ledger at `path`."""
    with Ledger(path) as ledger:
        ledger.execute(ImportArtifact(actor="ci", path=str(_runs(path.parent)), label="ci/runs.csv"))
        run, hostile = _run_of(ledger, STORY, MODEL), _run_of(ledger, STRANGE, MODEL)
        ledger.execute(
            AddRating(
                actor=REVIEWER, reviewer=REVIEWER, story_id=STORY, run_id=run, rating=6.25, rework=True, given_at=BEGIN,
                note="Rounds half to even; an empty file is no reject yet.",
            )
        )  # fmt: skip
        ledger.execute(
            AddRating(
                actor="eli", reviewer="eli", story_id=STORY, run_id=run, rating=7.5, given_at=BEGIN + timedelta(1)
            )
        )
        ledger.execute(
            AddRating(
                actor=HOSTILE, reviewer=HOSTILE, story_id=STRANGE, run_id=hostile, rating=4, note=HOSTILE,
                given_at=BEGIN,
            )
        )  # fmt: skip
        ledger.execute(EditStory(actor=HOSTILE, story_id=STRANGE, estimated_tokens=1200, reason=HOSTILE))
        ledger.execute(AddToReviewList(actor=REVIEWER, run_ids=(run, hostile), why=HOSTILE))
        ledger.execute(StoreResponses(actor="ci", responses=[_response(number) for number in range(40)]))
        ledger.execute(AddFeedback(actor=REVIEWER, response_id="r39", signal="revert", event_id="e1"))
        read = read_candidates(CANDIDATES)
        ranking = rank(read.file, with_panel=True, source="candidates.json", sha256=read.sha256)
        kept = ledger.execute(StoreRanking(actor="ci", ranking=ranking))
        evaluated = [_evaluated(ledger, text, reply) for text, reply in zip(CRITERIA, REPLIES)]
        backup = ledger.execute(BackUp(actor=REVIEWER))
        return Ids(
            run, hostile, kept.ranking_id, evaluated[1], evaluated[0], _write_of(ledger, run), Path(backup.path).name
        )


def _runs(folder: Path) -> Path:
    """Two models on six stories, a name that is far too long, and a title that is no text of ours."""
    rows = [
        f"PARSER-{number},Parser part {number},{AGENT},{model},1,{rate},{20 + number},true,backend,parsing,software,build,"
        f"{CRITERIA[0] if number == 7 and model == MODEL else ''}"
        for number in range(5, 11)
        for model, rate in ((MODEL, 1 - number / 40), (OTHER, 0.6 + number / 40))
    ]
    rows.append(f'{STRANGE},"{HOSTILE}",{AGENT},{MODEL},1,0.5,10,false,backend,parsing,software,build,')
    rows.append(
        f"{LONG_STORY},{'A title without an end ' * 20},{AGENT},{LONG_MODEL},1,0.9,30,true,docs,parsing,software,plan,"
    )
    file = folder / "furnished-runs.csv"
    file.write_text("\n".join([COLUMNS, *rows]) + "\n", encoding="utf-8")
    return file


def _response(number: int) -> dict:
    """Two models by turns; the last of them failed in everything."""
    bad = number >= 38
    return {
        "metadata": {
            "response_id": f"r{number}", "model": (MODEL, OTHER)[number % 2], "session_id": f"s{number // 8}",
            "story_id": STORY, "occurred_at": BEGIN + timedelta(hours=3 * number), "tools_ok": 0 if bad else 2 + number % 3,
            "tools_failed": 2 if bad else number % 2,
        },
    }  # fmt: skip


def _evaluated(ledger: Ledger, text: str, reply: str) -> str:
    metadata = EvaluationMetadata(
        backend="openai", model="gpt-4o-mini", prompt_version="evaluate_prompt-v1", prompt_sha256=sha256_of(text)
    )
    found = score_reply(reply, (1, 1, 1, 1)).model_copy(update={"metadata": metadata})
    kept = EvaluatedPrompt(text=text, name="parser criteria", evaluation=found)
    return ledger.execute(StoreEvaluations(actor=REVIEWER, evaluations=[kept])).evaluation_ids[0]


def _run_of(ledger: Ledger, story_id: str, model: str) -> str:
    (run_id,) = (run["run_id"] for run in ledger.ask(ShowStory(story_id=story_id))["runs"] if run["model"] == model)
    return run_id


def _write_of(ledger: Ledger, run_id: str) -> str:
    """The earliest rating of the run, as Activity names it."""
    return ledger.ask(ListActivity(about=run_id, kinds=("add_rating",)))["writes"][-1]["command_id"]
