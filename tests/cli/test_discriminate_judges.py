"""`discriminate` with a judge behind a network: what is asked, what an answer changes, and what a failure leaves."""

import json
from collections import Counter

import pytest

from quality.judges.fallback import GIVE_UP_AFTER, PatientJudge, open_or_scripted
from quality.judges.scripted import ScriptedJudge
from quality.judging import JudgeFailure, JudgeReply, JudgeRequest
from quality.settings import JudgeSettings
from tests.judges.server import Answer, JudgeServer

PLAN = {"action": "append_markdown_section", "content_lines": ["Name an owner."]}
SAFE = {"category": "docs", "risk_level": "low", "executor_support": True, "execution_plan": PLAN}
BACKENDS = {"claude": ("ANTHROPIC", ""), "openai": ("OPENAI", "/v1")}


def said(score: float, **more) -> str:
    return json.dumps(dict.fromkeys(("clarity", "specificity", "consistency", "safety"), score) | more)


@pytest.fixture
def server():
    with JudgeServer() as running:
        yield running


@pytest.fixture
def judged(run, tmp_path, server):
    """`judged(n, "claude", "--panel")` → how scoring n safe candidates of 8.5 ended, one question after the other."""

    def start(count: int, backend: str, *options: str):
        many = [SAFE | {"id": f"c{place}", "title": f"title-{place}"} for place in range(count)]
        (tmp_path / "c.json").write_text(json.dumps({"run_id": "r", "target": {"path": "a"}, "candidates": many}))
        name, ending = BACKENDS[backend]
        environment = {
            f"{name}_API_KEY": "sk-planted-0123456789", f"{name}_BASE_URL": server.address + ending,
            "QUALITY_JUDGES__CONCURRENCY": "1", "QUALITY_JUDGES__RETRIES": "0",
        }  # fmt: skip
        return run("discriminate", "--input", "c.json", "--llm-judge", backend, "--json", *options, **environment)

    return start


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_real_answer_counts_forty_in_a_hundred(judged, server, backend):
    """0.6·8.5 + 0.4·10·0.9 = 8.7; the ranking names who judged, with what it took."""
    server.answers = [Answer(said(0.9, verdict="approve", confidence=0.8, rationale="clear"))]
    done = judged(1, backend)
    (one,) = done.json["scored_candidates"]
    assert (done.code, done.err, one["score"], one["recommendation"]) == (0, "", 8.7, "accept_for_execution")
    verdict = one["llm_verdict"]
    assert (verdict["decision"], verdict["confidence"], verdict["reasoning"]) == ("approve", 0.8, "clear")
    assert (verdict["backend_used"], verdict["model"], done.json["backend_used"]) == (backend, "served-model", backend)
    use = done.json["llm_judge"]
    assert (use["asked"], use["answered"], use["failed"]) == (1, 1, 0)
    assert (use["input_tokens"], use["output_tokens"], use["requested"]) == (11, 7, backend)


def test_each_reviewer_asks_by_itself_and_blind(judged, server):
    """Four questions a candidate, the same words each, and none holds an answer that came before."""
    server.answers = [Answer(said(score, rationale=f"marker-{score}")) for score in (0.9, 0.7, 0.5, 0.3)]
    done = judged(1, "claude", "--panel")
    reviews = done.json["scored_candidates"][0]["panel"]["panel_reviews"]
    assert [review["llm_score"] for review in reviews] == [0.9, 0.7, 0.5, 0.3]
    bodies = [json.dumps(call.body) for call in server.calls]
    assert len(bodies) == 4
    assert len(set(bodies)) == 1
    assert "marker" not in bodies[0]
    assert "structural" not in bodies[0]
    # structural: 4 + 5 + 0.5 = 9.5 → 0.6·9.5 + 0.4·9; security_auditor: 4 + 2 + 0.5 = 6.5 → 0.6·6.5 + 0.4·3
    assert (reviews[0]["score"], reviews[3]["score"]) == (9.3, 5.1)
    assert done.json["scored_candidates"][0]["llm_verdict"]["score"] == 0.6


def test_several_candidates_and_reviewers_get_their_own_answers(judged, server):
    """Three candidates, four reviewers: twelve questions, four of each candidate, none twice over."""
    server.answers = [Answer(said(0.5)) for _ in range(12)]
    assert judged(3, "openai", "--panel").json["llm_judge"]["asked"] == 12
    asked = Counter(next(n for n in range(3) if f"title-{n}" in json.dumps(call.body)) for call in server.calls)
    assert asked == {0: 4, 1: 4, 2: 4}


