"""A verifier asked from a terminal: what is sent, what is stored, what is refused, and in which words."""

import json
import socket

import pytest

from quality.cli import judging
from quality.judges import ScriptedJudge
from quality.judging import JudgeFailure, JudgeReply
from tests.serving import serving, wait_until

RUNS = """story_id,title,agent,model,attempt,test_pass_rate,tests_total,build_success,done_criteria
S-1,Read nested suites,builder,claude-sonnet-4-6,1,0.95,40,true,Each test is counted once.
S-1,Read nested suites,builder,gpt-5-codex,2,0.5,10,false,Each test is counted once.
S-2,Rename,builder,claude-sonnet-4-6,1,1,5,true,
"""
DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n"
REVIEW = "Sound.\n\n# synlynk-meta\nquality=8\ncorrect=true\nrework_needed=false\nverifier_model=whoever\n"


@pytest.fixture
def started(run, tmp_path):
    """Three runs of two stories, and a diff beside the ledger."""
    (tmp_path / "runs.csv").write_text(RUNS)
    (tmp_path / "p.diff").write_text(DIFF)
    assert run("ingest", "runs.csv").code == 0
    return run


@pytest.fixture
def answers(monkeypatch):
    """`answers(text or failure)` → the questions that the judge was asked. It answers as a model of OpenAI's."""

    def say(answer, model="gpt-4o-mini-2024-07-18", **reply):
        asked = []

        def script(request):
            asked.append(request)
            if isinstance(answer, JudgeFailure):
                return answer
            return JudgeReply(text=answer, model=model, backend="openai", input_tokens=700, output_tokens=60, **reply)

        judge = ScriptedJudge([script])
        judge.backend, judge.model = "openai", model.removesuffix("-2024-07-18")
        monkeypatch.setattr(judging, "open_judge", lambda backend, settings, model=None: judge)
        return asked

    return say


def verified(run, *more, story="S-2", **environment):
    return run("verify", story, "--diff", "p.diff", "--judge", "openai", *more, **environment)


def test_a_verdict_is_stored_by_the_model_that_answered(started, answers):
    """8 counts as the run's score; the one document names run, verdict, review and what it took."""
    answers(REVIEW)
    done = verified(started, "--json")
    assert (done.code, done.json["status"], done.json["failure"], done.json["rejects"]) == (0, "STORED", None, [])
    assert done.json["verdict"].items() >= {
        "quality": 8.0, "correct": True, "rework": False, "simulated": False, "verifier_agent": "on demand",
        "verifier_model": "gpt-4o-mini-2024-07-18",
    }.items()  # fmt: skip
    assert done.json["verdict"]["row"]["quality"] == 8.0
    assert done.json["review"] == REVIEW
    assert done.json["metadata"].items() >= {"input_tokens": 700, "prompt_version": "verifier_review-v1"}.items()
    assert started("show", "S-2", "--json").json["runs"][0]["signal_source"] == "verifier"


def test_the_judge_sees_diff_criteria_and_signals_and_no_score(started, answers):
    """Fenced in the user's part; what was not measured is said to be."""
    asked = answers(REVIEW)
    verified(started, "--attempt", "1", story="S-1")
    (question,) = asked
    for shown in (DIFF, "Story: Read nested suites\n\nEach test is counted once.", "Test pass rate: 95 % of 40 tests",
                  "Build: yes", "CI after merge: not measured"):  # fmt: skip
        assert shown in question.user
        assert shown not in question.system
    assert "9.7" not in question.user
    assert (question.purpose, question.max_tokens) == ("verifier_review", 2048)


@pytest.mark.parametrize(
    ("chosen", "attempt"),
    [((), 2), (("--attempt", "1"), 1), (("--builder-model", "claude-sonnet-4-6"), 1)],
    ids=["the latest", "by attempt", "by model"],
)
def test_the_run_can_be_chosen_and_a_bare_story_means_its_latest(started, answers, chosen, attempt):
    answers(REVIEW)
    assert verified(started, *chosen, "--json", story="S-1").json["verdict"]["run"]["attempt"] == attempt


