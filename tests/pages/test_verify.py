"""Can a verifier be asked from the page of a run, and is what it says stored as what it is?"""

import pytest
import streamlit as st

from pages.components import verifier
from quality.commands import ImportArtifact
from quality.judges import ScriptedJudge
from quality.judging import JudgeFailure, JudgeReply
from tests.pages.conftest import HOSTILE, texts

DIFF = "--- a\n+++ b\n-x\n+y\n"
REVIEW = f"{HOSTILE}\n\n# synlynk-meta\nquality=9\ncorrect=true\nrework_needed=false\nverifier_model=boss\n"
RUNS = (
    "story_id,title,agent,model,test_pass_rate,tests_total,build_success,done_criteria\n"
    "S-1,Fix,builder,claude-sonnet-4-6,0.5,10,true,All <b>suites</b> are read.\n"
    "S-2,Docs,builder,m1,1,5,true,\n"
)
"""Auto of S-1: (5·30 + 10·25) / 55 = 7.27."""
NAMES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def runs(empty, tmp_path):
    """Story → the id of its run."""
    path = tmp_path / "runs.csv"
    path.write_text(RUNS)
    empty.execute(ImportArtifact(actor="ci", path=str(path)))
    found = empty.store.rows("SELECT story_id, run_id::VARCHAR AS run_id FROM ledger")
    return {row["story_id"]: row["run_id"] for row in found}


@pytest.fixture
def answers(monkeypatch):
    """`answers(text or failure)` → the questions; it answers as a model of OpenAI's, or as the one named."""

    def say(answer, model="gpt-4o-mini", backend="openai"):
        asked = []

        def script(request):
            asked.append(request)
            return answer if isinstance(answer, JudgeFailure) else JudgeReply(text=answer, model=model, backend=backend)

        monkeypatch.setattr(verifier, "open_judge", lambda *_, **__: ScriptedJudge([script]))
        return asked

    return say


def ask(page, run_id, diff=DIFF):
    """Paste the diff, ask, and wait."""
    page.text_area(key=f"diff-{run_id}").set_value(diff)
    page.button(key="ask_verifier").click().run()
    place = f"job:verify-{run_id}"
    if place in page.session_state:
        page.session_state[place].finished.wait()
        page.run()
    assert not page.exception
    return page


def metrics(page):
    return {metric.label: metric.value for metric in page.metric}


def ledger_rows(ledger):
    return ledger.store.table("SELECT * FROM ledger ORDER BY story_id").to_pylist()


def test_a_verdict_counts_at_once_and_its_words_are_text(empty, runs, open_page, answers):
    """9 by the model that answered is the run's score; the review with its markup stands in the history."""
    asked = answers(REVIEW)
    page = ask(open_page("stories", run=runs["S-1"]), runs["S-1"])
    assert page.success[0].value == "Stored: the verdict stands among the ratings."
    assert metrics(page) == {"Effective": "9.0", "◆ Auto": "7.3", "■ Verifier": "9.0", "● Human": "–"}
    assert "9.0 by gpt-4o-mini" in texts(page)
    assert "The review says it is by boss: stored is gpt-4o-mini, which answered." in texts(page)
    assert REVIEW.strip() in texts(page)
    assert not [text for text in (*page.markdown, *page.caption) if "script>" in text.value]
    assert len(asked) == 1
    assert DIFF in asked[0].user
    assert "All <b>suites</b> are read." in asked[0].user


def test_the_answer_can_be_asked_again_and_the_diff_is_kept(empty, runs, open_page, answers):
    answers(REVIEW)
    page = ask(open_page("stories", run=runs["S-1"]), runs["S-1"])
    assert page.text_area(key=f"diff-{runs['S-1']}").value == DIFF
    answers(REVIEW.replace("quality=9", "quality=4"))
    assert metrics(ask(page, runs["S-1"]))["■ Verifier"] == "4.0"