def test_a_judge_that_rejects_is_a_blocker(judged, server):
    """Not a recommendation: what is safe to keep stays so, with the blocker beside it."""
    server.answers = [Answer(said(0.2, verdict="reject"))]
    (one,) = judged(1, "claude").json["scored_candidates"]
    assert (one["blockers"], one["score"]) == (["llm_judge_reject"], 5.9)


def test_an_answer_that_cannot_be_read_is_a_half(judged, server):
    """0.6·8.5 + 0.4·5 = 7.1, confidence 0.2, and a warning."""
    server.answers = [Answer("I like it")]
    done = judged(1, "openai")
    (one,) = done.json["scored_candidates"]
    assert (one["score"], one["llm_verdict"]["decision"], one["llm_verdict"]["confidence"]) == (7.1, "conditional", 0.2)
    assert "1 of 1 answers were not as asked for" in done.err


def test_a_failure_drops_out_of_its_candidate_alone(judged, server):
    """The second question fails: that candidate has the heuristic's 8.5, the others the blend's 7.1."""
    server.answers = [Answer(said(0.5)), Answer(status=500, error="down"), Answer(said(0.5))]
    done = judged(3, "claude")
    scores = {one["id"]: (one["score"], "llm_verdict" in one) for one in done.json["scored_candidates"]}
    assert (done.code, scores) == (0, {"c0": (7.1, True), "c1": (8.5, False), "c2": (7.1, True)})
    assert done.json["llm_judge"]["failed"] == 1
    assert "warning: judge claude: 1 of 3 questions have no answer (server_error: " in done.err
    assert "warning: candidate 'c1': the judge gave no usable answer: scored without it" in done.err


def test_one_reviewer_without_an_answer_scores_without_it(judged, server):
    """The other three keep theirs."""
    server.answers = [Answer(said(0.9)), Answer(status=500, error="down"), Answer(said(0.9)), Answer(said(0.9))]
    reviews = judged(1, "claude", "--panel").json["scored_candidates"][0]["panel"]["panel_reviews"]
    assert ["llm_verdict" in review for review in reviews] == [True, False, True, True]
    assert (reviews[1]["score"], reviews[1]["parts"]["blend"]["missing"]) == (7.5, ["judge"])


def test_a_key_that_is_not_taken_is_not_tried_for_ever(judged, server):
    """After ten such failures nothing more is asked; the ranking is the heuristic's and nobody is named as its judge."""
    server.answers = [Answer(status=401, error="no") for _ in range(200)]
    done = judged(30, "claude", "--panel")
    assert (done.code, len(server.calls)) == (0, GIVE_UP_AFTER)
    assert done.json["llm_judge"]["answered"] == 0
    assert "backend_used" not in done.json
    assert all("llm_verdict" not in one for one in done.json["scored_candidates"])
    assert "120 of 120 questions have no answer (auth: " in done.err
    assert "sk-planted" not in done.err + done.out


class Failing(ScriptedJudge):
    """Fails in this way, as often as it is said; then answers."""

    def __init__(self, code: str, times: int) -> None:
        super().__init__([JudgeFailure(code=code, message="no", backend="openai")] * times)
        self.asked = 0

    def ask(self, request: JudgeRequest) -> JudgeReply | JudgeFailure:
        self.asked += 1
        return super().ask(request)


@pytest.mark.parametrize(
    ("code", "times", "asked"),
    [("connection", 99, 10), ("timeout", 9, 15), ("server_error", 99, 15), ("refused", 99, 15)],
)
def test_patience_ends_where_the_next_question_would_fail_as_well(code, times, asked):
    """Ten in a row of what concerns all questions, never what concerns one."""
    judge = Failing(code, times)
    patient = PatientJudge(judge)
    question = JudgeRequest(system="s", user="u", purpose="candidate_judgement", prompt_version="v")
    answers = [patient.ask(question) for _ in range(15)]
    assert judge.asked == asked
    assert all(isinstance(answer, JudgeFailure) for answer in answers[:9])


def test_who_judges_without_a_key(monkeypatch):
    """The scripted judge, with the reason; with a server of one's own no key is needed, and the mock has no reason."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    opened = open_or_scripted("openai", JudgeSettings())
    assert (opened.judge.backend, opened.requested) == ("scripted", "openai")
    assert "OPENAI_API_KEY" in opened.reason
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8639/v1")
    assert open_or_scripted("openai", JudgeSettings()).judge.backend == "openai"
    assert open_or_scripted("mock", JudgeSettings()).reason is None