def test_a_run_can_be_named_by_its_id(started, answers):
    answers(REVIEW)
    run_id = started("show", "S-1", "--json").json["runs"][0]["run_id"]
    done = verified(started, "--run", run_id, "--json", story="S-1")
    assert done.json["verdict"]["run"]["run_id"] == run_id
    assert "--run names the run" in verified(started, "--run", run_id, "--attempt", "1", story="S-1").err


def test_one_family_is_warned_of_before_and_after(started, answers):
    """On stderr before the judge is asked and with the answer; the row carries the caveat."""
    answers(REVIEW.replace("whoever", "claude-opus-4-5"), model="claude-opus-4-5")
    done = verified(started)
    warning = "warning: builder claude-sonnet-4-6 and verifier claude-opus-4-5 share a model family (anthropic)\n"
    assert done.err.count(warning) == 2
    assert "Stored 8.0 by claude-opus-4-5 for S-2, run " in done.out
    assert "Its score is 8.0, from verifier." in done.out
    assert "Caveat: Verifier and builder belong to one model family." in done.out


def test_missing_criteria_are_said(started, answers):
    asked = answers(REVIEW)
    assert "warning: no done criteria are recorded for this story" in verified(started).err
    assert "Story: Rename\n\nNone are recorded." in asked[0].user


def test_a_review_without_a_block_is_a_reject_with_its_words(started, answers):
    """Exit 1, reason and raw text, no verdict, and nobody is asked a second time."""
    asked = answers("Looks fine. <b>8</b> [red]of ten[/red]")
    done = verified(started)
    assert done.code == 1
    assert "REJECTED: no verdict block in it" in done.out
    assert "Looks fine. <b>8</b> [red]of ten[/red]" in done.out
    assert len(asked) == 1
    assert started("show", "S-2", "--json").json["runs"][0]["verdicts"] == []


def test_a_rejected_review_is_one_json_document_too(started, answers):
    answers(REVIEW.replace("quality=8", "quality=85"))
    done = verified(started, "--json")
    assert (done.code, done.json["status"], done.json["verdict"]) == (1, "REJECTED", None)
    assert done.json["rejects"][0].items() >= {"line": 3, "value": "85"}.items()
    assert "quality=85" in done.json["review"]


def test_a_review_that_was_cut_is_a_reject(started, answers):
    """What it ends with is missing: a block in the middle may be the diff's own words."""
    answers(REVIEW, stop_reason="length")
    assert "REJECTED: the review was cut" in verified(started).out