def test_a_review_without_a_block_is_a_reject_with_reason_and_words(empty, runs, open_page, answers):
    before = ledger_rows(empty)
    asked = answers(f"Fine, an 8. {HOSTILE}")
    page = ask(open_page("stories", run=runs["S-1"]), runs["S-1"])
    assert page.error[0].value == "No verdict: the review is a reject."
    assert any(text.startswith("no verdict block in it") for text in texts(page))
    assert f"Fine, an 8. {HOSTILE}" in texts(page)
    assert (ledger_rows(empty), len(asked)) == (before, 1)


def test_a_judge_without_an_answer_is_said(empty, runs, open_page, answers):
    answers(JudgeFailure(code="timeout", message="no answer within 60 s: try again", backend="openai"))
    page = ask(open_page("stories", run=runs["S-1"]), runs["S-1"])
    assert page.error[0].value == "The verifier gave no answer. Nothing was stored."
    assert "no answer within 60 s: try again" in texts(page)


def test_scripted_is_simulated_and_leaves_the_row_alone(empty, runs, open_page):
    """Offline: the history says simulated, every column of the row is as before."""
    before = ledger_rows(empty)
    page = ask(open_page("stories", run=runs["S-1"]), runs["S-1"])
    assert page.info[0].value == "Stored as simulated: it is in the history only and counts nowhere."
    assert ledger_rows(empty) == before
    history = next(frame.value for frame in page.dataframe if "standing" in frame.value.columns)
    assert history.loc[0, ["rater", "standing"]].tolist() == ["on demand / scripted", "simulated, shown only"]


@pytest.mark.parametrize(
    ("diff", "reason"), [("  ", "the diff is empty"), ("x" * 200_001, "the diff has 200,001 bytes")]
)
def test_a_diff_that_cannot_be_sent_is_refused_before_anybody_is_asked(empty, runs, open_page, answers, diff, reason):
    asked = answers(REVIEW)
    page = ask(open_page("stories", run=runs["S-1"]), runs["S-1"], diff)
    assert page.error[0].value == "No verdict was asked for, or it could not be stored."
    assert any(text.startswith(reason) for text in texts(page))
    assert asked == []


def test_one_family_is_warned_of_before_and_after(empty, runs, open_page, answers, monkeypatch):
    """Before by the model that would be asked, after by the one that answered, and as a caveat of the run."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-not-a-real-key-0123456789")
    page = open_page("stories", run=runs["S-1"])
    before = "Builder claude-sonnet-4-6 and verifier claude-sonnet-4-20250514 share a model family (anthropic)."
    assert before in texts(page)
    answers(REVIEW, model="claude-opus-4-5", backend="anthropic")
    page = ask(page, runs["S-1"])
    assert "Builder claude-sonnet-4-6 and verifier claude-opus-4-5 share a model family (anthropic)." in texts(page)
    assert any("Verifier and builder belong to one model family." in caption.value for caption in page.caption)


def test_a_story_without_criteria_is_said(empty, runs, open_page):
    """Where they are, they stand as text."""
    without = [caption.value for caption in open_page("stories", run=runs["S-2"]).caption]
    assert "None are recorded for this story." in without
    assert any("No done criteria are recorded for this story: the verifier is told so." in text for text in without)
    assert "All <b>suites</b> are read." in texts(open_page("stories", run=runs["S-1"]))


def test_the_storys_texts_lead_to_prompts(empty, runs, open_page, monkeypatch):
    """The link carries run and text; a story without any leads to an empty one. In a browser: `tests/browser`."""
    links = []
    monkeypatch.setattr(
        st, "page_link", lambda page, *, label, query_params=None, **_: links.append((label, query_params))
    )
    open_page("stories", run=runs["S-1"])
    assert links == [("Evaluate the done criteria", {"run": runs["S-1"], "of": "done_criteria"})]
    links.clear()
    open_page("stories", run=runs["S-2"])
    assert links == [("Evaluate a prompt of this story", {"run": runs["S-2"], "of": "prompt"})]
