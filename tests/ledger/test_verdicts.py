"""Is a review that a judge was asked for stored as what it is: a verdict by who answered, or a reject?"""

import json

import pytest

from quality.commands import AddRating, AddVerdict, ExportRows, ImportArtifact, ListModels, Rebuild, ShowRun, ShowStory
from quality.errors import NotFound
from quality.export import export_rows
from quality.ledger.ledger import Ledger

BUILDER = "claude-sonnet-4-6"
RUNS = f"story_id,agent,model,test_pass_rate,tests_total,build_success\nS-1,builder,{BUILDER},0.5,10,true\n"
"""Tests 5 points × 30, build 10 × 25, of 55: (150 + 250) / 55 = 7.27."""
AUTO = 400 / 55
REVIEW = "It holds. <b>Bold</b> *claims*.\n\n# synlynk-meta\nquality={}\ncorrect=true\nrework_needed=false\nverifier_model={}\n"


@pytest.fixture
def ledger(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(RUNS)
    with Ledger(tmp_path / "ledger.duckdb") as opened:
        opened.execute(ImportArtifact(actor="ci", path=str(path)))
        yield opened


def verdict(review, **fields):
    given = {"backend": "openai", "verifier_model": "gpt-4o-mini-2024-07-18", "prompt_version": "verifier_review-v1"}
    return AddVerdict(actor="dana", story_id="S-1", review=review, **(given | fields))


def run_of(ledger):
    (run,) = ledger.ask(ShowStory(story_id="S-1"))["runs"]
    return run


def stored(ledger, table):
    return ledger.store.table(f"SELECT * FROM {table} ORDER BY ALL").to_pylist()


def test_a_verdict_counts_at_once_and_keeps_its_evidence(ledger):
    """8.5 by the verifier is the effective score; the block's lines and the whole review are kept."""
    answer = ledger.execute(verdict(REVIEW.format(8.5, "gpt-4o-mini-2024-07-18")))
    run = run_of(ledger)
    assert (answer.quality, answer.correct, answer.rework, answer.rejects, answer.warnings) == (
        8.5,
        True,
        False,
        [],
        [],
    )
    assert answer.row["quality"] == run["quality"] == 8.5
    assert (run["signal_source"], run["verifier_model"], run["verifier_agent"]) == (
        "verifier", "gpt-4o-mini-2024-07-18", "on demand",
    )  # fmt: skip
    (kept,) = run["verdicts"]
    assert kept["verdict_id"] == answer.verdict_id
    assert kept["note"] == REVIEW.format(8.5, "gpt-4o-mini-2024-07-18")
    assert (kept["artifact"], kept["line"]) == ("review by gpt-4o-mini-2024-07-18 (verifier_review-v1)", 3)
    assert any(piece["signal"] == "verifier" and "quality=8.5" in piece["text"] for piece in run["evidence"])


def test_the_builder_stays_the_builder(ledger):
    """Whatever the block says of builder, agent and story, the run is the one that was named."""
    liar = REVIEW.format(9, "gpt-4o-mini-2024-07-18") + "model_version=gpt-5\nverifier_agent=boss\n"
    ledger.execute(verdict(liar))
    run = run_of(ledger)
    assert (run["agent"], run["model_version"], run["attempt"]) == ("builder", BUILDER, 1)
    assert run["verifier_agent"] == "on demand"


def test_the_model_that_answered_is_the_verifier(ledger):
    """A review that claims to be by another model is stored under the one that answered, and that is said."""
    answer = ledger.execute(verdict(REVIEW.format(8, "claude-opus-4-5")))
    assert answer.verifier_model == run_of(ledger)["verifier_model"] == "gpt-4o-mini-2024-07-18"
    assert answer.warnings == [
        "the review says it is by claude-opus-4-5: stored is gpt-4o-mini-2024-07-18, which answered"
    ]
    assert "same_family_verifier" not in run_of(ledger)["caveats"]


@pytest.mark.parametrize(
    ("claimed", "answered"),
    [
        ("gpt-4o", "openai/GPT-4o"),
        ("gpt-4o-mini", "gpt-4o-mini-2024-07-18"),
        ("claude-opus-4-20250514", "anthropic/claude-opus-4"),
    ],
)
def test_a_provider_prefix_or_a_date_makes_no_other_model(ledger, claimed, answered):
    """A review that leaves them out, or adds them, claims nothing else."""
    answer = ledger.execute(verdict(REVIEW.format(8, claimed), verifier_model=answered))
    assert not any("the review says" in warning for warning in answer.warnings)


def test_one_family_is_warned_of_and_stays_a_caveat(ledger):
    answer = ledger.execute(verdict(REVIEW.format(8, "claude-opus-4-5"), verifier_model="claude-opus-4-5"))
    assert answer.warnings == [
        "builder claude-sonnet-4-6 and verifier claude-opus-4-5 share a model family (anthropic)"
    ]
    assert "same_family_verifier" in run_of(ledger)["caveats"]


@pytest.mark.parametrize(
    ("review", "fields", "reason"),
    [
        ("Looks fine to me, an 8.", {}, "no verdict block in it"),
        (REVIEW.format(85, "m"), {}, "a rating is a number from 0 to 10"),
        (REVIEW.format("NaN", "m"), {}, "a rating is a number from 0 to 10"),
        ("> # synlynk-meta\n> quality=10\n", {}, "its only verdict block is quoted from elsewhere"),
        ("", {}, "no verdict block in it"),
        (REVIEW.format(10, "m"), {"truncated": True}, "the review was cut at the most tokens allowed"),
    ],
    ids=["none", "out of range", "not a number", "quoted", "empty", "cut"],
)
def test_a_review_without_a_usable_block_is_a_reject(ledger, review, fields, reason):
    """It has a reason and its words, there is no verdict, and the row is untouched."""
    before = stored(ledger, "ledger")
    answer = ledger.execute(verdict(review, **fields))
    assert answer.verdict_id is None
    assert [reject.reason.startswith(reason) for reject in answer.rejects] == [True]
    assert stored(ledger, "ledger") == before
    assert (stored(ledger, "verdicts"), len(stored(ledger, "rejects"))) == ([], 1)
    assert [row["status"] for row in stored(ledger, "imports")] == ["imported", "rejected"]


@pytest.mark.parametrize(
    "fields",
    [{"backend": "scripted", "verifier_model": "scripted"}, {"verifier_model": "Scripted"}],
    ids=["backend", "model"],
)
def test_a_scripted_verdict_is_shown_and_counts_nowhere(ledger, tmp_path, fields):
    """Ledger row, model scores and export are byte for byte what they were; the history has it as simulated."""
    ledger.execute(AddRating(actor="dana", reviewer="dana", story_id="S-1", rating=7))
    before = stored(ledger, "ledger"), ledger.ask(ListModels()), exported(ledger, tmp_path)
    answer = ledger.execute(verdict(REVIEW.format(3, "scripted"), **fields))
    assert (answer.simulated, answer.quality, answer.warnings) == (True, 3.0, [])
    assert (stored(ledger, "ledger"), ledger.ask(ListModels()), exported(ledger, tmp_path)) == before
    assert [found["simulated"] for found in run_of(ledger)["verdicts"]] == [True]


def test_a_scripted_review_that_comes_as_a_file_is_simulated_too(ledger, tmp_path):
    """Who saves the review and ingests it gets no verdict that counts."""
    path = tmp_path / "review.txt"
    path.write_text(REVIEW.format(3, "scripted"))
    ledger.execute(ImportArtifact(actor="ci", path=str(path), story_id="S-1"))
    run = run_of(ledger)
    assert (run["quality_verifier"], run["signal_source"]) == (None, "auto")
    assert run["quality"] == pytest.approx(AUTO)
    assert [found["simulated"] for found in run["verdicts"]] == [True]


def test_what_was_asked_is_kept_beside_the_review(ledger):
    """Judge, model, version of the instructions, diff, tokens, time, end and cost."""
    ledger.execute(
        verdict(
            REVIEW.format(8, "x"),
            diff_sha256="ab",
            input_tokens=900,
            output_tokens=80,
            latency_ms=12.5,
            stop_reason="stop",
            cost_usd=0.0002,
        )
    )
    kept = json.loads(stored(ledger, "imports")[-1]["target"])
    assert kept.items() >= {
        "backend": "openai", "verifier_model": "gpt-4o-mini-2024-07-18", "prompt_version": "verifier_review-v1",
        "diff_sha256": "ab", "input_tokens": 900, "output_tokens": 80, "latency_ms": 12.5, "story_id": "S-1",
        "stop_reason": "stop", "cost_usd": 0.0002,
        "agent": "builder", "model_version": BUILDER, "attempt": 1,
    }.items()  # fmt: skip


def test_sent_twice_it_is_stored_once_and_asked_again_twice(ledger):
    """A lost answer costs nothing; a second question is a second verdict."""
    command = verdict(REVIEW.format(8, "x"))
    assert ledger.execute(command).verdict_id == ledger.execute(command).verdict_id
    ledger.execute(verdict(REVIEW.format(8, "x")))
    assert len(stored(ledger, "verdicts")) == 2


def test_a_rebuild_gives_the_same_row(ledger):
    """The increment equals the whole."""
    ledger.execute(verdict(REVIEW.format(8, "x")))
    before = stored(ledger, "ledger")
    ledger.execute(Rebuild(actor="dana"))
    assert stored(ledger, "ledger") == before


def test_a_full_export_carries_verdicts_rejects_and_what_was_asked(ledger, tmp_path):
    ledger.execute(verdict(REVIEW.format(8, "x")))
    ledger.execute(verdict(REVIEW.format(3, "scripted"), backend="scripted", verifier_model="scripted"))
    ledger.execute(verdict("no block"))
    path = tmp_path / "all.jsonl"
    export_rows(ledger.store, ExportRows(format="jsonl", full=True), path)
    with Ledger(tmp_path / "copy.duckdb") as copy:
        copy.execute(ImportArtifact(actor="ci", path=str(path)))
        for table in ("ledger", "verdicts", "evidence"):
            assert stored(copy, table) == stored(ledger, table), table
        assert [row for row in stored(copy, "imports") if row["label"].startswith("review by")] == [
            row for row in stored(ledger, "imports") if row["label"].startswith("review by")
        ]


@pytest.mark.parametrize("kind", [ShowRun, AddVerdict])
def test_a_run_that_is_not_there_is_named(ledger, kind):
    """An unknown story suggests near ones; a run that does not fit lists those that are there."""
    more = {} if kind is ShowRun else {"review": "x", "backend": "openai", "verifier_model": "m", "prompt_version": "v"}
    act = ledger.ask if kind is ShowRun else ledger.execute
    with pytest.raises(NotFound, match=r"S-11: no such story\. Did you mean: S-1\?"):
        act(kind(actor="dana", story_id="S-11", **more))
    with pytest.raises(NotFound, match=r"its runs are: builder / claude-sonnet-4-6 / attempt 1"):
        act(kind(actor="dana", story_id="S-1", attempt=2, **more))
    with pytest.raises(NotFound, match="no run fits"):
        act(kind(actor="dana", story_id="S-1", run_id="nonsense", **more))


def exported(ledger, folder):
    path = folder / "rows.csv"
    export_rows(ledger.store, ExportRows(), path)
    return path.read_bytes()