def test_a_judge_that_gives_no_answer_is_said_with_the_remedy(started, answers):
    answers(JudgeFailure(code="rate_limit", message="429: wait a minute and try again", backend="openai"))
    done = verified(started, "--json")
    assert (done.code, done.json["status"]) == (1, "FAILED")
    assert done.json["failure"] == {"code": "JUDGE_RATE_LIMIT", "message": "429: wait a minute and try again"}
    answers(JudgeFailure(code="timeout", message="no answer within 60 s", backend="openai"))
    assert verified(started).out == "FAILED JUDGE_TIMEOUT: no answer within 60 s\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("S-9", "--diff", "p.diff", "--judge", "scripted"), "S-9: no such story"),
        (("S-2", "--diff", "p.diff", "--judge", "scripted", "--attempt", "7"), "its runs are: builder /"),
        (("S-2", "--diff", "gone.diff", "--judge", "scripted"), "gone.diff: no such file: check the path"),
        (("S-2", "--diff", "blank.diff", "--judge", "scripted"), "the diff is empty"),
        (("S-2", "--diff", "image.diff", "--judge", "scripted"), "the diff is no text"),
        (("S-2", "--diff", "p.diff", "--judge", "robot"), "judge 'robot': choose one of anthropic, openai, scripted"),
        (("S-2", "--diff", "p.diff", "--judge", "scripted", "--model", "gpt-5"), "the scripted judge is no model"),
        (("S-2", "--diff", "p.diff"), "Missing option '--judge'"),
        (("S-2", "--judge", "scripted"), "Missing option '--diff'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_asked_is_refused_in_one_line(started, tmp_path, arguments, reason):
    """Exit 2, before anybody is asked."""
    (tmp_path / "blank.diff").write_text(" \n")
    (tmp_path / "image.diff").write_bytes(b"\x89PNG\0\0\0")
    done = started("verify", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith("error: ")
    assert reason in done.err


def test_a_long_diff_is_refused_and_not_cut(started, answers):
    """The limit is a setting, in bytes of UTF-8: 60 here."""
    asked = answers(REVIEW)
    done = verified(started, QUALITY_LIMITS__DIFF_BYTES="40")
    assert done.err.endswith(
        f"error: the diff has {len(DIFF)} bytes, but limits.diff_bytes is 40: leave generated files and lock files out, "
        "or raise the limit\n"
    )
    assert (done.code, asked) == (2, [])


def test_no_ledger_is_held_while_the_judge_is_asked(started, answers, process):
    """Another process writes meanwhile."""
    during = []

    def rate_meanwhile(request):
        during.append(process("score", "add", "S-2", "3").code)
        return JudgeReply(text=REVIEW, model="gpt-4o-mini", backend="openai")

    answers(REVIEW)
    judge = ScriptedJudge([rate_meanwhile])
    judge.backend = "openai"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "open_judge", lambda *args, **more: judge)
        done = verified(started, "--json")
    assert (during, done.code) == ([0], 0)
    assert done.json["verdict"]["row"]["signal_source"] == "human"


def test_scripted_needs_no_key_and_counts_nowhere(process, tmp_path, ledger_path):
    """A process of its own, offline: simulated in the history, the row as it was."""
    (tmp_path / "runs.csv").write_text(RUNS)
    (tmp_path / "p.diff").write_text(DIFF)
    process("ingest", "runs.csv")
    before = process("score", "list", "--json").json
    done = process("verify", "S-2", "--diff", "p.diff", "--judge", "mock", "--json")
    assert (done.code, done.json["verdict"]["simulated"], done.json["metadata"]["backend"]) == (0, True, "scripted")
    assert process("score", "list", "--json").json == before
    assert [v["simulated"] for v in process("show", "S-2", "--json").json["runs"][0]["verdicts"]] == [True]
    assert "simulated, in the history only" in process("verify", "S-2", "--diff", "p.diff", "--judge", "scripted").out


def test_with_the_dashboard_open_it_works_too(process, tmp_path, ledger_path):
    """The dashboard holds the ledger: question and verdict go over HTTP, with the same answer."""
    (tmp_path / "runs.csv").write_text(RUNS)
    (tmp_path / "p.diff").write_text(DIFF)
    process("ingest", "runs.csv")
    alone = process("verify", "S-2", "--diff", "p.diff", "--judge", "scripted", "--json").json
    with serving(ledger_path, tmp_path / "server.log"):
        owner = ledger_path.with_name(ledger_path.name + ".owner")
        wait_until(lambda: owner.exists() and json.loads(owner.read_text()).get("address"), "the owner's address")
        done = process("verify", "S-2", "--diff", "p.diff", "--judge", "scripted", "--json")
    assert done.code == 0
    ids = ("verdict_id",)
    assert {k: v for k, v in done.json["verdict"].items() if k not in ids} == {
        k: v for k, v in alone["verdict"].items() if k not in ids
    }


def test_without_a_key_it_says_which_to_set(started, monkeypatch):
    """No connection is made."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(socket, "create_connection", None)
    done = started("verify", "S-2", "--diff", "p.diff", "--judge", "claude")
    assert done.code == 1
    assert done.out.startswith("FAILED JUDGE_NO_KEY: no key: set ANTHROPIC_API_KEY")


def test_help_shows_examples_and_exit_codes(run):
    shown = run("verify", "--help").out
    assert "git diff main...story-7 | python -m quality verify STORY-7 --diff - --judge anthropic" in shown
    assert "Exit codes: 0 stored · 1 the review was rejected, or the judge gave none" in shown
