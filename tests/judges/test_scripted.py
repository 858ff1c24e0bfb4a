"""Is the scripted judge deterministic, labelled, and readable by those who ask it?"""

import json

import pytest

from quality.judges import ScriptedJudge, ask_many, open_judge
from quality.judges.scripted import LABEL
from quality.judging import JudgeFailure, JudgeReply
from quality.prompts import evaluate_prompt
from quality.readers.verdicts import find_blocks
from quality.settings import JudgeSettings


def test_the_same_question_gets_the_same_answer_and_another_one_another(question):
    """In any process: the answer is made from a hash."""
    first, again = (open_judge("mock", JudgeSettings()).ask(question("a", purpose="verifier_review")) for _ in "12")
    assert first == again
    texts = {ScriptedJudge().ask(question(f"q{n}", purpose="verifier_review")).text for n in range(40)}
    assert len(texts) == 13  # every half point from 3 to 9


@pytest.mark.parametrize("purpose", ["prompt_evaluation", "verifier_review", "candidate_judgement", "chat"])
def test_every_answer_says_that_it_is_scripted(question, purpose):
    """In its model, its backend and its text; it took nothing."""
    reply = ScriptedJudge().ask(question(purpose=purpose))
    assert (reply.model, reply.backend, LABEL in reply.text) == ("scripted", "scripted", True)
    assert (reply.input_tokens, reply.output_tokens, reply.cost_usd, reply.attempts) == (0, 0, 0.0, 0)


def test_an_evaluation_can_be_scored():
    evaluation = evaluate_prompt("Summarise the text.", ScriptedJudge())
    assert evaluation.status == "SUCCESS"
    assert 3 <= evaluation.overall <= 9
    assert evaluation.metadata.scripted


def test_a_review_ends_in_the_block(question):
    (block,) = find_blocks(ScriptedJudge().ask(question(purpose="verifier_review")).text.splitlines())
    assert block.fields["verifier_model"] == "scripted"
    assert 3 <= float(block.fields["quality"]) <= 9


def test_a_candidate_gets_four_scores_from_0_to_1(question):
    said = json.loads(ScriptedJudge().ask(question(purpose="candidate_judgement")).text)
    assert all(0 <= said[name] <= 1 for name in ("clarity", "specificity", "consistency", "safety"))
    assert (said["verdict"], said["confidence"]) == ("conditional", 0.5)


def test_it_says_what_a_test_gives_it_and_then_its_own(question):
    """Texts, failures, or a function of the question, in turn."""
    failure = JudgeFailure(code="timeout", message="late", backend="scripted")
    judge = ScriptedJudge(["one", failure, lambda asked: asked.user.upper()])
    answers = [judge.ask(question("hi")) for _ in range(4)]
    assert [answer.text if isinstance(answer, JudgeReply) else answer.code for answer in answers] == [
        "one", "timeout", "HI", LABEL,
    ]  # fmt: skip


def test_many_answers_come_in_the_order_of_the_questions(question):
    """And each is told of once, by its place."""
    told = []
    judge = ScriptedJudge(lambda asked: asked.user for _ in range(50))
    answers = ask_many(judge, (question(str(n)) for n in range(50)), 8, lambda place, answer: told.append(place))
    assert [answer.text for answer in answers] == [str(n) for n in range(50)]
    assert sorted(told) == list(range(50))
    assert ask_many(judge, [], 3) == []
